import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { crawlReport } from '../../../parsers/sites/report.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { Disposable } from '../../../platform/disposable.ts';

const SCHEME = 'open-notebook-report';

/** Crawl reports as read-only documents; each is updated when the notebook changes. */
export class CrawlReports extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #notebook: NotebookClient;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#changed.event;

  constructor(notebook: NotebookClient) {
    super();
    this.#notebook = notebook;
    this._register(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      notebook.onDidChange(() => {
        for (const { uri } of vscode.workspace.textDocuments)
          if (uri.scheme === SCHEME) this.#changed.fire(uri);
      }),
    );
  }

  /** Opens the report of a site's last crawl. @throws NotebookError `not-found` if it was never crawled. */
  async show(sourceId: string): Promise<void> {
    const text = await this.#report(sourceId);
    if (text === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t(
          'This site hasn’t been crawled yet, so it has no crawl report. Refresh the source first.',
        ),
      );
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${vscode.l10n.t('Crawl report')}.md`,
      query: sourceId,
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (
      (await this.#report(uri.query)) ??
      vscode.l10n.t('The source of this report is no longer in the notebook.')
    );
  }

  async #report(sourceId: string): Promise<string | undefined> {
    const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
    if (source?.origin.kind !== 'site') return undefined;
    const record = await this.#notebook.call('crawlRecord', { sourceId });
    if (record === undefined) return undefined;
    return crawlReport(source.title, source.origin, record, (milliseconds) =>
      new Date(milliseconds).toLocaleString(vscode.env.language),
    );
  }
}
