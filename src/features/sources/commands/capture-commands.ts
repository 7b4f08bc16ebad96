import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { webAddressesIn } from '../../../core/domain/web-address.ts';
import { openFileUris } from '../../../platform/open-file.ts';
import { minimumLength } from '../../../platform/settings.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { timeInTitle } from '../../../platform/time-in-title.ts';
import { statFile } from '../../../platform/workspace-files.ts';
import { inform } from '../../../platform/dialogs.ts';

/** Returns the commands that add content that is open in the editor. */
export function captureCommands({ adder, copies }: Services): Commands {
  return {
    addTerminalSelection: async () => {
      const terminal = vscode.window.activeTerminal;
      const text = terminal === undefined ? '' : await selectionOfTerminal();
      if (terminal === undefined || text.trim() === '') {
        inform(vscode.l10n.t('In a terminal, select the text that you want to add.'));
        return;
      }
      const title = vscode.l10n.t('Terminal {0}, {1}', terminal.name, timeInTitle());
      await adder.addWholeText({ title, text, name: 'terminal.txt' });
    },
    addClipboard: async () => {
      const text = await vscode.env.clipboard.readText();
      if (text.trim() === '')
        throw new NotebookError(
          'empty',
          vscode.l10n.t('The clipboard doesn’t contain any text. Copy some text first.'),
        );
      const pages = webAddressesIn(text);
      await adder.addAll(pages.length > 0 ? { pages, isNamed: true } : { texts: [{ title: '', text }] });
    },
    addOpenEditors: async () => {
      const uris: vscode.Uri[] = [];
      for (const uri of openFileUris()) if (await isWorthAdding(uri)) uris.push(uri);
      if (uris.length === 0)
        throw new NotebookError('empty', vscode.l10n.t('No file is open in an editor. Open a file first.'));
      await adder.addAll(await copies.findOriginals(uris));
    },
    addGitDiff: async (clicked?: Partial<vscode.SourceControl>) => {
      const { askForGitDiff } = await import('../editor/git-diff.ts');
      const diff = await askForGitDiff(clicked?.rootUri);
      if (diff !== undefined) await adder.addWholeText({ ...diff, name: 'changes.diff' });
    },
  };
}

/** Returns the selection in the active terminal. It passes through the clipboard, whose text is then restored. */
export async function selectionOfTerminal(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // If nothing is selected, copying leaves the clipboard unchanged.
  await clipboard.writeText('');
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

/** Reports whether a file exists, or is a new one with enough text. */
async function isWorthAdding(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'untitled') return (await statFile(uri)) !== undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  return document.getText().trim().length >= minimumLength();
}
