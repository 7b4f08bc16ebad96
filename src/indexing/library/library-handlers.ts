import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { CallContext, Handlers } from '../../messages/rpc.ts';
import { throwIfCancelled } from '../../notebook/errors.ts';
import { countNotebooks, duplicateNotebook } from './duplicate.ts';
import { exportedLines } from './exporting.ts';
import { exportedMatrices } from './portable-matrices.ts';
import { exportedResearches } from './portable-research.ts';
import { exportedName, exportedPlaces, importLines } from './importing.ts';
import type { LibraryApi, LibraryProgress } from './library-api.ts';
import { mergeNotebook, unmergeNotebook } from './merging.ts';
import { writeMarkdownFolder } from './markdown-folder.ts';
import { writeNotebookFile } from './notebook-file.ts';
import { ofOneMoment, withNewNotebook, withNotebook } from './opened.ts';
import { copySources, removeSources } from './transfer.ts';
import { removeUnusedCopies } from './unused-copies.ts';

/** How often progress is told, in milliseconds. */
const TELLING_INTERVAL = 100;

/** How long work goes on before it lets messages in, in milliseconds. */
const PAUSING_INTERVAL = 50;

/** What a worker does with whole notebooks. */
export const libraryHandlers: Handlers<LibraryApi> = {
  counts: ({ directories }) => countNotebooks(directories),
  removeUnusedCopies: (where) => removeUnusedCopies(where),
  duplicate: ({ from, to }) => duplicateNotebook(from, to),
  copySources: ({ from, to, sourceIds, move, numbers }, { report }) =>
    withNotebook(from, (origin) =>
      withNewNotebook(to, (target) => {
        const done = copySources(origin, target, { sourceIds, numbers }, seldom(report));
        // They are there before they are gone here. What was there before may be older, and stays in both.
        if (move) removeSources(origin, done.copied);
        return done;
      }),
    ),
  exportNotebook: ({ from, path, name, roots }, { report, signal }) =>
    withNotebook(from, (sql) =>
      ofOneMoment(sql, async () => {
        const researches = exportedResearches(sql, roots);
        const matrices = exportedMatrices(sql, roots);
        const parts = { name, roots, researches: researches.exported, matrices: matrices.exported };
        await writeNotebookFile(path, exportedLines(sql, parts, seldom(report)), pausing(signal));
        return { leftOut: { researches: researches.leftOut, matrices: matrices.leftOut } };
      }),
    ),
  exportedName: ({ path }) => exportedName(path),
  exportedPlaces: ({ path }, context) => exportedPlaces(path, tellAndPause(context)),
  importNotebook: ({ to, ...how }, context) =>
    withNewNotebook(to, (sql) => importLines(sql, how, tellAndPause(context))),
  // The other notebook is written to for as long as it takes to copy what was read, and no longer.
  mergeNotebook: ({ by, to, ...how }, context) =>
    withNewNotebook(by, async (read) => {
      await importLines(read, how, tellAndPause(context));
      return withNotebook(to, (sql) => mergeNotebook(read, sql, seldom(context.report)));
    }),
  unmergeNotebook: ({ from, added }) => withNotebook(from, (sql) => unmergeNotebook(sql, added)),
  exportMarkdown: ({ from, to }, { report, signal }) =>
    withNotebook(from, (sql) =>
      ofOneMoment(sql, () => writeMarkdownFolder(sql, to, seldom(report), pausing(signal))),
    ),
};

/** What tells after each line how many there were, and ends what was cancelled. */
function tellAndPause({ report, signal }: CallContext<LibraryProgress>): (done: number) => Promise<void> {
  const told = seldom(report);
  const pause = pausing(signal);
  return async (done) => {
    told({ done, total: 0 });
    await pause();
  };
}

function seldom(report: (progress: LibraryProgress) => void): (progress: LibraryProgress) => void {
  let toldAt = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - toldAt < TELLING_INTERVAL) return;
    toldAt = now;
    report(progress);
  };
}

/**
 * Called again and again in the midst of long work: lets messages in now and then, and ends the work where one of them
 * cancelled it. That is better than ending its thread, which ends the whole process where it packs or unpacks just then.
 */
function pausing(signal: AbortSignal): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last >= PAUSING_INTERVAL) {
      await yieldToMessages();
      last = performance.now();
    }
    throwIfCancelled(signal);
  };
}
