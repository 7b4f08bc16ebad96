import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { withNotification, isAgreed } from '../../../platform/dialogs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { replicaId } from '../../notebooks/editor/team-links.ts';
import { roleWords } from '../model/roles.ts';
import type { Teams } from './teams.ts';

/** Interval at which the target of a link is checked for its arrival, in milliseconds. */
const CHECK_INTERVAL_MS = 500;

/**
 * Offers to show a team notebook that a link leads to and that isn't on this machine yet, and waits until `isThere`.
 * Returns `false` if the user declines.
 * @throws NotebookError `not-found` if none of the user's teams has it
 */
export async function joinByLink(
  { notebooks, teams }: { readonly notebooks: Notebooks; readonly teams: Teams },
  id: string,
  isThere: (notebook: NotebookClient) => Promise<boolean>,
): Promise<boolean> {
  const offered = (await teams.listOffered()).find(({ notebook }) => replicaId(notebook.id) === id);
  if (offered === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t(
        'Can’t open this link because you aren’t connected to its team or don’t have access to the notebook. Use “Connect to Team…”, or ask a manager for access.',
      ),
    );
  const { team, notebook } = offered;
  const detail = [`${notebook.name} · ${roleWords(notebook.role)}`, team.place].join('\n');
  const question = vscode.l10n.t('Show the team notebook “{0}” from this link?', notebook.name);
  if (!(await isAgreed(question, vscode.l10n.t('Show Notebook'), detail))) return false;
  const joined = await teams.join(team.id, notebook);
  await notebooks.switchTo(notebooks.toKey(joined));
  await withNotification(vscode.l10n.t('Syncing “{0}”', notebook.name), async (signal) => {
    while (!(await isThere(notebooks.shown))) {
      throwIfCanceled(signal);
      await sleep(CHECK_INTERVAL_MS);
    }
  });
  return true;
}
