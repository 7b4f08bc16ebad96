import type { FoundPassage } from '../notebook/passage.ts';
import type { QuestionVector } from './api.ts';
import type { DocumentCache } from './document-cache.ts';
import { Narrowing } from './narrowing.ts';
import type { ScoredPassage } from './narrowing.ts';
import type { PassageIndex } from './passage-index.ts';
import type { PassageVectors } from './passage-vectors.ts';
import type { Statements } from './statements.ts';
import type { KeptPassage, Store } from './store.ts';
import { fuse } from './vectors/fusion.ts';

/** How many passages are looked into for the sentences that carry a question, at least. */
const PASSAGES_NARROWED = 20;

/** How many passages found by words and by vectors are put into one ranking. */
const PASSAGES_FUSED = 100;

/** A question, how many windows are wanted at most, and the greatest length of a passage in UTF-16 code units. */
export interface Search {
  readonly question: string;
  readonly limit: number;
  readonly size: number;
  /** Where it is given, passages are found by their meaning, too. */
  readonly vector: QuestionVector | undefined;
}

interface RankedPassage extends KeptPassage {
  readonly passageId: number;
  readonly score: number;
}

/** From a question to the sentences that best carry it. */
export class PassageSearch {
  readonly #sql: Statements;
  readonly #store: Store;
  readonly #documents: DocumentCache;
  readonly #vectors: PassageVectors;
  readonly #narrowing = new Narrowing();

  constructor(sql: Statements, store: Store, documents: DocumentCache, vectors: PassageVectors) {
    this.#sql = sql;
    this.#store = store;
    this.#documents = documents;
    this.#vectors = vectors;
  }

  /**
   * At most `limit` windows of sentences, best first. The index is behind where passages that it found are gone from
   * the store: they were removed or split anew a moment ago, perhaps by another window.
   */
  async search(
    index: PassageIndex,
    search: Search,
  ): Promise<{ readonly found: FoundPassage[]; readonly isBehind: boolean }> {
    const { question, limit, vector } = search;
    const wanted = Math.max(limit, PASSAGES_NARROWED);
    const near = vector === undefined ? [] : this.#vectors.search(vector, PASSAGES_FUSED);
    const byWords = await index.search(question, { limit: near.length > 0 ? PASSAGES_FUSED : wanted });
    const hits = near.length > 0 ? fuse(byWords, near, wanted) : byWords;
    return this.#sql.reading(() => {
      const passages: RankedPassage[] = hits.flatMap(({ id, score }) => {
        const passage = this.#store.passage(id);
        return passage === undefined ? [] : [{ ...passage, passageId: id, score }];
      });
      const windows = this.#narrowing.narrow(
        passages,
        index.weightsOf(question),
        (documentId) => this.#documents.get(documentId),
        { size: search.size, limit, byPassage: near.length > 0 },
      );
      const headingsOf = new Map(passages.map(({ passageId, headings }) => [passageId, headings]));
      return {
        found: windows.flatMap((window) => this.#found(window, headingsOf.get(window.passageId) ?? [])),
        isBehind: passages.length < hits.length,
      };
    });
  }

  #found(window: ScoredPassage, headings: readonly string[]): FoundPassage[] {
    const { documentId, passageId, start, end, score } = window;
    const document = this.#documents.get(documentId);
    const source = this.#store.sourceOf(documentId);
    if (document === undefined || source === undefined) return [];
    return [
      {
        passageId,
        documentId,
        sourceId: document.entry.sourceId,
        start,
        end,
        headings,
        score,
        text: document.text.slice(start, end),
        format: document.format,
        languageId: document.languageId,
        sourceTitle: source.title,
        documentTitle: document.entry.title,
        documentKey: document.entry.key,
      },
    ];
  }
}
