import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { MemberRight, NotebookRights, OwnRight } from '../service/api.ts';
import { isConfirmed, offerAction, inform } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { askForName } from '../../notebooks/editor/notebook-picker.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { roleWords, type TeamRole } from '../model/roles.ts';
import { ago } from '../../../platform/relative-time.ts';
import { chooseTeam } from '../editor/choose-team.ts';
import type { Teams } from '../editor/teams.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';

/** Returns the commands for the permissions of a team notebook, and for the whole notebook, by name. */
export function teamRightsCommands({ notebooks, teams }: Services): Commands {
  return {
    setTeamRights: () => setRights(teams),
    renameInTeam: () => renameInTeam(notebooks, teams),
    removeFromTeam: () => removeFromTeam(teams),
    restoreTeamNotebook: () => restoreNotebook(teams),
  };
}

/** Current team notebook, and the permissions in it. */
interface CurrentRights extends NotebookRights {
  readonly connection: string;
  readonly notebookId: string;
}

interface MemberItem extends vscode.QuickPickItem {
  /** Undefined for the item for everyone, and for separators. */
  readonly member?: MemberRight;
}

interface Choice {
  readonly label: string;
  readonly right: OwnRight | undefined;
}

async function readRights(teams: Teams): Promise<CurrentRights> {
  const { connection, notebookId } = await teams.linkOfShown();
  const rights = await teams.ask('rights', { connection, notebookId });
  return { ...rights, connection, notebookId };
}

/** Lists the permissions in the notebook until the user leaves the list; a picked item is changed. */
async function setRights(teams: Teams): Promise<void> {
  for (;;) {
    const teamRights = await readRights(teams);
    const { everybody, members, name } = teamRights;
    const items: MemberItem[] = [
      {
        label: vscode.l10n.t('Everyone else in the team'),
        description: roleWords(everybody),
        iconPath: new vscode.ThemeIcon('organization'),
      },
      { label: vscode.l10n.t('Members'), kind: vscode.QuickPickItemKind.Separator },
      ...members.map((member) => ({
        label: literalText(member.name),
        description: describeMember(member),
        iconPath: new vscode.ThemeIcon('person'),
        member,
      })),
    ];
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Permissions for “{0}”', name),
      placeHolder: mayManage(teamRights)
        ? vscode.l10n.t('Select whose permission to change')
        : vscode.l10n.t('Only notebook managers can change permissions'),
      matchOnDescription: true,
    });
    if (picked === undefined) return;
    if (!mayManage(teamRights)) {
      showManagers(teamRights);
      return;
    }
    if (picked.member === undefined) await setEverybody(teams, teamRights);
    else await setMember(teams, teamRights, picked.member);
  }
}

async function setEverybody(
  teams: Teams,
  { connection, notebookId, everybody, name }: CurrentRights,
): Promise<void> {
  const roles = ['author', 'reader', undefined] as const;
  const picked = await vscode.window.showQuickPick(
    orderRights(
      roles.map((right) => ({ label: roleWords(right), right })),
      everybody,
    ),
    {
      title: vscode.l10n.t('Everyone else in the team'),
      placeHolder: vscode.l10n.t('Select what members without their own permission can do in “{0}”', name),
    },
  );
  if (picked === undefined || picked.right === everybody) return;
  await teams.ask('setEverybody', { connection, notebookId, right: picked.right });
  showRight(vscode.l10n.t('Everyone else in the team'), picked.right, name);
}

async function setMember(teams: Teams, teamRights: CurrentRights, member: MemberRight): Promise<void> {
  const { connection, notebookId, everybody, name } = teamRights;
  if (member.inTeam === 'manager') {
    inform(vscode.l10n.t('{0} manages the team and therefore all of its notebooks.', member.name));
    return;
  }
  const isReader = member.inTeam === 'reader';
  const grantable = isReader
    ? (['reader', 'none'] as const)
    : (['manager', 'author', 'reader', 'none'] as const);
  const others = isReader && everybody !== undefined ? 'reader' : everybody;
  const choices: Choice[] = [
    ...grantable.map((right) => ({
      label: roleWords(right === 'none' ? undefined : right),
      right,
    })),
    {
      label: vscode.l10n.t('same as everyone else: {0}', roleWords(others)),
      right: undefined,
    },
  ];
  const picked = await vscode.window.showQuickPick(orderRights(choices, member.own), {
    title: member.name,
    placeHolder: isReader
      ? vscode.l10n.t('Select what {0} can do in “{1}” (view-only team member)', member.name, name)
      : vscode.l10n.t('Select what {0} can do in “{1}”', member.name, name),
  });
  if (picked === undefined || picked.right === member.own) return;
  if (member.isSelf && !(await isSureToGiveUp(teamRights))) return;
  await teams.ask('setRight', { connection, notebookId, member: member.name, right: picked.right });
  const may = picked.right === undefined ? others : picked.right === 'none' ? undefined : picked.right;
  showRight(member.name, may, name);
}

/** Confirms that the user stops managing a notebook, which they can't undo, and names the other managers. */
async function isSureToGiveUp({ members, name }: CurrentRights): Promise<boolean> {
  const others = listNames(members.filter(({ may, isSelf }) => may === 'manager' && !isSelf));
  return isConfirmed(
    vscode.l10n.t('Stop managing “{0}”?', name),
    vscode.l10n.t('Stop Managing'),
    others === ''
      ? vscode.l10n.t('No one else manages this notebook. After this, nobody can change its permissions.')
      : vscode.l10n.t(
          'You can’t undo this yourself. These managers can restore your permission: {0}.',
          others,
        ),
  );
}

