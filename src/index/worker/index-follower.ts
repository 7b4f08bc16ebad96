import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { DocumentCache } from '../store/sources/document-cache.ts';
import { readIndexSnapshot, removeStraySnapshots, writeSnapshotFile } from './index-snapshot.ts';
import { IndexBacklog } from './index-backlog.ts';
import { QuestionScan } from './question-scan.ts';
import { lettersOfQuestion } from '../../core/language/words/letters-of-question.ts';
import { PassageIndex } from '../search/lexical/passage-index.ts';
import type { PassageVectors } from '../search/vectors/passage-vectors.ts';
import type { Statements } from '../store/database/statements.ts';
import { searchableText } from '../search/lexical/passage-terms.ts';
import type { StoredPassage, WrittenDocument } from '../store/sources/document-store.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';
import type { Within } from '../store/sources/sources-api.ts';
import type { Store } from '../store/store.ts';

/** Time without changes before the snapshot is written, in milliseconds. */
const SNAPSHOT_DELAY = 5_000;

/** Minimum number of documents for which indexing progress is reported. */
const MIN_REPORTED_DOCUMENTS = 100;

/** Number of passages indexed before yielding to searches. */
const PASSAGES_A_TURN = 64;

/** Interval between checks for changes of other windows, in milliseconds. */
export const FOLLOW_INTERVAL = 1_000;

/** Number of documents that are scanned before yielding to other requests. */
const DOCUMENTS_A_SCAN = 32;

/** Share of the documents that must still wait so that a scan for the same words isn't repeated. */
const RESCAN_SHARE = 0.9;

/** Options for rebuilding an index, for tests. */
export interface RebuildOptions {
  /** Number of passages that opening indexes itself. The others are indexed in the background. */
  readonly passagesAtOpening: number;
  /** Waits between turns of the rebuild, so that other work runs. */
  readonly pause: () => Promise<unknown>;
  /** Maximum length of the texts that are scanned for a question during the rebuild, in UTF-16 code units. */
  readonly maxScannedLength: number;
  /** Maximum number of passages that are indexed for a question during the rebuild. */
  readonly maxPassagesOfQuestion: number;
}

/** A question takes up to about a second longer during the rebuild. */
const REBUILD_OPTIONS: RebuildOptions = {
  passagesAtOpening: 2_000,
  pause: () => yieldToMessages(),
  maxScannedLength: 50_000_000,
  maxPassagesOfQuestion: 2_000,
};

/** Words that were scanned for, the number of documents that waited, and whether all with the words are indexed. */
interface LastScan {
  readonly key: string;
  readonly waiting: number;
  readonly isAll: boolean;
}

/** Data that the index follows, and parts that must follow with it. */
interface Followed {
  readonly sql: Statements;
  readonly store: Store;
  readonly documents: DocumentCache;
  readonly vectors: PassageVectors;
  readonly readOnly: boolean;
}

/**
 * Follower that keeps the index at the store's last revision, with a snapshot next to the database. Without a snapshot
 * it rebuilds the index in the background.
 */
export class IndexFollower {
  readonly #followed: Followed;
  readonly #snapshotPath: string;
  readonly #indexing: (done: number, total: number) => void;
  readonly #rebuildOptions: RebuildOptions;
  #index: PassageIndex;
  /** Documents that were just written, by their numbers, which needn't be read from the store. */
  readonly #written = new Map<number, WrittenDocument>();
  /** Revision of the index, except for the documents of the backlog. */
  #revision = 0;
  #backlog = new IndexBacklog();
  #rebuilding: Promise<void> | undefined;
  /** Error that interrupted the rebuild. */
  #failure: Error | undefined;
  #isStopping = false;
  /** Last scan for words during the rebuild. */
  #lastScan: LastScan | undefined;
  #snapshotRevision = 0;
  #snapshotTimer: NodeJS.Timeout | undefined;
  /** Ends with the last change of the index that was begun. */
  #changing: Promise<unknown> = Promise.resolve();
  #writingSnapshot: Promise<void> = Promise.resolve();

  /** `indexing` receives the progress when many documents are indexed. */
  constructor(
    followed: Followed,
    snapshotPath: string,
    indexing: (done: number, total: number) => void,
    rebuildOptions: Partial<RebuildOptions> = {},
  ) {
    this.#followed = followed;
    this.#index = PassageIndex.create((documentIds) => followed.store.documents.hasProse(documentIds));
    this.#snapshotPath = snapshotPath;
    this.#indexing = indexing;
    this.#rebuildOptions = { ...REBUILD_OPTIONS, ...rebuildOptions };
  }

  /** Current index, which may still be catching up. */
  get index(): PassageIndex {
    return this.#index;
  }

