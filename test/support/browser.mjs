import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runProgram } from './run-program.mjs';

/** Browser names by preference: without a user interface, Chromium needs a third less processor time for a page. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const macApps = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const windowsApps = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Features of Chromium that are off. If the argument appears twice, only the last one counts, so all but the first are
 * those that Playwright turns off.
 */
const withoutFeatures = [
  // With this feature, compiled modules of a page are stored but never used, so every window would parse VS Code's.
  'BackgroundResourceFetch',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Arguments that keep the browser from connecting anywhere itself, and off the graphics card and /dev/shm. */
export const browserArguments = [
  `--disable-features=${withoutFeatures.join(',')}`,
  // A file can use an eighth of the cache at most, and VS Code's compiled code has 13 MB.
  '--disk-cache-size=500000000',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
];

/**
 * Package managers and their commands that install a browser, in the order in which they are tried.
 * @type {[manager: string, steps: string[][]][]}
 */
const installers = [
  [
    'apt-get',
    [
      ['apt-get', 'update', '-q'],
      [
        'apt-get',
        'install',
        '-yq',
        '--no-install-recommends',
        'chromium-headless-shell',
        'fonts-dejavu-core',
      ],
    ],
  ],
  // Not every distribution with apt has the shell as a separate package.
  ['apt-get', [['apt-get', 'install', '-yq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']]],
  ['dnf', [['dnf', 'install', '-y', 'chromium', 'dejavu-sans-fonts']]],
  ['apk', [['apk', 'add', 'chromium', 'font-dejavu']]],
  ['brew', [['brew', 'install', '--cask', 'google-chrome']]],
];

/**
 * The executable of Chromium, Chrome or Edge: the environment variable CHROMIUM, or the first that is found.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const chosen = process.env['CHROMIUM'];
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Error(
      `The environment variable CHROMIUM names ${chosen}, which is no program: correct or unset it.`,
    );
  }
  return candidates().find(isExecutable);
}

/** Returns the browser's executable, after installing one if it is missing and this user can do so. */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  for (const [manager, steps] of installers) {
    if (!onPath(manager)) continue;
    console.log(`Installing a browser with ${manager}…`);
    await installWith(manager, steps);
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    'No browser was found: install Chromium, Chrome or Edge, or set the environment variable CHROMIUM to its executable.',
  );
}

/**
 * @param {string} manager
 * @param {string[][]} steps
 */
async function installWith(manager, steps) {
  const needsRoot = manager !== 'brew' && process.getuid?.() !== 0;
  if (needsRoot && (await runProgram('sudo', ['-n', 'true'])).code !== 0) return;
  for (const step of steps) {
    const [command = '', ...args] = needsRoot ? ['sudo', '-n', ...step] : step;
    const { code, output } = await runProgram(command, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
    if (code !== 0) console.log(output.trim().split('\n').slice(-3).join('\n'));
  }
}

/** @returns {string[]} */
function candidates() {
  if (process.platform === 'darwin')
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
      macApps.map((app) => join(folder, app)),
    );
  if (process.platform === 'win32')
    return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
      const folder = process.env[name];
      return folder ? windowsApps.map((app) => join(folder, app)) : [];
    });
  return names.flatMap((name) => onPath(name) ?? []);
}

/**
 * The full path of a program on PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function onPath(name) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
