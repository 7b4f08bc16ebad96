import * as vscode from 'vscode';
import { errorMessage, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import { documentsDone, isConfirmed, showInformation, withNotification } from '../../../platform/dialogs.ts';
import { askForName } from '../../notebooks/editor/notebook-picker.ts';
import { passageSettings } from '../../../platform/settings.ts';
import type { Teams } from '../../team/editor/teams.ts';
import type { Services } from '../../../services/services.ts';
import { directoryOfShown, showFilled } from '../../notebooks/commands/notebook-places.ts';
import { roots } from '../../../platform/workspace-files.ts';

/**
 * Copies the current team notebook to a notebook of the user's own, with documents that aren't on this machine if the
 * user wants them.
 */
export async function keepCopy({
  notebooks,
  library,
  teams,
}: Pick<Services, 'library' | 'notebooks' | 'teams'>): Promise<void> {
  const before = notebooks.name;
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('Duplicate Team Notebook'),
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

/** Asks whether to download documents that aren't on this machine for a copy. Returns undefined if the user cancels. */
async function asksForWhole(name: string, elsewhere: number): Promise<boolean | undefined> {
  const fetchThem = vscode.l10n.t('Download');
  const copyHere = vscode.l10n.t('Copy Without Documents');
  const count = elsewhere.toLocaleString(vscode.env.language);
  const picked = await showInformation(
    vscode.l10n.t('Some documents in “{0}” aren’t on this machine ({1}). Download them first?', name, count),
    [fetchThem, copyHere],
    {
      modal: true,
      detail: vscode.l10n.t(
        'These documents are only in the team database. Downloading them takes time and disk space. Without them, the copy is incomplete.',
      ),
    },
  );
  return picked === undefined ? undefined : picked === fetchThem;
}

/**
 * Downloads documents that aren't on this machine. After a failure, the user may keep the incomplete copy.
 * @throws NotebookError `cancelled` if they don't
 */
async function fetchRest(teams: Teams, name: string, from: string, to: string): Promise<void> {
  try {
    const link = await teams.linkOfShown();
    await withNotification(
      vscode.l10n.t('Downloading the documents of “{0}”', name),
      async (signal, report) => {
        const { connection, notebookId } = link;
        const places = { from, to, roots: roots(), passages: passageSettings() };
        await teams.ask('completeCopy', { connection, notebookId, ...places }, signal, (progress) =>
          report(...documentsDone(progress)),
        );
      },
    );
  } catch (error) {
    if (isCanceled(error)) throw error;
    const isAccepted = await isConfirmed(
      errorMessage(error),
      vscode.l10n.t('Keep Incomplete Copy'),
      vscode.l10n.t('Some documents are only in the team database, so the copy is incomplete.'),
    );
    if (!isAccepted) throw new NotebookError('cancelled', vscode.l10n.t('Stopped.'), { cause: error });
  }
}
