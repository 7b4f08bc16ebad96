import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import type { TeamEntry } from '../../team/api.ts';
import { isConfirmed, isTaken, withNotification, inform, showMarkdown, isAgreed } from '../dialogs.ts';
import { literalText } from '../literal-text.ts';
import { askForName } from '../notebooks/notebook-picker.ts';
import type { Notebooks } from '../notebooks/notebooks.ts';
import { ago } from '../relative-time.ts';
import { noteUri } from '../notes/note-files.ts';
import { isReplica } from '../notebooks/team-links.ts';
import { roleWords } from '../notebooks/role-words.ts';
import { sizesAsMarkdown } from '../team/sizes.ts';
import { chooseTeam } from '../team/choose-team.ts';
import type { Teams } from '../team/teams.ts';
import type { CommandParts, Commands } from './command-parts.ts';
import { removeNotebook, showNotebook } from './notebook-commands.ts';
import { keepCopy } from './keep-copy.ts';
import { directoryOfShown } from './notebook-places.ts';

type TeamParts = Pick<CommandParts, 'library' | 'notebooks' | 'teams'>;
type SharingParts = Pick<CommandParts, 'conversation' | 'notebook' | 'notebooks'>;

/** The commands on a team's notebooks, by name. */
export function teamCommands(parts: CommandParts): Commands {
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
  const connection = await askForConnection(vscode.l10n.t('Connect to a Team'));
  if (connection === undefined) return;
  const team = await withNotification(vscode.l10n.t('Connecting to the team'), (signal) =>
    parts.teams.ask('team', { connection }, signal),
  );
  await parts.teams.keep(team.id, connection);
  await chooseNotebook(parts, team);
}

async function setUpTeam(parts: TeamParts): Promise<void> {
  const connection = await askForConnection(vscode.l10n.t('Set Up a Team’s Database'));
  if (connection === undefined) return;
  const team = await withNotification(vscode.l10n.t('Setting up the team’s database'), (signal) =>
    parts.teams.ask('setUp', { connection }, signal),
  );
  await parts.teams.keep(team.id, connection);
  const add = vscode.l10n.t('Add a Member…');
  if (await isTaken(vscode.l10n.t('The team’s database {0} is set up.', team.place), add))
    await addTeamMember(parts.teams, team);
}

/** Offers what a team has, to show one of it. */
async function chooseNotebook({ notebooks, teams }: TeamParts, team: TeamEntry): Promise<void> {
  if (team.notebooks.length === 0) {
    inform(
      vscode.l10n.t(
        'Connected to {0}, which has no notebooks yet. Share one with “Share with the Team…”.',
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
    title: vscode.l10n.t('The Team’s Notebooks'),
    placeHolder: vscode.l10n.t('Choose the notebook that this window shows'),
  });
  if (picked !== undefined) await showNotebook(notebooks, await teams.join(team.id, picked.notebook));
}

async function shareWithTeam({
  following,
  notebooks,
  teams,
}: Pick<CommandParts, 'following' | 'notebooks' | 'teams'>): Promise<void> {
  if (isReplica(notebooks.shown.key))
    throw new NotebookError('exists', vscode.l10n.t('This notebook is a team’s already.'));
  const team = await chooseTeam(teams, vscode.l10n.t('Share with the Team'));
  if (team === undefined) return;
  const access = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Everybody may read, add and change'), everybody: 'author' as const },
      { label: vscode.l10n.t('Everybody may read'), everybody: 'reader' as const },
      { label: vscode.l10n.t('You and the managers alone'), everybody: undefined },
    ],
    {
      title: vscode.l10n.t('Share with the Team'),
      placeHolder: vscode.l10n.t(
        'Conversations stay with you; texts, notes and researches go to {0}',
        team.place,
      ),
    },
  );
  if (access === undefined) return;
  const before = notebooks.name;
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('The Notebook’s Name in the Team'),
    value: before,
    isNew: true,
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

