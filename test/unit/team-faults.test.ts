import assert from 'node:assert/strict';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, statfsSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Source } from '../../src/core/domain/source.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { runScript } from '../support/durability-process.ts';
import { seededRandom } from '../support/durability-random.ts';
import { close, input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';
import { makeOwnCertificate } from '../support/own-certificate.ts';
import { throughPort, startLine, type PostgresLine } from '../support/postgres-connection.ts';
import { startPooler } from '../support/postgres-pooler.ts';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import { mountSmallDisk, smallDisk, unmount } from '../support/small-disk.ts';
import { Machine, rawly } from '../support/team.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { isEverything, rounds } from '../support/test-size.mjs';

/** Number of times the server is killed. `npm run bench -- team` can set it. */
const KILLS = Number(process.env.OPEN_NOTEBOOK_KILLS ?? rounds(2, 8));

/** Number of documents that a member adds while others are killed during their sync. */
const DOCUMENTS = rounds(20, 60);

const DAY = 86_400_000;

/** Timeout of a query over a silent line, in milliseconds. */
const SHORT_TIMEOUT_MS = 2_000;

const certificate = makeOwnCertificate();
const shared = useTeamServer();
/** Server with a certificate that tests can end, and whose disk they can fill. */
let own: Postgres;
before(async () => {
  own = await startPostgres({}, certificate);
});
after(() => own.stop());

interface Team {
  readonly administrator: string;
  readonly ada: string;
  readonly ben: string;
  readonly notebookId: string;
  /** Machine with a notebook whose one source has no document yet. */
  readonly one: Machine;
  readonly source: Source;
}

let teams = 0;

/** Creates a team with a notebook that one machine shares but hasn't synced yet. */
async function makeGarden(database = shared.createTeamDatabase()): Promise<Team> {
  const administrator = await database;
  const members = { ada: 'author', ben: 'author' } as const;
  const { ada = '', ben = '' } = await makeTeam(administrator, members, `team${String(++teams)}`);
  const { folder, index } = await openNew();
  const source = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  await close(index);
  const notebookId = randomUUID();
  const one = await Machine.share(ada, folder, notebookId);
  return { administrator, ada, ben, notebookId, one, source };
}

const addNote = ({ index }: Machine, title: string): unknown =>
  index.features.notes.add({ title, text: `${title} is kept.\n`, citations: [] });
const titles = ({ index }: Machine): string[] =>
  index.features.notes
    .list()
    .map(({ title }) => title)
    .toSorted();

/** Waits until the machines have the same contents: these notes and this number of documents. */
async function assertSame(
  machines: readonly Machine[],
  notes: readonly string[],
  documents: number,
): Promise<void> {
  for (const machine of machines)
    await machine.until(
      'all is there',
      () => titles(machine).length >= notes.length && machine.index.store.counts().documents >= documents,
    );
  for (const machine of machines) await machine.settled();
  for (const machine of machines) {
    assert.deepEqual(titles(machine), notes.toSorted());
    assert.equal(machine.index.store.counts().documents, documents);
    for (const title of notes)
      assert.equal(machine.index.features.notes.open(title).text, `${title} is kept.\n`);
  }
  const [first, ...others] = machines;
  for (const other of others) await first?.untilEqual(other);
}

test('loses no change when the server is killed in the middle of writes', async () => {
  const { one, ben, notebookId, source } = await makeGarden(own.createDatabase());
  const two = await Machine.join(ben, notebookId);
  one.goOnline();
  two.goOnline();
  const random = seededRandom(7);
  const notes: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    for (const machine of [one, two])
      await machine.until('it is connected', () => ['up-to-date', 'taking-in'].includes(machine.state.kind));
    for (let number = 0; number < 5; number++) {
      const name = `${String(kill)}-${String(number)}`;
      for (const [machine, by] of [
        [one, 'ada'],
        [two, 'ben'],
      ] as const) {
        notes.push(`Note ${name} of ${by}`);
        addNote(machine, `Note ${name} of ${by}`);
      }
      await one.index.putDocument(source.id, input(`Bed ${name} lies in the sun. `.repeat(40), `${name}.md`));
    }
    // Kills at any moment after the write: while it is noticed, sent, or received.
    await sleep(random() * 500);
    await own.kill();
    await own.start();
  }
  await assertSame([one, two], notes, KILLS * 5);
  await one.goOffline();
  await two.goOffline();
});

