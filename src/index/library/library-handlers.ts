import { pausing } from '../../core/rpc/pausing.ts';
import { portableFeatures } from '../../features/store.ts';
import type { CallContext, Handlers, Report } from '../../core/rpc/rpc.ts';
import { Throttle } from '../../core/rpc/throttle.ts';
import { countNotebooks, duplicateNotebook } from './duplicate.ts';
import { exportedLines } from './exporting.ts';
import { exportedName, exportedPlaces, importLines } from './importing.ts';
import type { LibraryApi, LibraryProgress } from './library-api.ts';
import type { ExportedEntities } from './portable-feature.ts';
import { mergeNotebook, unmergeNotebook } from './merging.ts';
import { writeMarkdownFolder } from './markdown-folder.ts';
import { writeNotebookFile } from './notebook-file.ts';
import { inSnapshot, withNewNotebook, withNotebook } from './with-notebook-db.ts';
import { copySources, removeSources } from './transfer.ts';
import { removeUnusedCopies } from './unused-copies.ts';

/** Interval between progress reports, in milliseconds. */
const REPORT_INTERVAL_MS = 100;

/** Handlers of a worker for whole notebooks. */
export const libraryHandlers: Handlers<LibraryApi> = {
  counts: ({ directories }) => countNotebooks(directories),
  removeUnusedCopies: (where) => removeUnusedCopies(where),
  duplicate: ({ from, to }) => duplicateNotebook(from, to),
  copySources: ({ from, to, sourceIds, move, numbers }, { report }) =>
    withNotebook(from, (origin) =>
      withNewNotebook(to, (target) => {
        const done = copySources(origin, target, { sourceIds, numbers }, seldom(report));
        // Remove the originals only after the copies exist. Sources that the target already had may be older, so both
        // stay.
        if (move) removeSources(origin, done.copied);
        return done;
      }),
    ),
  exportNotebook: ({ from, path, name, roots }, { report, signal }) =>
    withNotebook(from, (sql) =>
      inSnapshot(sql, async () => {
        const entities = portableFeatures.flatMap(({ field, head }) =>
          head === undefined ? [] : [[field, head.exported(sql, roots)] as const],
        );
        const parts = { name, roots, entities: fieldsOf(entities, ({ exported }) => exported) };
        await writeNotebookFile(path, exportedLines(sql, parts, seldom(report)), pausing(signal));
        return { leftOut: fieldsOf(entities, ({ leftOut }) => leftOut) };
      }),
    ),
  exportedName: ({ path }) => exportedName(path),
  exportedPlaces: ({ path }, context) => exportedPlaces(path, reportAndPause(context)),
  importNotebook: ({ to, ...how }, context) =>
    withNewNotebook(to, (sql) => importLines(sql, how, reportAndPause(context))),
  // The other notebook is only locked while the imported data is copied.
  mergeNotebook: ({ by, to, ...how }, context) =>
    withNewNotebook(by, async (read) => {
      await importLines(read, how, reportAndPause(context));
      return withNotebook(to, (sql) => mergeNotebook(read, sql, seldom(context.report)));
    }),
  unmergeNotebook: ({ from, added }) => withNotebook(from, (sql) => unmergeNotebook(sql, added)),
  exportMarkdown: ({ from, to, verdictMarks }, { report, signal }) =>
    withNotebook(from, (sql) =>
      inSnapshot(sql, () => writeMarkdownFolder(sql, to, verdictMarks, seldom(report), pausing(signal))),
    ),
};

/** Returns one value of each feature's entities, by the feature's field. */
function fieldsOf<T>(
  entities: readonly (readonly [field: string, ExportedEntities])[],
  read: (entities: ExportedEntities) => T,
): Record<string, T> {
  return Object.fromEntries(entities.map(([field, exported]) => [field, read(exported)]));
}

/** Returns a callback that reports the number of lines and throws once the work is canceled. */
function reportAndPause({ report, signal }: CallContext<LibraryProgress>): (done: number) => Promise<void> {
  const throttledReport = seldom(report);
  const pause = pausing(signal);
  return async (done) => {
    throttledReport({ done, total: 0 });
    await pause();
  };
}

/** Limits progress reports to one per interval, with the latest progress. */
function seldom(report: Report<LibraryProgress>): Report<LibraryProgress> {
  let last: LibraryProgress = { done: 0, total: 0 };
  const throttle = new Throttle(() => report(last), REPORT_INTERVAL_MS);
  return (progress) => {
    last = progress;
    throttle.ask();
  };
}
