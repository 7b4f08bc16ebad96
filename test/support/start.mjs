// npm start [-- FOLDER] [-- --desktop]: VS Code with the extension, on FOLDER.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installDependencies } from './dependencies.mjs';
import { requireDisplay, startDesktop } from './desktop.mjs';
import { onEnd } from './on-end.mjs';
import { cache, root } from './paths.mjs';
import { installExtension, startServer } from './server.mjs';
import { firstSettings } from './settings.mjs';
import { packStarter, wishFor } from './starter.mjs';
import { packExtension } from './vsix.mjs';
import { installServer } from './vscode-server.mjs';

/** The port stays the same, so that the browser finds its stored data for this address. */
const usualPort = 8765;

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function start() {
  const { folder, data, port, desktop } = readArguments();
  await installDependencies();
  const home = data ?? join(cache, desktop ? 'desktop' : 'user');
  const folders = { userData: join(home, 'data'), extensions: join(home, 'extensions') };
  if (desktop) {
    requireDisplay();
    const packed = [await packExtension(), await packStarter()];
    wishFor(folders.userData, writeFirstSettings(folders.userData));
    await startDesktop(packed, folder, folders);
    return;
  }
  await installServer();
  const packed = [await packExtension(), await packStarter()];
  for (const vsix of packed) await installExtension(vsix, folders);
  wishFor(folders.userData, writeFirstSettings(folders.userData));
  let stopping = false;
  /** @type {{ server?: import('./server.mjs').Server }} */
  const started = {};
  onEnd(() => {
    if (!started.server) process.exit(1);
    stopping = true;
    void started.server.stop();
  });
  // Users trust the folder that they start it on. The browser stores the list of trusted folders out of our reach, so
  // this server, which is only for the folder, doesn't ask.
  const server = (started.server = await startServer({ ...folders, port, workspaceTrust: false }));
  console.log(`Open ${server.urlOf(folder)}`);
  console.log('Ctrl-C ends it.');
  await server.exited;
  if (!stopping) throw new Error(`VS Code's server has ended by itself; ${server.logFile} says why.`);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    allowPositionals: true,
    options: { desktop: { type: 'boolean' }, data: { type: 'string' }, port: { type: 'string' } },
  });
  const folder = resolve(process.env['INIT_CWD'] ?? process.cwd(), positionals[0] ?? root);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`There is no folder ${folder}: name one that exists.`);
  return {
    folder,
    data: values.data === undefined ? undefined : resolve(values.data),
    port: Number(values.port ?? usualPort),
    desktop: values.desktop === true,
  };
}

/**
 * @param {string} userData folder of the user's own settings, which are never overwritten
 * @returns {boolean} `true` if there were none, so this is the first start
 */
function writeFirstSettings(userData) {
  const file = join(userData, 'User', 'settings.json');
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(firstSettings, null, 2) + '\n');
  return true;
}