/** A garden whose first machine is connected through a line. */
async function makeGardenOverLine(
  running: TestContext,
): Promise<Team & { readonly two: Machine; readonly line: PostgresLine }> {
  const team = await makeGarden();
  const two = await Machine.join(team.ben, team.notebookId);
  const line = await startLine(shared.port, seededRandom(3));
  // Closes the line after a failure, too, or it would keep the process from ending.
  running.after(() => line.close());
  team.one.connection = throughPort(team.one.connection, line.port);
  return { ...team, two, line };
}

test('syncs over a slow line that loses packets', async (running) => {
  const { one, two, line, source } = await makeGardenOverLine(running);
  line.slow(rounds(50, 200), 0.01);
  one.goOnline();
  two.goOnline();
  addNote(one, 'Slow');
  await one.index.putDocument(source.id, input('Beans climb. '.repeat(rounds(1_000, 5_000)), 'beans.md'));
  addNote(two, 'Other');
  await assertSame([one, two], ['Other', 'Slow'], 1);
});

const lostLine = /^The connection to 127\.0\.0\.1 was lost\. Open Notebook will try again\.$/;

test('resumes the sync after the line breaks', async (running) => {
  const { one, two, line } = await makeGardenOverLine(running);
  one.goOnline();
  two.goOnline();
  addNote(one, 'Before');
  await assertSame([one, two], ['Before'], 0);
  line.cut();
  addNote(one, 'Cut off');
  const offline = await one.until(
    'it is told',
    () => one.state.kind === 'offline' && one.state.waiting === 1 && one.state,
  );
  assert.match(offline.reason, lostLine);
  line.mend();
  await assertSame([one, two], ['Before', 'Cut off'], 0);
});

test('resumes the sync after a line goes silent', async (running) => {
  const { one, two, line } = await makeGardenOverLine(running);
  one.queryTimeout = SHORT_TIMEOUT_MS;
  one.goOnline();
  two.goOnline();
  addNote(one, 'Before');
  await assertSame([one, two], ['Before'], 0);
  line.silence();
  one.reports.length = 0;
  addNote(one, 'Silent');
  // The machine is offline only until it connects again.
  const silent = await one.until('it is told', () =>
    one.reports.map(({ state }) => state).find((state) => state.kind === 'offline'),
  );
  assert.match(silent.reason, lostLine);
  await assertSame([one, two], ['Before', 'Silent'], 0);
});

test('works through a pooler in transaction mode and leaves nothing in its sessions', async (running) => {
  const administrator = await shared.createTeamDatabase();
  const direct = await makeTeam(administrator, { ada: 'author', ben: 'author' }, 'pooled');
  const pooler = await startPooler([administrator, ...Object.values(direct)]);
  running.after(() => pooler.close());
  const through = (connection = ''): string => throughPort(connection, pooler.port);
  // Runs twice, the second time on an existing schema.
  await teamHandlers.setUp({ connection: through(administrator) }, context);
  await teamHandlers.addMember(
    { connection: through(administrator), name: 'pooledcarol', role: 'reader' },
    context,
  );
  assert.equal((await teamHandlers.members({ connection: through(administrator) }, context)).length, 4);
  const { folder, index } = await openNew();
  const source = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  await close(index);
  const notebookId = randomUUID();
  const one = await Machine.share(through(direct.ada), folder, notebookId);
  const two = await Machine.join(through(direct.ben), notebookId);
  one.goOnline();
  two.goOnline();
  addNote(one, 'By ada');
  addNote(two, 'By ben');
  await one.index.putDocument(source.id, input('Beans climb. '.repeat(500), 'beans.md'));
  await assertSame([one, two], ['By ada', 'By ben'], 1);
  assert.ok(pooler.transactions() > 20);
  // A setting of one member's session would affect the next client of that session.
  await rawly(through(direct.ada), async (client) => {
    for (let session = 0; session < 3; session++) {
      const { rows } = await client.query<{ name: string }>(
        `SELECT name FROM pg_settings WHERE source = 'session' AND name NOT IN ('client_encoding')`,
      );
      assert.deepEqual(rows, []);
      const { rows: held } = await client.query('SELECT 1 FROM pg_locks WHERE locktype = $1', ['advisory']);
      assert.deepEqual(held, []);
    }
  });
  await one.goOffline();
  await two.goOffline();
});

