import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import * as vscode from 'vscode';
import type { Commands } from '../../src/platform/register-commands.ts';
import type { Services } from '../../src/services/services.ts';
import { notebookCommands } from '../../src/features/notebooks/commands/notebook-commands.ts';
import { teamCommands } from '../../src/features/team/commands/team-commands.ts';
import { teamRightsCommands } from '../../src/features/team/commands/team-rights-commands.ts';
import { Library } from '../../src/platform/library.ts';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { Notebooks } from '../../src/features/notebooks/editor/notebooks.ts';
import { tooltip } from '../../src/features/sources/editor/source-words.ts';
import { TeamFollower } from '../../src/features/team/editor/team-follower.ts';
import { Teams } from '../../src/features/team/editor/teams.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { NotebookFolders } from '../../src/index/library/notebook-folders.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { answering, type Answered } from '../support/answering-person.ts';
import { worker } from '../support/host-sources.ts';
import { MemoryMemento, MemorySecrets } from '../support/memory-storage.ts';
import { startLine, throughPort } from '../support/postgres-connection.ts';
import { until } from '../support/until.ts';

const passageSettings = () => ({ size: 1500, overlap: 50 });

/** Team member with a window on their own machine. */
class Member {
  readonly notebooks: Notebooks;
  readonly teams: Teams;
  readonly #following: TeamFollower;
  readonly #home = mkdtempSync(join(tmpdir(), 'team-member-'));
  readonly #commands: Commands;
  #status: vscode.StatusBarItem | undefined;

