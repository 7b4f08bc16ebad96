import * as vscode from 'vscode';
import { usageReport } from '../model/usage-report.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { Disposable } from '../../../platform/disposable.ts';

const SCHEME = 'open-notebook-usage';

/** Model usage of this notebook, as a read-only document. Queries only the notebook. */
export class UsageReports extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #notebook: NotebookClient;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #uri = vscode.Uri.from({ scheme: SCHEME, path: `/${vscode.l10n.t('Usage')}.md` });

  readonly onDidChange = this.#changed.event;

  constructor(notebook: NotebookClient) {
    super();
    this.#notebook = notebook;
    this._register(this.#changed, vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
  }

  /** Opens the table in the editor's Markdown preview, as it is now. */
  async show(): Promise<void> {
    this.#changed.fire(this.#uri);
    await vscode.commands.executeCommand('markdown.showPreview', this.#uri);
  }

  async provideTextDocumentContent(): Promise<string> {
    return usageReport(await this.#notebook.call('usage', {}), vscode.env.language);
  }
}
