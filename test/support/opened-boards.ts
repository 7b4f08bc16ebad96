// Boards of research projects in their own databases.
import { openResearches, type Researches } from '../../src/features/research/store/board.ts';
import type { Statements } from '../../src/index/store/database/statements.ts';
import { newFolder, openStatements } from './opened-databases.ts';

interface OpenedBoard extends Researches {
  readonly sql: Statements;
  readonly folder: string;
}

/** Opens the board of a folder like a window. Several can be open at once. */
export async function openBoard({
  folder = newFolder(),
  now = Date.now,
}: { readonly folder?: string; readonly now?: () => number } = {}): Promise<OpenedBoard> {
  const { sql, readOnly } = await openStatements(folder);
  return { ...openResearches(sql, { now, readOnly }), sql, folder };
}
