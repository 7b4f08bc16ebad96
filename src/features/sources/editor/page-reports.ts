import * as vscode from 'vscode';
import { pageReport } from '../../../core/domain/page-report.ts';
import type { Source } from '../../../core/domain/source.ts';
import { withNotification } from '../../../platform/dialogs.ts';
import { originalContent } from './original-reader.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { Disposable } from '../../../platform/disposable.ts';

const SCHEME = 'open-notebook-page';
/** Maximum number of reports that stay available, most recent first. */
const MAX_STORED_REPORTS = 20;

/** Reports on the extracted and omitted content of web pages, as read-only documents. */
export class PageReports extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #readers: Pick<ReaderPool, 'explainPage'>;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#changed.event;

  constructor(readers: Pick<ReaderPool, 'explainPage'>) {
    super();
    this.#readers = readers;
    this._register(this.#changed, vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
  }

  /** Downloads the page of a source again, and shows its extracted content with reasons. @throws NotebookError */
  async show(source: Source): Promise<void> {
    if (source.origin.kind !== 'page') return;
    const { url } = source.origin;
    const title = vscode.l10n.t('Extracting the content of {0}', source.title);
    const text = await withNotification(title, async (signal) => {
      const content = await originalContent(source, url, signal);
      return pageReport(source.title, await this.#readers.explainPage({ content, name: url, url }, signal));
    });
    this.#texts.delete(source.id);
    this.#texts.set(source.id, text);
    for (const id of [...this.#texts.keys()].slice(0, -MAX_STORED_REPORTS)) this.#texts.delete(id);
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${vscode.l10n.t('Extracted content')}.md`,
      query: source.id,
    });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.query) ??
      vscode.l10n.t('This report is no longer available. Run “Show Extracted Content” again.')
    );
  }
}
