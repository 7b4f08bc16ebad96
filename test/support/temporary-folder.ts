import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';

/** A new folder whose name begins with some words; it is removed after the test of the context, or else after all tests of the file. */
export function temporaryFolder(name: string, context?: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  if (context === undefined) after(remove);
  else context.after(remove);
  return folder;
}
