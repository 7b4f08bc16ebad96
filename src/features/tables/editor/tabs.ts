import * as vscode from 'vscode';
import type { TableState } from '../protocol.ts';
import type { RowKind } from '../model/extraction-table.ts';
import { tableState } from '../model/tab-state.ts';
import type { ArtifactScope } from '../../../core/domain/artifact.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { webviewHtml } from '../../../platform/webview-page.ts';
import { tableKey, TableFillings } from './fill-jobs.ts';
import type { TablePage, TableParts } from './page.ts';
import { offerActionOnWarning } from '../../../platform/dialogs.ts';
import { pageTabs } from '../../../platform/page-tabs.ts';

/** Extraction tables in editor tabs, one in each. They are filled even if their tabs are closed. */
export interface TableViews {
  /** Creates an extraction table of sources and shows it; the user adds columns there. */
  readonly make: (
    notebook: NotebookClient,
    wish: ArtifactScope & { readonly title: string; readonly rowKind: RowKind },
  ) => Promise<void>;
  /** Shows an extraction table in its tab, or in a new one. */
  readonly show: (state: TableState, title: string) => Promise<void>;
  /** Stops filling tables, and waits until the answers are saved. */
  readonly leave: () => Promise<void>;
  readonly dispose: () => void;
}

/** Manages extraction tables in editor tabs and fills them. */
export function tableViews(parts: TableParts): TableViews {
  const pages = new Set<TablePage>();
  const fillings = new TableFillings(parts, (state, title, message) => {
    // An open tab shows the failure itself.
    if (tabs.find(state) !== undefined) return;
    offerActionOnWarning(message, vscode.l10n.t('Open'))
      .then((isOpened) => (isOpened ? tabs.show(state, title) : undefined))
      .catch(parts.reportError);
  });
  const tabs = pageTabs<TableState>({
    extensionUri: parts.extensionUri,
    viewType: 'openNotebook.matrix',
    schema: tableState,
    key: tableKey,
    // Preserves text being entered into a cell while another tab covers it.
    panelOptions: { retainContextWhenHidden: true },
    fill: async (panel, state) => {
      const { TablePage } = await import('./page.ts');
      const page = new TablePage(parts, fillings, panel, state);
      pages.add(page);
      panel.onDidDispose(() => {
        pages.delete(page);
        page.dispose();
      });
      panel.webview.html = webviewHtml(panel.webview, parts.extensionUri, 'tables');
    },
  });
  return {
    make: async (notebook, wish) => {
      const tableId = await notebook.call('addTable', wish);
      await tabs.show({ tableId, notebook: notebook.key }, wish.title);
    },
    show: tabs.show,
    leave: () => fillings.leave(),
    dispose: () => {
      tabs.dispose();
      for (const page of pages) page.dispose();
      fillings.dispose();
    },
  };
}
