// npm run package: the extension as one file.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { root } from './paths.mjs';
import { packExtension } from './vsix.mjs';

try {
  await installDependencies();
  const vsix = await packExtension();
  console.log(`${relative(root, vsix)}, ${(statSync(vsix).size / 1e6).toFixed(2)} MB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
