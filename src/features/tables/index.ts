import * as vscode from 'vscode';
import { registerCommandsByName } from '../../platform/register-commands.ts';
import type { NotebookClient } from '../../platform/notebook-client.ts';
import type { GenerateTable } from '../artifacts/editor/generate-artifact.ts';
import { involvesSource, readPartId } from '../../core/domain/artifact.ts';
import { tableCommands } from './commands/table-commands.ts';
import type { TableParts } from './editor/page.ts';
import { tableViews } from './editor/tabs.ts';

/** Services that extraction tables use. */
interface TableServices extends TableParts {
  readonly notebook: NotebookClient;
}

/** Registered feature. */
interface Tables extends vscode.Disposable {
  readonly generate: GenerateTable;
  /** Stops filling tables, and waits until the answers are saved. */
  readonly leave: () => Promise<void>;
}

/** Registers the commands and the pages of extraction tables. */
export function register(services: TableServices): Tables {
  const { notebook, reportError } = services;
  const tabs = tableViews(services);
  const disposables = vscode.Disposable.from(
    tabs,
    registerCommandsByName(tableCommands(notebook, tabs), reportError),
  );
  return {
    generate: async ({ title, sourceIds }, allSources) => {
      const { askForRows } = await import('./editor/actions.ts');
      const sources = allSources.filter(({ id }) => involvesSource({ sourceIds }, id));
      // A row for a source would include all of its documents.
      const hasParts = sourceIds?.some((id) => readPartId(id).path !== '') === true;
      const rowKind = hasParts ? 'documents' : await askForRows(sources);
      if (rowKind !== undefined) await tabs.make(notebook, { title, sourceIds, rowKind });
    },
    leave: tabs.leave,
    dispose: () => {
      disposables.dispose();
    },
  };
}
