import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { Citation } from '../notebook/answer.ts';
import { NotebookError, throwIfCancelled } from '../notebook/errors.ts';
import { locate, placeOf } from '../notebook/locator.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { EmbeddingModel, PassageSettings } from '../notebook/settings.ts';
import type { CrawlCounts, SettledPage, SitePageState } from '../notebook/site.ts';
import type { DocumentEntry, Source, SourceOrigin } from '../notebook/source.ts';
import type {
  CitedWords,
  CiteRequest,
  DocumentInput,
  EmbeddingBatch,
  IndexStatistics,
  OpenResult,
  QuestionVector,
  Surroundings,
  Whereabouts,
} from './api.ts';
import { openDatabase } from './database.ts';
import { Embeddings } from './embeddings.ts';
import { nearestOccurrence, surroundingLines } from './cited-words.ts';
import { Narrowing } from './narrowing.ts';
import { PassageIndex } from './passage-index.ts';
import { PassageVectors } from './passage-vectors.ts';
import { fuse } from './vectors/fusion.ts';
import { removeStraySnapshots, writeSnapshotFile } from './snapshot-file.ts';
import { splitDocument } from './splitter.ts';
import type { KeptDocument, KeptPassage } from './store.ts';
import { Store } from './store.ts';
import { Statements } from './statements.ts';
import { Conversations } from './conversations.ts';
import { SitePages } from './site-pages.ts';

/** Characters of documents that are kept unpacked for the next question. */
const TEXT_CACHE = 16_000_000;

/** How long nothing changes before the snapshot is written, in milliseconds. */
const SNAPSHOT_DELAY = 5_000;

/** How many passages are looked into for the sentences that carry a question, at least. */
const PASSAGES_NARROWED = 20;

/** How many passages found by words and by vectors are put into one ranking. */
const PASSAGES_FUSED = 100;

/** From so many documents on, it is told how far the index has caught up. */
const DOCUMENTS_TOLD = 100;

export interface NotebookIndexEvents {
  changed(): void;
  indexing(done: number, total: number): void;
  resplitting(done: number, total: number): void;
}

/**
 * A notebook's store with the index of its passages. The store is the truth: the index follows its log of
 * changes, whether they were made here or by another window, and starts from a snapshot where there is one.
 */
export class NotebookIndex {
  readonly store: Store;
  readonly conversations: Conversations;
  readonly embeddings: Embeddings;
  readonly #vectors: PassageVectors;
  readonly sitePages: SitePages;
  readonly #sql: Statements;
  readonly #directory: string;
  readonly #snapshotPath: string;
  readonly #readOnly: boolean;
  readonly #events: NotebookIndexEvents;
  readonly #narrowing = new Narrowing();
  readonly #texts = new Map<number, KeptDocument>();
  #cachedCharacters = 0;
  #openTime = 0;
  #questions = 0;
  #lastQuestionTime: number | undefined;
  #index = PassageIndex.create();
  #passagesOf = new Map<number, readonly number[]>();
  #revision = 0;
  #snapshotRevision = 0;
  #snapshotTimer: NodeJS.Timeout | undefined;
  #catchingUp: Promise<void> = Promise.resolve();
  #writingSnapshot: Promise<void> = Promise.resolve();
  #settings: PassageSettings;
  #splitting: AbortController | undefined;
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
    this.embeddings = new Embeddings(sql, (documentId) => this.#document(documentId));
    this.#vectors = new PassageVectors(this.embeddings);
    this.sitePages = new SitePages(sql, this.store);
    this.#directory = directory;
    this.#snapshotPath = join(directory, `index-${this.store.identity().toString(16)}.snapshot`);
    this.#readOnly = readOnly;
    this.#settings = settings;
    this.#events = events;
    this.#dataVersion = this.store.dataVersion();
  }

  /**
   * Opens the notebook in a folder; ready to be asked when it resolves.
   * @throws NotebookError where the database can't be opened.
   */
  static async open(
    directory: string,
    settings: PassageSettings,
    events: NotebookIndexEvents,
  ): Promise<{ index: NotebookIndex; result: OpenResult }> {
    const started = performance.now();
    const { database, readOnly, notice } = await openDatabase(directory);
    const index = new NotebookIndex(new Statements(database), directory, readOnly, settings, events);
    await index.#readSnapshot();
    await index.catchUp();
    index.#openTime = performance.now() - started;
    if (!readOnly) void index.#splitOutdated();
    void index.#loadVectors();
    return { index, result: { readOnly, notice } };
  }

