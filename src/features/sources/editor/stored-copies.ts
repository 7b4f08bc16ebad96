import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { COPY_SETTLES } from '../../../index/library/library-api.ts';
import type { PdfOriginal, ToAdd } from './add-sources.ts';
import { originIn } from '../../../platform/copy-files.ts';
import type { Library } from '../../../platform/library.ts';

/** Delay after opening a notebook before unused copies are deleted, in milliseconds, so that the views load first. */
const AFTER_OPENING = 10_000;

interface StoredCopiesParts {
  /** Storage folder of the extension that outlives a window. */
  readonly storageUri: vscode.Uri;
  /** Folder of the notebooks. */
  readonly notebooks: string;
  readonly library: Library;
  readonly log: vscode.LogOutputChannel;
}

/** Copies of files that exist nowhere else on this machine. Deletes those that no notebook uses. */
export class StoredCopies implements vscode.Disposable {
  /** Folder of dropped files that came only as bytes. */
  readonly dropped: vscode.Uri;
  /** Folder of opened web PDFs. */
  readonly pdfs: string;
  readonly #parts: StoredCopiesParts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StoredCopiesParts) {
    this.#parts = parts;
    this.dropped = vscode.Uri.joinPath(parts.storageUri, 'dropped');
    this.pdfs = vscode.Uri.joinPath(parts.storageUri, 'pdfs').fsPath;
  }

  /** Returns the original of a PDF; the PDF itself if it isn't a copy. */
  async findOriginal(uri: vscode.Uri): Promise<PdfOriginal> {
    const folder = dirname(uri.fsPath);
    const origin = dirname(folder) === this.pdfs ? await originIn(folder) : undefined;
    return origin ?? { uri: uri.toString() };
  }

  /**
   * Returns the items to add for files. For a copy of a PDF from the web, this is the web page, which outlives the
   * copy.
   */
  async findOriginals(files: readonly vscode.Uri[]): Promise<Required<Pick<ToAdd, 'pages' | 'uris'>>> {
    const originals = await Promise.all(files.map((uri) => this.findOriginal(uri)));
    const isCopy = (index: number): boolean => originals[index]?.hash !== undefined;
    return {
      uris: files.filter((_, index) => !isCopy(index)),
      pages: originals.filter((_, index) => isCopy(index)).map(({ uri }) => uri),
    };
  }

  /**
   * Deletes unused copies a while after a notebook was opened: leftovers of a crash, and copies of deleted notebooks.
   */
  notebookOpened(): void {
    this.#tidyIn(AFTER_OPENING);
  }

  /** Deletes the copies of removed sources. A copy made just now is deleted later, when it has settled. */
  async sourcesRemoved(): Promise<void> {
    this.#tidyIn(COPY_SETTLES + AFTER_OPENING);
    await this.#tidy();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #tidyIn(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tidy(), delay);
  }

  async #tidy(): Promise<void> {
    const { library, notebooks, log } = this.#parts;
    const copies = [this.dropped.fsPath, this.pdfs];
    const names = await Promise.all(copies.map((folder) => readdir(folder).catch(() => [])));
    if (names.every(({ length }) => length === 0)) return;
    try {
      await library.ask('removeUnusedCopies', { notebooks, copies });
    } catch (error) {
      log.warn('Removing copies that no notebook uses:', error);
    }
  }
}
