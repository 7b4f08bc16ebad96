import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { watchProcessorTime } from './processor-time.mjs';

/**
 * @typedef {object} ProgramOptions
 * @property {string} [cwd] the repository's root by default
 * @property {Record<string, string | undefined>} [env] added to this process's own
 * @property {boolean} [show] print what the program prints instead of collecting it
 */

/** The programs that run now. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends the programs that run now. */
export function endPrograms() {
  for (const child of running) child.kill();
}

/**
 * Runs a program to its end. A program that can't be started has the code 127. `seconds` is the processor time that it
 * and its children had.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ProgramOptions} [options]
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
export function runProgram(command, args, { cwd = root, env = {}, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      shell: process.platform === 'win32' && /\.(cmd|bat)$/i.test(command),
    });
    running.add(child);
    const time = watchProcessorTime(child.pid ?? -1);
    let output = '';
    const collect = (/** @type {unknown} */ chunk) => {
      output += String(chunk);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => {
      running.delete(child);
      resolve({ code: 127, output: error.message, seconds: time.stop() });
    });
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output, seconds: time.stop() });
    });
  });
}

/**
 * Runs npm with the user's configuration, and throws one clear sentence if it fails.
 * @param {readonly string[]} args
 * @param {string} what what is being installed, as the sentence names it
 * @param {string} [cwd]
 */
export async function runNpm(args, what, cwd = root) {
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const cli = process.env['npm_execpath'];
  const { code, output } = cli?.endsWith('npm-cli.js')
    ? await runProgram(process.execPath, [cli, ...args, ...flags], { cwd })
    : await runProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm', [...args, ...flags], { cwd });
  if (code === 0) return;
  if (
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/.test(output)
  )
    throw new Error(
      `npm cannot reach the package registry to install ${what}: check the network connection and npm's registry setting, then run the command again.`,
    );
  throw new Error(`npm could not install ${what}:\n${output.trim().split('\n').slice(-15).join('\n')}`);
}
