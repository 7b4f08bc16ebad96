import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { TeamEntry } from '../service/api.ts';
import {
  isConfirmed,
  offerAction,
  withNotification,
  inform,
  showMarkdown,
  showWarning,
  isAgreed,
} from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { askForName } from '../../notebooks/editor/notebook-picker.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { ago } from '../../../platform/relative-time.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import { isReplica } from '../../notebooks/editor/team-links.ts';
import { roleWords } from '../model/roles.ts';
import { sizesAsMarkdown } from '../editor/sizes.ts';
import { chooseTeam } from '../editor/choose-team.ts';
import type { Teams } from '../editor/teams.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { removeNotebook, showNotebook } from '../../notebooks/commands/notebook-commands.ts';
import { keepCopy } from '../../sources/commands/keep-copy.ts';
import { directoryOfShown } from '../../notebooks/commands/notebook-places.ts';

type TeamParts = Pick<Services, 'library' | 'notebooks' | 'teams'>;
type SharingParts = Pick<Services, 'conversation' | 'notebook' | 'notebooks'>;

/** Returns the commands for team notebooks, by name. */
export function teamCommands(parts: Services): Commands {
  return {
    connectTeam: () => connectTeam(parts),
    setUpTeam: () => setUpTeam(parts),
    addTeamMember: () => addTeamMember(parts.teams),
    removeTeamMember: () => removeTeamMember(parts.teams),
    shareWithTeam: () => shareWithTeam(parts),
    keepTeamCopy: () => keepCopy(parts),
    restoreTeamSource: () => restoreSource(parts.teams),
    leaveTeam: () => leaveTeam(parts.teams),
    showTeamSizes: () => showSizes(parts.teams),
    shareConversation: () => shareConversation(parts, true),
    stopSharingConversation: () => shareConversation(parts, false),
    showTeam: () => showTeam(parts),
  };
}

async function connectTeam(parts: TeamParts): Promise<void> {
  const connection = await askForConnection(vscode.l10n.t('Connect to Team'));
  if (connection === undefined) return;
  const team = await withNotification(vscode.l10n.t('Connecting to the team'), (signal) =>
    parts.teams.ask('team', { connection }, signal),
  );
  await parts.teams.keep(team.id, connection);
  await chooseNotebook(parts, team);
}

async function setUpTeam(parts: TeamParts): Promise<void> {
  const connection = await askForConnection(vscode.l10n.t('Set Up Team Database'));
  if (connection === undefined) return;
  const team = await withNotification(vscode.l10n.t('Setting up the team database'), (signal) =>
    parts.teams.ask('setUp', { connection }, signal),
  );
  await parts.teams.keep(team.id, connection);
  const add = vscode.l10n.t('Add Team Member…');
  if (await offerAction(vscode.l10n.t('The team database {0} is ready.', team.place), add))
    await addTeamMember(parts.teams, team);
}

/** Lists the notebooks of a team, to show one of them. */
async function chooseNotebook({ notebooks, teams }: TeamParts, team: TeamEntry): Promise<void> {
  if (team.notebooks.length === 0) {
    inform(
      vscode.l10n.t(
        'Connected to {0}. This team has no notebooks yet. To share one, use “Share Notebook with Team…”.',
        team.place,
      ),
    );
    return;
  }
  const items = team.notebooks.map((notebook) => ({
    label: literalText(notebook.name),
    description: roleWords(notebook.role),
    iconPath: new vscode.ThemeIcon('organization'),
    notebook,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Team Notebooks'),
    placeHolder: vscode.l10n.t('Select the notebook to show in this window'),
  });
  if (picked !== undefined) await showNotebook(notebooks, await teams.join(team.id, picked.notebook));
}

async function shareWithTeam({
  following,
  notebooks,
  teams,
}: Pick<Services, 'following' | 'notebooks' | 'teams'>): Promise<void> {
  if (isReplica(notebooks.shown.key))
    throw new NotebookError('exists', vscode.l10n.t('This notebook is already a team notebook.'));
  const team = await chooseTeam(teams, vscode.l10n.t('Share Notebook with Team'));
  if (team === undefined) return;
  const access = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Everyone can edit'), everybody: 'author' as const },
      { label: vscode.l10n.t('Everyone can view'), everybody: 'reader' as const },
      { label: vscode.l10n.t('Only you and team managers have access'), everybody: undefined },
    ],
    {
      title: vscode.l10n.t('Share Notebook with Team'),
      placeHolder: vscode.l10n.t('Select who can open the notebook'),
    },
  );
  if (access === undefined) return;
  const before = notebooks.name;
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('Name Team Notebook'),
    value: before,
    isNew: true,
    detail: vscode.l10n.t(
      'Sources, notes, and research projects are stored in {0}. Conversations stay private.',
      team.place,
    ),
  });
  if (name === undefined) return;
  const from = await directoryOfShown(notebooks);
  const own = notebooks.shown.key;
  const id = await withNotification(vscode.l10n.t('Sharing “{0}”', name), (signal) =>
    teams.share(team, from, { name, everybody: access.everybody }, signal),
  );
  await showNotebook(notebooks, id);
  if (await following.whenSent(id)) await offerToDelete(notebooks, own, { before, name });
}

