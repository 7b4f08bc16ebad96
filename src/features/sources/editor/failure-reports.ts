import * as vscode from 'vscode';
import type { Source } from '../../../core/domain/source.ts';
import { chosenFrom, inform, offerAction, showError } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { PrivateHosts } from './private-hosts.ts';
import { findUntranscribed } from '../../recordings/editor/ask-to-transcribe.ts';
import type { SourceReader } from './source-reader.ts';
import type { SourceRemovals } from './source-removals.ts';
import { findProblem, rowLabel, withoutTitle } from './source-words.ts';
import { shortTitle } from './status-report.ts';

/** Maximum number of sources that a notification names. */
const MAX_NAMED_SOURCES = 2;

interface FailureReportParts {
  readonly notebook: NotebookClient;
  readonly reader: SourceReader;
  readonly hosts: Pick<PrivateHosts, 'askAgain'>;
  readonly removals: Pick<SourceRemovals, 'remove'>;
  /** Shows a source in the Sources view. */
  readonly reveal: (sourceId: string) => Promise<void>;
  /** Asks to transcribe the recordings of sources. */
  readonly transcribe: (sources: readonly Source[]) => Promise<void>;
}

/** Source that can't be read, and the reason as a sentence. */
export interface Failure {
  readonly source: Source;
  readonly problem: string;
}

/** Result of reading several sources together. */
interface Outcome {
  /** Sources in their current state, without removed ones. */
  readonly sources: readonly Source[];
  readonly failed: readonly Failure[];
}

interface FailureItem extends vscode.QuickPickItem {
  readonly source: Source;
}

/** Selection in the list of failures. */
interface Choice {
  readonly does: 'reveal' | 'remove' | 'retry';
  readonly sources: readonly Source[];
}

/** Reports sources that can't be read, with ways to try again and to remove them. */
export class FailureReports {
  readonly #parts: FailureReportParts;
  /** IDs of the folders whose recordings were offered to be transcribed in this window. */
  readonly #offered = new Set<string>();

  constructor(parts: FailureReportParts) {
    this.#parts = parts;
  }

  /** Waits until sources have been read, and reports those that failed in one notification. */
  async follow(sources: readonly Source[]): Promise<Outcome> {
    const { notebook, reader } = this.#parts;
    const { key } = notebook;
    const ids = new Set(sources.map(({ id }) => id));
    await Promise.all([...ids].map((id) => reader.waitUntilIdle(id)));
    // If another notebook is shown meanwhile, these sources aren't its own.
    if (notebook.key !== key) return { sources: [], failed: [] };
    const allSources = await notebook.call('sources', {});
    const present = allSources.filter(({ id }) => ids.has(id));
    // A recording without a transcript isn't broken, and transcribing is offered for it.
    const failed = findFailures(present, allSources).filter(({ source }) => !lacksTranscript(source));
    if (failed.length > 0) void this.#report(failed, present.length);
    void this.#offerTranscription(present);
    return { sources: present, failed };
  }

  /** Reads sources again and reports failures. Asks the user about private hosts that blocked a source. */
  async read(sources: readonly Source[]): Promise<void> {
    const { notebook, reader, hosts } = this.#parts;
    await hosts.askAgain(sources);
    const ids = new Set(sources.map(({ id }) => id));
    for (const source of await notebook.call('sources', {})) if (ids.has(source.id)) void reader.read(source);
    await this.follow(sources);
  }

  /** Lists the sources that can't be read with the reasons, to try again, remove, or show in the Sources view. */
  async showAll(): Promise<void> {
    const { notebook } = this.#parts;
    for (;;) {
      const sources = await notebook.call('sources', {});
      const failures = findFailures(sources, sources);
      if (failures.length === 0) {
        inform(vscode.l10n.t('Open Notebook can read all sources in this notebook.'));
        return;
      }
      const chosen = await choose(failures);
      if (chosen === undefined) return;
      if (chosen.does === 'remove') await this.#parts.removals.remove(chosen.sources);
      else {
        const [first] = chosen.sources;
        if (chosen.does === 'retry') await this.read(chosen.sources);
        else if (first !== undefined) await this.#parts.reveal(first.id);
        return;
      }
      if (failures.length === chosen.sources.length) return;
    }
  }

