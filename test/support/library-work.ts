// Work on whole notebooks in a thread of its own, which a test ends in the middle.
import { parentPort, workerData } from 'node:worker_threads';
import { libraryHandlers } from '../../src/indexing/library/library-handlers.ts';
import type { LibraryApi } from '../../src/indexing/library/library-api.ts';

/** What the thread is to do. */
export type Work = {
  readonly [M in 'copySources' | 'exportMarkdown' | 'exportNotebook' | 'importNotebook']: {
    readonly method: M;
    readonly params: LibraryApi[M]['params'];
  };
}['copySources' | 'exportMarkdown' | 'exportNotebook' | 'importNotebook'];

const work = workerData as Work;
const context = {
  signal: new AbortController().signal,
  report: (progress: unknown) => parentPort?.postMessage(progress),
};

switch (work.method) {
  case 'copySources':
    await libraryHandlers.copySources(work.params, context);
    break;
  case 'exportMarkdown':
    await libraryHandlers.exportMarkdown(work.params, context);
    break;
  case 'exportNotebook':
    await libraryHandlers.exportNotebook(work.params, context);
    break;
  case 'importNotebook':
    await libraryHandlers.importNotebook(work.params, context);
    break;
}
