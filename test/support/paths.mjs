// Paths in the repository, independent of the current directory.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The git-ignored folder for everything that is downloaded, and for the data of `npm start`. */
export const cache = join(root, '.vscode-test');

/** The git-ignored folder for reports, screenshots and traces. */
export const results = join(root, 'test-results');

/** The packed extension. */
export const vsix = join(root, 'dist', 'open-notebook.vsix');
