import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { showNotebook } from './notebook-commands.ts';
import type { Notebooks } from '../editor/notebooks.ts';

/** File extension of exported notebooks. */
export const ENDING = 'opennotebook';

/** Creates a notebook, fills its folder, and shows it. Deletes it if that is canceled or fails. */
export async function showFilled(
  notebooks: Notebooks,
  name: string,
  fill: (directory: string) => Promise<unknown>,
): Promise<void> {
  const unfinished = await notebooks.folders.begin();
  try {
    await fill(unfinished.directory);
  } catch (error) {
    await unfinished.discard();
    throw error;
  }
  const { id } = await unfinished.keep(name);
  await showNotebook(notebooks, id);
}

/** Returns the folder of the current notebook, and creates it if the notebook was never opened. */
export async function directoryOfShown(notebooks: Notebooks): Promise<string> {
  await notebooks.shown.call('sources', {});
  return notebooks.directoryFor(notebooks.shown.key);
}

/** Returns the path of a file on this machine. @throws NotebookError `unsupported` */
export function shownPath(uri: vscode.Uri): string {
  if (uri.scheme !== 'file')
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t(
        'You can export and import notebooks only as files on this machine. Choose a local file.',
      ),
    );
  return uri.fsPath;
}
