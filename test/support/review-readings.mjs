// Writes what is read of test/fixtures/reading/office/ beside it, for review: node test/support/review-readings.mjs
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { readDocument } from '../../src/reading/registry.ts';

const folder = new URL('../fixtures/reading/office/', import.meta.url);
for (const name of await readdir(folder)) {
  if (name.endsWith('.md')) continue;
  const bytes = new Uint8Array(await readFile(new URL(name, folder)));
  const { title, text } = await readDocument({ bytes, name, minimumLength: 1 }, {});
  await writeFile(new URL(`${name}.md`, folder), `<!-- ${title ?? ''} -->\n${text}\n`);
}
