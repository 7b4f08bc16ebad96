import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { QuestionVector } from './embeddings-api.ts';
import type { Embeddings, PassageVector } from './embeddings.ts';
import { rankExactly } from './exact-ranking.ts';
import type { Hit } from '../lexical/passage-index.ts';
import type { Within } from '../../store/sources/sources-api.ts';
import { VectorIndex } from './vector-index.ts';
import { VectorOwners } from './vector-owners.ts';

/** Number of embeddings read from the database before yielding to searches. */
const ROWS_A_TURN = 256;

/** Number of the best hits that are ranked again by their vectors in the database. */
const RANKED_EXACTLY = 100;

/** Passage that is semantically close to a question; its score is the cosine. */
export interface NearPassage extends Hit {
  /** Similarity in standard deviations above the mean between passages of the set; undefined if there are too few. */
  readonly zScore?: number;
}

interface LoadedSet {
  readonly setId: number;
  readonly index: VectorIndex;
  readonly owners: VectorOwners;
}

/** Embeddings of the set in use, in memory. They follow the database like the lexical index. */
export class PassageVectors {
  readonly #embeddings: Embeddings;
  #loaded: LoadedSet | undefined;
  #loading: LoadedSet | undefined;

  constructor(embeddings: Embeddings) {
    this.#embeddings = embeddings;
  }

  /** Returns the number of passages with an embedding, and their memory in bytes. */
  get statistics(): { readonly vectors: number; readonly vectorBytes: number } {
    const index = this.#loaded?.index;
    return { vectors: index?.size ?? 0, vectorBytes: index?.bytes ?? 0 };
  }

  /** Loads the set in use if it changed. The previous set answers until the new one is loaded. */
  async load(): Promise<void> {
    const active = this.#embeddings.active();
    if (active === undefined || active.setId === (this.#loading ?? this.#loaded)?.setId) return;
    const set: LoadedSet = {
      setId: active.setId,
      index: new VectorIndex(active.dimension),
      owners: new VectorOwners(),
    };
    this.#loading = set;
    let after = 0;
    while (this.#loading === set) {
      const rows = this.#embeddings.after(set.setId, after, ROWS_A_TURN);
      addNew(set, rows);
      after = rows.at(-1)?.id ?? after;
      if (rows.length < ROWS_A_TURN) {
        this.#loaded = set;
        this.#loading = undefined;
      } else await yieldToMessages();
    }
  }

  /** Applies changes of a document: removed passages and new embeddings. Yields to searches. */
  async follow(documentId: number, removedIds: readonly number[]): Promise<void> {
    for (const set of [this.#loaded, this.#loading]) {
      if (set === undefined) continue;
      set.index.remove(removedIds);
      const missing = this.#embeddings.passageIds(documentId).filter((id) => !set.index.has(id));
      for (let at = 0; at < missing.length; at += ROWS_A_TURN) {
        if (at > 0) await yieldToMessages();
        addNew(set, this.#embeddings.ofPassages(set.setId, missing.slice(at, at + ROWS_A_TURN)));
      }
    }
  }

  /** Returns the closest passages in a scope to a question, best first; none if its vector belongs to another set. */
  search({ setId, values }: QuestionVector, limit: number, within?: Within): readonly NearPassage[] {
    const set = this.#loaded;
    if (set?.setId !== setId || values.length !== set.index.dimension) return [];
    const hits = set.index.search(
      values,
      Math.max(limit, RANKED_EXACTLY),
      within && set.owners.markIncluded(within),
    );
    const ids = hits.slice(0, RANKED_EXACTLY).map(({ id }) => id);
    const usual = set.index.cosineStatistics;
    return rankExactly(values, hits, this.#embeddings.ofPassages(setId, ids))
      .slice(0, limit)
      .map((hit) => ({ ...hit, ...(usual && { zScore: (hit.score - usual.mean) / usual.deviation }) }));
  }
}

function addNew({ index, owners }: LoadedSet, rows: readonly PassageVector[]): void {
  const added = rows.filter(({ id, vector }) => !index.has(id) && vector.some((value) => value !== 0));
  const vectors = new Float32Array(added.length * index.dimension);
  for (const [row, { vector }] of added.entries()) vectors.set(vector, row * index.dimension);
  index.add(
    added.map(({ id }) => id),
    vectors,
    added.map(({ documentId, sourceId }) => owners.number(documentId, sourceId)),
  );
}
