import * as vscode from 'vscode';
import { pathBelow } from '../../../index/library/portable-places.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { resolveInsideRoot } from '../../../core/domain/resolve-inside-root.ts';
import type { Source } from '../../../core/domain/source.ts';
import { showWarning } from '../../../platform/dialogs.ts';
import { plainly } from '../../../platform/workspace-files.ts';

/** Maximum number of items in one question, so that the user can read each of them. */
const MAX_CONFIRMED_ITEMS = 20;

/**
 * Returns those of the dropped addresses that may be added. Only the page sees a drop, and it might invent one. So the
 * user is asked about each address unless it really is in the workspace, is already a source, or is a web URL.
 * @throws NotebookError `unsupported` if there are too many addresses to review
 */
export async function confirmedAddresses(
  addresses: readonly string[],
  sources: readonly Source[],
): Promise<readonly string[]> {
  const known = new Set(sources.flatMap(({ origin }) => ('uri' in origin ? [origin.uri] : [])));
  const confirmed: string[] = [];
  for (const address of addresses)
    if (!/^https?:\/\//i.test(address) && URL.canParse(address)) {
      const uri = vscode.Uri.parse(address);
      if (!known.has(uri.toString()) && !(await isOfWorkspace(uri))) confirmed.push(address);
    }
  if (confirmed.length === 0 || (await mayAdd(confirmed))) return addresses;
  return addresses.filter((address) => !confirmed.includes(address));
}

async function isOfWorkspace(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (folder?.scheme !== 'file') return folder !== undefined;
  const path = pathBelow(uri.toString(), [folder.toString()]);
  return path !== undefined && (await resolveInsideRoot(folder.fsPath, path)) !== undefined;
}

async function mayAdd(addresses: readonly string[]): Promise<boolean> {
  if (addresses.length > MAX_CONFIRMED_ITEMS)
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t(
        'More than {0} of these items are outside this workspace. Use “Add Files or Folders…” to add them.',
        MAX_CONFIRMED_ITEMS,
      ),
    );
  const places = addresses.map((address) => {
    const uri = vscode.Uri.parse(address);
    return plainly(uri.scheme === 'file' ? uri.fsPath : uri.toString(true));
  });
  // Enter chooses the first button, and may have been meant for the chat.
  const leave = vscode.l10n.t('Don’t Add');
  const add = vscode.l10n.t('Add');
  const answer = await showWarning(
    vscode.l10n.t('Add these items from outside this workspace to the notebook?'),
    [leave, add],
    { modal: true, detail: places.join('\n') },
  );
  return answer === add;
}
