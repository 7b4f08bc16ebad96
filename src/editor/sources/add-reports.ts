import * as vscode from 'vscode';
import type { Source } from '../../notebook/source.ts';
import { tellMenus } from '../menu-contexts.ts';
import type { Added } from './add-sources.ts';
import { removeSources, type RemovalParts } from './remove-sources.ts';
import { inform } from '../dialogs.ts';

/** How long the status bar tells of what was added, in milliseconds. */
const TOLD_FOR = 20_000;

/** So much of a title stands in the status bar, in code points: the rest would push Undo out of it. */
const LONGEST_TITLE = 40;

/** Tells in the status bar what was added, and takes it back where the user wants that. */
export class AddReports implements vscode.Disposable {
  readonly #parts: RemovalParts;
  #item: vscode.StatusBarItem | undefined;
  #hiding: NodeJS.Timeout | undefined;
  /** What was added last, and the notebook it was added to. */
  #last: { readonly notebook: string; readonly sources: readonly Source[] } | undefined;

  constructor(parts: RemovalParts) {
    this.#parts = parts;
  }

  tell({ added, again }: Added): void {
    const sentence = describeAdded({ added, again });
    if (sentence === undefined) return;
    this.#last = added.length > 0 ? { notebook: this.#parts.notebook.key, sources: added } : undefined;
    void tellMenus('canUndoAdding', this.#last !== undefined);
    const item = this.#shownItem();
    item.text = `$(check) ${sentence}${this.#last ? ` · ${vscode.l10n.t('Undo')}` : ''}`;
    item.tooltip = this.#last && vscode.l10n.t('Click to take back what was added.');
    item.command = this.#last && 'openNotebook.undoAdding';
    item.show();
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => item.hide(), TOLD_FOR);
  }

  /** Removes what was added last; asks to switch back first where another notebook is shown by now. */
  async undo(): Promise<void> {
    const last = this.#last;
    if (last === undefined) return;
    if (last.notebook !== this.#parts.notebook.key) {
      inform(vscode.l10n.t('Another notebook is shown now. Switch back to it to take back what you added.'));
      return;
    }
    await removeSources(this.#parts, last.sources);
    // What was added meanwhile can still be taken back.
    if (this.#last !== last) return;
    this.#last = undefined;
    this.#item?.hide();
    await tellMenus('canUndoAdding', false);
  }

  dispose(): void {
    clearTimeout(this.#hiding);
    this.#item?.dispose();
  }

  #shownItem(): vscode.StatusBarItem {
    if (this.#item === undefined) {
      this.#item = vscode.window.createStatusBarItem('openNotebook.added', vscode.StatusBarAlignment.Left);
      this.#item.name = vscode.l10n.t('Added to Notebook');
    }
    return this.#item;
  }
}

/** Undefined where nothing was added. */
function describeAdded({ added, again }: Added): string | undefined {
  const [first] = added;
  const [known] = again;
  if (first === undefined) {
    if (known === undefined) return undefined;
    return again.length === 1
      ? vscode.l10n.t('{0} was in the notebook already and is read again.', shortened(known.title))
      : vscode.l10n.t('All {0} were in the notebook already and are read again.', again.length);
  }
  const told =
    added.length === 1
      ? vscode.l10n.t('Added {0} to the notebook.', shortened(first.title))
      : vscode.l10n.t('Added {0} sources to the notebook.', added.length);
  if (again.length === 0) return told;
  return again.length === 1
    ? vscode.l10n.t('{0} 1 was there already and is read again.', told)
    : vscode.l10n.t('{0} {1} were there already and are read again.', told, again.length);
}

function shortened(title: string): string {
  const characters = Array.from(title);
  return characters.length <= LONGEST_TITLE ? title : `${characters.slice(0, LONGEST_TITLE - 1).join('')}…`;
}