  addSource(title: string, origin: SourceOrigin, document: DocumentInput | undefined): Promise<Source> {
    return this.#changing(() => this.store.addSource(title, origin, document, splitDocument, this.#settings));
  }

  async putDocument(sourceId: string, input: DocumentInput): Promise<number> {
    const passages = await this.#changing(() =>
      this.store.putDocument(sourceId, input, splitDocument, this.#settings),
    );
    if (passages === undefined) throw new NotebookError('cancelled', 'The source was removed.');
    return passages;
  }

  /** Keeps what came of a site's page. @throws NotebookError `cancelled` where the source was removed meanwhile. */
  async settleSitePage(
    sourceId: string,
    page: SettledPage,
  ): Promise<{ readonly state: SitePageState; readonly counts: CrawlCounts }> {
    const settled = await this.#changing(() =>
      this.sitePages.settle(sourceId, page, splitDocument, this.#settings),
    );
    if (settled === undefined) throw new NotebookError('cancelled', 'The source was removed.');
    return settled;
  }

  finishCrawl(sourceId: string, stopped: boolean): Promise<void> {
    return this.#changing(() => {
      this.sitePages.finish(sourceId, stopped);
    });
  }

  removeSources(sourceIds: readonly string[]): Promise<void> {
    return this.#changing(() => {
      this.store.removeSources(sourceIds);
    });
  }

  removeDocuments(documentIds: readonly number[]): Promise<void> {
    return this.#changing(() => {
      this.store.removeDocuments(documentIds);
    });
  }

  setPassageSettings(settings: PassageSettings): void {
    this.#settings = settings;
    if (!this.#readOnly) void this.#splitOutdated();
  }

  /**
   * The sentences that best carry a question, at most `limit` windows of them, best first. With the question's vector
   * passages are found by their meaning, too.
   */
  async search(question: string, limit: number, vector?: QuestionVector): Promise<FoundPassage[]> {
    const started = performance.now();
    const found = await this.#search(question, limit, vector);
    this.#questions++;
    this.#lastQuestionTime = performance.now() - started;
    return found;
  }

  async #search(
    question: string,
    limit: number,
    vector: QuestionVector | undefined,
    caughtUp = false,
  ): Promise<FoundPassage[]> {
    const wanted = Math.max(limit, PASSAGES_NARROWED);
    const near = vector === undefined ? [] : this.#vectors.search(vector, PASSAGES_FUSED);
    const byWords = await this.#index.search(question, { limit: near.length > 0 ? PASSAGES_FUSED : wanted });
    const hits = near.length > 0 ? fuse(byWords, near, wanted) : byWords;
    const passages = hits.flatMap(({ id, score }) => {
      const passage = this.store.passage(id);
      return passage === undefined ? [] : [{ ...passage, passageId: id, score }];
    });
    // Passages that are gone were removed or split anew a moment ago, perhaps by another window.
    if (passages.length < hits.length && !caughtUp) {
      await this.catchUp();
      return this.#search(question, limit, vector, true);
    }
    const headingsOf = new Map(passages.map(({ passageId, headings }) => [passageId, headings]));
    const windows = this.#narrowing.narrow(
      passages,
      this.#index.weightsOf(question),
      (documentId) => this.#document(documentId),
      { size: this.#settings.size, limit, byPassage: near.length > 0 },
    );
    return windows.flatMap(({ documentId, passageId, start, end, score }) => {
      const document = this.#document(documentId);
      const source = this.store.sourceOf(documentId);
      if (document === undefined || source === undefined) return [];
      return [
        {
          passageId,
          documentId,
          sourceId: document.entry.sourceId,
          start,
          end,
          headings: headingsOf.get(passageId) ?? [],
          score,
          text: document.text.slice(start, end),
          format: document.format,
          languageId: document.languageId,
          sourceTitle: source.title,
          documentTitle: document.entry.title,
          documentKey: document.entry.key,
        },
      ];
    });
  }

  /** @throws NotebookError `not-found` where a document was removed meanwhile. */
  cite(requests: readonly CiteRequest[]): Citation[] {
    return requests.map(({ number, documentId, passage, span }) => {
      const { entry, text, map, headings } = this.document(documentId);
      const source = this.store.sourceOf(documentId);
      const locator = locate(text, map, span);
      const above = headings.filter(({ offset }) => offset <= span.start).map(({ title }) => title);
      return {
        number,
        sourceId: entry.sourceId,
        sourceKind: source?.origin.kind ?? 'text',
        documentId,
        title: titleOf(entry, source),
        place: placeOf(locator, above.slice(-1)),
        uri: entry.uri,
        mediaType: entry.mediaType,
        passage,
        span,
        quote: text.slice(span.start, span.end),
        locator,
      };
    });
  }

  find({ documentId, span, quote }: CitedWords): Whereabouts {
    const document = this.#document(documentId);
    if (document === undefined) return { kind: 'removed' };
    const found = nearestOccurrence(document.text, quote, span);
    return found === undefined
      ? { kind: 'changed' }
      : { kind: 'found', span: found, locator: locate(document.text, document.map, found) };
  }

  surroundings({ documentId, span, quote }: CitedWords): Surroundings | undefined {
    const document = this.#document(documentId);
    const found = document && nearestOccurrence(document.text, quote, span);
    if (document === undefined || found === undefined) return undefined;
    return {
      ...surroundingLines(document.text, found),
      format: document.format,
      languageId: document.languageId,
    };
  }

  /** @throws NotebookError `not-found` where there is no such document any more. */
  document(documentId: number): KeptDocument {
    const document = this.#document(documentId);
    if (document === undefined)
      throw new NotebookError(
        'not-found',
        'This source is no longer in the notebook. Add it again to open it.',
      );
    return document;
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
      await this.catchUp();
      await this.#loadVectors();
    } catch {
      // What could not be read now is looked for again the next time.
      this.#dataVersion = undefined;
      return;
    }
    this.#events.changed();
  }

  async statistics(): Promise<IndexStatistics> {
    const size = async (path: string): Promise<number> => {
      try {
        return (await stat(path)).size;
      } catch {
        return 0;
      }
    };
    return {
      ...this.store.counts(),
      terms: this.#index.statistics().terms,
      databaseBytes: await size(join(this.#directory, 'notebook.sqlite')),
      snapshotBytes: await size(this.#snapshotPath),
      heapBytes: process.memoryUsage().heapUsed,
      revision: this.#revision,
      snapshotRevision: this.#snapshotRevision,
      openTime: this.#openTime,
      questions: this.#questions,
      lastQuestionTime: this.#lastQuestionTime,
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#snapshotTimer);
    this.#splitting?.abort();
    await this.#catchingUp;
    await this.writeSnapshot();
    this.#sql.close();
  }

  /** Brings the index to the store's last revision, document by document, letting questions in between. */
  catchUp(): Promise<void> {
    const caughtUp = this.#catchingUp.then(async () => {
      const target = this.store.revision();
      const changed = this.store.changedSince(this.#revision);
      const tell = (done: number): void => {
        if (changed.length >= DOCUMENTS_TOLD) this.#events.indexing(done, changed.length);
      };
      let sinceYield = 0;
      for (const [done, documentId] of changed.entries()) {
        sinceYield += await this.#indexAgain(documentId);
        if (sinceYield >= 64) {
          sinceYield = 0;
          tell(done);
          await yieldToMessages();
        }
      }
      tell(changed.length);
      if (target > this.#revision) {
        this.#revision = target;
        this.#scheduleSnapshot();
      }
    });
    // One that failed does not keep the next from trying again.
    this.#catchingUp = caughtUp.catch(() => undefined);
    return caughtUp;
  }

  /** Writes the index beside the database where the file there is older. A snapshot that can't be written costs time only. */
  writeSnapshot(): Promise<void> {
    this.#writingSnapshot = this.#writingSnapshot.then(async () => {
      if (this.#revision === this.#snapshotRevision) return;
      const revision = this.#revision;
      try {
        await writeSnapshotFile(this.#snapshotPath, this.#index.write(revision));
        this.#snapshotRevision = revision;
      } catch {
        // The one before stays; the index catches up from there.
      }
    });
    return this.#writingSnapshot;
  }

  async #changing<T>(change: () => T): Promise<T> {
    const result = change();
    await this.catchUp();
    return result;
  }

  /** Returns the number of passages indexed. */
  async #indexAgain(documentId: number): Promise<number> {
    this.#forgetText(documentId);
    const { document, passages } = this.#sql.reading(() => ({
      document: this.store.document(documentId),
      passages: this.store.passagesOf(documentId),
    }));
    const ids = new Set(passages.map(({ id }) => id));
    const before = this.#passagesOf.get(documentId) ?? [];
    if (document !== undefined) {
      // A passage's row never changes, so one that is there is up to date.
      const added = passages.filter(({ id }) => !this.#index.has(id));
      await this.#index.add(
        added.map((passage) => ({
          id: passage.id,
          sourceId: document.entry.sourceId,
          terms: termsOf(document, passage),
        })),
      );
      this.#passagesOf.set(documentId, [...ids]);
    } else this.#passagesOf.delete(documentId);
    const gone = before.filter((id) => !ids.has(id));
    this.#vectors.follow(documentId, gone);
    // Last, so that a question in between finds the passages before and learns from them that it has to look again.
    await this.#index.remove(gone);
    return ids.size;
  }

  async #readSnapshot(): Promise<void> {
    try {
      if (!this.#readOnly) await removeStraySnapshots(this.#snapshotPath);
      const { index, revision } = PassageIndex.read(await readFile(this.#snapshotPath));
      const { last, changed, passages } = this.#sql.reading(() => ({
        last: this.store.revision(),
        changed: new Set(this.store.changedSince(revision)),
        passages: this.store.passageOwners(),
      }));
      if (revision > last) {
        // The database was put back to an earlier state, and will come to this revision again with other content.
        await rm(this.#snapshotPath, { force: true });
        return;
      }
      const owners = new Map<number, number[]>();
      for (const { id, documentId } of passages) {
        if (!index.has(id)) {
          // Passages of changed documents come with the catching up; any other missing one means a wrong snapshot.
          if (changed.has(documentId)) continue;
          return;
        }
        const ids = owners.get(documentId);
        if (ids === undefined) owners.set(documentId, [id]);
        else ids.push(id);
      }
      const known = new Set([...owners.values()].flat());
      await index.remove(index.ids().filter((id) => !known.has(id)));
      this.#index = index;
      this.#passagesOf = owners;
      this.#revision = revision;
      this.#snapshotRevision = revision;
    } catch {
      // Missing, damaged or of another version: the index is made from the store.
    }
  }

  /** Vectors that can't be read are done without: passages are found by their words. */
  async #loadVectors(): Promise<void> {
    await this.#vectors.load().catch(() => undefined);
  }

  #scheduleSnapshot(): void {
    clearTimeout(this.#snapshotTimer);
    this.#snapshotTimer = setTimeout(() => void this.writeSnapshot(), SNAPSHOT_DELAY).unref();
  }

  async #splitOutdated(): Promise<void> {
    this.#splitting?.abort();
    const controller = new AbortController();
    this.#splitting = controller;
    const settings = this.#settings;
    const documents = this.store.splitOtherwise(settings);
    try {
      for (const [done, documentId] of documents.entries()) {
        throwIfCancelled(controller.signal);
        await this.#changing(() => {
          this.store.splitAgain(documentId, splitDocument, settings);
        });
        this.#events.resplitting(done + 1, documents.length);
        await yieldToMessages();
      }
      if (documents.length > 0) this.#events.changed();
    } catch {
      // Broken off by newer settings, by closing or by a full disk: the documents still marked are split at the next opening.
      if (!controller.signal.aborted) this.#events.resplitting(documents.length, documents.length);
    }
  }

  #document(documentId: number): KeptDocument | undefined {
    const cached = this.#texts.get(documentId);
    if (cached !== undefined) return cached;
    const document = this.store.document(documentId);
    if (document === undefined) return undefined;
    this.#texts.set(documentId, document);
    this.#cachedCharacters += weightOf(document);
    for (const oldest of this.#texts.keys()) {
      if (this.#cachedCharacters <= TEXT_CACHE || oldest === documentId) break;
      this.#forgetText(oldest);
    }
    return document;
  }

  #forgetText(documentId: number): void {
    const document = this.#texts.get(documentId);
    if (document === undefined) return;
    this.#cachedCharacters -= weightOf(document);
    this.#texts.delete(documentId);
  }
}

/** How much of the cache an unpacked document takes, in characters; its map's runs and its entry count as some, too. */
function weightOf({ text, map }: KeptDocument): number {
  return 1_000 + text.length + ('starts' in map ? 16 * map.starts.length : 0);
}

/** How a document is called where it is cited: a file of a folder by its path, a page of a site by its title. */
function titleOf(
  { key, title }: DocumentEntry,
  source: { readonly title: string; readonly origin: SourceOrigin } | undefined,
): string {
  if (key === '') return source?.title ?? title;
  return source?.origin.kind === 'site' && title !== '' ? title : key;
}

/** What a passage is found by: its path or title, its headings and its text, in one field. */
function termsOf({ entry, text }: KeptDocument, passage: KeptPassage): string {
  return [entry.key, entry.title, ...passage.headings, text.slice(passage.start, passage.end)].join('\n');
}
