// A reader that records in a folder which file it begins, and finishes it once the folder contains a file of that
// name.
import { appendFileSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

process.on('message', async ({ id, method, params }) => {
  if (method !== 'read') return;
  const { name, content } = params.params;
  const folder = content.kind === 'path' ? dirname(content.path) : dirname(name);
  appendFileSync(join(folder, 'begun'), `${basename(name)}\n`);
  while (!existsSync(join(folder, `${basename(name)}.done`)))
    await new Promise((resolve) => setTimeout(resolve, 10));
  process.send?.({ jsonrpc: '2.0', id, result: { result: { kind: 'unchanged' } } });
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
