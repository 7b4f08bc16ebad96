import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { computeChecksum } from '../../../core/domain/checksum.ts';
import { fileLength } from '../../../core/domain/regular-file.ts';
import type { LanguageFile } from '../../../parsers/scans/tesseract.ts';
import { Emitter, type Event, type Subscription } from '../../../platform/emitter.ts';
import type { Fetching } from '../../../platform/fetched-files.ts';
import { CARRIED_LANGUAGE, offeredLanguage, offeredLanguages, type OfferedLanguage } from './catalog.ts';
import { Disposable } from '../../../platform/disposable.ts';

interface Parts {
  /** Folder of the downloaded languages. */
  readonly folder: string;
  /** File of the language that is included in the extension. */
  readonly carried: string;
  readonly userAgent: string;
  readonly settings: {
    /** Returns the codes of the languages that the user chose. */
    readonly recognitionLanguages: () => readonly string[];
    /** Returns the origin of languages, with `{language}` for the code. */
    readonly recognitionAddress: () => string;
    readonly onDidChange: (keys: 'recognition.languages', listener: () => void) => Subscription;
  };
}

/**
 * Languages of text recognition: one copy of each for all windows. An installed file is complete, because it is
 * verified before it is moved into place.
 */
export class RecognitionLanguages extends Disposable {
  readonly #parts: Parts;
  readonly #changes = this._register(new Emitter<undefined>());
  readonly #damaged = this._register(new Emitter<OfferedLanguage>());
  readonly #looking = new Map<string, Promise<boolean>>();
  #isCarriedReported = false;

  /** Folder of the downloaded languages. */
  readonly folder: string;

  constructor(parts: Parts) {
    super();
    this.folder = parts.folder;
    this.#parts = parts;
    this._register(parts.settings.onDidChange('recognition.languages', () => this.#changes.fire(undefined)));
  }

  /** Fires when text recognition must use other files. */
  get onDidChange(): Event<undefined> {
    return this.#changes.event;
  }

  /** Fires when a language's file is damaged. The file was deleted, unless it is included in the extension. */
  get onDidFindDamaged(): Event<OfferedLanguage> {
    return this.#damaged.event;
  }

  /**
   * Returns the files of the chosen and installed languages in the order of the setting, but English last, because the
   * first language wins if a word fits several. English alone if there are none.
   */
  async files(): Promise<readonly LanguageFile[]> {
    const chosen = new Set(this.#parts.settings.recognitionLanguages());
    const isCarriedChosen = chosen.delete(CARRIED_LANGUAGE);
    const installed = await this.listInstalled();
    const files: LanguageFile[] = [];
    for (const code of chosen) {
      const path = this.#filePath(code);
      if (installed.some((language) => language.code === code)) files.push({ code, path });
      else if ((await fileLength(path)) > 0) await this.reportDamaged(code);
    }
    return isCarriedChosen || files.length === 0
      ? [...files, { code: CARRIED_LANGUAGE, path: this.#parts.carried }]
      : files;
  }

  /** Returns the downloaded languages. */
  async listInstalled(): Promise<readonly OfferedLanguage[]> {
    const lengths = await Promise.all(offeredLanguages.map(({ code }) => fileLength(this.#filePath(code))));
    return offeredLanguages.filter(
      ({ code, bytes }, at) => code !== CARRIED_LANGUAGE && lengths[at] === bytes,
    );
  }

  /** Returns how many bytes of a language's interrupted download exist. */
  async bytesThere(code: string): Promise<number> {
    return fileLength(`${this.#filePath(code)}.part`);
  }

  /**
   * Downloads and verifies a language. Resumes a partial download, and waits if another window downloads it.
   * @throws NotebookError `cancelled`, `disk-full`, `damaged`, `unsupported`, and errors of the server; the partial
   * download stays unless it is damaged
   */
  async fetch(language: OfferedLanguage, fetching: Fetching): Promise<void> {
    const { settings, userAgent } = this.#parts;
    const { fetchLanguage } = await import('./fetch-language.ts');
    const address = settings.recognitionAddress();
    await fetchLanguage(language, { ...fetching, address, path: this.#filePath(language.code), userAgent });
    this.#changes.fire(undefined);
  }

  /** Deletes a language and its partial download from this machine. */
  async remove(code: string): Promise<void> {
    for (const path of [this.#filePath(code), `${this.#filePath(code)}.part`])
      await rm(path, { force: true, maxRetries: 5 });
    this.#changes.fire(undefined);
  }

  /**
   * Verifies the file of a language that text recognition couldn't read. Deletes a damaged file and offers to download
   * it again.
   * @returns `true` if the file is damaged or missing; `false` if recognition failed for another reason
   */
  reportDamaged(code: string): Promise<boolean> {
    const looking =
      this.#looking.get(code) ?? this.#lookAt(code).finally(() => void this.#looking.delete(code));
    this.#looking.set(code, looking);
    return looking;
  }

  async #lookAt(code: string): Promise<boolean> {
    const language = offeredLanguage(code);
    if (language === undefined) return false;
    const isCarried = code === CARRIED_LANGUAGE;
    const path = isCarried ? this.#parts.carried : this.#filePath(code);
    // A file that can't be read counts as damaged.
    const checksum = await computeChecksum(path).catch(() => undefined);
    if (checksum === language.sha256) return false;
    const isKnown = isCarried ? this.#isCarriedReported : (await fileLength(path)) === 0;
    if (isKnown) return true;
    if (isCarried) this.#isCarriedReported = true;
    else await this.remove(code);
    this.#damaged.fire(language);
    return true;
  }

  #filePath(code: string): string {
    return join(this.folder, `${code}.traineddata.gz`);
  }
}