/** Offers to delete the user's own notebook after the team received all of it. */
async function offerToDelete(
  notebooks: Notebooks,
  key: string,
  { before, name }: { readonly before: string; readonly name: string },
): Promise<void> {
  const message = vscode.l10n.t(
    '“{0}” is now fully synced to the team. Your original notebook is still on this machine.',
    name,
  );
  if (!(await offerAction(message, vscode.l10n.t('Delete Original…')))) return;
  const question = vscode.l10n.t('Delete your original notebook “{0}”?', before);
  const detail = vscode.l10n.t(
    'This deletes the original notebook and its conversations. The team notebook isn’t affected. You can restore the original for 30 days.',
  );
  if (!(await isConfirmed(question, vscode.l10n.t('Delete'), detail))) return;
  const id = notebooks.toId(key);
  // The workspace's own notebook may have no name, which the list of deleted notebooks needs.
  if ((await notebooks.folders.entry(id)) === undefined) await notebooks.rename(id, before);
  const entry = await notebooks.folders.entry(id);
  if (entry !== undefined) await removeNotebook(notebooks, entry);
}

async function addTeamMember(teams: Teams, known?: TeamEntry): Promise<void> {
  const title = vscode.l10n.t('Add Team Member');
  const team = known ?? (await chooseTeam(teams, title));
  const connection = team && (await teams.findConnection(team.id));
  if (connection === undefined) return;
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'Enter the member’s database user name. If this user doesn’t exist, Open Notebook creates it.',
    ),
    ignoreFocusOut: true,
    validateInput: (words) => (words.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (name === undefined) return;
  const roles = ['author', 'reader', 'manager'] as const;
  const picked = await vscode.window.showQuickPick(
    roles.map((role) => ({ label: roleWords(role), role })),
    { title, placeHolder: vscode.l10n.t('Select what {0} can do in the team', name.trim()) },
  );
  if (picked === undefined) return;
  const string = await teams.ask('addMember', { connection, name: name.trim(), role: picked.role });
  if (string === undefined) {
    inform(
      vscode.l10n.t('Added {0} to the team. They sign in with their existing database user.', name.trim()),
    );
    return;
  }
  const message = vscode.l10n.t(
    'Added {0} to the team. Share the connection string securely. It contains a password that isn’t shown again.',
    name.trim(),
  );
  if (await isAgreed(message, vscode.l10n.t('Copy Connection String')))
    await vscode.env.clipboard.writeText(string);
}

async function removeTeamMember(teams: Teams): Promise<void> {
  const title = vscode.l10n.t('Remove Team Member');
  const team = await chooseTeam(teams, title);
  const connection = team && (await teams.findConnection(team.id));
  if (connection === undefined) return;
  const members = await teams.ask('members', { connection });
  const picked = await vscode.window.showQuickPick(
    members.map(({ name, role, seenAt }) => ({
      name,
      label: literalText(name),
      description: [roleWords(role), ...(seenAt === undefined ? [] : [ago(seenAt)])].join(' · '),
    })),
    {
      title,
      placeHolder: vscode.l10n.t('Select a member to remove'),
    },
  );
  if (picked === undefined) return;
  const question = vscode.l10n.t('Remove {0} from the team?', picked.name);
  const detail = vscode.l10n.t(
    'They can no longer view or change team notebooks. Their contributions and the copies on their machine remain.',
  );
  if (!(await isConfirmed(question, vscode.l10n.t('Remove'), detail))) return;
  const areSessionsEnded = await teams.ask('removeMember', { connection, name: picked.name });
  if (areSessionsEnded) inform(vscode.l10n.t('{0} is no longer a team member.', picked.name));
  else
    void showWarning(
      vscode.l10n.t(
        '{0} is no longer a team member. The server doesn’t let you end their open sessions, which have no access to team notebooks anymore.',
        picked.name,
      ),
    );
}

async function restoreSource(teams: Teams): Promise<void> {
  const removed = await teams.removedSources();
  if (removed.length === 0)
    throw new NotebookError('empty', vscode.l10n.t('No sources were removed in the last 30 days.'));
  const picked = await vscode.window.showQuickPick(
    removed.map(({ id, title, removedBy, removedAt }) => ({
      label: literalText(title),
      description: vscode.l10n.t('removed by {0}, {1}', removedBy, ago(removedAt)),
      id,
    })),
    {
      title: vscode.l10n.t('Restore Team Source'),
      placeHolder: vscode.l10n.t('Select the source to restore'),
    },
  );
  if (picked === undefined) return;
  const { connection, notebookId } = await teams.linkOfShown();
  if (!(await teams.ask('restoreSource', { connection, notebookId, sourceId: picked.id })))
    throw new NotebookError('not-found', vscode.l10n.t('This source can no longer be restored.'));
}

