import type { Handlers } from '../../messages/rpc.ts';
import { countNotebooks, duplicateNotebook } from './duplicate.ts';
import { exportedLines } from './exporting.ts';
import { exportedName, importLines } from './importing.ts';
import type { LibraryApi, LibraryProgress } from './library-api.ts';
import { writeMarkdownFolder } from './markdown-folder.ts';
import { writeNotebookFile } from './notebook-file.ts';
import { ofOneMoment, withNewNotebook, withNotebook } from './opened.ts';
import { copySources, removeSources } from './transfer.ts';
import { removeUnusedCopies } from './unused-copies.ts';

/** How often progress is told, in milliseconds. */
const TELLING_INTERVAL = 100;

/** What a worker does with whole notebooks. */
export const libraryHandlers: Handlers<LibraryApi> = {
  counts: ({ directories }) => countNotebooks(directories),
  async removeUnusedCopies(where) {
    await removeUnusedCopies(where);
    return null;
  },
  async duplicate({ from, to }) {
    await duplicateNotebook(from, to);
    return null;
  },
  copySources: ({ from, to, sourceIds, move, numbers }, { report }) =>
    withNotebook(from, (origin) =>
      withNewNotebook(to, (target) => {
        const done = copySources(origin, target, { sourceIds, numbers }, seldom(report));
        // They are there before they are gone here. What was there before may be older, and stays in both.
        if (move) removeSources(origin, done.copied);
        return done;
      }),
    ),
  async exportNotebook({ from, path, name, roots }, { report }) {
    await withNotebook(from, (sql) =>
      ofOneMoment(sql, () => writeNotebookFile(path, exportedLines(sql, { name, roots }, seldom(report)))),
    );
    return null;
  },
  exportedName: ({ path }) => exportedName(path),
  async importNotebook({ path, to, roots, passages }, { report }) {
    const told = seldom(report);
    await withNewNotebook(to, (sql) =>
      importLines(sql, { path, roots, passages }, (done) => {
        told({ done, total: 0 });
      }),
    );
    return null;
  },
  async exportMarkdown({ from, to }, { report }) {
    await withNotebook(from, (sql) => ofOneMoment(sql, () => writeMarkdownFolder(sql, to, seldom(report))));
    return null;
  },
};

function seldom(report: (progress: LibraryProgress) => void): (progress: LibraryProgress) => void {
  let toldAt = 0;
  return (progress) => {
    const now = performance.now();
    if (now - toldAt < TELLING_INTERVAL) return;
    toldAt = now;
    report(progress);
  };
}
