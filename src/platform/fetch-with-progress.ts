import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../core/domain/errors.ts';
import { megabytes, type Fetching } from './fetched-files.ts';
import { inform, showError, withNotification } from './dialogs.ts';

/** Time until VS Code has removed the progress notification, in milliseconds. */
const UNTIL_PROGRESS_IS_GONE = 1_000;

/**
 * Downloads data of a known length, with progress that can be canceled. A failure is shown with a button to try again.
 * @returns the result; undefined if the download was canceled or abandoned, which the user saw
 * @throws any error of `fetch` that isn't a NotebookError
 */
export async function fetchWithProgress<T>(
  name: string,
  bytes: number,
  fetch: (fetching: Fetching) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      try {
        return await fetchOnce(name, bytes, fetch);
      } finally {
        // VS Code may drop a message that appears at the moment when the progress notification closes.
        await setTimeout(UNTIL_PROGRESS_IS_GONE);
      }
    } catch (error) {
      if (isCanceled(error)) {
        inform(
          vscode.l10n.t(
            'You canceled the download of {0}. The next download resumes where it stopped.',
            name,
          ),
        );
        return undefined;
      }
      if (!(error instanceof NotebookError)) throw error;
      const again = vscode.l10n.t('Try Again');
      if ((await showError(error.message, [again])) !== again) return undefined;
    }
  }
}

async function fetchOnce<T>(
  name: string,
  totalBytes: number,
  fetch: (fetching: Fetching) => Promise<T>,
): Promise<T> {
  return await withNotification(vscode.l10n.t('Downloading {0}', name), async (signal, report) => {
    let shown = 0;
    return await fetch({
      signal,
      onProgress: (bytes) => {
        const percent = Math.floor((100 * bytes) / totalBytes);
        if (percent === shown) return;
        shown = percent;
        const message =
          bytes < totalBytes
            ? vscode.l10n.t('{0} of {1}', megabytes(bytes), megabytes(totalBytes))
            : vscode.l10n.t('Verifying…');
        report(message, percent);
      },
      onWait: () => report(vscode.l10n.t('Waiting for a download in another window…')),
    });
  });
}
