import * as vscode from 'vscode';
import { Throttle } from '../../../core/rpc/throttle.ts';
import type { DeckEntry, QuizEntry } from '../model.ts';
import { isChanged } from '../../../core/domain/artifact.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { rowsOrWhy } from '../../../platform/view-message.ts';
import { clock } from './clock.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Item of the Study view: a deck of cards or a quiz. */
export type StudyNode =
  | { readonly kind: 'deck'; readonly entry: DeckEntry }
  | { readonly kind: 'quiz'; readonly entry: QuizEntry };

/** Interval within which changes are shown together, and at which due cards are updated, in milliseconds. */
const REFRESH_INTERVAL = 300;
const CLOCK_INTERVAL = 60_000;

/** Study view: decks with their due cards, and quizzes with their progress. */
export class StudyView extends Disposable implements vscode.TreeDataProvider<StudyNode> {
  readonly #notebook: NotebookClient;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<StudyNode>;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(notebook: NotebookClient) {
    super();
    this.#notebook = notebook;
    this.#view = vscode.window.createTreeView('openNotebook.learning', { treeDataProvider: this });
    const changed = new Throttle(() => {
      this.#changed.fire(undefined);
      // VS Code doesn't request rows of a hidden view.
      if (!this.#view.visible) this.#roots().catch(() => undefined);
    }, REFRESH_INTERVAL);
    const refresh = (): void => changed.gather();
    const minutes = setInterval(() => {
      if (this.#view.visible) refresh();
    }, CLOCK_INTERVAL);
    this._register(
      changed,
      this.#view,
      this.#changed,
      notebook.onDidOpen(refresh),
      notebook.onDidSwitch(refresh),
      notebook.onDidChange(refresh),
      {
        dispose: () => clearInterval(minutes),
      },
    );
  }

  async getChildren(parent?: StudyNode): Promise<StudyNode[]> {
    return parent === undefined ? await rowsOrWhy(this.#view, () => this.#roots()) : [];
  }

  getTreeItem(node: StudyNode): vscode.TreeItem {
    const item = node.kind === 'deck' ? deckItem(node.entry) : quizItem(node.entry);
    item.accessibilityInformation = { label: `${node.entry.title}, ${String(item.description)}` };
    item.command = { command: 'openNotebook.learn', title: vscode.l10n.t('Study Now'), arguments: [node] };
    return item;
  }

  async #roots(): Promise<StudyNode[]> {
    const [decks, quizzes] = await Promise.all([
      this.#notebook.call('decks', clock()),
      this.#notebook.call('quizzes', {}),
    ]);
    await setContextKey('hasStudyItems', decks.length + quizzes.length > 0);
    const due = decks.reduce((sum, deck) => sum + deck.due, 0);
    this.#view.description = due > 0 ? vscode.l10n.t('{0} due', due) : '';
    return [
      ...decks.map((entry) => ({ kind: 'deck' as const, entry })),
      ...quizzes.map((entry) => ({ kind: 'quiz' as const, entry })),
    ];
  }
}

function deckItem({ id, title, cards, due, fresh, changed, difference }: DeckEntry): vscode.TreeItem {
  const isOutdated = changed > 0 || (difference !== undefined && isChanged(difference));
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('mortar-board');
  item.contextValue = isOutdated ? 'deck outdated' : 'deck';
  item.description = [
    ...(due > 0 ? [vscode.l10n.t('{0} due', due)] : []),
    ...(fresh > 0 ? [vscode.l10n.t('{0} new', fresh)] : []),
    cards === 1 ? vscode.l10n.t('1 card') : vscode.l10n.t('{0} cards', cards),
    ...(isOutdated ? [vscode.l10n.t('out of date')] : []),
  ].join(' · ');
  return item;
}

function quizItem({ id, title, questions, answered, right, difference }: QuizEntry): vscode.TreeItem {
  const isOutdated = difference !== undefined && isChanged(difference);
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('question');
  item.contextValue = isOutdated ? 'quiz outdated' : 'quiz';
  item.description = [
    answered === questions
      ? vscode.l10n.t('{0} of {1} correct', right, questions)
      : vscode.l10n.t('{0} of {1} answered', answered, questions),
    ...(isOutdated ? [vscode.l10n.t('out of date')] : []),
  ].join(' · ');
  return item;
}