async function leaveTeam(teams: Teams): Promise<void> {
  const list = await teams.listKnown();
  const picked = await vscode.window.showQuickPick(
    list.map(({ id, place }) => ({
      label: place,
      detail: vscode.l10n.t('Deletes the connection string. The notebooks stay on this machine.'),
      id,
    })),
    {
      title: vscode.l10n.t('Disconnect from Team'),
      placeHolder: vscode.l10n.t('Select a team'),
    },
  );
  if (picked !== undefined) await teams.forget(picked.id);
}

/** Shares the current conversation with the team, or stops sharing it. */
async function shareConversation(
  { conversation, notebook, notebooks }: SharingParts,
  isShared: boolean,
): Promise<void> {
  if (!isReplica(notebooks.shown.key))
    throw new NotebookError(
      'empty',
      vscode.l10n.t('The current notebook isn’t a team notebook. Switch to a team notebook first.'),
    );
  const conversationId = await conversation.id();
  const entries = await notebook.call('conversations', { words: '' });
  const entry = entries.find(({ id }) => id === conversationId);
  if (entry === undefined)
    throw new NotebookError('empty', vscode.l10n.t('There’s nothing to share yet. Ask a question first.'));
  if (isShared === (entry.sharedBy === '')) {
    inform(
      isShared
        ? vscode.l10n.t('This conversation is already shared with the team.')
        : vscode.l10n.t('Only you can see this conversation.'),
    );
    return;
  }
  if (isShared && entry.sharedBy === undefined) {
    const question = vscode.l10n.t('Share this conversation with the team?');
    const detail = vscode.l10n.t(
      'Everyone who can view the notebook will see its questions and answers, including future ones. You can stop sharing at any time.',
    );
    if (!(await isAgreed(question, vscode.l10n.t('Share'), detail))) return;
  }
  await notebook.call('shareConversation', { conversationId, isShared });
}

/** Shows the sizes of the notebooks that the user manages, and when members were last seen. */
async function showSizes(teams: Teams): Promise<void> {
  const team = await chooseTeam(teams, vscode.l10n.t('Team Members and Storage'));
  if (team === undefined) return;
  const connection = await teams.findConnection(team.id);
  if (connection === undefined) return;
  const [sizes, members] = await Promise.all([
    teams.ask('sizes', { connection }),
    teams.ask('members', { connection }),
  ]);
  if (sizes.length === 0)
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t(
        'Only notebook managers can see storage sizes. You don’t manage any notebooks in this team.',
      ),
    );
  await showMarkdown(sizesAsMarkdown(team.place, sizes, members));
}

/** Lists the actions for the current team notebook. */
async function showTeam({ following, notebooks }: Pick<Services, 'following' | 'notebooks'>): Promise<void> {
  const conflicting = following.conflicts.map((title) => ({
    label: vscode.l10n.t('Resolve Conflict in “{0}”', title),
    iconPath: new vscode.ThemeIcon('git-merge'),
    command: 'vscode.open',
    argument: noteUri(title, notebooks.shown),
  }));
  const items: (vscode.QuickPickItem & { readonly command: string; readonly argument?: vscode.Uri })[] = [
    ...conflicting,
    { label: vscode.l10n.t('Manage Notebook Permissions…'), command: 'setTeamRights' },
    { label: vscode.l10n.t('Restore Team Source…'), command: 'restoreTeamSource' },
    { label: vscode.l10n.t('Duplicate Team Notebook…'), command: 'keepTeamCopy' },
    { label: vscode.l10n.t('Rename Team Notebook…'), command: 'renameInTeam' },
    { label: vscode.l10n.t('Delete Team Notebook for Everyone…'), command: 'removeFromTeam' },
    { label: vscode.l10n.t('Connect to Team…'), command: 'connectTeam' },
    { label: vscode.l10n.t('Add Team Member…'), command: 'addTeamMember' },
    { label: vscode.l10n.t('Show Team Members and Storage'), command: 'showTeamSizes' },
    { label: vscode.l10n.t('Disconnect from Team…'), command: 'leaveTeam' },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Team Notebook') });
  if (picked?.argument !== undefined) await vscode.commands.executeCommand(picked.command, picked.argument);
  else if (picked !== undefined) await vscode.commands.executeCommand(`openNotebook.${picked.command}`);
}

function askForConnection(title: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'Enter the connection string of the team database, such as postgres://name:password@host/database?sslmode=verify-full. VS Code stores it in its secret storage.',
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (words) =>
      words.trim() === '' ? vscode.l10n.t('Enter the connection string.') : undefined,
  });
}
