import * as vscode from 'vscode';
import type { Source } from '../../notebook/source.ts';
import { inform } from '../dialogs.ts';
import { tellMenus } from '../menu-contexts.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { Added } from './add-sources.ts';
import type { SourceRemovals } from './source-removals.ts';
import { shortTitle, type StatusReport } from './status-report.ts';

interface AddReportParts {
  readonly notebook: NotebookClient;
  readonly removals: SourceRemovals;
  readonly status: StatusReport;
}

/** Reports in the status bar what was added, and removes it if the user undoes it. */
export class AddReports {
  readonly #parts: AddReportParts;
  /** The sources that were added last, and the key of their notebook. */
  #last: { readonly notebook: string; readonly sources: readonly Source[] } | undefined;

  constructor(parts: AddReportParts) {
    this.#parts = parts;
  }

  tell({ added, again }: Added): void {
    const sentence = describeAdded({ added, again });
    if (sentence === undefined) return;
    this.#last = added.length > 0 ? { notebook: this.#parts.notebook.key, sources: added } : undefined;
    void tellMenus('canUndoAdding', this.#last !== undefined);
    this.#parts.status.show(
      sentence,
      this.#last && {
        command: 'openNotebook.undoAdding',
        tooltip: vscode.l10n.t('Click to take back what was added.'),
      },
    );
  }

  /**
   * Removes what was added last, unless it was removed since; that can be undone, too. If another notebook is shown by
   * now, the user is asked to switch back first.
   */
  async undo(): Promise<void> {
    const { notebook, removals } = this.#parts;
    const last = this.#last;
    if (last === undefined) return;
    if (last.notebook !== notebook.key) {
      inform(vscode.l10n.t('Another notebook is shown now. Switch back to it to take back what you added.'));
      return;
    }
    const present = await notebook.call('sources', {});
    const sources = last.sources.filter(({ id }) => present.some((source) => source.id === id));
    if (sources.length === 0) inform(vscode.l10n.t('What was added last was removed already.'));
    await removals.remove(sources);
    // What was added meanwhile can still be taken back.
    if (this.#last !== last) return;
    this.#last = undefined;
    await tellMenus('canUndoAdding', false);
  }
}

/** Undefined where nothing was added. */
function describeAdded({ added, again }: Added): string | undefined {
  const [first] = added;
  const [known] = again;
  if (first === undefined) {
    if (known === undefined) return undefined;
    return again.length === 1
      ? vscode.l10n.t('{0} was in the notebook already and is read again.', shortTitle(known.title))
      : vscode.l10n.t('All {0} were in the notebook already and are read again.', again.length);
  }
  const told =
    added.length === 1
      ? vscode.l10n.t('Added {0} to the notebook.', shortTitle(first.title))
      : vscode.l10n.t('Added {0} sources to the notebook.', added.length);
  if (again.length === 0) return told;
  return again.length === 1
    ? vscode.l10n.t('{0} 1 was there already and is read again.', told)
    : vscode.l10n.t('{0} {1} were there already and are read again.', told, again.length);
}
