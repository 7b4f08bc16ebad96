import * as vscode from 'vscode';
import type { Source } from '../../../core/domain/source.ts';
import { inform } from '../../../platform/dialogs.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Added } from './add-sources.ts';
import type { Failure, FailureReports } from './failure-reports.ts';
import type { KnownPlace } from './same-places.ts';
import type { SourceRemovals } from './source-removals.ts';
import { rowLabel } from './source-words.ts';
import { shortTitle, type Report, type ReportAction, type StatusReport } from './status-report.ts';

interface AddReportParts {
  readonly notebook: NotebookClient;
  readonly removals: SourceRemovals;
  readonly failures: Pick<FailureReports, 'follow'>;
  readonly status: Pick<StatusReport, 'begin'>;
  /** Shows a source, or a part of it, in the Sources view. */
  readonly reveal: (sourceId: string, path: string) => Promise<void>;
}

/** Reports additions and their result in the status bar, and removes the report if the user undoes them. */
export class AddReports {
  readonly #parts: AddReportParts;
  /** Sources that were added last, and the key of their notebook. */
  #last: { readonly notebook: string; readonly sources: readonly Source[] } | undefined;

  constructor(parts: AddReportParts) {
    this.#parts = parts;
  }

  /** Resolves when everything has been read. */
  async report({ added, again, whole, isNamed = false }: Added): Promise<void> {
    if (added.length + again.length + whole.length === 0) return;
    const { notebook, status, failures, reveal } = this.#parts;
    this.#last = added.length > 0 ? { notebook: notebook.key, sources: added } : undefined;
    void setContextKey('canUndoAdding', this.#last !== undefined);
    const action = this.#last && {
      label: vscode.l10n.t('Undo'),
      command: 'openNotebook.undoAdding',
      tooltip: vscode.l10n.t('Select to remove the sources that you just added.'),
    };
    const [there = again[0] && { source: again[0], path: '' }] = whole;
    if (isNamed && added.length === 0 && there !== undefined) void reveal(there.source.id, there.path);
    const end = status.begin({ sentence: describeWork({ added, again }), action });
    const { sources, failed } = await failures.follow([...added, ...again]);
    if (sources.length + whole.length === 0) end();
    else if (failed.length > 0) end(describeFailure(failed, sources.length));
    else {
      // Uses the current sources, because pages have their titles by now.
      const among = (some: readonly Source[]): readonly Source[] =>
        sources.filter(({ id }) => some.some((other) => other.id === id));
      end({ sentence: describeAdded({ added: among(added), again: among(again), whole }), action });
    }
  }

  /**
   * Removes the sources that were added last, unless they were removed since. The removal can be undone, too. If
   * another notebook is shown now, tells the user to switch back first.
   */
  async undo(): Promise<void> {
    const { notebook, removals } = this.#parts;
    const last = this.#last;
    if (last === undefined) return;
    if (last.notebook !== notebook.key) {
      inform(vscode.l10n.t('You switched to another notebook. Switch back to undo the last add.'));
      return;
    }
    const present = await notebook.call('sources', {});
    const sources = last.sources.filter(({ id }) => present.some((source) => source.id === id));
    if (sources.length === 0) inform(vscode.l10n.t('The sources that you added last were already removed.'));
    await removals.remove(sources);
    // Sources that were added meanwhile can still be undone.
    if (this.#last !== last) return;
    this.#last = undefined;
    await setContextKey('canUndoAdding', false);
  }
}

function describeWork({ added, again }: Pick<Added, 'added' | 'again'>): string {
  const [first = again[0]] = added;
  const count = added.length + again.length;
  if (added.length === 0)
    return count === 1 && first !== undefined
      ? vscode.l10n.t('Refreshing {0}…', shortTitle(rowLabel(first)))
      : vscode.l10n.t('Refreshing {0} sources…', count);
  return count === 1 && first !== undefined
    ? vscode.l10n.t('Adding {0}…', shortTitle(rowLabel(first)))
    : vscode.l10n.t('Adding {0} sources…', count);
}

function describeAdded({ added, again, whole }: Added): string {
  const [first] = added;
  const existingCount = again.length + whole.length;
  if (first === undefined) return describeThere(again, whole);
  const message =
    added.length === 1
      ? vscode.l10n.t('Added {0} to the notebook.', shortTitle(first.title))
      : vscode.l10n.t('Added {0} sources to the notebook.', added.length);
  if (existingCount === 0) return message;
  return existingCount === 1
    ? vscode.l10n.t('{0} 1 other source was already there.', message)
    : vscode.l10n.t('{0} {1} other sources were already there.', message, existingCount);
}

function describeThere(again: readonly Source[], whole: readonly KnownPlace[]): string {
  const [known] = again;
  const [part] = whole;
  if (again.length + whole.length > 1)
    return vscode.l10n.t('All {0} items are already in the notebook.', again.length + whole.length);
  if (part !== undefined && part.path !== '')
    return vscode.l10n.t(
      '{0} is already in the notebook, as part of {1}.',
      shortTitle(part.path.slice(part.path.lastIndexOf('/') + 1) || part.path),
      shortTitle(part.source.title),
    );
  const title = known?.title ?? part?.source.title ?? '';
  return vscode.l10n.t('{0} is already in the notebook.', shortTitle(title));
}

function describeFailure(failed: readonly Failure[], total: number): Report {
  const [first] = failed;
  const failure =
    failed.length === 1 && first !== undefined
      ? vscode.l10n.t('Can’t read {0}', shortTitle(rowLabel(first.source)))
      : vscode.l10n.t('Can’t read {0} of {1} sources', failed.length, total);
  const action: ReportAction = {
    label: vscode.l10n.t('Show List'),
    command: 'openNotebook.showFailedSources',
    tooltip: failed.map(({ problem }) => problem).join('\n'),
  };
  return { sentence: failure, isFailure: true, action };
}
