// Packs the extension that shows the views of `npm start` next to the folder: see starter/extension.cjs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from './paths.mjs';
import { pack } from './vsix.mjs';

/** @returns {Promise<string>} the starter's package */
export async function packStarter() {
  const packed = join(cache, 'starter.vsix');
  mkdirSync(cache, { recursive: true });
  await pack(join(root, 'test', 'support', 'starter'), packed, [
    '--allow-missing-repository',
    '--skip-license',
  ]);
  return packed;
}

/**
 * Makes the next window show the notebook's view.
 * @param {string} userData
 * @param {boolean} firstSteps whether it opens First Steps, too
 */
export function wishFor(userData, firstSteps) {
  const folder = join(userData, 'User', 'globalStorage', 'open-notebook-test.starter');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'wish.json'), JSON.stringify({ firstSteps }) + '\n');
}
