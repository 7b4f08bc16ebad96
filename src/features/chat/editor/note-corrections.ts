import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { citationLinks } from '../../../core/domain/citation-links.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { correctableMark, correctedNote, markedStatement } from '../../../answers/writing/note-statement.ts';
import { withNotification } from '../../../platform/dialogs.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import { NOTES, titleOfUri, type NotebooksByKey } from '../../notes/editor/note-files.ts';
import { changeShownNote } from '../../notes/editor/shown-change.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { showErrors } from '../../../platform/show-errors.ts';
import type { AnswerModels } from './answer-model.ts';
import { correctionModels, requireModels } from './corrections.ts';
import { Disposable } from '../../../platform/disposable.ts';

const CORRECT_COMMAND = 'openNotebook.correctInNote';

interface NoteCorrectionParts {
  readonly notebooks: NotebooksByKey;
  readonly embedder: Pick<Embedder, 'embedQuestion'>;
  readonly answerModels: Pick<AnswerModels, 'factChecker'>;
}

/**
 * Offers to correct the statements in notes that the fact check marked, as quick fixes. A correction is checked, shown as
 * a diff, and applied as one edit, which the editor can undo.
 */
export class NoteCorrections extends Disposable implements vscode.CodeActionProvider {
  readonly #parts: NoteCorrectionParts;

  constructor(parts: NoteCorrectionParts) {
    super();
    this.#parts = parts;
    this._register(
      vscode.languages.registerCodeActionsProvider(NOTES, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
      vscode.commands.registerCommand(CORRECT_COMMAND, (uri: unknown, offset: unknown) =>
        uri instanceof vscode.Uri && typeof offset === 'number'
          ? showErrors(() => this.#correct(uri, offset))
          : undefined,
      ),
    );
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const [first, last] = [document.lineAt(range.start.line), document.lineAt(range.end.line)];
    const lines = {
      start: document.offsetAt(first.range.start),
      end: document.offsetAt(last.range.end),
    };
    const text = document.getText();
    const cursor = document.offsetAt(range.end);
    // With several marks in a line, the first mark at or after the cursor counts.
    const mark = correctableMark(text, { start: cursor, end: lines.end }) ?? correctableMark(text, lines);
    if (mark === undefined) return [];
    const title = vscode.l10n.t('Correct from Sources');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command: CORRECT_COMMAND, arguments: [document.uri, mark.start] };
    return [action];
  }

  async #correct(uri: vscode.Uri, offset: number): Promise<void> {
    const { notebooks, embedder, answerModels } = this.#parts;
    const title = titleOfUri(uri);
    if (title === undefined) return;
    const notebook = notebooks.client(uri.authority);
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    const ids = [...new Set(citationLinks(text).map(({ id }) => id))];
    const mark = correctableMark(text, { start: offset, end: offset });
    const statement = mark && markedStatement(text, mark, await notebook.call('noteCitations', { ids }));
    if (statement === undefined) return;
    const { answer, index, span } = statement;
    if (answer.citations.length === 0)
      throw new NotebookError(
        'empty',
        vscode.l10n.t('Can’t correct this statement because the note cites no sources.'),
      );
    const models = requireModels(await correctionModels(await answerModels.factChecker('', () => undefined)));
    const { correctStatement } = await import('../../../answers/writing/correct-statement.ts');
    const passages = passageFinder(notebook, embedder);
    const corrected = await withNotification(
      vscode.l10n.t('Correcting a statement in “{0}”', title),
      async (signal) => {
        try {
          return await correctStatement({ answer, index, ...models, passages, signal });
        } catch (error) {
          if (signal.aborted) return undefined;
          throw error;
        }
      },
    );
    if (corrected === undefined) return;
    const change = correctedNote(text, span, corrected, verdictMarkStyle());
    await changeShownNote(notebook, title, {
      ...{ before: text, after: change.text, citations: change.citations },
      heading: vscode.l10n.t('{0} (Keep Correction?)', title),
    });
  }
}
