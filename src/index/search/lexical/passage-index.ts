import { insert, remove, search } from '@orama/orama';
import {
  createDatabase,
  type Filters,
  type IndexParts,
  type OramaPassage,
  type PassageDatabase,
  type Relevance,
} from './orama-component.ts';
import { PassageTable } from './passage-table.ts';
import { RANKING_WEIGHTS } from './ranking-weights.ts';
import { MAX_HITS, Postings } from './postings.ts';
import { Checksum, SnapshotReader, SnapshotWriter } from './snapshot-arrays.ts';
import { mayAskForCode } from '../../../core/language/code-questions.ts';
import { WordTokenizer } from '../../../core/language/words/tokenizer.ts';

/** Passage to index: its row in the store (a positive integer) and its searchable text. */
export interface IndexedPassage {
  readonly id: number;
  readonly sourceId: string;
  /** Row of its document in the store. */
  readonly documentId?: number;
  readonly terms: string;
  /** Language of the document as a BCP 47 tag, if it states one. */
  readonly language?: string | undefined;
}

export interface Hit {
  readonly id: number;
  readonly score: number;
}

/** Filter that limits a search to passages of these sources, or to these passages. */
export interface PassageFilter {
  readonly sourceIds?: readonly string[];
  readonly passageIds?: ReadonlySet<number>;
}

interface PassageIndexStatistics {
  readonly passages: number;
  readonly terms: number;
  /** Number of removed passages whose postings still use memory. */
  readonly removed: number;
}

/** Gaps are closed above this number if they also exceed a quarter of the passages. */
const GAPS_TO_CLOSE = 1_000;

/** Number of documents that are looked up at once to find one with prose. */
const DOCUMENTS_A_LOOKUP = 256;

/** Reports whether one of these documents isn't code. */
type ProseLookup = (documentIds: readonly number[]) => boolean;

/** In-memory Orama index of a notebook's passages. Texts stay in the store. */
export class PassageIndex {
  readonly #parts: IndexParts;
  readonly #database: PassageDatabase;

  private constructor(parts: IndexParts) {
    this.#parts = parts;
    this.#database = createDatabase(parts);
  }

  /** Creates an index without passages. Without `hasProse`, all documents count as prose. */
  static create(hasProse?: ProseLookup): PassageIndex {
    const table = new PassageTable();
    return new PassageIndex({
      tokenizer: new WordTokenizer(),
      postings: new Postings(),
      table,
      proseTest: makeProseTest(table, hasProse),
    });
  }

  /** Number of passages. */
  get size(): number {
    return this.#parts.table.size;
  }

  /** Reports whether the index contains the passage with this ID. */
  has(id: number): boolean {
    return this.#parts.table.slot(id) !== undefined;
  }

  /** Returns the IDs of all passages. */
  ids(): number[] {
    return this.#parts.table.rows();
  }

  /** Returns the IDs of a document's passages. */
  idsOfDocument(documentId: number): number[] {
    return this.#parts.table.rowsOfDocument(documentId);
  }

  /** Yields the documents with passages. */
  documentIds(): Iterable<number> {
    return this.#parts.table.documents();
  }

  /** Adds passages; replaces those with the same ID. */
  async add(passages: readonly IndexedPassage[]): Promise<void> {
    for (const { id, sourceId, documentId = 0, terms, language } of passages) {
      if (this.has(id)) await this.remove([id]);
      const slot = this.#parts.postings.slots + 1;
      const passage: OramaPassage = { id: String(slot), row: id, terms, source: sourceId };
      await insert(this.#database, passage, language);
      this.#parts.table.setDocument(slot, documentId);
    }
  }

  /** Removes the passages with these IDs, and ignores unknown IDs. */
  async remove(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const slot = this.#parts.table.slot(id);
      if (slot !== undefined) await remove(this.#database, String(slot));
    }
    const { removed, passages } = this.statistics();
    if (removed > GAPS_TO_CLOSE && removed > passages / 4) this.#closeGaps();
  }

  /**
   * Returns the best passages for a question, best first, at most 256. With `phrases`, returns only passages that
   * contain all words of each phrase, in any position.
   */
  async search(
    question: string,
    options: PassageFilter & { readonly limit: number; readonly phrases?: readonly string[] },
  ): Promise<Hit[]> {
    const filters: Filters = {
      ...(options.sourceIds && { source: { in: [...options.sourceIds] } }),
      ...(options.passageIds && { rows: options.passageIds }),
      ...(options.phrases && { terms: [...options.phrases] }),
    };
    const limit = Math.min(options.limit, MAX_HITS);
    const relevance: Relevance = { ...RANKING_WEIGHTS, d: 0, limit };
    const { hits } = await search(this.#database, {
      term: question,
      properties: ['terms'],
      limit,
      relevance,
      ...(Object.keys(filters).length > 0 && { where: filters }),
    });
    return hits.map(({ document, score }) => ({ id: (document as unknown as OramaPassage).row, score }));
  }

