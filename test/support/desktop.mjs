// The extension in desktop VS Code.
import { join } from 'node:path';
import { onPath } from './browser.mjs';
import { cache } from './paths.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Starts desktop VS Code on a folder that it trusts, and waits until its window is closed.
 * @param {readonly string[]} packed the extensions
 * @param {string} folder
 * @param {{ userData: string, extensions: string }} folders
 */
export async function startDesktop(packed, folder, { userData, extensions }) {
  const [command, ...first] = onPath('code') ? ['code'] : await downloadedCommand();
  const flags = [
    ...first,
    ...['--user-data-dir', userData, '--extensions-dir', extensions],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  for (const vsix of packed) {
    const installed = await runProgram(command, [...flags, '--install-extension', vsix, '--force']);
    if (installed.code !== 0)
      throw new Error(`VS Code refuses to install ${vsix}:\n${installed.output.trim()}`);
  }
  console.log(`Opening ${folder} in VS Code. Close its window to end.`);
  const opening = ['--new-window', '--wait', '--disable-workspace-trust', folder];
  const { code } = await runProgram(command, [...flags, ...opening], { show: true });
  process.exitCode = code;
}

/**
 * Downloads desktop VS Code unless it is installed.
 * @returns {Promise<string>} its executable
 */
export async function downloadDesktop() {
  const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
  try {
    return await downloadAndUnzipVSCode({
      cachePath: join(cache, 'desktop-vscode'),
      reporter: new SilentReporter(),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Desktop VS Code cannot be downloaded (${reason}): install it so that \`code\` is on PATH, or use the browser.`,
      { cause: error },
    );
  }
}

/** Throws if a desktop program can't show a window. */
export function requireDisplay() {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    throw new Error(
      'Desktop VS Code needs a display, and this machine has none: run it under xvfb-run, or use the browser.',
    );
}

/** @returns {Promise<[string, ...string[]]>} */
async function downloadedCommand() {
  const executable = await downloadDesktop();
  const { resolveCliPathFromVSCodeExecutablePath } = await import('@vscode/test-electron');
  return [resolveCliPathFromVSCodeExecutablePath(executable)];
}
