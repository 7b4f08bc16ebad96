import * as vscode from 'vscode';
import type { ReadPassage } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { readReport, type ReportedPassage } from '../../../core/domain/read-report.ts';
import type { Conversation } from './conversation.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { Disposable } from '../../../platform/disposable.ts';

const SCHEME = 'open-notebook-read';

/** Retrieval reports of answers, as read-only documents. */
export class ReadReports extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #notebook: NotebookClient;
  readonly #conversation: Conversation;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#changed.event;

  constructor(notebook: NotebookClient, conversation: Conversation) {
    super();
    this.#notebook = notebook;
    this.#conversation = conversation;
    this._register(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      conversation.onDidChangeTurn(({ id, state }) => {
        if (state.kind !== 'answering') this.#changed.fire(makeUri(id));
      }),
    );
  }

  /**
   * Opens the retrieval report for the answer of a turn, by default the last one.
   * @throws NotebookError `not-found` if there is no report.
   */
  async show(turnId?: string): Promise<void> {
    const id = turnId ?? (await this.#conversation.turns()).findLast(({ answer }) => answer?.read)?.id;
    if (id === undefined || (await this.#report(id)) === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('No answer in this conversation has retrieved passages.'),
      );
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(makeUri(id)));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (
      (await this.#report(uri.query)) ??
      vscode.l10n.t('The answer for this retrieval report isn’t in the current conversation.')
    );
  }

  async #report(turnId: string): Promise<string | undefined> {
    const turn = (await this.#conversation.turns()).find(({ id }) => id === turnId);
    if (turn?.answer?.read === undefined) return undefined;
    const { question, answer } = turn;
    const passages = await Promise.all(turn.answer.read.map((passage) => this.#describePassage(passage)));
    return readReport(question, passages, answer);
  }

  async #describePassage(passage: ReadPassage): Promise<ReportedPassage> {
    const { documentId, span, begins } = passage;
    try {
      const { text, format, languageId } = await this.#notebook.call('document', { documentId });
      const currentText = text.slice(span.start, span.end);
      return { passage, text: currentText.startsWith(begins) ? currentText : undefined, format, languageId };
    } catch (error) {
      if (!(error instanceof NotebookError)) throw error;
      return { passage, text: undefined, format: 'prose', languageId: undefined };
    }
  }
}

function makeUri(turnId: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${vscode.l10n.t('Retrieval Report')}.md`, query: turnId });
}
