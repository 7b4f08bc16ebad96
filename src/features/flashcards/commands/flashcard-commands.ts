import * as vscode from 'vscode';
import type { DeckEntry } from '../model.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { isConfirmed } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { clock } from '../editor/clock.ts';
import type { StudyNode } from '../editor/study-view.ts';
import type { StudyParts } from '../editor/generate.ts';
import type { ChatPages } from '../../chat/editor/chat-pages.ts';
import type { Conversation } from '../../chat/editor/conversation.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { NoteExporter } from '../../notes/editor/note-exporter.ts';
import type { PdfViewer } from '../../pdf/editor/pdf-viewer.ts';
import type { StoredCopies } from '../../sources/editor/stored-copies.ts';

/** Maximum length of a deck's title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 200;

/** Services for the commands of decks and quizzes. */
export interface FlashcardCommandServices {
  readonly exporter: NoteExporter;
  readonly pdfs: PdfViewer;
  readonly copies: StoredCopies;
  readonly chat: ChatPages;
  readonly conversation: Conversation;
}

/** Returns the commands for decks and quizzes. Their code is loaded with the first use. */
export function flashcardCommands(services: FlashcardCommandServices, learning: StudyParts): Commands {
  const { notebook, cards } = learning;
  const chosen = async (clicked?: StudyNode): Promise<StudyNode | undefined> => {
    if (clicked !== undefined) return clicked;
    const decks = (await notebook.call('decks', clock())).map((entry) => ({ kind: 'deck' as const, entry }));
    const quizzes = (await notebook.call('quizzes', {})).map((entry) => ({ kind: 'quiz' as const, entry }));
    const nodes = [...decks, ...quizzes];
    if (nodes.length === 1) return nodes[0];
    const items = nodes.map((node) => ({
      label: literalText(node.entry.title),
      description: node.kind === 'deck' && node.entry.due > 0 ? vscode.l10n.t('{0} due', node.entry.due) : '',
      iconPath: new vscode.ThemeIcon(node.kind === 'deck' ? 'mortar-board' : 'question'),
      node,
    }));
    if (items.length === 0)
      throw new NotebookError(
        'empty',
        vscode.l10n.t(
          'No cards yet. Use “Generate from Sources…” to create a deck, or select text and run “Create Card”.',
        ),
      );
    return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Study Now') }))?.node;
  };
  return {
    learn: async (clicked?: StudyNode) => {
      const node = await chosen(clicked);
      if (node === undefined) return;
      const { kind, entry } = node;
      await cards.show({ notebook: notebook.key, kind, id: entry.id }, entry.title);
    },
    makeCard: async (clicked?: { readonly webview?: unknown }) => {
      const { makeCard } = await import('../editor/card-from-selection.ts');
      const { pdfs, copies, chat, conversation } = services;
      const isInChat =
        clicked?.webview === 'openNotebook.chat' || clicked?.webview === 'openNotebook.chatTab';
      await makeCard({ notebook, cards, pdfs, copies, chat, conversation, isInChat });
    },
    refreshDeck: async (clicked?: StudyNode) => {
      if (clicked === undefined) return;
      const { refreshDeck, refreshQuiz } = await import('../editor/update.ts');
      const refresh = clicked.kind === 'deck' ? refreshDeck : refreshQuiz;
      await refresh(learning, clicked.entry.id, clicked.entry.title);
    },
    exportDeck: async (clicked?: StudyNode) => {
      const { exportDeck } = await import('../editor/export-deck.ts');
      if (clicked?.kind === 'deck')
        await exportDeck({ notebook, exporter: services.exporter }, clicked.entry.id);
    },
    renameDeck: async (clicked?: StudyNode) => {
      if (clicked?.kind === 'deck') await renameDeck(notebook, clicked.entry);
    },
    deleteDeck: async (clicked?: StudyNode) => {
      if (clicked === undefined || !(await removeLearning(notebook, clicked))) return;
      cards.close({ notebook: notebook.key, kind: clicked.kind, id: clicked.entry.id });
    },
  };
}

/** Asks for a new title of a deck. */
async function renameDeck(notebook: NotebookClient, { id, title }: DeckEntry): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Deck'),
    value: title,
    validateInput: (value) =>
      value.trim() === '' ? vscode.l10n.t('Enter a title for the deck.') : undefined,
  });
  if (typed !== undefined && typed.trim() !== title)
    await notebook.call('renameDeck', { deckId: id, title: typed.trim().slice(0, MAX_TITLE_LENGTH) });
}

/** Deletes a deck or a quiz after a confirmation. Resolves to whether it did. */
async function removeLearning(notebook: NotebookClient, node: StudyNode): Promise<boolean> {
  const { kind, entry } = node;
  const isSure = await isConfirmed(
    vscode.l10n.t('Delete “{0}”?', entry.title),
    vscode.l10n.t('Delete'),
    kind === 'deck'
      ? vscode.l10n.t('This also deletes its cards ({0}) and their review history.', entry.cards)
      : vscode.l10n.t('This also deletes its questions ({0}) and your answers.', entry.questions),
  );
  if (!isSure) return false;
  if (kind === 'deck') await notebook.call('removeDeck', { deckId: entry.id });
  else await notebook.call('removeQuiz', { quizId: entry.id });
  return true;
}
