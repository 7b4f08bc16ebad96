// One VS Code server as a process group of its own, with all it writes in folders of its own.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runProgram } from './run-program.mjs';
import { node24, serverEntry } from './vscode-server.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {string} userData the folder of user data; created if missing, and not deleted at the end
 * @property {string} extensions the folder of installed extensions
 * @property {string} [builtIn] the folder of VS Code's own extensions; all of them by default
 * @property {number} [port] used if it is free, or else another one
 * @property {boolean} [workspaceTrust] whether folders must be trusted first, as VS Code does by default
 * @property {boolean} [automation] let a page start a test suite in the extension host
 * @property {Record<string, string>} [env] added to the environment of the server and of the extension host
 */

/**
 * @typedef {object} Server
 * @property {string} url `http://127.0.0.1:PORT`, without a slash at the end
 * @property {number} port
 * @property {number} pid the server's process id, which is its group's too
 * @property {string} userData
 * @property {string} logFile
 * @property {(path: string) => string} urlOf the address that opens a folder, or a workspace by its file
 * @property {Promise<void>} exited settles when the server has ended, for whatever reason
 * @property {() => Promise<boolean>} endWindows ends the extension hosts of windows that are closed; false if it can't, or has ended itself
 * @property {() => Promise<void>} stop ends the server and all its children
 * @property {() => Promise<void>} kill ends them as a power cut would
 */

/** Process groups to end when this process exits. @type {Set<number>} */
const groups = new Set();
process.once('exit', () => {
  for (const group of groups) signal(-group, 'SIGKILL');
});

/**
 * A temporary folder with a path short enough for Unix sockets (104 bytes on macOS).
 * @param {string} prefix
 */
export function makeTemporaryFolder(prefix) {
  const base = tmpdir().length > 32 && process.platform !== 'win32' ? '/tmp' : tmpdir();
  return mkdtempSync(join(base, prefix));
}

/**
 * Installs an extension into a folder of extensions.
 * @param {string} vsix
 * @param {Pick<ServerOptions, 'userData' | 'extensions'>} folders
 */
export async function installExtension(vsix, { userData, extensions }) {
  const run = makeTemporaryFolder('nb-');
  const args = [
    serverEntry,
    ...folderFlags({ userData, extensions }),
    '--install-extension',
    vsix,
    '--force',
  ];
  const { code, output } = await runProgram(node24, args, { env: serverEnvironment(run) });
  rmSync(run, { recursive: true, force: true });
  if (code !== 0) throw new Error(`VS Code refuses to install ${vsix}:\n${output.trim()}`);
}

/**
 * Starts a server and waits until it answers.
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  const { userData, extensions } = options;
  for (const folder of [userData, extensions]) mkdirSync(folder, { recursive: true });
  const run = makeTemporaryFolder('nb-');
  const port = await freePort(options.port ?? 0);
  const logFile = join(userData, 'server.log');
  const log = openSync(logFile, 'a');
  const args = [
    serverEntry,
    ...folderFlags(options),
    ...['--bind-addr', `127.0.0.1:${String(port)}`, '--auth', 'none', '--ignore-last-opened'],
    ...['--session-socket', join(run, 'session.sock')],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    // Local connections are faster without compression.
    ...['--vscode-option', 'disable-websocket-compression'],
    ...(options.builtIn === undefined
      ? []
      : ['--vscode-option', `builtin-extensions-dir=${options.builtIn}`]),
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    // Without it a built VS Code ignores a page's request to run tests.
    ...(options.automation ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
  const child = spawn(node24, args, {
    env: { ...process.env, ...serverEnvironment(run), ...options.env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`VS Code's server cannot be started with ${node24}.`);
  groups.add(pid);
  /** @type {Promise<void>} */
  const exited = new Promise((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  const stop = async (/** @type {NodeJS.Signals} */ how) => {
    signal(-pid, how);
    if (!(await ends(() => groupRuns(pid), 5000))) signal(-pid, 'SIGKILL');
    await exited;
    groups.delete(pid);
    rmSync(run, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${String(port)}`;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  if (!(await answers(url, () => !isRunning()))) {
    await stop('SIGKILL');
    throw new Error(`VS Code's server did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
  }
  // Loads the server's main part now, while a browser starts.
  void fetch(`${url}/?ew=true`).catch(() => undefined);
  return {
    url,
    port,
    pid,
    userData,
    logFile,
    urlOf: (path) => {
      const kind = path.endsWith('.code-workspace') ? 'workspace' : 'folder';
      return `${url}/?${kind}=${encodeURIComponent(path).replaceAll('%2F', '/')}`;
    },
    exited,
    endWindows: async () => {
      for (const host of extensionHosts(pid)) signal(host, 'SIGKILL');
      return (
        process.platform === 'linux' &&
        isRunning() &&
        (await ends(() => extensionHosts(pid).length > 0, 5000))
      );
    },
    stop: () => stop('SIGTERM'),
    kill: () => stop('SIGKILL'),
  };
}

/** @param {Pick<ServerOptions, 'userData' | 'extensions'>} folders */
function folderFlags({ userData, extensions }) {
  return ['--user-data-dir', userData, '--extensions-dir', extensions];
}

/**
 * Puts sockets and temporary files into `run`, without a gallery or the user's own code-server configuration.
 * @param {string} run
 * @returns {Record<string, string | undefined>}
 */
function serverEnvironment(run) {
  const inherited = Object.keys(process.env).filter((name) =>
    /^(VSCODE_|ELECTRON_RUN|NODE_OPTIONS$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited.map((name) => [name, undefined])),
    EXTENSIONS_GALLERY: '{}',
    CODE_SERVER_CONFIG: '/dev/null',
    TMPDIR: run,
    XDG_RUNTIME_DIR: run,
    XDG_DATA_HOME: join(run, 'data'),
    XDG_CONFIG_HOME: join(run, 'config'),
  };
}

/**
 * @param {string} url
 * @param {() => boolean} isGone
 */
async function answers(url, isGone) {
  for (const end = Date.now() + 60_000; Date.now() < end && !isGone(); await delay(50)) {
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    if (response?.ok) return true;
  }
  return false;
}

/**
 * @param {number} wanted 0 for any
 * @param {number} [tries] attempts to use the wanted one, which another program's request may occupy for a moment
 * @returns {Promise<number>}
 */
function freePort(wanted, tries = 20) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      if (wanted === 0) reject(error);
      else if (tries > 1) resolve(delay(200).then(() => freePort(wanted, tries - 1)));
      else resolve(freePort(0));
    });
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(address !== null && typeof address === 'object' ? address.port : wanted);
      });
    });
  });
}

/**
 * @param {number} pid a process, or a group of them by its negative number
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/**
 * @param {() => boolean} runs
 * @param {number} limit milliseconds
 */
async function ends(runs, limit) {
  for (const end = Date.now() + limit; Date.now() < end; await delay(50)) if (!runs()) return true;
  return false;
}

/** @param {number} group */
function groupRuns(group) {
  if (process.platform === 'linux')
    return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isRunningMember(name, group));
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/**
 * Ignores processes that have ended but still have an entry because nobody waited for them.
 * @param {string} pid
 * @param {number} group
 */
function isRunningMember(pid, group) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && state !== 'Z';
  } catch {
    return false;
  }
}

/**
 * The extension hosts of a server, where processes can be listed.
 * @param {number} group
 */
function extensionHosts(group) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunningMember(name, group) && isExtensionHost(name))
    .map(Number);
}

/** @param {string} pid */
function isExtensionHost(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=extensionHost');
  } catch {
    return false;
  }
}
