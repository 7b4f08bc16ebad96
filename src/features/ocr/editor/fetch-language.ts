import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { t } from '@vscode/l10n';
import { checksumError, computeChecksum } from '../../../core/domain/checksum.ts';
import { isDiskFull, NotebookError } from '../../../core/domain/errors.ts';
import { fileLength } from '../../../core/domain/regular-file.ts';
import { diskFullError } from '../../../parsers/web/fetch-file.ts';
import {
  downloadFile,
  inOneWindow,
  ensureFreeSpace,
  readOrigin,
  type Fetching,
  type Origin,
} from '../../../platform/fetched-files.ts';
import type { OfferedLanguage } from './catalog.ts';

/** Options to download a language. */
interface LanguageFetching extends Fetching {
  /** Origin of languages, with `{language}` for the code. */
  readonly address: string;
  /** Destination path of the file. */
  readonly path: string;
  readonly userAgent: string;
}

const PLACE = '{language}';

/** Returns the origin of a language. @throws NotebookError `unsupported` if the address names no valid origin */
export function languageOrigin(address: string, code: string): Origin {
  if (!address.includes(PLACE))
    throw new NotebookError(
      'unsupported',
      t(
        '“{0}” doesn’t contain {1}. In Settings, add {1} to openNotebook.recognition.languageAddress in place of the language code.',
        address,
        PLACE,
      ),
      { action: 'openSettings' },
    );
  return readOrigin(address.replaceAll(PLACE, code), 'openNotebook.recognition.languageAddress');
}

/**
 * Downloads a language; see `RecognitionLanguages.fetch`.
 * @throws NotebookError `disk-full`, `damaged` if the checksum differs, and if the download fails
 */
export async function fetchLanguage(language: OfferedLanguage, fetching: LanguageFetching): Promise<void> {
  const { code, bytes } = language;
  const folder = dirname(fetching.path);
  try {
    await mkdir(folder, { recursive: true });
    await inOneWindow(join(folder, `${code}.lock`), fetching, async () => {
      // Another window may have downloaded it meanwhile.
      if ((await fileLength(fetching.path)) !== bytes) await downloadLanguage(language, fetching);
    });
  } catch (error) {
    // A NotebookError may already state how much space is needed.
    throw isDiskFull(error) && !(error instanceof NotebookError) ? diskFullError(error) : error;
  }
}

async function downloadLanguage(
  { code, bytes, sha256 }: OfferedLanguage,
  fetching: LanguageFetching,
): Promise<void> {
  const { address, path, userAgent, signal, onProgress } = fetching;
  const from = languageOrigin(address, code);
  const name = basename(path);
  const part = `${path}.part`;
  await ensureFreeSpace(name, bytes - (await fileLength(part)), dirname(path));
  await downloadFile(from, { to: part, bytes, userAgent, signal, onProgress });
  onProgress(bytes);
  if ((await computeChecksum(part, signal)) !== sha256) {
    // Deletes a partial download that began with another file's bytes, because it can never become valid.
    await rm(part, { force: true });
    throw checksumError(name);
  }
  await rename(part, path);
}
