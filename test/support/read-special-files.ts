// Reads special files with a reader, in a process that a test ends if it hangs. Arguments: the paths, all read at
// once, and last a regular file to read next to them. Prints the results as JSON.
import 'vscode-jsonrpc/node';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../src/core/rpc/processes.ts';
import type { ReaderApi } from '../../src/parsers/api.ts';

const reader = startProcess<Record<string, never>, ReaderApi>(
  fileURLToPath(new URL('../../src/parsers/reader-worker.ts', import.meta.url)),
  {},
  { megabytes: 1_000, onExit: () => undefined },
);
const read = (path: string): Promise<string> =>
  reader.client
    .call('read', {
      content: { kind: 'path', path },
      name: basename(path),
      minimumLength: 1,
    })
    .then(
      (result) => (result.kind === 'read' ? result.document.text : result.kind),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
const [last = '', ...others] = process.argv.slice(2).reverse();
const readings = Promise.all(others.toReversed().map(read));
const text = await read(last);
process.stdout.write(JSON.stringify([...(await readings), text]));
await reader.terminate();
process.exit();
