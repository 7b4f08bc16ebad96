import * as vscode from 'vscode';
import type { DeckEntry } from '../../notebook/cards.ts';
import { isConfirmed } from '../dialogs.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { LearningNode } from './learning-view.ts';

const LONGEST_TITLE = 200;

/** Asks for another title of a deck. */
export async function renameDeck(notebook: NotebookClient, { id, title }: DeckEntry): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Cards'),
    value: title,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Cards need a title.') : undefined),
  });
  if (typed !== undefined && typed.trim() !== title)
    await notebook.call('renameDeck', { deckId: id, title: typed.trim().slice(0, LONGEST_TITLE) });
}

/** Deletes a deck or a quiz where the user says so again. Resolves to whether it did. */
export async function removeLearning(notebook: NotebookClient, node: LearningNode): Promise<boolean> {
  const { kind, entry } = node;
  const isSure = await isConfirmed(
    vscode.l10n.t('Delete “{0}”?', entry.title),
    vscode.l10n.t('Delete'),
    kind === 'deck'
      ? vscode.l10n.t('Its {0} cards go with what was learnt of them.', entry.cards)
      : vscode.l10n.t('Its {0} questions go with the answers that were given.', entry.questions),
  );
  if (!isSure) return false;
  if (kind === 'deck') await notebook.call('removeDeck', { deckId: entry.id });
  else await notebook.call('removeQuiz', { quizId: entry.id });
  return true;
}
