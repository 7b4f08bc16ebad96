import { crc32 } from 'node:zlib';
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
import { ByteReader, ByteWriter } from './snapshot-bytes.ts';
import { WordTokenizer } from '../../../core/language/words/tokenizer.ts';

/** Passage to index: its row in the store (a positive integer) and its searchable text. */
export interface IndexedPassage {
  readonly id: number;
  readonly sourceId: string;
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

/** In-memory Orama index of a notebook's passages. Texts stay in the store. */
export class PassageIndex {
  readonly #parts: IndexParts;
  readonly #database: PassageDatabase;

  private constructor(parts: IndexParts) {
    this.#parts = parts;
    this.#database = createDatabase(parts);
  }

  /** Creates an index without passages. */
  static create(): PassageIndex {
    return new PassageIndex({
      tokenizer: new WordTokenizer(),
      postings: new Postings(),
      table: new PassageTable(),
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

  /** Adds passages; replaces those with the same ID. */
  async add(passages: readonly IndexedPassage[]): Promise<void> {
    for (const { id, sourceId, terms, language } of passages) {
      if (this.has(id)) await this.remove([id]);
      const slot = String(this.#parts.postings.slots + 1);
      const passage: OramaPassage = { id: slot, row: id, terms, source: sourceId };
      await insert(this.#database, passage, language);
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

  /** Returns a function that reports whether a passage matches a filter. */
  accepts({ sourceIds, passageIds }: PassageFilter): (id: number) => boolean {
    const { table } = this.#parts;
    const isOfSources = sourceIds === undefined ? () => true : table.ofSources(sourceIds);
    return (id) => {
      const slot = table.slot(id);
      return slot !== undefined && isOfSources(slot) && (passageIds?.has(id) ?? true);
    };
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
    const all = [...first].filter((slot) => others.every((other) => other.has(slot)));
    const asOne = others.length > 0 ? slotsOf(name.join('').toLowerCase()) : [];
    return [...new Set([...all, ...asOne])].flatMap((slot) => table.rowIn(slot) ?? []);
  }

  /** Returns the search terms of a question, each with the share of its weight that counts, 0 to 1. */
  shareTerms(question: string): ReadonlyMap<string, number> {
    const { tokenizer, postings } = this.#parts;
    return postings.foundTerms(tokenizer.askedWords(question), tokenizer);
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

  /** Returns a compact snapshot that includes the store's revision. Closes gaps first. */
  write(revision: number): Uint8Array {
    this.#closeGaps();
    const writer = new ByteWriter();
    writer.varint(this.#parts.tokenizer.seen);
    this.#parts.table.write(writer);
    this.#parts.postings.write(writer);
    return frameSnapshot(writer.written(), revision);
  }

  /** @throws SnapshotError if the bytes are damaged, truncated, or from another version */
  static read(bytes: Uint8Array): { index: PassageIndex; revision: number } {
    const { content, revision } = unframeSnapshot(bytes);
    try {
      const reader = new ByteReader(content);
      const tokenizer = new WordTokenizer();
      tokenizer.seen = reader.varint();
      const table = PassageTable.read(reader);
      const postings = Postings.read(reader);
      return { index: new PassageIndex({ tokenizer, postings, table }), revision };
    } catch (cause) {
      throw new SnapshotError('The snapshot of the index can not be read.', { cause });
    }
  }

  /** Returns the numbers of passages, terms, and slots of removed passages. */
  statistics(): PassageIndexStatistics {
    const { size, slots, terms } = this.#parts.postings;
    return { passages: size, terms, removed: slots - size };
  }

  #closeGaps(): void {
    const { postings, table } = this.#parts;
    if (postings.size === postings.slots) return;
    table.compact(postings.compact());
  }
}

/** Error for a snapshot that is damaged, truncated, or from another version. The index has to be rebuilt. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

const MAGIC = 0x4f4e4958;
/** Increases when the layout changes, and when texts get other terms or lengths. */
const VERSION = 9;
/** Magic, version, revision, content length, and a checksum of all other bytes. */
const HEADER = 4 + 4 + 8 + 8 + 4;

/** Adds a header with the store's revision and a checksum to a snapshot's content. */
function frameSnapshot(content: Uint8Array, revision: number): Uint8Array {
  const bytes = new Uint8Array(HEADER + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, VERSION);
  view.setFloat64(8, revision);
  view.setFloat64(16, content.length);
  bytes.set(content, HEADER);
  view.setUint32(24, checksum(bytes));
  return bytes;
}

/** @throws SnapshotError if the bytes are incomplete or from another version */
function unframeSnapshot(bytes: Uint8Array): { content: Uint8Array; revision: number } {
  if (bytes.length < HEADER) throw new SnapshotError('The snapshot of the index is cut short.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0) !== MAGIC) throw new SnapshotError('This is no snapshot of an index.');
  if (view.getUint32(4) !== VERSION)
    throw new SnapshotError('The snapshot of the index is of another version.');
  if (view.getFloat64(16) !== bytes.length - HEADER || view.getUint32(24) !== checksum(bytes))
    throw new SnapshotError('The snapshot of the index is damaged.');
  return { content: bytes.subarray(HEADER), revision: view.getFloat64(8) };
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(HEADER), crc32(bytes.subarray(0, HEADER - 4)));
}