const notifyBy = (words: string): string =>
  `CREATE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${words} END $$`;
for (const [lack, sql] of Object.entries({
  'has no function for notifications': 'SELECT',
  'doesn’t support notifications': notifyBy(
    `RAISE EXCEPTION 'not supported' USING ERRCODE = 'feature_not_supported';`,
  ),
  'isn’t ready for notifications': notifyBy(
    `RAISE EXCEPTION 'again' USING ERRCODE = 'object_not_in_prerequisite_state';`,
  ),
}))
  test(`polls a database that ${lack}`, async () => {
    const { administrator, one, ben, notebookId, source } = await makeGarden();
    await rawly(administrator, async (client) => {
      await client.query('ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_elsewhere');
      await client.query(sql);
      await assert.rejects(client.query(`SELECT pg_notify('a', 'b')`));
    });
    const two = await Machine.join(ben, notebookId);
    one.goOnline();
    two.goOnline();
    addNote(one, 'By ada');
    addNote(two, 'By ben');
    await one.index.putDocument(source.id, input('Beans climb. '.repeat(500), 'beans.md'));
    await assertSame([one, two], ['By ada', 'By ben'], 1);
    const step = {
      connection: ben,
      notebookId,
      researchId: 'r',
      stepId: 's',
      token: randomUUID(),
      seconds: 5,
    };
    assert.equal(await teamHandlers.claimStep(step, context), undefined);
    await teamHandlers.releaseStep(step, context);
  });

test('reports a full disk of the server, and sends pending changes once there is room', async () => {
  const { administrator, one, ben, notebookId, source } = await makeGarden(own.createDatabase());
  const around = makeFolder();
  chmodSync(around, 0o711);
  const disk = join(around, 'disk');
  const reason = mountSmallDisk(disk);
  const words = Array.from({ length: rounds(50_000, 400_000) }, (_, number) =>
    (number * 7919).toString(36),
  ).join(' ');
  let makeRoom: () => Promise<unknown>;
  if (reason === undefined) {
    const [nobody, ballast] = [65_534, join(disk, 'ballast')];
    chownSync(disk, nobody, nobody);
    await rawly(administrator, async (client) => {
      await client.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
      await client.query('ALTER TABLE open_notebook.contents SET TABLESPACE small');
    });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 2 ** 16));
    makeRoom = async () => writeFile(ballast, '');
  } else {
    // If no disk can be mounted, a trigger raises the error of a full disk.
    await rawly(administrator, async (client) => {
      await client.query(`CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`);
      await client.query(
        'CREATE TRIGGER full BEFORE INSERT ON open_notebook.contents EXECUTE FUNCTION public.full()',
      );
    });
    makeRoom = () =>
      rawly(administrator, (client) => client.query('DROP TRIGGER full ON open_notebook.contents'));
  }
  try {
    one.goOnline();
    await one.index.putDocument(source.id, input(words, 'words.md'));
    const refused = await one.until('it is told', () => one.state.kind === 'refused' && one.state);
    assert.match(refused.reason, /^The disk of the team database is full\. Your changes stay pending/);
    assert.ok(refused.waiting > 0);
    assert.equal(one.index.store.counts().documents, 1);
    await makeRoom();
    const two = await Machine.join(ben, notebookId);
    two.goOnline();
    addNote(one, 'After');
    // Reconnects, because the automatic retry comes only after half a minute.
    await one.goOffline();
    one.goOnline();
    await assertSame([one, two], ['After'], 1);
    await one.goOffline();
    await two.goOffline();
  } finally {
    if (reason === undefined) {
      await rawly(administrator, async (client) => {
        await client.query('ALTER TABLE open_notebook.contents SET TABLESPACE pg_default');
        await client.query('DROP TABLESPACE small');
      });
      unmount(disk);
    }
  }
});

