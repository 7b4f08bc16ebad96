import * as vscode from 'vscode';
import { literalText } from '../literal-text.ts';

/** How long the status bar shows a report, in milliseconds. */
const SHOWN_MS = 20_000;

/** The length of a title that leaves room for Undo in the status bar, in code points. */
const MAX_TITLE_LENGTH = 40;

/** How a report is undone by a click. */
interface Undo {
  readonly command: string;
  readonly tooltip: string;
}

/** Reports in the status bar what was added to the notebook or removed from it, with a way to undo it. */
export class StatusReport implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;
  #hiding: NodeJS.Timeout | undefined;

  show(sentence: string, undo?: Undo): void {
    this.#item ??= vscode.window.createStatusBarItem('openNotebook.added', vscode.StatusBarAlignment.Left);
    const item = this.#item;
    item.name = vscode.l10n.t('Added to Notebook');
    item.text = `$(check) ${literalText(sentence)}${undo ? ` · ${vscode.l10n.t('Undo')}` : ''}`;
    item.tooltip = undo?.tooltip;
    item.command = undo?.command;
    item.show();
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => item.hide(), SHOWN_MS);
  }

  hide(): void {
    this.#item?.hide();
  }

  dispose(): void {
    clearTimeout(this.#hiding);
    this.#item?.dispose();
  }
}

/** Shortens a title so that what follows it fits into the status bar. */
export function shortTitle(title: string): string {
  const characters = Array.from(title);
  return characters.length <= MAX_TITLE_LENGTH
    ? title
    : `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}
