import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import { clock } from '../studio/clock.ts';
import type { LearningNode } from '../studio/learning-view.ts';
import type { LearningParts } from '../studio/make-cards.ts';
import type { CommandParts, Commands } from './command-parts.ts';

/** The commands on decks of cards and quizzes. What they need is loaded with the first. */
export function cardCommands(parts: CommandParts, learning: LearningParts): Commands {
  const { notebook, cards } = learning;
  const chosen = async (clicked?: LearningNode): Promise<LearningNode | undefined> => {
    if (clicked !== undefined) return clicked;
    const decks = (await notebook.call('decks', clock())).map((entry) => ({ kind: 'deck' as const, entry }));
    const quizzes = (await notebook.call('quizzes', {})).map((entry) => ({ kind: 'quiz' as const, entry }));
    const items = [...decks, ...quizzes].map((node) => ({
      label: node.entry.title,
      description: node.kind === 'deck' && node.entry.due > 0 ? vscode.l10n.t('{0} due', node.entry.due) : '',
      iconPath: new vscode.ThemeIcon(node.kind === 'deck' ? 'mortar-board' : 'question'),
      node,
    }));
    if (items.length === 0)
      throw new NotebookError(
        'empty',
        vscode.l10n.t('There are no cards yet. Make some of the sources by “Make…”, or one of a selection.'),
      );
    return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Learn') }))?.node;
  };
  return {
    learn: async (clicked?: LearningNode) => {
      const node = await chosen(clicked);
      if (node === undefined) return;
      const { kind, entry } = node;
      await cards.show({ notebook: notebook.key, kind, id: entry.id }, entry.title);
    },
    makeCard: async (clicked?: { readonly webview?: unknown }) => {
      const { makeCard } = await import('../studio/card-of-selection.ts');
      const { pdfs, copies, chat, conversation } = parts;
      const isInChat =
        clicked?.webview === 'openNotebook.chat' || clicked?.webview === 'openNotebook.chatTab';
      await makeCard({ notebook, cards, pdfs, copies, chat, conversation, isInChat });
    },
    refreshDeck: async (clicked?: LearningNode) => {
      if (clicked === undefined) return;
      const { refreshDeck, refreshQuiz } = await import('../studio/refresh-cards.ts');
      const refresh = clicked.kind === 'deck' ? refreshDeck : refreshQuiz;
      await refresh(learning, clicked.entry.id, clicked.entry.title);
    },
    exportDeck: async (clicked?: LearningNode) => {
      const { exportDeck } = await import('../studio/export-deck.ts');
      if (clicked?.kind === 'deck')
        await exportDeck({ notebook, exporter: parts.exporter }, clicked.entry.id);
    },
    renameDeck: async (clicked?: LearningNode) => {
      const { renameDeck } = await import('../studio/decks.ts');
      if (clicked?.kind === 'deck') await renameDeck(notebook, clicked.entry);
    },
    deleteDeck: async (clicked?: LearningNode) => {
      const { removeLearning } = await import('../studio/decks.ts');
      if (clicked === undefined || !(await removeLearning(notebook, clicked))) return;
      cards.close({ notebook: notebook.key, kind: clicked.kind, id: clicked.entry.id });
    },
  };
}