/** Offers to delete one's own notebook of which the team has everything now. */
async function offerToDelete(
  notebooks: Notebooks,
  key: string,
  { before, name }: { readonly before: string; readonly name: string },
): Promise<void> {
  const told = vscode.l10n.t(
    'The team has all of “{0}” now. Your own notebook is still there beside it.',
    name,
  );
  if (!(await isTaken(told, vscode.l10n.t('Delete My Own…')))) return;
  const question = vscode.l10n.t('Delete your own notebook “{0}”?', before);
  const detail = vscode.l10n.t(
    'The team’s notebook stays. The conversations in your own go with it; it can be restored for 30 days.',
  );
  if (!(await isConfirmed(question, vscode.l10n.t('Delete'), detail))) return;
  const id = notebooks.toId(key);
  // The workspace's own may have no name, by which it is listed among those that were deleted.
  if ((await notebooks.folders.entry(id)) === undefined) await notebooks.rename(id, before);
  const entry = await notebooks.folders.entry(id);
  if (entry !== undefined) await removeNotebook(notebooks, entry);
}

async function addTeamMember(teams: Teams, known?: TeamEntry): Promise<void> {
  const title = vscode.l10n.t('Add a Member to the Team');
  const team = known ?? (await chooseTeam(teams, title));
  const connection = team && (await teams.findConnection(team.id));
  if (connection === undefined) return;
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('The name that the member logs in by; a login is made where the database has none'),
    ignoreFocusOut: true,
    validateInput: (words) => (words.trim() === '' ? vscode.l10n.t('Type a name.') : undefined),
  });
  if (name === undefined) return;
  const roles = ['author', 'reader', 'manager'] as const;
  const picked = await vscode.window.showQuickPick(
    roles.map((role) => ({ label: roleWords(role), role })),
    { title, placeHolder: vscode.l10n.t('What {0} may in the team', name.trim()) },
  );
  if (picked === undefined) return;
  const string = await teams.ask('addMember', { connection, name: name.trim(), role: picked.role });
  if (string === undefined) {
    inform(vscode.l10n.t('{0} is a member now, by the login that the database has already.', name.trim()));
    return;
  }
  const told = vscode.l10n.t(
    '{0} is a member now. Hand on the connection string in a safe way: it holds a password that is shown nowhere else.',
    name.trim(),
  );
  if (await isAgreed(told, vscode.l10n.t('Copy Connection String')))
    await vscode.env.clipboard.writeText(string);
}

async function removeTeamMember(teams: Teams): Promise<void> {
  const title = vscode.l10n.t('Remove a Member from the Team');
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
      placeHolder: vscode.l10n.t('What they added stays; what is on their machine can’t be taken back'),
    },
  );
  if (picked === undefined) return;
  const question = vscode.l10n.t('Remove {0} from the team?', picked.name);
  const detail = vscode.l10n.t(
    'They can read and change nothing of it any more. What they added stays; what is on their machine can’t be taken back.',
  );
  if (!(await isConfirmed(question, vscode.l10n.t('Remove'), detail))) return;
  await teams.ask('removeMember', { connection, name: picked.name });
  inform(vscode.l10n.t('{0} is no member any more.', picked.name));
}

async function restoreSource(teams: Teams): Promise<void> {
  const removed = await teams.removedSources();
  if (removed.length === 0)
    throw new NotebookError('empty', vscode.l10n.t('No source was removed in the last 30 days.'));
  const picked = await vscode.window.showQuickPick(
    removed.map(({ id, title, removedBy, removedAt }) => ({
      label: literalText(title),
      description: vscode.l10n.t('removed by {0}, {1}', removedBy, ago(removedAt)),
      id,
    })),
    {
      title: vscode.l10n.t('Restore a Source of the Team'),
      placeHolder: vscode.l10n.t('Choose the source to bring back'),
    },
  );
  if (picked === undefined) return;
  const { connection, notebookId } = await teams.linkOfShown();
  if (!(await teams.ask('restoreSource', { connection, notebookId, sourceId: picked.id })))
    throw new NotebookError('not-found', vscode.l10n.t('This source can’t be brought back any more.'));
}

