import { join } from 'node:path';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';
import type { FoundPassage, FoundPlace, Gathered } from '../../notebook/passage.ts';
import type { EmbeddingModel, PassageSettings } from '../../notebook/settings.ts';
import type {
  CrawlCounts,
  RefittedPage,
  SettledPage,
  SitePageState,
  SiteRules,
} from '../../notebook/site.ts';
import type { Source, SourceOrigin } from '../../notebook/source.ts';
import type { Outline } from '../../notebook/suggestions.ts';
import type { DocumentInput, Within } from '../store/sources-api.ts';
import type { IndexStatistics, OpenResult } from './api.ts';
import type { PassagePlace } from '../search/search-api.ts';
import type { EmbeddingBatch, QuestionVector } from '../search/vectors/embeddings-api.ts';
import { openDatabaseToRead } from '../store/database.ts';
import { openDatabase } from '../store/opening.ts';
import { Embeddings } from '../search/vectors/embeddings.ts';
import { CitedDocuments } from '../documents/cited-documents.ts';
import { DocumentCache } from '../store/document-cache.ts';
import { IndexFollower } from './index-follower.ts';
import { outlines } from '../documents/outlines.ts';
import { overviewPlaces } from '../search/overview.ts';
import { PassageSearch } from '../search/passage-search.ts';
import type { Gathering, PlaceSearch } from '../search/passage-search.ts';
import { PassageVectors } from '../search/vectors/passage-vectors.ts';
import { relocateSource } from '../documents/relocating.ts';
import { Resplitting } from '../documents/resplitting.ts';
import type { ResplittingEvents } from '../documents/resplitting.ts';
import { splitForWindows } from '../documents/splitter.ts';
import type { MovedDocument } from '../store/document-store.ts';
import { bytesOf } from '../store/file-size.ts';
import { Store } from '../store/store.ts';
import { Statements } from '../store/statements.ts';
import { Conversations } from '../store/conversations.ts';
import { Models } from '../store/models.ts';
import { Notes } from '../store/notes.ts';
import { SitePages } from '../sites/site-pages.ts';

export interface NotebookIndexEvents extends ResplittingEvents {
  indexing(done: number, total: number): void;
}

/**
 * A notebook's store with the index of its passages. The store is the truth: the index follows its log of
 * changes, whether they were made here or by another window, and starts from a snapshot where there is one.
 */
export class NotebookIndex {
  readonly store: Store;
  readonly conversations: Conversations;
  readonly models: Models;
  readonly notes: Notes;
  readonly embeddings: Embeddings;
  readonly sitePages: SitePages;
  readonly cited: CitedDocuments;
  readonly #vectors: PassageVectors;
  readonly #sql: Statements;
  readonly #directory: string;
  readonly #snapshotPath: string;
  readonly #readOnly: boolean;
  readonly #events: NotebookIndexEvents;
  readonly #documents: DocumentCache;
  readonly #search: PassageSearch;
  readonly #follower: IndexFollower;
  readonly #resplitting: Resplitting;
  #openTime = 0;
  #questions = 0;
  #lastQuestionTime: number | undefined;
  #settings: PassageSettings;
  #dataVersion: number | undefined;

