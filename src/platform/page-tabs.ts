import * as v from 'valibot';
import * as vscode from 'vscode';
import { webviewOptions } from './webview-page.ts';

type Fill<State> = (panel: vscode.WebviewPanel, state: State) => Promise<void>;

interface PageTabsOptions<State> {
  readonly extensionUri: vscode.Uri;
  /** Type of the editor's tabs. */
  readonly viewType: string;
  /** Schema of the state that VS Code stores for a page while it is closed. */
  readonly schema: v.GenericSchema<unknown, State>;
  /** Returns a key for a page, so that each page has only one tab; without it, each page opens in a new tab. */
  readonly key?: (state: State) => string;
  readonly panelOptions?: vscode.WebviewPanelOptions;
  readonly fill: Fill<State>;
}

/** Pages of a kind in editor tabs. */
interface PageTabs<State> {
  /** Shows a page in its tab, or in a new one. */
  readonly show: (state: State, title: string, fill?: Fill<State>) => Promise<void>;
  /** Returns the tab of a page. */
  readonly find: (state: State) => vscode.WebviewPanel | undefined;
  readonly dispose: () => void;
}

/**
 * Manages pages of a kind in editor tabs, which VS Code restores. Tabs with a state that this version doesn't know
 * close.
 */
export function pageTabs<State>({ key, fill, ...options }: PageTabsOptions<State>): PageTabs<State> {
  const { extensionUri, viewType, schema, panelOptions } = options;
  const panels = new Map<string, vscode.WebviewPanel>();
  const place = async (panel: vscode.WebviewPanel, state: State, how: Fill<State>): Promise<void> => {
    const name = key?.(state);
    if (name !== undefined) {
      panels.set(name, panel);
      panel.onDidDispose(() => {
        if (panels.get(name) === panel) panels.delete(name);
      });
    }
    await how(panel, state);
  };
  const find = (state: State): vscode.WebviewPanel | undefined => key && panels.get(key(state));
  const registration = vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (panel, state: unknown) => {
      panel.webview.options = webviewOptions(extensionUri);
      const read = v.safeParse(schema, state);
      if (read.success) await place(panel, read.output, fill);
      else panel.dispose();
    },
  });
  return {
    show: async (state, title, how = fill) => {
      const openPanel = find(state);
      if (openPanel !== undefined) {
        openPanel.reveal();
        return;
      }
      const { Active } = vscode.ViewColumn;
      const tabOptions = { ...webviewOptions(extensionUri), ...panelOptions };
      await place(vscode.window.createWebviewPanel(viewType, title, Active, tabOptions), state, how);
    },
    find,
    dispose: () => {
      registration.dispose();
    },
  };
}