test('reports a full disk of a member’s machine, and resumes once there is room', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const { one, ben, notebookId, source } = await makeGarden();
  one.goOnline();
  const { id: teamId } = await teamHandlers.team({ connection: ben }, context);
  const to = join(disk, 'notebook');
  await teamHandlers.join({ teamId, notebookId, to }, context);
  const two = new Machine(to, await open(to), ben);
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 2 ** 18));
  const random = seededRandom(5);
  for (let number = 0; number < 4; number++) {
    const words = Array.from({ length: 20_000 }, () => Math.floor(random() * 2 ** 32).toString(36));
    await one.index.putDocument(source.id, input(words.join(' '), `${String(number)}.md`));
  }
  await one.settled();
  two.goOnline();
  const refused = await two.until('it is told', () => two.state.kind === 'refused' && two.state);
  assert.match(refused.reason, /^Can’t save the notebook because the disk is full\./);
  writeFileSync(ballast, '');
  await two.goOffline();
  two.goOnline();
  await assertSame([one, two], [], 4);
  await one.goOffline();
  await two.goOffline();
  await close(two.index);
});

test('rejects a certificate of an unknown issuer, and accepts the right one', async () => {
  const { ada, one, ben, notebookId } = await makeGarden(own.createDatabase());
  const [right, wrong] = [join(makeFolder(), 'right.pem'), join(makeFolder(), 'wrong.pem')];
  writeFileSync(right, certificate.cert);
  writeFileSync(wrong, makeOwnCertificate().cert);
  const sentence = /Can’t trust the certificate of 127\.0\.0\.1, .* Check sslmode and sslrootcert/;
  for (const options of [
    'sslmode=verify-full',
    `sslmode=verify-full&sslrootcert=${wrong}`,
    `sslmode=verify-ca&sslrootcert=${wrong}`,
    `sslmode=require&sslrootcert=${wrong}`,
  ])
    await assert.rejects(
      async () => teamHandlers.team({ connection: `${ada}?${options}` }, context),
      sentence,
    );
  for (const path of ['/nowhere.pem', '/dev/zero'])
    await assert.rejects(
      async () => teamHandlers.team({ connection: `${ada}?sslmode=require&sslrootcert=${path}` }, context),
      new RegExp(`Can’t read the certificate file ${path}\\. Check the connection string\\.$`),
    );
  // The host name differs from the certificate's, which only `verify-full` checks.
  const named = ada.replace('127.0.0.1', 'localhost');
  await assert.rejects(
    async () =>
      teamHandlers.team({ connection: `${named}?sslmode=verify-full&sslrootcert=${right}` }, context),
    /Can’t trust the certificate of localhost/,
  );
  await teamHandlers.team({ connection: `${named}?sslmode=verify-ca&sslrootcert=${right}` }, context);
  for (const mode of ['disable', 'allow', 'prefer', 'require'])
    await teamHandlers.team({ connection: `${ada}?sslmode=${mode}` }, context);

  // A member with a wrong certificate is notified, keeps local data, and resumes with the right one.
  const two = await Machine.join(ben, notebookId);
  two.goOnline();
  one.connection = `${ada}?sslmode=verify-full&sslrootcert=${wrong}`;
  addNote(one, 'Waiting');
  one.goOnline();
  const refused = await one.until('it is told', () => one.state.kind === 'refused' && one.state);
  assert.match(refused.reason, sentence);
  await one.goOffline();
  one.connection = `${ada}?sslmode=verify-full&sslrootcert=${right}`;
  one.goOnline();
  await assertSame([one, two], ['Waiting'], 0);
  await one.goOffline();
  await two.goOffline();
});

