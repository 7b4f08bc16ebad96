import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import {
  openFeatureStores,
  readOtherWindows,
  releaseExpiredClaims,
  type FeatureStores,
} from '../../features/store.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import type { EmbeddingModel, IndexSettings } from '../../core/domain/settings.ts';
import type { Source, SourceOrigin } from '../../core/domain/source.ts';
import type { DocumentInput } from '../store/sources/sources-api.ts';
import type { IndexStatistics, OpenResult } from './api.ts';
import type { EmbeddingBatch } from '../search/vectors/embeddings-api.ts';
import { openDatabaseToRead } from '../store/database/database.ts';
import { openDatabase } from '../store/database/opening.ts';
import { Embeddings } from '../search/vectors/embeddings.ts';
import { CitedDocuments } from '../documents/cited-documents.ts';
import { DocumentCache } from '../store/sources/document-cache.ts';
import { DocumentWriter } from './document-writer.ts';
import { IndexFollower, type RebuildOptions } from './index-follower.ts';
import { PassageSearch } from '../search/passage-search.ts';
import { PassageVectors } from '../search/vectors/passage-vectors.ts';
import { Resplitting, type ResplittingEvents } from '../documents/resplitting.ts';
import { splitForWindows } from '../documents/splitter.ts';
import { Store } from '../store/store.ts';
import { Statements } from '../store/database/statements.ts';
import { Models } from '../store/models.ts';

export interface NotebookIndexEvents extends ResplittingEvents {
  indexing(done: number, total: number): void;
}

/**
 * Store of a notebook with the index of its passages. The store is authoritative. The index follows its log of changes
 * from this window and others, and starts from a snapshot if there is one.
 */
export class NotebookIndex {
  readonly sql: Statements;
  readonly features: FeatureStores;
  readonly store: Store;
  readonly models: Models;
  readonly embeddings: Embeddings;
  readonly cited: CitedDocuments;
  readonly passageSearch: PassageSearch;
  readonly #vectors: PassageVectors;
  readonly #directory: string;
  readonly #snapshotPath: string;
  readonly #readOnly: boolean;
  readonly #documents: DocumentCache;
  readonly #follower: IndexFollower;
  readonly #writer: DocumentWriter;
  readonly #resplitting: Resplitting;
  #openTime = 0;
  #settings: IndexSettings;
  #dataVersion: number | undefined;
  #reportedChanges: number;