  constructor(log: vscode.LogOutputChannel) {
    const library = new Library(worker('index-worker.cjs'));
    const path = worker('team-worker.cjs');
    this.notebooks = new Notebooks({
      folders: new NotebookFolders(this.#home),
      library,
      ownId: 'a'.repeat(32),
      workspaceState: new MemoryMemento(),
      clientFor: (place) =>
        new NotebookClient({
          ...place,
          workerPath: worker('index-worker.cjs'),
          indexSettings: passageSettings,
          log,
        }),
    });
    this.teams = new Teams(new MemorySecrets(), this.notebooks, { path, log });
    const { notebooks, teams } = this;
    const { createStatusBarItem } = vscode.window;
    const create = (...parameters: Parameters<typeof createStatusBarItem>): vscode.StatusBarItem => {
      this.#status = createStatusBarItem(...parameters);
      return this.#status;
    };
    Reflect.set(vscode.window, 'createStatusBarItem', create);
    this.#following = new TeamFollower({ notebooks, teams, path, passageSettings, roots: () => [], log });
    Reflect.set(vscode.window, 'createStatusBarItem', createStatusBarItem);
    // The commands under test need no other parts.
    const parts = { notebooks, teams, library, following: this.#following } as unknown as Services;
    this.#commands = { ...notebookCommands(parts), ...teamCommands(parts), ...teamRightsCommands(parts) };
  }

  run(name: string, plan: Parameters<typeof answering>[0] = {}): Promise<Answered> {
    return answering(plan, async () => this.#commands[name]?.());
  }

  /** Adds a source to the notebook that is shown. */
  async add(title: string, text: string): Promise<void> {
    const document = readPlainText(text, 'text/plain');
    const uri = `file:///${title}`;
    const input = { key: '', uri, hash: text, size: text.length, modifiedAt: 1, document };
    await this.notebooks.shown.call('addSource', {
      title,
      origin: { kind: 'file', uri },
      document: input,
    });
  }

  async sources(): Promise<readonly string[]> {
    return (await this.notebooks.shown.call('sources', {})).map(({ title }) => title).toSorted();
  }

  /** Waits until the status bar shows these words for the team. */
  untilStatus(words: string): Promise<void> {
    return until(
      () => this.#status?.text.replace(/^\$\([^)]*\) /, '') === words,
      () => [this.#status?.text, this.#status?.tooltip],
    );
  }

  async dispose(): Promise<void> {
    this.#following.dispose();
    this.teams.dispose();
    await this.notebooks.close();
    this.notebooks.dispose();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }
}

suite('teams', () => {
  const log = vscode.window.createOutputChannel('Teams', { log: true });
  /** Windows of a single test. */
  const members: Member[] = [];
  /**
   * Windows that tests share, by connection string, because opening and connecting one takes longer than most tests.
   */
  const shared = new Map<string, Member>();
  let databases = 0;
  let names = 0;
  /** Connection strings of a team's manager, and of two authors. */
  let manager: string;
  let ada: string;
  let ben: string;

  const join = (): Member => {
    const member = new Member(log);
    members.push(member);
    return member;
  };

  /** Creates a database, and returns the connection string of its administrator. */
  const createDatabase = async (): Promise<string> => {
    const { TEAM_DATABASE: connectionString = '' } = process.env;
    const name = `host${String(++databases)}`;
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return connectionString.replace(/\/[^/]*$/, `/${name}`);
  };

  /** Returns a name that nothing has, not even what a failed attempt at the same test left behind. */
  const unused = (name: string): string => `${name}${String(++names)}`;

  /** Adds an author to the team, and returns the connection string. */
  const addAuthor = async (window: Member, name: string): Promise<string> => {
    const connection = await window.teams.ask('addMember', { connection: manager, name, role: 'author' });
    assert.ok(connection !== undefined);
    return connection;
  };

  /** Returns the window of a member, which shows the member's own notebook. */
  const windowOf = async (connection: string): Promise<Member> => {
    const isShared = connection === ada || connection === ben;
    const known = shared.get(connection);
    if (known !== undefined) {
      await known.notebooks.switchTo('');
      return known;
    }
    const member = isShared ? new Member(log) : join();
    if (isShared) shared.set(connection, member);
    await member.add('garden.md', 'Tomatoes are watered every second morning with rainwater.');
    await member.run('connectTeam', { types: [connection] });
    return member;
  };

  /** Shares the own notebook of a member, which has a source, under a name. */
  const share = async (
    name: string,
    { connection = ada, access = 'Everyone can edit' } = {},
  ): Promise<Member> => {
    const member = await windowOf(connection);
    await member.run('shareWithTeam', { types: [name], picks: [access] });
    await member.untilStatus('Team');
    return member;
  };

  /** Shows a notebook of the team in the window of a member. */
  const open = async (name: string, connection = ben): Promise<Member> => {
    const member = await windowOf(connection);
    await member.run('connectTeam', { types: [connection], picks: [name] });
    await until(async () => (await member.sources()).includes('garden.md'));
    return member;
  };

  suiteSetup(async () => {
    manager = await createDatabase();
    const member = join();
    await member.teams.ask('setUp', { connection: manager });
    ada = await addAuthor(member, 'ada');
    ben = await addAuthor(member, 'ben');
    await member.dispose();
    members.length = 0;
  });

  suiteTeardown(async () => {
    for (const member of shared.values()) await member.dispose();
  });

  teardown(async () => {
    for (const member of members.splice(0)) await member.dispose();
  });

  test('explains that a database is not set up', async () => {
    const types = [await createDatabase()];
    await assert.rejects(join().run('connectTeam', { types }), /isn’t set up for a team yet/);
  });

  test('sets up a database, whose first member gets a connection string to copy', async () => {
    const name = unused('dora');
    const database = await createDatabase();
    const member = join();
    const { messages } = await member.run('setUpTeam', {
      types: [database, name],
      picks: ['can edit'],
      presses: ['Add Team Member…', 'Copy Connection String'],
    });
    assert.match(
      messages.join('\n'),
      /is ready\.[^]*Added dora\d+ to the team\. Share the connection string/,
    );
    const copied = await vscode.env.clipboard.readText();
    assert.equal(new URL(copied).username, name);
    const connected = await join().run('connectTeam', { types: [copied] });
    assert.match(connected.messages.join('\n'), /This team has no notebooks yet/);
  });

  test('offers to delete your own notebook once the team has all of it', async () => {
    const member = join();
    await member.add('garden.md', 'Tomatoes are watered every second morning.');
    await member.run('connectTeam', { types: [ada] });
    const { messages } = await member.run('shareWithTeam', {
      types: ['Whole'],
      picks: ['Everyone can view'],
      presses: ['Delete Original…', 'Delete'],
    });
    assert.match(messages.join('\n'), /“Whole” is now fully synced to the team[^]*Deleted the notebook/);
    assert.deepEqual(await member.sources(), ['garden.md']);
    const { lists } = await member.run('restoreNotebook');
    assert.equal(lists[0]?.length, 1);
  });

  test('hides a private notebook from other members', async () => {
    await share('Private', { access: 'Only you and team managers have access' });
    const { lists, messages } = await join().run('connectTeam', { types: [ben] });
    assert.doesNotMatch(JSON.stringify({ lists, messages }), /Private/);
  });

  test('opens a private notebook to a member, who sees the role in the list of notebooks', async () => {
    const owner = await share('Opened', { access: 'Only you and team managers have access' });
    const { lists, messages } = await owner.run('setTeamRights', {
      picks: ['ben', 'can view', 'administrator'],
    });
    assert.ok(lists[0]?.some((line) => line.startsWith('ben · has no access')));
    assert.ok(lists[0]?.some((line) => /^administrator · .*manages the team/.test(line)));
    assert.match(messages.join('\n'), /ben can now view “Opened”\./);
    assert.match(messages.join('\n'), /administrator manages the team and therefore all of its notebooks\./);
    const other = join();
    await other.run('connectTeam', { types: [ben] });
    const offered = await other.run('switchNotebook', { notebooks: ['Opened'] });
    assert.ok(offered.lists[0]?.some((line) => /^Opened · .*can view$/.test(line)));
    await until(async () => (await other.sources()).includes('garden.md'));
    await other.untilStatus('Team');
    const shown = await other.run('switchNotebook');
    assert.ok(
      shown.lists[0]?.includes('Opened · can view · 1 source · current'),
      JSON.stringify(shown.lists),
    );
  });

  test('asks before you give up managing a notebook', async () => {
    const owner = await share('Given up');
    const { messages, lists } = await owner.run('setTeamRights', { picks: ['ada', 'has no access'] });
    assert.match(messages.join('\n'), /Stop managing “Given up”\?.*administrator/);
    assert.ok(lists.at(-1)?.some((line) => line.startsWith('ada · you · can manage')));
  });

  test('shows the new name of a notebook on each machine', async () => {
    const [before, after] = [unused('Old name'), unused('The plot')];
    const owner = await share(before);
    const other = await open(before);
    await owner.run('renameInTeam', { types: [after] });
    for (const member of [owner, other]) await until(() => member.notebooks.name === after);
  });

  test('keeps local copies of a deleted notebook, which can be restored', async () => {
    const name = unused('Removed');
    const owner = await share(name);
    const other = await open(name);
    const { messages } = await owner.run('removeFromTeam', { presses: ['Delete'] });
    assert.match(
      messages.join('\n'),
      /Delete “Removed\d+” for everyone in the team\? Members can no longer open or sync the notebook/,
    );
    assert.match(messages.join('\n'), /Deleted “Removed\d+” for everyone in the team\./);
    await other.untilStatus('Team: action needed');
    assert.deepEqual(await other.sources(), ['garden.md']);
    const restored = await owner.run('restoreTeamNotebook', { picks: [name] });
    assert.match(restored.messages.join('\n'), /Restored “Removed\d+” for the team\./);
    await owner.untilStatus('Team');
    await assert.rejects(
      owner.run('restoreTeamNotebook'),
      /No team notebooks to restore from the last 30 days/,
    );
  });

  test('restores a removed source', async () => {
    const name = unused('Sources');
    const owner = await share(name);
    await owner.add('kitchen.md', 'Bread is baked on Saturdays in the stone oven.');
    const sources = await owner.notebooks.shown.call('sources', {});
    // The team has the source after another member received it.
    const other = await open(name);
    await until(async () => (await other.sources()).includes('kitchen.md'));
    await owner.notebooks.shown.call('removeSources', {
      sourceIds: sources.filter(({ title }) => title === 'kitchen.md').map(({ id }) => id),
    });
    let lists: Answered['lists'] = [];
    // The team receives the removal a moment later.
    await until(async () => {
      try {
        ({ lists } = await owner.run('restoreTeamSource', { picks: ['kitchen.md'] }));
        return true;
      } catch {
        return false;
      }
    });
    assert.match(lists[0]?.join('\n') ?? '', /^kitchen\.md · removed by ada/);
    await until(async () => (await owner.sources()).includes('kitchen.md'));
  });

  test('downloads missing documents for a copy of the notebook', async () => {
    const shared = unused('Copied');
    const owner = await share(shared);
    const directory = owner.notebooks.directoryFor(owner.notebooks.shown.key);
    await owner.add('kitchen.md', 'Bread is baked on Saturdays in the stone oven behind the house.');
    // The team has the source after another member received it.
    const other = await open(shared);
    await until(async () => (await other.sources()).includes('kitchen.md'));
    // Counted like this, the machine has no room for a document that is gone.
    const forget = [
      'UPDATE team SET applying = 1',
      "DELETE FROM documents WHERE uri LIKE '%garden.md'",
      'UPDATE documents SET passages = 200000',
      "UPDATE team_deeds SET documents = 1 WHERE kind = 'source'",
      'UPDATE team SET applying = 0',
    ];
    await until(async () => {
      await withNotebook(directory, (sql) => {
        // A sync between two statements would send the removal to the team.
        sql.transaction(() => {
          for (const statement of forget) sql.run(statement);
        });
      });
      return (await owner.teams.ask('countElsewhere', { directory })) === 1;
    });
    const name = unused('My garden');
    const { messages } = await owner.run('keepTeamCopy', { types: [name], presses: ['Download'] });
    assert.match(
      messages.join('\n'),
      /Some documents in “Copied\d+” aren’t on this machine \(1\)\. Download them first\?/,
    );
    assert.equal(owner.notebooks.name, name);
    for (const { id } of await owner.notebooks.shown.call('sources', {}))
      assert.equal((await owner.notebooks.shown.call('documents', { sourceId: id })).length, 1);
  });

  test('rejects a removed member, who keeps the local copy', async () => {
    const member = join();
    const name = unused('carol');
    const connection = await addAuthor(member, name);
    const carol = await share('Of carol', { connection });
    await member.run('connectTeam', { types: [manager] });
    const { messages } = await member.run('removeTeamMember', { picks: [name], presses: ['Remove'] });
    assert.match(
      messages.join('\n'),
      /Remove carol\d+ from the team\?.*Their contributions and the copies on their machine remain/,
    );
    assert.match(messages.join('\n'), /carol\d+ is no longer a team member\./);
    await assert.rejects(
      carol.run('connectTeam', { types: [connection] }),
      /You don’t have permission to do this/,
    );
    assert.deepEqual(await carol.sources(), ['garden.md']);
  });

  test('keeps the local notebook after disconnecting', async () => {
    const owner = await share('Left', { connection: await addAuthor(join(), unused('frida')) });
    const [team] = await owner.teams.listKnown();
    await owner.run('leaveTeam', { picks: [team?.place ?? ''] });
    await owner.untilStatus('Team: action needed');
    assert.deepEqual(await owner.sources(), ['garden.md']);
    await assert.rejects(owner.run('restoreTeamSource'), /This window isn’t connected to the team/);
  });

  test('shows sizes only to a member who manages a notebook', async () => {
    const owner = await share('Sizes');
    const other = join();
    await other.run('connectTeam', { types: [await addAuthor(owner, unused('eve'))] });
    await assert.rejects(other.run('showTeamSizes'), /Only notebook managers can see storage sizes/);
    await owner.run('showTeamSizes');
    const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(shown, /\| Sizes \| ada \| 1 \|/);
    assert.match(shown, /\| ben \| can edit \|/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('names the member who added a source', async () => {
    const name = unused('Named');
    await share(name);
    const other = await open(name);
    const [source] = await other.notebooks.shown.call('sources', {});
    assert.ok(source);
    assert.match(tooltip(source), /^Added by ada, /m);
  });

  test('downloads a document from the team database if a search needs it', async () => {
    const name = unused('Full');
    const owner = await share(name);
    const other = await open(name);
    // Counted like this, the machines have no room for another document.
    for (const { notebooks } of [owner, other])
      await until(async () => {
        const directory = notebooks.directoryFor(notebooks.shown.key);
        const counted = await withNotebook(directory, (sql) =>
          Promise.resolve(sql.run('UPDATE documents SET passages = 200000')),
        );
        // A document may arrive later than its source.
        return counted > 0;
      });
    await owner.add('kitchen.md', 'Bread is baked on Saturdays in the stone oven behind the house.');
    const { shown } = other.notebooks;
    const kitchen = async (): Promise<readonly Source[]> =>
      (await shown.call('sources', {})).filter(({ title }) => title === 'kitchen.md');
    // The row may arrive before the limit for texts is known.
    await until(async () =>
      (await kitchen()).some((source) =>
        tooltip(source).includes(
          'Open Notebook downloads the rest from the team database when a question needs it.',
        ),
      ),
    );
    const words = 'When is bread baked in the stone oven?';
    await until(async () => {
      await shown.prefetch([{ words }], new AbortController().signal);
      const passages = await shown.call('search', { question: words, limit: 1 });
      return passages[0]?.text.includes('Saturdays') === true;
    });
  });

  test('shows that it is offline, and a conflict in a note', async () => {
    const line = await startLine(Number(new URL(ada).port));
    try {
      const name = unused('Offline');
      const owner = await share(name, { connection: throughPort(ada, line.port) });
      await owner.notebooks.shown.call('addNote', { title: 'Plan', text: 'Dig the beds.\n', citations: [] });
      const other = await open(name, throughPort(ben, line.port));
      await until(async () => (await other.notebooks.shown.call('notes', {})).length === 1);
      line.cut();
      for (const [member, text] of [
        [owner, 'First of all dig the beds.\n'],
        [other, 'Last of all dig the beds.\n'],
      ] as const) {
        await member.untilStatus('Team: offline');
        await member.notebooks.shown.call('writeNote', {
          ...{ title: 'Plan', text },
          ...{ create: false, overwrite: true },
        });
      }
      line.mend();
      for (const member of [owner, other]) {
        await member.untilStatus('Team: conflict');
        const { text } = await member.notebooks.shown.call('note', { title: 'Plan' });
        assert.match(text, /First of all[^]*Last of all|Last of all[^]*First of all/);
      }
    } finally {
      await line.close();
    }
  });
});
