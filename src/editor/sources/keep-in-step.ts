import * as vscode from 'vscode';
import { tellMenus } from '../menu-contexts.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { Sample } from './sample.ts';
import { onDidChange } from '../settings.ts';
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
  sample: Sample,
): vscode.Disposable {
  const tellOfSources = async (): Promise<void> => {
    const sources = await notebook.call('sources', {});
    await tellMenus('hasSources', sources.length > 0);
    await tellMenus(
      'hasSample',
      sources.some((source) => sample.has(source)),
    );
  };
  return vscode.Disposable.from(
    notebook.onDidOpen(async ({ notice, readOnly }) => {
      if (notice !== undefined) void vscode.window.showWarningMessage(notice);
      await tellOfSources();
      if (readOnly) return;
      await watcher.update();
      for (const source of await notebook.call('sources', {})) {
        const { state, origin } = source;
        const unfinished = state.kind === 'queued' || state.kind === 'reading';
        const onDisk = origin.kind === 'file' || origin.kind === 'folder';
        if (unfinished || (onDisk && state.kind === 'ready')) void reader.read(source);
      }
    }),
    notebook.onDidChange(() => void tellOfSources()),
    onDidChange('passages', () => void notebook.passageSettingsChanged()),
  );
}
