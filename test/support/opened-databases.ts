// Databases of notebooks without an index. After each test they are closed and their folders deleted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { afterEachTest } from './after-each-test.mjs';

const folders = new Set<string>();
const opened: Statements[] = [];

afterEachTest(() => {
  for (const sql of opened.splice(0)) sql.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  folders.add(folder);
  return folder;
}

/** Opens the database of a folder like a window. Several can be open at once. */
export async function openStatements(
  folder = newFolder(),
): Promise<{ readonly sql: Statements; readonly readOnly: boolean }> {
  folders.add(folder);
  const { database, readOnly } = await openDatabase(folder);
  const sql = new Statements(database);
  opened.push(sql);
  return { sql, readOnly };
}
