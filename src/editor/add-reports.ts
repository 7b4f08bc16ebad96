import * as vscode from 'vscode';
import type { Source } from '../notebook/source.ts';
import type { RemovalParts } from './remove-sources.ts';
import { removeSources } from './remove-sources.ts';

/** What became of what was added in one go: sources that are new, and those that were there and are read again. */
export interface Added {
  readonly added: readonly Source[];
  readonly again: readonly Source[];
}

/** Tells what was added, and takes it back where the user wants that. */
export function tellAdded(parts: RemovalParts): (outcome: Added) => void {
  return (outcome) => {
    const sentence = sentenceOf(outcome);
    if (sentence !== undefined) void offerUndo(parts, sentence, outcome.added);
  };
}

async function offerUndo(parts: RemovalParts, sentence: string, added: readonly Source[]): Promise<void> {
  const { key } = parts.notebook;
  const undo = vscode.l10n.t('Undo');
  const chosen = await vscode.window.showInformationMessage(sentence, ...(added.length > 0 ? [undo] : []));
  if (chosen !== undo) return;
  if (parts.notebook.key === key) await removeSources(parts, added);
  else
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Another notebook is shown now. Switch back to it and remove what you added from there.'),
    );
}

/** Undefined where nothing was added. */
function sentenceOf({ added, again }: Added): string | undefined {
  const [first] = added;
  const [known] = again;
  if (first === undefined) {
    if (known === undefined) return undefined;
    return again.length === 1
      ? vscode.l10n.t('{0} was in the notebook already and is read again.', known.title)
      : vscode.l10n.t('All {0} were in the notebook already and are read again.', again.length);
  }
  const told =
    added.length === 1
      ? vscode.l10n.t('Added {0} to the notebook.', first.title)
      : vscode.l10n.t('Added {0} sources to the notebook.', added.length);
  if (again.length === 0) return told;
  return again.length === 1
    ? vscode.l10n.t('{0} 1 was there already and is read again.', told)
    : vscode.l10n.t('{0} {1} were there already and are read again.', told, again.length);
}