test('accepts the right client certificate, and explains what is wrong with others', async () => {
  const [own, other] = [makeOwnCertificate(), makeOwnCertificate()];
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const put = (name: string, words: string): string => {
    writeFileSync(join(folder, name), words);
    return join(folder, name);
  };
  const demanding = await startPostgres(
    {
      ssl_ca_file: put('ca.pem', own.cert),
      // Only the administrator needs no certificate.
      hba_file: put(
        'hba.conf',
        'hostnossl all administrator all scram-sha-256\nhostssl all all all scram-sha-256 clientcert=verify-ca\n',
      ),
    },
    certificate,
  );
  try {
    const administrator = await demanding.createDatabase();
    const { ada = '' } = await makeTeam(`${administrator}?sslmode=disable`, { ada: 'author' }, 'certified');
    const string = (cert?: string, key?: string): string => {
      const url = new URL(ada);
      url.searchParams.set('sslmode', 'require');
      if (cert !== undefined) url.searchParams.set('sslcert', cert);
      if (key !== undefined) url.searchParams.set('sslkey', key);
      return url.href;
    };
    const [cert, key] = [put('own.crt', own.cert), put('own.key', own.key)];
    const [otherCert, otherKey] = [put('other.crt', other.cert), put('other.key', other.key)];
    const locked = createPrivateKey(own.key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    const lockedKey = put('locked.key', String(locked));
    assert.equal((await teamHandlers.team({ connection: string(cert, key) }, context)).role, 'author');
    const untrusted =
      /^NotebookError: Can’t trust the certificate of 127\.0\.0\.1, or the server doesn’t trust your certificate\./;
    const unusable = /^NotebookError: Can’t use the certificate or key in the connection string\./;
    const wrong: [string, RegExp][] = [
      [string(), /^NotebookError: 127\.0\.0\.1 rejected the password or certificate of certifiedada\./],
      [string(otherCert, otherKey), untrusted],
      [string(cert, otherKey), unusable],
      [string(cert, lockedKey), unusable],
      [string(cert, put('no.key', 'no key')), unusable],
      [
        string(join(folder, 'none.crt'), key),
        /^NotebookError: Can’t read the certificate file .*none\.crt\./,
      ],
    ];
    for (const [connection, sentence] of wrong)
      await assert.rejects(async () => teamHandlers.team({ connection }, context), sentence);
  } finally {
    await demanding.stop();
  }
});

test('notifies a removed member at once, keeps local data, and resumes when they return', async () => {
  const { administrator, ben, notebookId, one } = await makeGarden();
  const two = await Machine.join(ben, notebookId);
  addNote(one, 'Before');
  one.goOnline();
  two.goOnline();
  await assertSame([one, two], ['Before'], 0);
  const name = decodeURIComponent(new URL(ben).username);
  await teamHandlers.removeMember({ connection: administrator, name }, context);
  addNote(two, 'Waiting');
  const refused = await two.until('it is told', () => two.state.kind === 'refused' && two.state);
  assert.match(
    refused.reason,
    /^You don’t have permission to do this in the team notebook\. Ask one of its managers\.$/,
  );
  assert.deepEqual(titles(two), ['Before', 'Waiting']);
  addNote(one, 'Unseen');
  await one.settled();
  // A reader receives other members' changes, and is notified that their own are rejected.
  await teamHandlers.addMember({ connection: administrator, name, role: 'reader' }, context);
  await two.goOffline();
  two.goOnline();
  await two.until('it is there', () => titles(two).includes('Unseen'));
  await two.until('it is told', () => two.state.kind === 'refused' && two.state.waiting === 1);
  await teamHandlers.addMember({ connection: administrator, name, role: 'author' }, context);
  await two.goOffline();
  two.goOnline();
  await assertSame([one, two], ['Before', 'Unseen', 'Waiting'], 0);
  await one.goOffline();
  await two.goOffline();
});

test('syncs machines whose clocks are a day off, or that are killed during a sync', async () => {
  const { one, ben, notebookId, source } = await makeGarden();
  for (let number = 0; number < DOCUMENTS; number++)
    await one.index.putDocument(
      source.id,
      input(`Bed ${String(number)} lies in the sun. `.repeat(200), `${String(number)}.md`),
    );
  addNote(one, 'First');
  one.goOnline();
  await one.settled();
  const two = await Machine.join(ben, notebookId);
  const notes = ['First'];
  for (const [number, ahead] of (isEverything ? [DAY, -DAY, 0, DAY, -DAY] : [DAY, -DAY]).entries()) {
    const note = `Note ${String(number)}`;
    notes.push(note);
    const running = runScript('team-work.ts', { connection: ben, directory: two.directory, ahead, note });
    for await (const state of running.messages) if ((state as { kind: string }).kind !== 'connecting') break;
    await sleep(number * 40);
    running.kill();
    await running.ended;
  }
  // The claim of a member whose clock was ahead doesn't block the others.
  two.goOnline();
  await assertSame([one, two], notes, DOCUMENTS);
  const latest = Math.max(...one.index.features.notes.list().map(({ changedAt }) => changedAt));
  assert.ok(latest <= Date.now(), 'no note is of tomorrow');
  await one.goOffline();
  await two.goOffline();
});
