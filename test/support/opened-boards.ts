// Boards of research projects in their own databases. After each test they are closed and their folders deleted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { openResearches, type Researches } from '../../src/features/research/store/board.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { afterEachTest } from './after-each-test.mjs';

const folders: string[] = [];
const opened: Statements[] = [];

afterEachTest(() => {
  for (const sql of opened.splice(0)) sql.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface OpenedBoard extends Researches {
  readonly sql: Statements;
  readonly folder: string;
}

/** Opens the board of a folder like a window. Several can be open at once. */
export async function openBoard({
  folder = mkdtempSync(join(tmpdir(), 'board-')),
  now = Date.now,
}: { readonly folder?: string; readonly now?: () => number } = {}): Promise<OpenedBoard> {
  folders.push(folder);
  const { database, readOnly } = await openDatabase(folder);
  const sql = new Statements(database);
  opened.push(sql);
  return { ...openResearches(sql, { now, readOnly }), sql, folder };
}
