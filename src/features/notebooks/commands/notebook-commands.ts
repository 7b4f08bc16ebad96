import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { NotebookEntry } from '../../../core/domain/notebook.ts';
import { askForName, pickNotebook, type NotebookButton } from '../editor/notebook-picker.ts';
import { defaultName, type Notebooks } from '../editor/notebooks.ts';
import { isReplica } from '../editor/team-links.ts';
import { roleWords } from '../../team/model/roles.ts';
import type { Teams } from '../../team/editor/teams.ts';
import { ago } from '../../../platform/relative-time.ts';
import { isConfirmed, offerAction } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';

/** Returns the commands for whole notebooks, by name. */
export function notebookCommands({ notebooks, teams }: Services): Commands {
  return {
    switchNotebook: () => switchNotebook(notebooks, teams),
    newNotebook: () => createNotebook(notebooks),
    renameNotebook: () => renameNotebook(notebooks, notebooks.shown.key),
    deleteNotebook: () => deleteNotebook(notebooks, notebooks.shown.key),
    restoreNotebook: () => restoreNotebook(notebooks),
  };
}

/** Shows the notebook's name in the status bar and, with `describe`, beside the title of the Sources view. */
export function showName(notebooks: Notebooks, describe: (name: string) => void): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('openNotebook.notebook', vscode.StatusBarAlignment.Left, -1);
  item.name = vscode.l10n.t('Notebook');
  item.command = 'openNotebook.switchNotebook';
  const show = (): void => {
    const { name, shown } = notebooks;
    item.text = `$(notebook) ${literalText(name)}`;
    item.tooltip = vscode.l10n.t('Current notebook: “{0}”. Select to switch to another notebook.', name);
    describe(name);
    item.show();
    void vscode.commands.executeCommand('setContext', 'openNotebook.isOwn', shown.key === '');
  };
  return vscode.Disposable.from(item, notebooks.onDidChangeName(show), notebooks.shown.onDidSwitch(show));
}

/** Shows a notebook, with progress while it loads. */
export async function showNotebook(notebooks: Notebooks, key: string): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: 'openNotebook.sources' } }, () =>
    notebooks.switchTo(key),
  );
}

async function switchNotebook(notebooks: Notebooks, teams: Teams): Promise<void> {
  const rename: NotebookButton = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Rename Notebook'),
    isFor: () => true,
    run: async (key) => {
      await renameNotebook(notebooks, key);
      await switchNotebook(notebooks, teams);
    },
  };
  const remove: NotebookButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete Notebook'),
    isFor: (key) => key !== '',
    run: (key) => deleteNotebook(notebooks, key),
  };
  const picked = await pickNotebook(notebooks, {
    title: vscode.l10n.t('Switch Notebook'),
    placeHolder: vscode.l10n.t('Select the notebook to show in this window'),
    buttons: [rename, remove],
    elsewhere: async () =>
      (await teams.listOffered()).map(({ team, notebook }) => ({
        label: literalText(notebook.name),
        description: [team.place, roleWords(notebook.role)].join(' · '),
        run: async () => {
          await showNotebook(notebooks, await teams.join(team.id, notebook));
        },
      })),
  });
  if (picked === 'new') await createNotebook(notebooks);
  else if (picked !== undefined) await showNotebook(notebooks, picked.key);
}

async function renameNotebook(notebooks: Notebooks, key: string): Promise<void> {
  const id = notebooks.toId(key);
  const entry = await notebooks.folders.entry(id);
  const title = vscode.l10n.t('Rename Notebook');
  const name = await askForName(notebooks, { title, value: entry?.name ?? defaultName() });
  if (name === undefined) return;
  // The workspace's own notebook is created with its first use.
  if (key === notebooks.shown.key) await notebooks.shown.call('sources', {});
  await notebooks.rename(id, name);
}

async function createNotebook(notebooks: Notebooks): Promise<void> {
  const name = await askForName(notebooks, { title: vscode.l10n.t('New Notebook') });
  if (name === undefined) return;
  const { id } = await notebooks.folders.create(name);
  await showNotebook(notebooks, id);
}

async function deleteNotebook(notebooks: Notebooks, key: string): Promise<void> {
  const entry = key === '' ? undefined : await notebooks.folders.entry(key);
  if (entry === undefined)
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t(
        'You can’t delete a workspace’s default notebook. Use “Clear Notebook…” to remove its sources.',
      ),
    );
  const question = vscode.l10n.t('Delete the notebook “{0}”?', entry.name);
  const detail = isReplica(key)
    ? vscode.l10n.t(
        'This deletes the copy on this machine, including its conversations and pending changes. The team notebook isn’t affected. You can restore the copy for 30 days.',
      )
    : vscode.l10n.t(
        'This deletes its sources, notes, and conversations. Your original files aren’t affected. You can restore the notebook for 30 days.',
      );
  if (!(await isConfirmed(question, vscode.l10n.t('Delete'), detail))) return;
  await removeNotebook(notebooks, entry);
}

/** Deletes a notebook after a confirmation, and offers to undo it. */
export async function removeNotebook(notebooks: Notebooks, entry: NotebookEntry): Promise<void> {
  const isShown = notebooks.toKey(entry.id) === notebooks.shown.key;
  const trashed = await notebooks.remove(entry);
  const message = vscode.l10n.t('Deleted the notebook “{0}”.', entry.name);
  if (!(await offerAction(message, vscode.l10n.t('Undo')))) return;
  const { id } = await notebooks.folders.restore(trashed);
  if (isShown) await showNotebook(notebooks, notebooks.toKey(id));
  else await notebooks.refresh();
}

async function restoreNotebook(notebooks: Notebooks): Promise<void> {
  const trashed = await notebooks.folders.listRemoved();
  if (trashed.length === 0)
    throw new NotebookError('empty', vscode.l10n.t('No notebooks were deleted in the last 30 days.'));
  const items = trashed.map((notebook) => ({
    label: literalText(notebook.name),
    description: vscode.l10n.t('deleted {0}', ago(notebook.deletedAt)),
    iconPath: new vscode.ThemeIcon('notebook'),
    one: notebook,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Restore Deleted Notebook'),
    placeHolder: vscode.l10n.t('Select the notebook to restore'),
  });
  if (picked === undefined) return;
  const { id } = await notebooks.folders.restore(picked.one);
  await showNotebook(notebooks, notebooks.toKey(id));
}
