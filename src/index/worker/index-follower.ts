import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { DocumentCache } from '../store/sources/document-cache.ts';
import { readIndexSnapshot, removeStraySnapshots, writeSnapshotFile } from './index-snapshot.ts';
import { PassageIndex } from '../search/lexical/passage-index.ts';
import type { PassageVectors } from '../search/vectors/passage-vectors.ts';
import type { Statements } from '../store/database/statements.ts';
import { searchableText } from '../search/lexical/passage-terms.ts';
import type { StoredPassage, WrittenDocument } from '../store/sources/document-store.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';
import type { Store } from '../store/store.ts';

/** Time without changes before the snapshot is written, in milliseconds. */
const SNAPSHOT_DELAY = 5_000;

/** Minimum number of documents for which indexing progress is reported. */
const MIN_REPORTED_DOCUMENTS = 100;

/** Number of passages indexed before yielding to searches. */
const PASSAGES_A_TURN = 64;

/** Interval between checks for changes of other windows, in milliseconds. */
export const FOLLOW_INTERVAL = 1_000;

/** Data that the index follows, and parts that must follow with it. */
interface Followed {
  readonly sql: Statements;
  readonly store: Store;
  readonly documents: DocumentCache;
  readonly vectors: PassageVectors;
  readonly readOnly: boolean;
}

/** Follower that keeps the index at the store's last revision, with a snapshot next to the database. */
export class IndexFollower {
  readonly #followed: Followed;
  readonly #snapshotPath: string;
  readonly #indexing: (done: number, total: number) => void;
  #index: PassageIndex;
  /** Documents that were just written, by their numbers, which needn't be read from the store. */
  readonly #written = new Map<number, WrittenDocument>();
  #revision = 0;
  #snapshotRevision = 0;
  #snapshotTimer: NodeJS.Timeout | undefined;
  #catchingUp: Promise<void> = Promise.resolve();
  #writingSnapshot: Promise<void> = Promise.resolve();

  /** `indexing` receives the progress when many documents are indexed. */
  constructor(followed: Followed, snapshotPath: string, indexing: (done: number, total: number) => void) {
    this.#followed = followed;
    this.#index = PassageIndex.create((documentIds) => followed.store.documents.hasProse(documentIds));
    this.#snapshotPath = snapshotPath;
    this.#indexing = indexing;
  }

  /** Current index, which may still be catching up. */
  get index(): PassageIndex {
    return this.#index;
  }

  /** Last change in the index, and last change in its snapshot. */
  get revisions(): { readonly revision: number; readonly snapshotRevision: number } {
    return { revision: this.#revision, snapshotRevision: this.#snapshotRevision };
  }

  /** Loads a matching snapshot if there is one, then catches up. */
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
    await this.catchUp();
  }

  /**
   * Updates the index to the store's last revision, one document at a time, and yields to searches. Documents that were
   * just written needn't be read from the store, unless they have changed again.
   */
  catchUp(written: readonly WrittenDocument[] = []): Promise<void> {
    for (const each of written) this.#written.set(each.document.entry.id, each);
    const caughtUp = this.#catchingUp.then(async () => {
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
    // An error must not block the next attempt.
    this.#catchingUp = caughtUp.catch(() => undefined);
    return caughtUp;
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
      if (this.#followed.readOnly || this.#revision === this.#snapshotRevision) return;
      const revision = this.#revision;
      try {
        await writeSnapshotFile(this.#snapshotPath, this.#index.write(revision));
        this.#snapshotRevision = revision;
      } catch {
        // The previous snapshot stays, and the index catches up from it.
      }
    });
    return this.#writingSnapshot;
  }

  /** Waits for work in progress, and writes a snapshot. */
  async stop(): Promise<void> {
    clearTimeout(this.#snapshotTimer);
    await this.#catchingUp;
    await this.writeSnapshot();
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
