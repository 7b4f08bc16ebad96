// Works on whole notebooks in a separate process that a test kills midway. Reports progress as lines.
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { LibraryApi } from '../../src/index/library/library-api.ts';
import type { Params } from '../../src/core/rpc/rpc.ts';

type Method =
  | 'copySources'
  | 'exportMarkdown'
  | 'exportNotebook'
  | 'importNotebook'
  | 'mergeNotebook'
  | 'removeUnusedCopies';

/** Task of the process. */
export type Work = {
  readonly [M in Method]: { readonly method: M; readonly params: Params<LibraryApi[M]> };
}[Method];

const work = JSON.parse(process.argv[2] ?? '') as Work;
const writeMessage = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);
const context = { signal: new AbortController().signal, report: writeMessage };

process.stdin.on('end', () => process.exit());
process.stdin.resume();
writeMessage({ begun: true });
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
  case 'mergeNotebook':
    await libraryHandlers.mergeNotebook(work.params, context);
    break;
  case 'removeUnusedCopies':
    await libraryHandlers.removeUnusedCopies(work.params, context);
    break;
}
process.exit();
