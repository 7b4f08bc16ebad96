import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { runNpm } from './run-program.mjs';

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean }> }} Lock */

/** Installs the packages that package-lock.json names, unless they are all there. */
export async function installDependencies() {
  if (areInstalled()) return;
  console.log('Installing dependencies…');
  await runNpm(['ci'], 'the dependencies');
}

/** npm writes the lock file of its installation as the last step, so an unfinished install has none or an old one. */
function areInstalled() {
  const wanted = readLock(join(root, 'package-lock.json'));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted.packages).every(
    ([path, { version, optional }]) =>
      path === '' || optional === true || installed.packages[path]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Lock | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
