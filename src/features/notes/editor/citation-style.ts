import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { citationStyle } from '../../../platform/settings.ts';
import { isReallyIn, readSmallFile, statFile } from '../../../platform/workspace-files.ts';

/** Maximum size of a style file; styles of the CSL project are far smaller. */
const MAX_STYLE_BYTES = 1_000_000;

/**
 * Reads the citation style that the settings name; returns undefined for the built-in style. A workspace can only name a
 * style in its own folder.
 * @throws NotebookError `forbidden`, `not-found`, `too-large`, `unsupported`
 */
export async function readCitationStyle(): Promise<string | undefined> {
  const { path, isOfWorkspace } = citationStyle();
  if (path === '') return undefined;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const isAbsolute = /^(?:[/\\\\]|[a-z]:)/i.test(path);
  const uri = isAbsolute || folder === undefined ? vscode.Uri.file(path) : vscode.Uri.joinPath(folder, path);
  if (!path.toLowerCase().endsWith('.csl'))
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t('{0} isn’t a citation style. In Settings, choose a file that ends in .csl.', path),
    );
  if ((await statFile(uri)) === undefined) throw missingStyle(path);
  if (isOfWorkspace && (folder === undefined || !(await isReallyIn(folder, uri))))
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t(
        'This workspace uses a citation style outside its folder: {0}. To allow it, set the path in your user settings.',
        path,
      ),
    );
  return new TextDecoder().decode(await readSmallFile(uri, MAX_STYLE_BYTES));
}

function missingStyle(path: string): NotebookError {
  return new NotebookError(
    'not-found',
    vscode.l10n.t('Can’t find the citation style {0}. Choose another one in Settings.', path),
  );
}
