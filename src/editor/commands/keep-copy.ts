import * as vscode from 'vscode';
import { errorMessage, isCancelled, NotebookError } from '../../notebook/errors.ts';
import { documentsDone, isConfirmed, showInformation, withNotification } from '../dialogs.ts';
import { askForName } from '../notebooks/notebook-picker.ts';
import { passageSettings } from '../settings.ts';
import type { Teams } from '../team/teams.ts';
import type { CommandParts } from './command-parts.ts';
import { directoryOfShown, roots, showFilled } from './notebook-places.ts';

/** Makes a notebook of one's own of the team's that is shown, with what is not on this machine where the user wants that. */
export async function keepCopy({
  notebooks,
  library,
  teams,
}: Pick<CommandParts, 'library' | 'notebooks' | 'teams'>): Promise<void> {
  const before = notebooks.name;
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('Keep a Copy'),
    value: before,
    isNew: true,
  });
  if (name === undefined) return;
  const from = await directoryOfShown(notebooks);
  const elsewhere = await teams.ask('countElsewhere', { directory: from });
  const isWhole = elsewhere === 0 ? false : await asksForWhole(before, elsewhere);
  if (isWhole === undefined) return;
  await showFilled(notebooks, name, async (to) => {
    await library.work(vscode.l10n.t('Copying “{0}”', before), 'duplicate', { from, to });
    if (isWhole) await fetchRest(teams, before, from, to);
  });
}

/** Whether what is not on this machine is to be fetched for a copy; undefined where none is wanted. */
async function asksForWhole(name: string, elsewhere: number): Promise<boolean | undefined> {
  const fetchThem = vscode.l10n.t('Fetch Them');
  const copyHere = vscode.l10n.t('Copy What Is Here');
  const count = elsewhere.toLocaleString(vscode.env.language);
  const picked = await showInformation(
    vscode.l10n.t('Documents of “{0}” that are not on this machine: {1}.', name, count),
    [fetchThem, copyHere],
    {
      modal: true,
      detail: vscode.l10n.t(
        'They are in the team’s database alone. A copy has them once they are fetched, which takes time and room on this machine’s disk.',
      ),
    },
  );
  return picked === undefined ? undefined : picked === fetchThem;
}

/** Fetches what is not on this machine. Where that fails the user may keep what has come. @throws NotebookError `cancelled` where not */
async function fetchRest(teams: Teams, name: string, from: string, to: string): Promise<void> {
  try {
    const link = await teams.linkOfShown();
    await withNotification(vscode.l10n.t('Fetching the documents of “{0}”', name), async (signal, report) => {
      const { connection, notebookId } = link;
      const places = { from, to, roots: roots(), passages: passageSettings() };
      await teams.ask('completeCopy', { connection, notebookId, ...places }, signal, (progress) =>
        report(...documentsDone(progress)),
      );
    });
  } catch (error) {
    if (isCancelled(error)) throw error;
    const isKept = await isConfirmed(
      errorMessage(error),
      vscode.l10n.t('Keep What Has Come'),
      vscode.l10n.t('The copy lacks documents that are in the team’s database alone.'),
    );
    if (!isKept) throw new NotebookError('cancelled', vscode.l10n.t('Stopped.'), { cause: error });
  }
}
