// A reader worker that hangs on what is named "stuck" and answers everything else.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ id, params }) => {
  while (JSON.stringify(params).includes('"stuck"'));
  parentPort?.postMessage({ jsonrpc: '2.0', id, result: { result: { kind: 'unchanged' } } });
});
