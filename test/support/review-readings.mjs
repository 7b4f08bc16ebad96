// Writes the text of some files of test/fixtures/reading/ next to them for review:
//   node test/support/review-readings.mjs
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { readDocument } from '../../src/parsers/registry.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));
for (const part of ['office', 'east-asian']) {
  const folder = new URL(`../fixtures/reading/${part}/`, import.meta.url);
  for (const name of await readdir(folder)) {
    if (name.endsWith('.md')) continue;
    const bytes = new Uint8Array(await readFile(new URL(name, folder)));
    const { title, text } = await readDocument({ bytes, name, minimumLength: 1 }, {});
    await writeFile(new URL(`${name}.md`, folder), `<!-- ${title ?? ''} -->\n${text}\n`);
  }
}