async function renameInTeam(notebooks: Notebooks, teams: Teams): Promise<void> {
  const teamRights = await readRights(teams);
  if (!mayManage(teamRights)) {
    showManagers(teamRights);
    return;
  }
  const { connection, notebookId, name: before } = teamRights;
  const name = await askForName(notebooks, { title: vscode.l10n.t('Rename Team Notebook'), value: before });
  if (name === undefined || name === before) return;
  await teams.ask('renameNotebook', { connection, notebookId, name });
  inform(
    vscode.l10n.t(
      'Renamed the team notebook “{0}” to “{1}”. Members who chose their own name for it keep that name.',
      before,
      name,
    ),
  );
}

async function removeFromTeam(teams: Teams): Promise<void> {
  const teamRights = await readRights(teams);
  if (!mayManage(teamRights)) {
    showManagers(teamRights);
    return;
  }
  const { connection, notebookId, name } = teamRights;
  const question = vscode.l10n.t('Delete “{0}” for everyone in the team?', name);
  const detail = vscode.l10n.t(
    'Members can no longer open or sync the notebook. Content already synced to their machines stays there until they delete it. You can restore the team notebook for 30 days.',
  );
  if (!(await isConfirmed(question, vscode.l10n.t('Delete'), detail))) return;
  await teams.ask('removeNotebook', { connection, notebookId });
  const message = vscode.l10n.t(
    'Deleted “{0}” for everyone in the team. Your copy on this machine is kept.',
    name,
  );
  if (!(await offerAction(message, vscode.l10n.t('Undo')))) return;
  await restore(teams, connection, { id: notebookId, name });
}

async function restoreNotebook(teams: Teams): Promise<void> {
  const title = vscode.l10n.t('Restore Team Notebook');
  const team = await chooseTeam(teams, title);
  const connection = team && (await teams.findConnection(team.id));
  if (connection === undefined) return;
  const removed = await teams.ask('removedNotebooks', { connection });
  if (removed.length === 0)
    throw new NotebookError('empty', vscode.l10n.t('No team notebooks to restore from the last 30 days.'));
  const items = removed.map((notebook) => ({
    label: literalText(notebook.name),
    description: vscode.l10n.t('deleted {0}', ago(notebook.removedAt)),
    iconPath: new vscode.ThemeIcon('organization'),
    one: notebook,
  }));
  const placeHolder = vscode.l10n.t('Select the notebook to restore');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  if (picked !== undefined) await restore(teams, connection, picked.one);
}

async function restore(
  teams: Teams,
  connection: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  if (!(await teams.ask('restoreNotebook', { connection, notebookId: id })))
    throw new NotebookError('not-found', vscode.l10n.t('This notebook can no longer be restored.'));
  teams.lookAgain();
  inform(vscode.l10n.t('Restored “{0}” for the team.', name));
}

function mayManage({ members }: NotebookRights): boolean {
  return members.some(({ isSelf, may }) => isSelf && may === 'manager');
}

function showManagers({ members }: NotebookRights): void {
  const managers = listNames(members.filter(({ may }) => may === 'manager'));
  inform(vscode.l10n.t('Only managers of this notebook can change this. Ask one of them: {0}.', managers));
}

/** Returns a few names; the rest are omitted. */
function listNames(members: readonly MemberRight[]): string {
  const few = members.slice(0, 3).map(({ name }) => name);
  return [...few, ...(members.length > few.length ? ['…'] : [])].join(', ');
}

function describeMember({ inTeam, isSelf, may, own }: MemberRight): string {
  return [
    ...(isSelf ? [vscode.l10n.t('you')] : []),
    roleWords(may),
    ...(inTeam === 'manager'
      ? [vscode.l10n.t('manages the team')]
      : own === undefined
        ? [vscode.l10n.t('same as everyone else')]
        : []),
    ...(inTeam === 'reader' ? [vscode.l10n.t('view-only in the team')] : []),
  ].join(' · ');
}

/** Orders rights with the current one first, so that an early Enter changes nothing. */
function orderRights<Right>(
  choices: readonly { readonly label: string; readonly right: Right }[],
  inForce: Right,
): (vscode.QuickPickItem & { readonly right: Right })[] {
  return [
    ...choices
      .filter(({ right }) => right === inForce)
      .map((choice) => ({ ...choice, description: vscode.l10n.t('current') })),
    ...choices.filter(({ right }) => right !== inForce),
  ];
}

function showRight(who: string, may: TeamRole | undefined, name: string): void {
  inform(rightMessage(who, may, name));
}

function rightMessage(who: string, may: TeamRole | undefined, name: string): string {
  switch (may) {
    case undefined:
      return vscode.l10n.t(
        '{0} no longer has access to “{1}”. Content already synced to their machines stays there.',
        who,
        name,
      );
    case 'reader':
      return vscode.l10n.t('{0} can now view “{1}”.', who, name);
    case 'author':
      return vscode.l10n.t('{0} can now edit “{1}”.', who, name);
    case 'manager':
      return vscode.l10n.t('{0} can now manage “{1}”.', who, name);
  }
}