async function leaveTeam(teams: Teams): Promise<void> {
  const list = await teams.known();
  const picked = await vscode.window.showQuickPick(
    list.map(({ id, place }) => ({ label: place, id })),
    {
      title: vscode.l10n.t('Disconnect from a Team'),
      placeHolder: vscode.l10n.t('Its connection string is forgotten; notebooks that are here stay'),
    },
  );
  if (picked !== undefined) await teams.forget(picked.id);
}

/** Has the team see the conversation that is shown, or nobody any more. */
async function shareConversation(
  { conversation, notebook, notebooks }: SharingParts,
  isShared: boolean,
): Promise<void> {
  if (!isReplica(notebooks.shown.key))
    throw new NotebookError('empty', vscode.l10n.t('The notebook that is shown is none of a team’s.'));
  const conversationId = await conversation.id();
  const entries = await notebook.call('conversations', { words: '' });
  const entry = entries.find(({ id }) => id === conversationId);
  if (entry === undefined)
    throw new NotebookError('empty', vscode.l10n.t('There is nothing to share yet. Ask something first.'));
  if (isShared === (entry.sharedBy === '')) {
    inform(
      isShared
        ? vscode.l10n.t('The team sees this conversation already.')
        : vscode.l10n.t('Nobody but you sees this conversation.'),
    );
    return;
  }
  if (isShared && entry.sharedBy === undefined) {
    const question = vscode.l10n.t('Share this conversation with the team?');
    const detail = vscode.l10n.t(
      'All members who may read the notebook see its questions and answers, and what is asked in it from now on. You can stop sharing it.',
    );
    if (!(await isAgreed(question, vscode.l10n.t('Share'), detail))) return;
  }
  await notebook.call('shareConversation', { conversationId, isShared });
}

/** Shows how much the notebooks hold that the user manages, and who was there when. */
async function showSizes(teams: Teams): Promise<void> {
  const team = await chooseTeam(teams, vscode.l10n.t('The Team’s Sizes and Members'));
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
      vscode.l10n.t('Sizes are told to who manages a notebook. You manage none of this team’s.'),
    );
  await showMarkdown(sizesAsMarkdown(team.place, sizes, members));
}

/** What can be done about the team's notebook that is shown. */
async function showTeam({
  following,
  notebooks,
}: Pick<CommandParts, 'following' | 'notebooks'>): Promise<void> {
  const torn = following.conflicts.map((title) => ({
    label: vscode.l10n.t('Look at the two versions in “{0}”', title),
    iconPath: new vscode.ThemeIcon('git-merge'),
    command: 'vscode.open',
    argument: noteUri(title, notebooks.shown),
  }));
  const items: (vscode.QuickPickItem & { readonly command: string; readonly argument?: vscode.Uri })[] = [
    ...torn,
    { label: vscode.l10n.t('Who May Use This Notebook…'), command: 'setTeamRights' },
    { label: vscode.l10n.t('Restore a Source of the Team…'), command: 'restoreTeamSource' },
    { label: vscode.l10n.t('Keep a Copy…'), command: 'keepTeamCopy' },
    { label: vscode.l10n.t('Rename the Notebook in the Team…'), command: 'renameInTeam' },
    { label: vscode.l10n.t('Remove the Notebook from the Team…'), command: 'removeFromTeam' },
    { label: vscode.l10n.t('Connect to a Team…'), command: 'connectTeam' },
    { label: vscode.l10n.t('Add a Member to the Team…'), command: 'addTeamMember' },
    { label: vscode.l10n.t('Show Sizes and Members of the Team'), command: 'showTeamSizes' },
    { label: vscode.l10n.t('Disconnect from a Team…'), command: 'leaveTeam' },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Team’s Notebook') });
  if (picked?.argument !== undefined) await vscode.commands.executeCommand(picked.command, picked.argument);
  else if (picked !== undefined) await vscode.commands.executeCommand(`openNotebook.${picked.command}`);
}

function askForConnection(title: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'The connection string of the team’s database, such as postgres://name:password@host/database?sslmode=verify-full. It is kept in the editor’s secret storage.',
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (words) =>
      words.trim() === '' ? vscode.l10n.t('Paste the connection string.') : undefined,
  });
}
