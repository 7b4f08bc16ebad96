import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { pathBelow } from '../../indexing/library/portable-places.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { realPlace } from '../../notebook/real-place.ts';
import type { SourceOrigin } from '../../notebook/source.ts';
import { lastSegment, statFile } from '../workspace-files.ts';

/**
 * Looks, before a file or folder is read, whether it still really lies where an imported or a shared notebook may name
 * files: what took its place may be a link to anything. @throws NotebookError `forbidden`
 */
export async function checkPlace({
  uri,
  within,
}: Extract<SourceOrigin, { kind: 'file' | 'folder' }>): Promise<void> {
  if (within === undefined) return;
  const place = vscode.Uri.parse(uri);
  // What is gone is told as such by whoever reads it.
  if ((await statFile(place)) === undefined || (await isIn(uri, within))) return;
  throw new NotebookError(
    'forbidden',
    t(
      '{0} was named by an imported or a shared notebook, and leads elsewhere now, so it is not read. Remove it, and add what you mean yourself.',
      lastSegment(place),
    ),
  );
}

async function isIn(uri: string, within: string): Promise<boolean> {
  const path = pathBelow(uri, [within]);
  const folder = vscode.Uri.parse(within);
  if (path === undefined || folder.scheme !== 'file') return false;
  return (await realPlace(folder.fsPath, path)) !== undefined;
}
