// Damages the PDFs of folders and reads them. Reports those that hang, crash, or fail without a reason:
//   node test/support/fuzz-pdf.ts FIRST-SEED COUNT FOLDER...
// A seed and a file identify a case. `--keep FOLDER` saves the bytes of failed cases.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { damaged } from './damaged-pdfs.ts';
import { WatchedPdfReader } from './watched-pdf-reader.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' } },
});
const [first = '1', count = '100', ...folders] = positionals;
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => join(folder, name)),
);
const reader = new WatchedPdfReader(20_000);
const counts = new Map<string, number>();
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const file = files[seed % files.length] ?? '';
  const { bytes, how } = damaged(readFileSync(file), seed);
  const began = performance.now();
  const outcome = await reader.run({ kind: 'read', bytes, name: 'damaged.pdf' });
  const ms = performance.now() - began;
  const result = outcome.kind === 'refused' ? `refused as ${outcome.code ?? 'nothing known'}` : outcome.kind;
  counts.set(result, (counts.get(result) ?? 0) + 1);
  const wrong =
    outcome.kind === 'hung' ||
    outcome.kind === 'crashed' ||
    (outcome.kind === 'refused' && outcome.code === undefined);
  if (!wrong && ms < 5_000) continue;
  console.log(`${String(seed)} ${basename(file)} (${how}): ${result} in ${ms.toFixed(0)} ms`);
  if ('message' in outcome) console.log(outcome.message);
  if (values.keep !== undefined) writeFileSync(join(values.keep, `${String(seed)}.pdf`), bytes);
}
await reader.close();
console.log(Object.fromEntries(counts));
