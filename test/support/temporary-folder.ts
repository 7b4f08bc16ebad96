import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';

/**
 * Creates a folder with a name prefix. It is deleted after the test of the context, or else after all tests of the
 * file.
 */
export function temporaryFolder(name: string, context?: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  if (context === undefined) after(remove);
  else context.after(remove);
  return folder;
}