  private constructor(
    sql: Statements,
    directory: string,
    readOnly: boolean,
    settings: PassageSettings,
    events: NotebookIndexEvents,
  ) {
    this.#sql = sql;
    this.store = new Store(sql);
    this.conversations = new Conversations(sql);
    this.models = new Models(sql);
    this.notes = new Notes(sql);
    this.#documents = new DocumentCache((documentId) => this.store.documents.document(documentId));
    this.embeddings = new Embeddings(sql, (documentId) => this.#documents.get(documentId));
    this.#vectors = new PassageVectors(this.embeddings);
    this.sitePages = new SitePages(sql, this.store);
    this.cited = new CitedDocuments(this.store.documents, this.#documents);
    this.#search = new PassageSearch(sql, this.store, this.#documents, this.#vectors);
    this.#directory = directory;
    this.#snapshotPath = join(directory, `index-${this.store.identity().toString(16)}.snapshot`);
    this.#follower = new IndexFollower(
      { sql, store: this.store, documents: this.#documents, vectors: this.#vectors, readOnly },
      this.#snapshotPath,
      (done, total) => {
        events.indexing(done, total);
      },
    );
    this.#readOnly = readOnly;
    this.#settings = settings;
    this.#events = events;
    this.#resplitting = new Resplitting(this.store, (work) => this.#changing(work), events);
    this.#dataVersion = this.store.dataVersion();
  }

  /**
   * Opens the notebook in a folder; ready to be asked when it resolves. To read it alone leaves its folder as it is.
   * @throws NotebookError where the database can't be opened.
   */
  static async open(
    directory: string,
    settings: PassageSettings,
    events: NotebookIndexEvents,
    access: 'read' | 'write' = 'write',
  ): Promise<{ index: NotebookIndex; result: OpenResult }> {
    const started = performance.now();
    const { database, readOnly, notice } = await (access === 'read' ? openDatabaseToRead : openDatabase)(
      directory,
    );
    let index: NotebookIndex;
    try {
      index = new NotebookIndex(new Statements(database), directory, readOnly, settings, events);
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

  addSource(title: string, origin: SourceOrigin, document: DocumentInput | undefined): Promise<Source> {
    return this.#changing(() =>
      this.store.addSource(title, origin, document, splitForWindows, this.#settings),
    );
  }

  async putDocument(sourceId: string, input: DocumentInput): Promise<number> {
    const passages = await this.#changing(() =>
      this.store.documents.putDocument(sourceId, input, splitForWindows, this.#settings),
    );
    if (passages === undefined) throw new NotebookError('cancelled', t('The source was removed.'));
    return passages;
  }

  /** Keeps what came of a site's page. @throws NotebookError `cancelled` where the source was removed meanwhile. */
  async settleSitePage(
    sourceId: string,
    page: SettledPage,
  ): Promise<{ readonly state: SitePageState; readonly counts: CrawlCounts }> {
    const settled = await this.#changing(() =>
      this.sitePages.settle(sourceId, page, splitForWindows, this.#settings),
    );
    if (settled === undefined) throw new NotebookError('cancelled', t('The source was removed.'));
    return settled;
  }

  finishCrawl(sourceId: string, stopped: boolean): Promise<void> {
    return this.#changing(() => {
      this.sitePages.finish(sourceId, stopped);
    });
  }

  /** Gives a site other rules; see `SitePages.refit`. */
  refitSite(sourceId: string, rules: SiteRules, pages: readonly RefittedPage[]): Promise<void> {
    return this.#changing(() => {
      this.sitePages.refit(sourceId, rules, pages);
    });
  }

