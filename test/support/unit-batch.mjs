// Loads unit test files into one process, each as its own suite, because loading modules costs most of a small file's
// time.
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * @param {readonly string[]} files
 * @param {number} timeout of each file, in milliseconds
 */
export function loadBatch(files, timeout) {
  for (const file of files)
    describe(basename(file), { timeout }, async () => {
      try {
        await import(pathToFileURL(file).href);
      } catch (error) {
        // A suite that fails isn't counted as a test.
        test('loads', () => {
          throw error;
        });
      }
    });
}
