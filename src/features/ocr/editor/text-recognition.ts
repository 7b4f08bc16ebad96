import * as vscode from 'vscode';
import type { ScannedDocument } from '../../../index/store/sources/sources-api.ts';
import { isInterrupted, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { Recognition } from '../../../parsers/api.ts';
import {
  languagesKey,
  type RecognizeRequest,
  type RecognizerApi,
} from '../../../parsers/scans/recognizer-api.ts';
import type { LanguageFile } from '../../../parsers/scans/tesseract.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { withPassword, type Passwords } from '../../pdf/editor/with-password.ts';
import type { ProcessOnDemand } from '../../../platform/process-on-demand.ts';
import { onDidChange, recognizesText } from '../../../platform/settings.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Limits, see `ProcessOnDemand`, of the process that recognizes text: pages of noise need the most time. */
export const RECOGNISER = { megabytes: 1_536, idleTimeMs: 60_000, timeoutMs: 3 * 60_000 };

/** Time that a page is left to another window that has started it, in milliseconds. */
const OTHER_WINDOW_LEASE_MS = 30_000;

/** Languages of text recognition. */
interface Languages {
  /** Returns the data of the chosen and installed languages, the main one first. */
  files(): Promise<readonly LanguageFile[]>;
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
  /** Checks the data of an unusable language; reports whether it is damaged. */
  reportDamaged(code: string): Promise<boolean>;
}

interface Parts {
  readonly notebook: NotebookClient;
  readonly process: ProcessOnDemand<RecognizerApi>;
  readonly languages: Languages;
  /** File that stores the recognized text. */
  readonly store: string;
  readonly passwords: Passwords;
  /** Returns the content of a document if it isn't a file. */
  readonly loadContent: (source: Source, document: ScannedDocument, signal: AbortSignal) => Promise<Content>;
  /** Reads a document again, with the text that was recognized meanwhile. */
  readonly readAnew: (source: Source, document: ScannedDocument, signal: AbortSignal) => Promise<void>;
  readonly log: vscode.LogOutputChannel;
}

type Content = RecognizeRequest['content'];

/** Progress of a document since it was last read. */
interface Done {
  readonly hash: string;
  readonly pages: Set<number>;
  /** Number of pages after which the document is read again. */
  next: number;
}

/** Next task. */
interface Task {
  readonly source: Source;
  readonly document: ScannedDocument;
  /** Undefined to read the document again. */
  readonly page: number | undefined;
}

/**
 * Recognizes text on scanned pages in the background, one page at a time, starting with the sources added last. The
 * recognizing process stores the text, and documents are read again with it occasionally.
 */
export class TextRecognition extends Disposable {
  readonly #parts: Parts;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly #done = new Map<number, Done>();
  /**
   * Documents that can't be recognized for now, with their content hash and the reason. The next window tries again.
   */
  readonly #left = new Map<number, { readonly hash: string; readonly reason: string | undefined }>();
  /** Pages that another window has started, and the time until which they are left to it. */
  readonly #others = new Map<string, number>();
  #tasks: { readonly sources: readonly Source[]; readonly scans: readonly ScannedDocument[] } = {
    sources: [],
    scans: [],
  };
  #running: Promise<void> | undefined;
  #shouldRunAgain = false;
  #stop = new AbortController();
  #lookingAgain: NodeJS.Timeout | undefined;
  /** Content that was recognized last, so that a PDF from the web isn't downloaded for each page. */
  #content: { readonly hash: string; readonly content: Content } | undefined;
  #problem: string | undefined;

  /** Fires when the recognized page, the number of remaining pages, or the paused state changes. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
    this._register(
      parts.notebook.onDidChange(() => {
        this.look();
      }),
      parts.notebook.onDidOpen(() => {
        this.look();
      }),
      parts.notebook.onDidSwitch(() => {
        this.#forget();
        this.look();
      }),
      parts.languages.onDidChange(() => void this.#readAllAnew()),
      onDidChange('recognition.enabled', () => this.look()),
    );
  }

  /** Returns how to read pages without text; undefined if text recognition is off. */
  async recognition(): Promise<Recognition | undefined> {
    if (!recognizesText()) return undefined;
    const languages = languagesKey(await this.#parts.languages.files());
    return { languages, store: this.#parts.store };
  }

  /** Returns the number of remaining pages of a source, or of all sources. Includes paused pages. */
  left(sourceId?: string): number {
    return this.#tasks.scans
      .filter((scan) => sourceId === undefined || scan.sourceId === sourceId)
      .reduce((sum, scan) => sum + this.#countLeft(scan), 0);
  }

  /** Counts the last page until the document was read with its text, because it can't be searched before. */
  #countLeft(document: ScannedDocument): number {
    const open = this.#openPages(document).length;
    const isAbandoned = this.#left.get(document.id)?.hash === document.hash;
    const isToBeRead = this.#findDone(document).pages.size > 0 && !isAbandoned;
    return open === 0 && isToBeRead ? 1 : open;
  }

  get isWorking(): boolean {
    return this.#running !== undefined && this.#next()?.page !== undefined;
  }

  /** Returns why text recognition of a source is blocked at the moment, as a sentence. */
  findProblem(sourceId: string): string | undefined {
    const unreadPages = this.#tasks.scans.flatMap((scan) =>
      scan.sourceId === sourceId && scan.unrecognised.length > 0 ? (this.#left.get(scan.id) ?? []) : [],
    );
    return this.#problem ?? unreadPages.find(({ reason }) => reason !== undefined)?.reason;
  }

  /** Pauses some sources; by default all that are waiting. Recognized text stays. */
  async pause(sourceIds?: readonly string[]): Promise<void> {
    const waiting = new Set(this.#tasks.scans.map(({ sourceId }) => sourceId));
    await this.#parts.notebook.call('pauseRecognition', {
      sourceIds: sourceIds ?? [...waiting],
      isPaused: true,
    });
    this.#interrupt();
    this.look();
  }

  /** Resumes some sources, or all. */
  async resume(sourceIds?: readonly string[]): Promise<void> {
    this.#problem = undefined;
    this.#left.clear();
    await this.#parts.notebook.call('pauseRecognition', {
      sourceIds: sourceIds ?? this.#tasks.sources.map(({ id }) => id),
      isPaused: false,
    });
    this.look();
  }

  /** Starts or resumes text recognition of waiting pages. */
  look(): void {
    this.#shouldRunAgain = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#changed.fire();
      if (this.#shouldRunAgain && !this.#stop.signal.aborted) this.look();
    });
  }

  /** Stops and leaves unfinished pages to the next window that opens the notebook. */
  async leave(): Promise<void> {
    this.#interrupt();
    await this.#running;
    this.#forget();
  }

  override dispose(): void {
    clearTimeout(this.#lookingAgain);
    this.#stop.abort();
    this.#parts.process.dispose();
    super.dispose();
  }

  #forget(): void {
    this.#done.clear();
    this.#left.clear();
    this.#others.clear();
    this.#tasks = { sources: [], scans: [] };
  }

  /** Cancels the current page. */
  #interrupt(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    void this.#parts.process.end();
  }

  async #run(): Promise<void> {
    const { notebook, log } = this.#parts;
    const { signal } = this.#stop;
    try {
      while (!signal.aborted) {
        this.#shouldRunAgain = false;
        const scans = await notebook.call('scans', {});
        this.#tasks = { scans, sources: scans.length === 0 ? [] : await notebook.call('sources', {}) };
        this.#changed.fire();
        const task = recognizesText() ? this.#next() : undefined;
        if (task === undefined) {
          this.#content = undefined;
          return;
        }
        await this.#work(task, signal);
      }
    } catch (error) {
      if (signal.aborted || isCanceled(error)) return;
      this.#problem = error instanceof NotebookError ? error.message : undefined;
      if (this.#problem === undefined) log.error('Text recognition:', error);
    }
  }

  /** Returns the next page of the source added last, or a document to read again. */
  #next(): Task | undefined {
    if (this.#problem !== undefined) return undefined;
    const rank = new Map(this.#tasks.sources.map((source, index) => [source.id, { source, index }]));
    const findRank = ({ sourceId }: ScannedDocument): number => rank.get(sourceId)?.index ?? -1;
    for (const document of this.#tasks.scans.toSorted((a, b) => findRank(b) - findRank(a))) {
      const source = rank.get(document.sourceId)?.source;
      if (
        source === undefined ||
        source.isRecognitionPaused ||
        this.#left.get(document.id)?.hash === document.hash
      )
        continue;
      const done = this.#findDone(document);
      const page = this.#openPages(document).find((number) => !this.#isOthers(document, number));
      const isDue = done.pages.size >= done.next || (page === undefined && done.pages.size > 0);
      if (isDue || page !== undefined) return { source, document, page: isDue ? undefined : page };
    }
    return undefined;
  }

  #findDone({ id, hash }: ScannedDocument): Done {
    let done = this.#done.get(id);
    if (done?.hash !== hash) {
      done = { hash, pages: new Set(), next: 1 };
      this.#done.set(id, done);
    }
    return done;
  }

  #openPages(document: ScannedDocument): number[] {
    const { pages } = this.#findDone(document);
    return document.unrecognised.filter((page) => !pages.has(page));
  }

  #isOthers({ hash }: ScannedDocument, page: number): boolean {
    return (this.#others.get(pageKey(hash, page)) ?? 0) > Date.now();
  }

  async #work({ source, document, page }: Task, signal: AbortSignal): Promise<void> {
    const done = this.#findDone(document);
    if (page === undefined) {
      await this.#parts.readAnew(source, document, signal);
      // The more pages there are, the longer reading the document again takes.
      done.next *= 2;
      const currentScan = (await this.#parts.notebook.call('scans', {})).find(({ id }) => id === document.id);
      // Stored pages that reading still doesn't include never will be.
      if (currentScan?.unrecognised.some((number) => done.pages.has(number)) === true)
        this.#leave(document, undefined);
      done.pages.clear();
      return;
    }
    try {
      await this.#recognise(source, document, page, signal);
    } catch (error) {
      if (signal.aborted || isCanceled(error)) throw error;
      if (error instanceof NotebookError && error.code === 'disk-full') throw error;
      this.#parts.log.warn(`Text recognition passes over ${document.key || source.title}:`, error);
      if (error instanceof NotebookError && !isInterrupted(error) && error.code !== 'internal') {
        this.#leave(document, error.message);
        return;
      }
      // A process that failed in the middle of a page can't be used again. The other pages go to a new process.
      await this.#parts.process.end();
      await this.#giveUp(document, page, signal);
      done.pages.add(page);
    }
  }

  async #recognise(
    source: Source,
    document: ScannedDocument,
    page: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { process, languages, store, passwords, loadContent } = this.#parts;
    if (this.#content?.hash !== document.hash)
      this.#content = { hash: document.hash, content: await loadContent(source, document, signal) };
    const { content } = this.#content;
    const files = await languages.files();
    const uri = vscode.Uri.parse(document.uri);
    const need = { file: document.uri, mayAsk: source.origin.kind === 'file', signal };
    const result = await withPassword(passwords, need, (password) =>
      process.call(
        'recognise',
        { content, name: lastSegment(uri), password, hash: document.hash, page, languages: files, store },
        signal,
      ),
    );
    switch (result.kind) {
      case 'kept':
        this.#findDone(document).pages.add(page);
        return;
      case 'taken':
        this.#others.set(pageKey(document.hash, page), Date.now() + OTHER_WINDOW_LEASE_MS);
        this.#lookLater();
        return;
      case 'changed':
        // The document is read again as soon as its change is noticed.
        this.#leave(document, undefined);
        return;
      case 'damaged-language':
        await languages.reportDamaged(result.language);
        throw new NotebookError(
          'damaged',
          vscode.l10n.t(
            'Text recognition is paused because the data for the language {0} is damaged. Download the data again, or choose another language.',
            result.language,
          ),
        );
    }
  }

  #leave({ id, hash }: ScannedDocument, reason: string | undefined): void {
    this.#left.set(id, { hash, reason });
  }

  async #giveUp(document: ScannedDocument, page: number, signal: AbortSignal): Promise<void> {
    const { process, languages, store } = this.#parts;
    const problem = vscode.l10n.t(
      'Can’t recognize the text on page {0} because it takes too much time or memory. See the log for details.',
      page,
    );
    const request = {
      name: lastSegment(vscode.Uri.parse(document.uri)),
      hash: document.hash,
      page,
      languages: await languages.files(),
      store,
      problem,
    };
    await process.call('giveUp', request, signal);
  }

  #lookLater(): void {
    clearTimeout(this.#lookingAgain);
    this.#lookingAgain = setTimeout(() => this.look(), OTHER_WINDOW_LEASE_MS);
  }

  /** Reads documents again that were recognized in other languages. */
  async #readAllAnew(): Promise<void> {
    this.#problem = undefined;
    await this.leave();
    const { notebook, readAnew, log } = this.#parts;
    const { signal } = this.#stop;
    try {
      const sources = new Map((await notebook.call('sources', {})).map((source) => [source.id, source]));
      for (const document of await notebook.call('scans', {})) {
        const source = sources.get(document.sourceId);
        if (source !== undefined) await readAnew(source, document, signal);
      }
    } catch (error) {
      if (!isCanceled(error)) log.error('Text recognition:', error);
    }
    this.look();
  }
}

function pageKey(hash: string, page: number): string {
  return `${hash}:${String(page)}`;
}
