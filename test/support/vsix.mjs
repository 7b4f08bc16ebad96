import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, vsix } from './paths.mjs';
import { runProgram } from './run-program.mjs';

/** Folders that are part of the extension or of its build. The root's files belong to them, too. */
const inputs = ['src', 'webview', 'media', 'l10n'];

/**
 * Builds and packs the extension, unless the last package is newer than all its inputs. In one run, all tests use the
 * same package, which the environment variable OPEN_NOTEBOOK_VSIX names.
 * @returns {Promise<string>} the package's path
 */
export async function packExtension() {
  const vsixPath = process.env['OPEN_NOTEBOOK_VSIX'];
  if (vsixPath) return vsixPath;
  if (isFresh()) return vsix;
  console.log('Building and packing the extension…');
  mkdirSync(dirname(vsix), { recursive: true });
  // vsce looks for the strings of package.json before the build copies them, and those of the last build may be
  // outdated.
  const words = join(root, 'media', 'l10n');
  for (const name of readdirSync(words))
    if (name.startsWith('package.nls')) copyFileSync(join(words, name), join(root, name));
  await pack(root, vsix);
  return vsix;
}

/**
 * Packs an extension. vsce first runs its script vscode:prepublish, if any. Fails if vsce warns.
 * @param {string} folder
 * @param {string} file
 * @param {string[]} [flags]
 */
export async function pack(folder, file, flags = []) {
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--out', file, ...flags];
  const { code, output } = await runProgram(process.execPath, [vsce, ...args], { cwd: folder });
  // The Marketplace shows the warnings of vsce.
  if (code !== 0 || /^\s*WARNING/m.test(output))
    throw new Error(`The extension cannot be built and packed:\n${output.trim()}`);
}

function isFresh() {
  if (!existsSync(vsix)) return false;
  const rootFiles = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(root, entry.name));
  const folders = inputs.map((name) => join(root, name)).filter((folder) => existsSync(folder));
  const all = [...rootFiles, ...folders, ...folders.flatMap(contents)];
  const packed = statSync(vsix).mtimeMs;
  return all.every((path) => statSync(path).mtimeMs < packed);
}

/**
 * Everything below a folder, folders too, since a removal changes only the folder's time.
 * @param {string} folder
 */
function contents(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
}