  /**
   * Returns the IDs of the passages that contain all words of a name, also as a single word, as in file names. A word in
   * more than `limit` passages matches none.
   */
  passagesHolding(name: readonly string[], limit: number): number[] {
    const { tokenizer, postings, table } = this.#parts;
    const slotsOf = (word: string): ReadonlySet<number> =>
      postings.slotsHolding(tokenizer.termsOfQuestion(word), limit);
    const [first = new Set<number>(), ...others] = name.map(slotsOf);
    const slotsWithAllWords = [...first].filter((slot) => others.every((other) => other.has(slot)));
    const asOne = others.length > 0 ? slotsOf(name.join('').toLowerCase()) : [];
    return [...new Set([...slotsWithAllWords, ...asOne])].flatMap((slot) => table.rowIn(slot) ?? []);
  }

  /** Returns the search terms of a question, each with the share of its weight that counts, 0 to 1. */
  shareTerms(question: string): ReadonlyMap<string, number> {
    const { tokenizer, postings, proseTest } = this.#parts;
    return postings.foundTerms(tokenizer.questionWords(question), tokenizer, proseTest(question));
  }

  /** Returns the search terms of a question and its phrases, each with its inverse document frequency. */
  weighTerms(question: string, phrases: readonly string[] = []): Map<string, number> {
    const { tokenizer, postings } = this.#parts;
    const terms = new Map(this.shareTerms(question));
    for (const { anyOf } of phrases.flatMap((phrase) => tokenizer.termsOfPhrase(phrase)))
      for (const term of anyOf) terms.set(term, 1);
    return new Map(
      Array.from(terms, ([term, share]) => [term, share * postings.inverseDocumentFrequency(term)]),
    );
  }

  /** Returns a snapshot that includes the store's revision. Closes gaps first. */
  write(revision: number): Uint8Array {
    const parts = this.#snapshotParts(revision);
    const checksum = new Checksum();
    for (const part of parts) checksum.add(part);
    return Buffer.concat([...parts, checksum.trailer()]);
  }

  /** Uses the bytes of a snapshot. @throws SnapshotError if they are damaged, truncated, or from another version */
  static read(bytes: Uint8Array, hasProse?: ProseLookup): { index: PassageIndex; revision: number } {
    const reader = new SnapshotReader(bytes);
    const table = PassageTable.read(reader);
    const tokenizer = new WordTokenizer();
    [tokenizer.seen = 0] = reader.array(Float64Array);
    const postings = Postings.read(reader);
    const proseTest = makeProseTest(table, hasProse);
    return { index: new PassageIndex({ tokenizer, postings, table, proseTest }), revision: reader.revision };
  }

  /** Returns the numbers of passages, terms, and slots of removed passages. */
  statistics(): PassageIndexStatistics {
    const { size, slots, terms } = this.#parts.postings;
    return { passages: size, terms, removed: slots - size };
  }

  /** Returns the parts of a snapshot, which share the index's memory. */
  #snapshotParts(revision: number): readonly Uint8Array[] {
    this.#closeGaps();
    const { tokenizer, postings, table } = this.#parts;
    const writer = new SnapshotWriter(revision);
    table.write(writer);
    writer.array(Float64Array.of(tokenizer.seen));
    postings.write(writer);
    return writer.parts();
  }

  #closeGaps(): void {
    const { postings, table } = this.#parts;
    if (postings.size === postings.slots) return;
    table.compact(postings.compact());
  }
}

/** Implements `proseTest` of `IndexParts`. */
function makeProseTest(table: PassageTable, hasProse: ProseLookup | undefined): IndexParts['proseTest'] {
  if (hasProse === undefined) return () => undefined;
  const holdsProse = (slots: Iterable<number>): boolean => {
    const documentsSeen = new Set<number>();
    let documentIds: number[] = [];
    for (const slot of slots) {
      const documentId = table.documentIn(slot);
      if (documentsSeen.has(documentId)) continue;
      documentsSeen.add(documentId);
      documentIds.push(documentId);
      if (documentIds.length < DOCUMENTS_A_LOOKUP) continue;
      if (hasProse(documentIds)) return true;
      documentIds = [];
    }
    return documentIds.length > 0 && hasProse(documentIds);
  };
  return (question) => (mayAskForCode(question) ? undefined : holdsProse);
}
