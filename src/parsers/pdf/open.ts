import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { loadPdf } from './engine.ts';
import { salvage } from './salvage.ts';

export interface OpenPdf {
  readonly pdf: PDFDocumentProxy;
  readonly task: PDFDocumentLoadingTask;
  /** Opened bytes: the file itself, or its repaired version if it was damaged. */
  readonly bytes: Uint8Array;
  /** `true` if the file's own page list was lost, and only the pages that could be found are shown. */
  readonly isSalvaged: boolean;
}

/**
 * Opens a PDF. If its table of contents is lost, uses the pages that can be found in it. The caller must destroy the
 * task.
 * @throws NotebookError `encrypted`, `unsupported` or `damaged`.
 */
export async function openPdf(bytes: Uint8Array, name: string, password?: string): Promise<OpenPdf> {
  try {
    return await open(bytes, password, false);
  } catch (error) {
    const whole = isStructureLost(error) ? salvage(bytes) : undefined;
    if (whole === undefined) throw openingError(error, name);
    return await open(whole, password, true).catch((second: unknown) => {
      throw openingError(second, name);
    });
  }
}

/** Opens a PDF by the pages that can be found in it, if it opened but none of its pages could be read. */
export async function openSalvaged(bytes: Uint8Array, password?: string): Promise<OpenPdf | undefined> {
  const whole = salvage(bytes);
  // The caller reports a damaged PDF.
  return whole === undefined ? undefined : open(whole, password, true).catch(() => undefined);
}

async function open(bytes: Uint8Array, password: string | undefined, isSalvaged: boolean): Promise<OpenPdf> {
  const task = await loadPdf(bytes, { password });
  try {
    return { pdf: await task.promise, task, bytes, isSalvaged };
  } catch (error) {
    await task.destroy();
    throw error;
  }
}

function isStructureLost(error: unknown): boolean {
  return error instanceof Error && !isAboutEncryption(error);
}

function isAboutEncryption({ name, message }: Error): boolean {
  return name === 'PasswordException' || /encrypt/i.test(message);
}

/** Returns the error for a PDF that pdf.js couldn't open. */
function openingError(error: unknown, name: string): NotebookError {
  if (!(error instanceof Error) || !isAboutEncryption(error)) return damagedError(name, error);
  if (error.name !== 'PasswordException')
    return new NotebookError(
      'unsupported',
      t(
        '{0} uses an unsupported type of encryption. Save a copy without encryption, then add the copy instead.',
        name,
      ),
      { cause: error },
    );
  const isWrong = /incorrect/i.test(error.message);
  return new NotebookError(
    'encrypted',
    isWrong
      ? t('The password for {0} is incorrect. Refresh the source to enter another password.', name)
      : t('{0} is password-protected. Try again, then enter the password.', name),
    { cause: error },
  );
}

/** Returns the error for a file that isn't a readable PDF. */
export function damagedError(name: string, cause: unknown): NotebookError {
  return new NotebookError(
    'damaged',
    t('Can’t read {0} as a PDF. The file may be damaged or incomplete. Save it again, then retry.', name),
    { cause },
  );
}