  private constructor(
    sql: Statements,
    directory: string,
    readOnly: boolean,
    settings: IndexSettings,
    events: NotebookIndexEvents,
    rebuildOptions: Partial<RebuildOptions>,
  ) {
    this.sql = sql;
    this.store = new Store(sql);
    this.models = new Models(sql);
    this.#documents = new DocumentCache((documentId) => this.store.documents.document(documentId));
    this.embeddings = new Embeddings(sql, (documentId) => this.#documents.get(documentId));
    this.#vectors = new PassageVectors(this.embeddings);
    this.cited = new CitedDocuments(sql, this.store.documents, this.#documents);
    this.features = openFeatureStores(this, { readOnly });
    this.#directory = directory;
    this.#snapshotPath = join(directory, `index-${this.store.identity().toString(16)}.snapshot`);
    this.#follower = new IndexFollower(
      { sql, store: this.store, documents: this.#documents, vectors: this.#vectors, readOnly },
      this.#snapshotPath,
      (done, total) => events.indexing(done, total),
      rebuildOptions,
    );
    this.#writer = new DocumentWriter({
      transaction: (action) => sql.transaction(action),
      write: (sourceId, input, packed) =>
        this.store.documents.putDocument(sourceId, input, splitForWindows, this.#settings, packed),
      follow: (written) => this.#follower.catchUp(written),
    });
    this.passageSearch = new PassageSearch(
      sql,
      this.store,
      this.#documents,
      this.#vectors,
      this.#follower,
      () => this.#settings.size,
    );
    this.#readOnly = readOnly;
    this.#settings = settings;
    this.store.documents.references.setKeyPattern(settings.citationKeys ?? '');
    this.#resplitting = new Resplitting(this.store, (action) => this.change(action), events);
    this.#dataVersion = this.store.dataVersion();
    this.#reportedChanges = this.store.reportedChanges();
  }

  /**
   * Opens the notebook in a folder, and resolves when it can answer. With `read` access it leaves the folder unchanged.
   * If its index has to be rebuilt, that continues in the background.
   * @throws NotebookError if the database can't be opened
   */
  static async open(
    directory: string,
    settings: IndexSettings,
    events: NotebookIndexEvents,
    access: 'read' | 'write' = 'write',
    rebuildOptions: Partial<RebuildOptions> = {},
  ): Promise<{ index: NotebookIndex; result: OpenResult }> {
    const started = performance.now();
    const { database, readOnly, notice } = await (access === 'read' ? openDatabaseToRead : openDatabase)(
      directory,
    );
    let index: NotebookIndex;
    try {
      const sql = new Statements(database);
      index = new NotebookIndex(sql, directory, readOnly, settings, events, rebuildOptions);
      await index.#follower.start();
    } catch (error) {
      if (database.isOpen) database.close();
      throw error;
    }
    index.#openTime = performance.now() - started;
    if (!readOnly) void index.#resplitting.start(settings);
    void index.#loadVectors();
    return { index, result: { readOnly, notice } };
  }

  /** Adds a source, with its document if that was already read. */
  addSource(title: string, origin: SourceOrigin, document: DocumentInput | undefined): Promise<Source> {
    return this.change(() => this.store.addSource(title, origin, document, splitForWindows, this.#settings));
  }

  /** Saves a document, and replaces one with the same key. Resolves to its number of passages. */
  async putDocument(sourceId: string, input: DocumentInput): Promise<number> {
    const written = await this.#writer.put(sourceId, input);
    if (written === undefined) throw new NotebookError('cancelled', t('The source was removed.'));
    return written.passages.length;
  }

  /** Current settings. */
  get settings(): IndexSettings {
    return this.#settings;
  }

  /** Uses these settings for new documents, and splits existing ones again in the background. */
  setIndexSettings(settings: IndexSettings): void {
    this.#settings = settings;
    this.store.documents.references.setKeyPattern(settings.citationKeys ?? '');
    if (!this.#readOnly) void this.#resplitting.start(settings);
  }

  /** Returns the next texts without an embedding of a model; see `Embeddings.next`. */
  async nextEmbeddings(model: EmbeddingModel, owner: string): Promise<EmbeddingBatch> {
    const batch = await this.change(() => this.embeddings.next(model, owner));
    if (batch.kind === 'done') await this.#vectors.load();
    return batch;
  }

  /**
   * Loads changes that other windows committed since the last call.
   * @throws the error that interrupted a rebuild of the index, once
   */
  async followOthers(): Promise<void> {
    this.#follower.resume();
    releaseExpiredClaims(this.features);
    const dataVersion = this.store.dataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    try {
      readOtherWindows(this.features);
      await this.#follower.catchUp();
      await this.#loadVectors();
    } catch {
      // Try again at the next call.
      this.#dataVersion = undefined;
    }
  }

  /** Returns `true` if the notebook changed since the last call, in this window or another. */
  takeChanged(): boolean {
    const before = this.#reportedChanges;
    this.#reportedChanges = this.store.reportedChanges();
    return this.#reportedChanges !== before;
  }

  /** Returns the size of the notebook, and of its parts in memory. */
  async statistics(): Promise<IndexStatistics> {
    return {
      ...this.store.counts(),
      ...this.#vectors.statistics,
      terms: this.#follower.index.statistics().terms,
      databaseBytes: await fileSize(join(this.#directory, 'notebook.sqlite')),
      snapshotBytes: await fileSize(this.#snapshotPath),
      heapBytes: process.memoryUsage().heapUsed,
      ...this.#follower.revisions,
      openTime: this.#openTime,
      ...this.passageSearch.statistics,
    };
  }

  /** Stops all work and closes the database. */
  async close(): Promise<void> {
    this.#resplitting.stop();
    await this.#writer.waitUntilIdle();
    await this.#follower.stop();
    this.sql.close();
  }

  /** Reports whether another window has replaced this database. */
  get isReplaced(): boolean {
    return this.sql.isReplaced;
  }

  /** Reports whether the whole content of the database is readable and valid; see `isWhole`. */
  isWhole(): boolean {
    return this.sql.isWhole();
  }

  /** Closes a database that can no longer be read. */
  async abandon(): Promise<void> {
    this.#resplitting.stop();
    // The database can't be read, so its index can't be saved.
    await this.#follower.stop().catch(() => undefined);
    this.sql.abandon();
  }

  /** Resolves once the index is complete. It may be incomplete for a while after opening. */
  rebuilt(): Promise<void> {
    return this.#follower.rebuilt();
  }

  /** Updates the index to the store's last revision. */
  catchUp(): Promise<void> {
    return this.#follower.catchUp();
  }

  /** Writes the snapshot if the file is older than the index. */
  writeSnapshot(): Promise<void> {
    return this.#follower.writeSnapshot();
  }

  /** Runs a change of the store and updates the index. */
  async change<T>(action: () => T): Promise<T> {
    const result = action();
    await this.#follower.catchUp();
    return result;
  }

  /** Loads the embeddings. If they can't be read, only keyword search is available. */
  async #loadVectors(): Promise<void> {
    // Keyword search works without embeddings.
    await this.#vectors.load().catch(() => undefined);
  }
}

/** Returns the size of a file in bytes; 0 if it doesn't exist. */
async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // The file doesn't exist.
    return 0;
  }
}