  /** Last change up to which the index is complete, and last change in its snapshot. */
  get revisions(): { readonly revision: number; readonly snapshotRevision: number } {
    return { revision: this.#completeRevision, snapshotRevision: this.#snapshotRevision };
  }

  get #completeRevision(): number {
    const { first } = this.#backlog;
    return first === undefined ? this.#revision : first.revision - 1;
  }

  /**
   * Loads a matching snapshot if there is one, then catches up. If that takes long, most of it happens in the background
   * after this resolves; see `rebuilt` and `prioritize`.
   */
  async start(): Promise<void> {
    const { sql, store, readOnly } = this.#followed;
    // A stray snapshot only takes up space.
    if (!readOnly) await removeStraySnapshots(this.#snapshotPath).catch(() => undefined);
    const read = await readIndexSnapshot(this.#snapshotPath, sql, store, readOnly);
    if (read !== undefined) {
      this.#index = read.index;
      this.#revision = read.revision;
      this.#snapshotRevision = read.revision;
    }
    sql.reading(() => {
      this.#backlog = new IndexBacklog(store.changesSince(this.#revision));
      this.#revision = store.revision();
    });
    await this.#rebuild(this.#rebuildOptions.passagesAtOpening);
    // `resume` reports an error.
    void this.rebuilt().catch(() => undefined);
  }

  /** Resolves once the index is complete. @throws the error that interrupts the rebuild */
  async rebuilt(): Promise<void> {
    if (this.#backlog.size === 0 || this.#isStopping) return;
    this.#rebuilding ??= this.#rebuild(Infinity).finally(() => {
      this.#rebuilding = undefined;
    });
    await this.#rebuilding;
  }

  /** Resumes a rebuild that an error interrupted. @throws that error, once */
  resume(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    // The next call reports an error.
    void this.rebuilt().catch(() => undefined);
    if (failure !== undefined) throw failure;
  }

  /**
   * Indexes the documents with words of some questions before others, if the index is being rebuilt. Returns `false` if
   * documents with such words may still be missing.
   */
  async prioritize(questions: readonly string[], scope: Within | undefined): Promise<boolean> {
    if (this.#backlog.size === 0) return true;
    const letters = [...new Set(questions.flatMap((question) => lettersOfQuestion(question)))];
    if (letters.length === 0) return true;
    return await this.#serially(() => this.#indexMatching(letters, scope));
  }

  /**
   * Updates the index to the store's last revision, one document at a time, and yields to searches. Documents that were
   * just written needn't be read from the store, unless they have changed again. Doesn't wait for a rebuild.
   */
  catchUp(written: readonly WrittenDocument[] = []): Promise<void> {
    for (const each of written) this.#written.set(each.document.entry.id, each);
    return this.#serially(async () => {
      const { store } = this.#followed;
      const target = store.revision();
      const changed = store.changedSince(this.#revision);
      const reportProgress = (done: number): void => {
        if (changed.length >= MIN_REPORTED_DOCUMENTS) this.#indexing(done, changed.length);
      };
      let sinceYield = 0;
      for (const [done, documentId] of changed.entries()) {
        sinceYield += await this.#indexAgain(documentId);
        if (sinceYield >= PASSAGES_A_TURN) {
          sinceYield = 0;
          reportProgress(done);
          await yieldToMessages();
        }
      }
      reportProgress(changed.length);
      this.noteDamaged();
      if (target > this.#revision) {
        this.#revision = target;
        this.#scheduleSnapshot();
      }
    });
  }

  /** Marks damaged documents, so that the user sees a warning and searches skip them. */
  noteDamaged(): void {
    const { store, documents, readOnly } = this.#followed;
    const damaged = documents.takeDamaged();
    if (readOnly || damaged.length === 0) return;
    for (const documentId of damaged) store.documents.markDamaged(documentId);
    // The next change catches up.
    void this.catchUp().catch(() => undefined);
  }

  /** Writes the index next to the database if the file there is older. If that fails, only time is lost. */
  writeSnapshot(): Promise<void> {
    this.#writingSnapshot = this.#writingSnapshot.then(async () => {
      const revision = this.#completeRevision;
      if (this.#followed.readOnly || revision === this.#snapshotRevision) return;
      try {
        await writeSnapshotFile(this.#snapshotPath, this.#index.write(revision));
        this.#snapshotRevision = revision;
      } catch {
        // The previous snapshot stays, and the index catches up from it.
      }
    });
    return this.#writingSnapshot;
  }

  /** Waits for work in progress, and writes a snapshot. A rebuild ends early, and continues from it later. */
  async stop(): Promise<void> {
    clearTimeout(this.#snapshotTimer);
    this.#isStopping = true;
    await this.#changing;
    await this.writeSnapshot();
  }

  /** Runs a change of the index after those that were begun before. */
  #serially<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#changing.then(change);
    // An error must not block the next change.
    this.#changing = result.catch(() => undefined);
    return result;
  }

  /** Indexes documents of the backlog until it's empty or they have this number of passages. */
  async #rebuild(maxPassages: number): Promise<void> {
    const { total } = this.#backlog;
    let passages = 0;
    try {
      for (let turn = 0; this.#backlog.size > 0 && passages < maxPassages; turn++) {
        if (turn > 0) await this.#rebuildOptions.pause();
        // The notebook may have been closed meanwhile.
        if (this.#isStopping) return;
        passages += await this.#serially(() => this.#rebuildTurn());
        if (total >= MIN_REPORTED_DOCUMENTS) this.#indexing(total - this.#backlog.size, total);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
    if (total === 0 || this.#backlog.size > 0) return;
    this.#lastScan = undefined;
    this.noteDamaged();
    this.#scheduleSnapshot();
  }

  /** Indexes the next documents of the backlog. Returns the number of their passages. */
  async #rebuildTurn(): Promise<number> {
    let passages = 0;
    for (let next = this.#backlog.first; next !== undefined; next = this.#backlog.first) {
      passages += await this.#indexAgain(next.documentId);
      if (passages >= PASSAGES_A_TURN) break;
    }
    return passages;
  }

  /** Indexes the documents of the backlog with these letters. Returns whether these are all in the scope. */
  async #indexMatching(letters: readonly string[], scope: Within | undefined): Promise<boolean> {
    const { store } = this.#followed;
    const { maxScannedLength, maxPassagesOfQuestion } = this.#rebuildOptions;
    const idsInScope = scope && store.documents.idsWithin(scope);
    const waiting = this.#backlog.documentIds().filter((id) => idsInScope?.has(id) ?? true);
    if (waiting.length === 0) return true;
    const key = JSON.stringify([letters, scope]);
    const last = this.#lastScan;
    // Answering a question searches for the same words several times.
    if (last?.key === key && (last.isAll || waiting.length > RESCAN_SHARE * last.waiting)) return last.isAll;
    const scan = new QuestionScan(letters);
    let scanned = 0;
    while (scanned < waiting.length && scan.length < maxScannedLength) {
      const next = waiting.slice(scanned, scanned + DOCUMENTS_A_SCAN);
      for (const document of store.documents.texts(next)) scan.add(document);
      scanned += next.length;
      await yieldToMessages();
    }
    const { documentIds, isAll } = scan.best(maxPassagesOfQuestion);
    for (const documentId of documentIds) await this.#indexAgain(documentId);
    this.#lastScan = { key, waiting: waiting.length, isAll: isAll && scanned === waiting.length };
    return this.#lastScan.isAll;
  }

  /** Indexes a document again. Returns the number of passages indexed. */
  async #indexAgain(documentId: number): Promise<number> {
    const { documents, vectors } = this.#followed;
    documents.forget(documentId);
    const { document, passages } = this.#read(documentId);
    const ids = new Set(passages.map(({ id }) => id));
    const before = this.#index.idsOfDocument(documentId);
    if (document !== undefined) {
      // A passage's row never changes, so existing passages are up to date.
      const added = passages.filter(({ id }) => !this.#index.has(id));
      await this.#index.add(
        added.map((passage) => ({
          id: passage.id,
          sourceId: document.entry.sourceId,
          documentId,
          terms: searchableText(document, passage),
          language: document.entry.byline?.language,
        })),
      );
    }
    const removedIds = before.filter((id) => document === undefined || !ids.has(id));
    await vectors.follow(documentId, removedIds);
    // Remove these last: a search in between finds the old passages and learns from them that the index is behind.
    await this.#index.remove(removedIds);
    this.#backlog.delete(documentId);
    return ids.size;
  }

  /** Returns a document as it is in the store, and its passages. */
  #read(documentId: number): {
    readonly document: StoredDocument | undefined;
    readonly passages: readonly StoredPassage[];
  } {
    const { sql, store, documents } = this.#followed;
    const written = this.#written.get(documentId);
    this.#written.delete(documentId);
    return sql.reading(() =>
      written !== undefined && store.documents.revisionOf(documentId) === written.revision
        ? written
        : {
            document: documents.readAnew(documentId),
            passages: store.documents.documentPassages(documentId),
          },
    );
  }

  #scheduleSnapshot(): void {
    clearTimeout(this.#snapshotTimer);
    this.#snapshotTimer = setTimeout(() => void this.writeSnapshot(), SNAPSHOT_DELAY).unref();
  }
}
