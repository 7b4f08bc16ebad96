import * as vscode from 'vscode';
import { unlessCanceled } from '../../../core/domain/errors.ts';
import { replayedInWords, type Replayed } from '../model/replayed.ts';
import type { PlanStep } from '../model/project.ts';
import type { Researches } from './researches.ts';
import { showInformation, withNotification } from '../../../platform/dialogs.ts';

/** Scheme of the results of a step and of its replay in a comparison. */
const REPLAYED_SCHEME = 'open-notebook-replayed-step';

/** Maximum length of the step's text in a tab title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 60;

/** Replays a step with progress, reports the result, and offers to compare it. */
export async function replayStep(researches: Researches, researchId: string, stepId: string): Promise<void> {
  const step = await researches.step(researchId, stepId);
  const title = vscode.l10n.t('Replaying “{0}”', shortTarget(step));
  const replayed = await unlessCanceled(
    withNotification(title, (signal) => researches.replay(researchId, stepId, signal)),
  );
  if (replayed === undefined) return;
  const show = vscode.l10n.t('Show Differences');
  const chosen = await showInformation(replayedInWords(replayed), replayed.kind === 'differs' ? [show] : []);
  if (chosen === show) await compareReplayed(step, replayed);
}

/** Shows the result of a step beside the result of its replay, until that tab is closed. */
export async function compareReplayed(step: PlanStep, replayed: Replayed): Promise<void> {
  if (replayed.kind !== 'differs') return;
  const sideUri = (side: string): vscode.Uri =>
    vscode.Uri.from({ scheme: REPLAYED_SCHEME, path: `/${step.id}/${side}.md`, query: String(Date.now()) });
  const [before, after] = [sideUri('recorded'), sideUri('replayed')];
  const texts = new Map([
    [before.toString(), replayed.before],
    [after.toString(), replayed.after],
  ]);
  const isShown = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === after.toString();
  const registration = vscode.workspace.registerTextDocumentContentProvider(REPLAYED_SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()),
  });
  const following = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (!closed.some(isShown)) return;
    following.dispose();
    registration.dispose();
  });
  await vscode.commands.executeCommand(
    'vscode.diff',
    before,
    after,
    vscode.l10n.t('{0} (Recorded ↔ Replayed)', shortTarget(step)),
    { preview: false },
  );
}

function shortTarget({ target }: PlanStep): string {
  const plain = target.replaceAll(/\s+/g, ' ').trim();
  return plain.length > MAX_TITLE_LENGTH ? `${plain.slice(0, MAX_TITLE_LENGTH).trimEnd()}…` : plain;
}
