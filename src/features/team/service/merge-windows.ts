import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { notATeams } from './checked-rows.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import { eachPosting, eachTerm, MAX_BATCH_PASSAGES, packLists, type Block } from './postings.ts';

/**
 * Number of windows of similar size that are merged at once. A passage is rewritten up to five times until its window
 * is full.
 */
const TOGETHER = 8;

/** Ratio of dead entries above which a window is rewritten. */
const MAX_DEAD_RATIO = 0.3;

/** Maximum number of merges per run. The rest follows after the next change. */
const MAX_MERGES = 16;

/** Passages that were indexed or merged together. */
export interface Window {
  readonly base: number;
  readonly passages: number;
  /** Number of passages that changed or were deleted since. */
  readonly dead: number;
}

interface WindowRow extends Window {
  /** Total number of terms in all passages. */
  readonly length: string;
}

/**
 * Merges small windows of postings into larger ones, without entries that changed or were deleted. Each merge is one
 * transaction, which has no effect if another client merged one of its windows meanwhile.
 * @throws NotebookError if the database returns invalid data
 */
export async function mergeWindows(connection: NotebookConnection, signal: AbortSignal): Promise<void> {
  const { client, notebookId } = connection;
  for (let merges = 0; merges < MAX_MERGES; merges++) {
    throwIfCanceled(signal);
    const { rows } = await client.query<WindowRow>(
      'SELECT base, passages, dead, length FROM open_notebook.read_windows($1)',
      [notebookId],
    );
    if (rows.some(({ passages }) => passages > MAX_BATCH_PASSAGES)) throw notATeams();
    const due = windowsToMerge(rows);
    if (due.length === 0) return;
    await mergeInto(connection, due);
  }
}

/** Returns the windows to merge next, by their base; empty if no merge is needed. */
export function windowsToMerge<One extends Window>(windows: readonly One[]): readonly One[] {
  const living = ({ passages, dead }: One): number => Math.max(0, passages - dead);
  const bySize = windows.toSorted((a, b) => living(a) - living(b));
  const fitting = (some: readonly One[]): readonly One[] => {
    let sum = 0;
    return some.filter((window) => (sum += living(window)) <= MAX_BATCH_PASSAGES);
  };
  const inOrder = (some: readonly One[]): readonly One[] => some.toSorted((a, b) => a.base - b.base);
  const deadly = bySize.filter(({ passages, dead }) => dead > MAX_DEAD_RATIO * passages);
  if (deadly.length > 0) return inOrder(fitting(deadly));
  for (let least = 1; least < MAX_BATCH_PASSAGES; least *= TOGETHER) {
    const alike = bySize.filter((window) => living(window) >= least && living(window) < TOGETHER * least);
    const together = fitting(alike);
    if (alike.length >= TOGETHER && together.length > 1) return inOrder(together);
  }
  return [];
}

/** Does nothing if another client merged them first. */
async function mergeInto(connection: NotebookConnection, windows: readonly WindowRow[]): Promise<void> {
  const { client, notebookId } = connection;
  const bases = windows.map(({ base }) => base);
  const { rows: living } = await client.query<{ base: number; first: number; count: number }>(
    'SELECT base, first, count FROM open_notebook.read_living_passages($1, $2, $3)',
    [notebookId, bases, windows.map(({ passages }) => passages)],
  );
  // New position of each passage by window, -1 if it is dead.
  const moved = new Map(windows.map(({ base, passages }) => [base, new Int32Array(passages).fill(-1)]));
  const places: number[] = [];
  let count = 0;
  for (const oldWindow of living) {
    places.push(count);
    const window = moved.get(oldWindow.base);
    for (let passage = 0; passage < oldWindow.count; passage++)
      if (window !== undefined) window[oldWindow.first - oldWindow.base + passage] = count++;
  }
  const { rows } = await client.query<{ base: number; term: string; holding: number; postings: Buffer }>(
    'SELECT base, term, holding, postings FROM open_notebook.read_postings($1, $2)',
    [notebookId, bases],
  );
  const lists = new Map<string, { term: string; places: number[]; impacts: number[] }>();
  for (const { base, term, holding, postings } of rows) {
    const window = moved.get(base);
    const take = (name: string, bytes: Uint8Array): undefined => {
      let list = lists.get(name);
      if (list === undefined) lists.set(name, (list = { term: name, places: [], impacts: [] }));
      const { places: to, impacts } = list;
      eachPosting(bytes, (place, impact) => {
        const at = window?.[place] ?? -1;
        if (at <= (to.at(-1) ?? -1)) return;
        to.push(at);
        impacts.push(impact);
      });
    };
    if (holding > 0) take(term, postings);
    else eachTerm(postings, take);
  }
  const { blocks, words } = packLists([...lists.values()]);
  const sum = (of: (window: WindowRow) => number): number =>
    windows.reduce((total, row) => total + of(row), 0);
  const average =
    sum(({ length }) => Number(length)) /
    Math.max(
      1,
      sum(({ passages }) => passages),
    );
  await client.query(
    'SELECT open_notebook.merge_windows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    [
      notebookId,
      bases,
      living.map(({ first }) => first),
      places,
      count,
      Math.round(average * count),
      words,
      ...blockColumns(blocks),
    ],
  );
}

/** Returns blocks as columns for the functions of the database. */
export function blockColumns(blocks: readonly Block[]): unknown[][] {
  return [
    blocks.map(({ term }) => term),
    blocks.map(({ place }) => place),
    blocks.map(({ holding }) => holding),
    blocks.map(({ maxScore }) => maxScore),
    blocks.map(({ bytes }) => bytes),
  ];
}