  removeSources(sourceIds: readonly string[]): Promise<void> {
    return this.#changing(() => {
      this.store.removeSources(sourceIds);
    });
  }

  relocateSource(sourceId: string, title: string, uri: string, within?: string): Promise<void> {
    return this.#changing(() => {
      relocateSource(this.#sql, sourceId, { title, uri, within });
    });
  }

  moveDocument(moved: MovedDocument): Promise<void> {
    return this.#changing(() => {
      this.store.documents.moveDocument(moved);
    });
  }

  removeDocuments(documentIds: readonly number[]): Promise<void> {
    return this.#changing(() => {
      this.store.documents.removeDocuments(documentIds);
    });
  }

  setPassageSettings(settings: PassageSettings): void {
    this.#settings = settings;
    if (!this.#readOnly) void this.#resplitting.start(settings);
  }

  /**
   * The sentences that best carry a question, at most `limit` windows of them, best first. With the question's vector
   * passages are found by their meaning, too. `within` narrows what is looked at, `without` leaves a place out.
   */
  async search(
    question: string,
    limit: number,
    vector?: QuestionVector,
    within?: Within,
    without?: PassagePlace,
  ): Promise<FoundPassage[]> {
    const started = performance.now();
    const search = { question, limit, vector, within, without, size: this.#settings.size };
    const first = await this.#search.search(this.#follower.index, search);
    if (first.isBehind) await this.#follower.catchUp();
    const { found } = first.isBehind ? await this.#search.search(this.#follower.index, search) : first;
    this.#noteSearch(started);
    return found;
  }

  #noteSearch(started: number): void {
    this.#follower.noteDamaged();
    this.#questions++;
    this.#lastQuestionTime = performance.now() - started;
  }

  /** Whole passages for all searches together, within a number of tokens; see `PassageSearch.gather`. */
  async gather(gathering: Gathering): Promise<Gathered> {
    const started = performance.now();
    const first = await this.#search.gather(this.#follower.index, gathering);
    if (first.isBehind) await this.#follower.catchUp();
    const { passages, isAll } = first.isBehind
      ? await this.#search.gather(this.#follower.index, gathering)
      : first;
    this.#noteSearch(started);
    return { passages, isAll };
  }

  /** The places that say most to a question, best first, none overlapping another. */
  async places(search: PlaceSearch): Promise<FoundPlace[]> {
    const started = performance.now();
    const first = await this.#search.places(this.#follower.index, search);
    if (first.isBehind) await this.#follower.catchUp();
    const { places } = first.isBehind ? await this.#search.places(this.#follower.index, search) : first;
    this.#noteSearch(started);
    return places;
  }

  /** What stands at places; those that are gone are left out. */
  passagesAt(places: readonly PassagePlace[]): FoundPassage[] {
    return places.flatMap((place) => this.#search.at(place) ?? []);
  }

  /** Passages that tell what a notebook, a part of it or what goes by a name is about; at most `limit`. */
  overview(about: string, limit: number, within?: Within): FoundPassage[] {
    const kept = { sql: this.#sql, store: this.store.documents, cache: this.#documents };
    return this.passagesAt(overviewPlaces(kept, { about, limit, within }));
  }

  /** The headings of documents; without ids, of one of each source that was read lately. */
  outlines(documentIds?: readonly number[]): Outline[] {
    return outlines(this.#sql, documentIds);
  }

  /** The next texts that have no vector of a model; see `Embeddings.next`. */
  async nextEmbeddings(model: EmbeddingModel, owner: string): Promise<EmbeddingBatch> {
    const batch = await this.#changing(() => this.embeddings.next(model, owner));
    if (batch.kind === 'done') await this.#vectors.load();
    return batch;
  }

  /** Keeps the vectors of texts; see `Embeddings.put`. */
  putEmbeddings(setId: number, vectors: ReadonlyMap<string, Float32Array | null>): Promise<void> {
    return this.#changing(() => {
      this.embeddings.put(setId, vectors);
    });
  }

  /** Takes in what another window committed since the last look. */
  async followOthers(): Promise<void> {
    const dataVersion = this.store.dataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    try {
      await this.#follower.catchUp();
      await this.#loadVectors();
    } catch {
      // What could not be read now is looked for again the next time.
      this.#dataVersion = undefined;
      return;
    }
    this.#events.changed();
  }

  async statistics(): Promise<IndexStatistics> {
    return {
      ...this.store.counts(),
      ...this.#vectors.statistics,
      terms: this.#follower.index.statistics().terms,
      databaseBytes: await bytesOf(join(this.#directory, 'notebook.sqlite')),
      snapshotBytes: await bytesOf(this.#snapshotPath),
      heapBytes: process.memoryUsage().heapUsed,
      ...this.#follower.revisions,
      openTime: this.#openTime,
      questions: this.#questions,
      lastQuestionTime: this.#lastQuestionTime,
    };
  }

  async close(): Promise<void> {
    this.#resplitting.stop();
    await this.#follower.stop();
    this.#sql.close();
  }

  /** Whether another window has put another database in the place of this one. */
  get isReplaced(): boolean {
    return this.#sql.isReplaced;
  }

  /** Whether all that is kept can be read; see `isWhole`. */
  isWhole(): boolean {
    return this.#sql.isWhole();
  }

  /** Leaves a database that can't be read any more. */
  async abandon(): Promise<void> {
    this.#resplitting.stop();
    await this.#follower.stop().catch(() => undefined);
    this.#sql.abandon();
  }

  /** Brings the index to the store's last revision. */
  catchUp(): Promise<void> {
    return this.#follower.catchUp();
  }

  /** Writes the snapshot where the file is older than the index. */
  writeSnapshot(): Promise<void> {
    return this.#follower.writeSnapshot();
  }

  async #changing<T>(change: () => T): Promise<T> {
    const result = change();
    await this.#follower.catchUp();
    return result;
  }

  /** Vectors that can't be read are done without: passages are found by their words. */
  async #loadVectors(): Promise<void> {
    await this.#vectors.load().catch(() => undefined);
  }
}
