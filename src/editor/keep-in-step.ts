import * as vscode from 'vscode';
import type { NotebookClient } from './notebook-client.ts';
import { onDidChange } from './settings.ts';
import type { SourceReader } from './source-reader.ts';
import type { SourceWatcher } from './source-watcher.ts';

/**
 * Keeps a notebook in step from its opening on: goes on with what was not read to its end, looks for files that
 * changed while nobody watched, follows the passage settings, and tells menus whether there are sources.
 */
export function keepInStep(
  notebook: NotebookClient,
  reader: SourceReader,
  watcher: SourceWatcher,
): vscode.Disposable {
  const tellMenus = async (): Promise<void> => {
    const sources = await notebook.call('sources', {});
    await vscode.commands.executeCommand('setContext', 'openNotebook.hasSources', sources.length > 0);
  };
  return vscode.Disposable.from(
    notebook.onDidOpen(async ({ notice, readOnly }) => {
      if (notice !== undefined) void vscode.window.showWarningMessage(notice);
      await tellMenus();
      if (readOnly) return;
      await watcher.update();
      for (const source of await notebook.call('sources', {})) {
        const { state, origin } = source;
        const unfinished = state.kind === 'queued' || state.kind === 'reading';
        const onDisk = origin.kind === 'file' || origin.kind === 'folder';
        if (unfinished || (onDisk && state.kind === 'ready')) void reader.read(source);
      }
    }),
    notebook.onDidChange(() => void tellMenus()),
    onDidChange('passages', () => void notebook.passageSettingsChanged()),
  );
}