  /** Offers to transcribe recordings, those of a folder once. */
  async #offerTranscription(sources: readonly Source[]): Promise<void> {
    const offered = sources.filter(({ id, origin }) => origin.kind !== 'folder' || !this.#offered.has(id));
    const untranscribed = await findUntranscribed(this.#parts.notebook, offered);
    const [only, ...others] = untranscribed;
    if (only === undefined) return;
    for (const { sourceId } of untranscribed) this.#offered.add(sourceId);
    const state = offered.find(({ id }) => id === only.sourceId)?.state;
    const message =
      others.length > 0
        ? vscode.l10n.t('{0} recordings have no transcripts.', untranscribed.length)
        : state?.kind === 'failed'
          ? state.reason
          : vscode.l10n.t('1 recording has no transcript.');
    if (await offerAction(message, vscode.l10n.t('Transcribe…'))) await this.#parts.transcribe(offered);
  }

  async #report(failed: readonly Failure[], total: number): Promise<void> {
    const { notebook } = this.#parts;
    const { key } = notebook;
    const tryAgain = vscode.l10n.t('Try Again');
    const remove = vscode.l10n.t('Remove');
    const showList = vscode.l10n.t('Show List');
    const buttons = [...(failed.length === 1 ? [] : [showList]), tryAgain, remove];
    const chosen = await showError(describeFailures(failed, total), buttons);
    if (chosen === undefined) return;
    if (notebook.key !== key) {
      inform(vscode.l10n.t('You switched to another notebook. Switch back, then try again.'));
      return;
    }
    if (chosen === showList) {
      await this.showAll();
      return;
    }
    const ids = new Set(failed.map(({ source }) => source.id));
    const sources = (await notebook.call('sources', {})).filter(({ id }) => ids.has(id));
    if (chosen === tryAgain) await this.read(sources);
    else await this.#parts.removals.remove(sources);
  }
}

function lacksTranscript({ state }: Source): boolean {
  return state.kind === 'failed' && state.code === 'no-transcript';
}

function findFailures(sources: readonly Source[], allSources: readonly Source[]): Failure[] {
  return sources.flatMap((source) => {
    const problem = findProblem(source, allSources);
    return problem === undefined ? [] : [{ source, problem }];
  });
}

function describeFailures(failed: readonly Failure[], total: number): string {
  const [first] = failed;
  if (failed.length === 1 && first !== undefined) {
    const { title } = first.source;
    return withoutTitle(first.problem, title) === first.problem
      ? vscode.l10n.t('Can’t read {0}. {1}', rowLabel(first.source), first.problem)
      : first.problem;
  }
  const named = failed.slice(0, MAX_NAMED_SOURCES).map(({ source }) => shortTitle(rowLabel(source)));
  const more = failed.length - named.length;
  const names = more === 0 ? named.join(', ') : vscode.l10n.t('{0}, and {1} more', named.join(', '), more);
  return vscode.l10n.t('Can’t read {0} of {1} sources: {2}', failed.length, total, names);
}

/** Shows the list of failures until one or all of them are chosen; undefined if the list was closed. */
async function choose(failures: readonly Failure[]): Promise<Choice | undefined> {
  const retry = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Try Again') };
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Remove') };
  const retryAll = { ...retry, tooltip: vscode.l10n.t('Try All Again') };
  const removeAll = { ...remove, tooltip: vscode.l10n.t('Remove All') };
  const pick = vscode.window.createQuickPick<FailureItem>();
  pick.title = vscode.l10n.t('Failed Sources');
  pick.placeholder = vscode.l10n.t('Select a source to show it in the Sources view');
  pick.matchOnDetail = true;
  pick.buttons = [retryAll, removeAll];
  pick.items = failures.map(({ source, problem }) => ({
    source,
    label: literalText(rowLabel(source)),
    detail: literalText(withoutTitle(problem, source.title)),
    buttons: [retry, remove],
  }));
  const failedSources = failures.map(({ source }) => source);
  return chosenFrom<Choice, FailureItem>(pick, (decide) => {
    pick.onDidAccept(() => {
      decide({ does: 'reveal', sources: pick.selectedItems.map(({ source }) => source) });
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      decide({ does: button === remove ? 'remove' : 'retry', sources: [item.source] });
    });
    pick.onDidTriggerButton((button) => {
      decide({ does: button === removeAll ? 'remove' : 'retry', sources: failedSources });
    });
  });
}
