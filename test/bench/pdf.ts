import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { scoreOrder, wordF1, lowerWords } from '../support/word-f1.ts';
import { WatchedPdfReader, type PdfOutcome } from '../support/watched-pdf-reader.ts';
import { textByPoppler } from './poppler.ts';
import { printTable } from './table.ts';

/** Maximum time without a finished page, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Reading time below which a PDF is read several times and the shortest time counts, in milliseconds. */
const BRIEF = 2_000;
const ROUNDS = 5;

interface Measured {
  readonly name: string;
  readonly outcome: PdfOutcome;
  /** Result of `getTextContent` alone, including opening; undefined if the PDF couldn't be read. */
  readonly raw: Extract<PdfOutcome, { kind: 'raw' }> | undefined;
  readonly truth: string | undefined;
  /** Text from `pdftotext`. */
  readonly peer: string | undefined;
}

/**
 * Measures the text of the PDFs of a folder: words and their order compared with `NAME.md` if it exists, and the time
 * compared with pdf.js alone in the same run. With `out`, writes one line of JSON per PDF.
 */
export async function measurePdfs(data: string, out: string | undefined): Promise<void> {
  const names = existsSync(data)
    ? readdirSync(data)
        .filter((name) => /\.pdf$/i.test(name))
        .sort()
    : [];
  if (names.length === 0) {
    console.error(`There are no PDFs in ${data}: name a folder of them with --data.`);
    process.exitCode = 1;
    return;
  }
  const reader = new WatchedPdfReader(TIMEOUT_MS);
  const measured: Measured[] = [];
  const lines: string[] = [];
  for (const name of names) {
    const bytes = new Uint8Array(readFileSync(join(data, name)));
    const { outcome, raw } = await measure(reader, name, bytes);
    const truthFile = join(data, name.replace(/\.pdf$/i, '.md'));
    const truth = existsSync(truthFile) ? readFileSync(truthFile, 'utf8') : undefined;
    measured.push({ name, outcome, raw, truth, peer: textByPoppler?.(bytes) });
    lines.push(JSON.stringify(describeCase(name, outcome)));
    if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
  }
  print(measured);
  await reader.close();
}

async function measure(
  reader: WatchedPdfReader,
  name: string,
  bytes: Uint8Array,
): Promise<Pick<Measured, 'outcome' | 'raw'>> {
  const first = await reader.run({ kind: 'read', bytes, name });
  if (first.kind !== 'read') return { outcome: first, raw: undefined };
  let outcome = first;
  let raw: Measured['raw'];
  for (let round = 0; round < (first.ms < BRIEF ? ROUNDS : 1); round++) {
    const bare = await reader.run({ kind: 'getTextContent', bytes, name });
    if (bare.kind !== 'raw') break;
    if (raw === undefined || bare.ms - bare.openMs < raw.ms - raw.openMs) raw = bare;
    const again = await reader.run({ kind: 'read', bytes, name });
    if (again.kind !== 'read' || !isDeepStrictEqual(again.document.text, first.document.text))
      throw new Error(`${name} was not read the same way twice.`);
    if (again.ms < outcome.ms) outcome = again;
  }
  return { outcome, raw };
}

function describeCase(name: string, outcome: PdfOutcome): unknown {
  switch (outcome.kind) {
    case 'read': {
      const { text, map } = outcome.document;
      return { name, text, pages: map.kind === 'pdf' ? map.pages.length : 0, ms: Math.round(outcome.ms) };
    }
    case 'refused':
    case 'crashed':
      return { name, error: outcome.message };
    case 'hung':
      return {
        name,
        error: `It made no progress for ${String(TIMEOUT_MS / 1000)} seconds and was given up.`,
      };
    case 'raw':
      return { name, error: 'It was not read.' };
  }
}

function print(measured: readonly Measured[]): void {
  const f1s: number[] = [];
  const orders: number[] = [];
  const peerOrders: number[] = [];
  const sums = { ours: 0, raw: 0, open: 0 };
  const rows = measured.map(({ name, outcome, raw, truth, peer }): string[] => {
    if (outcome.kind !== 'read') return [name, outcome.kind, '', '', '', '', ''];
    let figures = ['', '', ''];
    if (truth !== undefined) {
      const [words, expected] = [lowerWords(outcome.document.text), lowerWords(truth)];
      const [f1, order] = [wordF1(words, expected), scoreOrder(words, expected)];
      f1s.push(f1);
      orders.push(order);
      const peerOrder = peer === undefined ? undefined : scoreOrder(lowerWords(peer), expected);
      if (peerOrder !== undefined) peerOrders.push(peerOrder);
      figures = [f1.toFixed(3), order.toFixed(3), peerOrder?.toFixed(3) ?? ''];
    }
    if (raw === undefined) return [name, ...figures, outcome.ms.toFixed(0), '', ''];
    sums.ours += outcome.ms;
    sums.raw += raw.ms;
    sums.open += raw.openMs;
    return [name, ...figures, outcome.ms.toFixed(0), raw.ms.toFixed(0), ratio(outcome.ms, raw.ms)];
  });
  const means = [f1s, orders, peerOrders].map((all) => (all.length === 0 ? '' : mean(all).toFixed(3)));
  rows.push(['all', ...means, sums.ours.toFixed(0), sums.raw.toFixed(0), ratio(sums.ours, sums.raw)]);
  printTable(['', 'word F1', 'order', 'of pdftotext', 'ms', 'getTextContent ms', 'ratio'], rows);
  console.log(
    `Without the time to open the files: ${ratio(sums.ours - sums.open, sums.raw - sums.open)} times getTextContent.`,
  );
  const count = (kind: PdfOutcome['kind']): string =>
    measured.filter(({ outcome }) => outcome.kind === kind).length.toLocaleString('en');
  console.log(
    `${count('read')} read, ${count('refused')} refused with a reason, ${count('hung')} hung, ${count('crashed')} crashed.`,
  );
}

function ratio(ours: number, raw: number): string {
  return raw > 0 ? (ours / raw).toFixed(2) : '';
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
