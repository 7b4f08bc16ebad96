import { printedPages } from '../support/printed-pages.ts';
import { setPages, type ColumnPage } from '../support/set-pages.ts';
import { WatchedPdfReader } from '../support/watched-pdf-reader.ts';
import { scoreOrder, lowerWords } from '../support/word-f1.ts';
import { textByPoppler } from './poppler.ts';
import { printTable } from './table.ts';

const TIMEOUT_MS = 30_000;
const SET_GUTTERS = Array.from({ length: 21 }, (_, index) => index + 4);
const PRINTED_GUTTERS = SET_GUTTERS.filter((gutter) => gutter % 2 === 0);
/** Maximum gutter widths of the reported groups. */
const GROUPS = [6, 9, 12, 16, 20, 24];

interface Figure {
  readonly kind: string;
  readonly gutter: number;
  readonly order: number;
  /** Result of `pdftotext`; undefined if it isn't installed. */
  readonly peer: number | undefined;
}

/**
 * Measures the reading order of pages in columns with a known order, by kind and gutter, compared with `pdftotext`.
 */
export async function measureColumns(): Promise<void> {
  const reader = new WatchedPdfReader(TIMEOUT_MS);
  const sets: readonly [string, AsyncIterable<ColumnPage> | Iterable<ColumnPage>][] = [
    ['set as TeX does', setPages(SET_GUTTERS)],
    ['printed by Chromium', printedPages(PRINTED_GUTTERS)],
  ];
  for (const [name, pages] of sets) {
    const figures: Figure[] = [];
    for await (const { kind, gutter, bytes, text } of pages) {
      const outcome = await reader.run({ kind: 'read', bytes, name: `${kind}.pdf` });
      const words = lowerWords(text);
      const order = outcome.kind === 'read' ? scoreOrder(lowerWords(outcome.document.text), words) : 0;
      const peer = textByPoppler && scoreOrder(lowerWords(textByPoppler(bytes)), words);
      figures.push({ kind, gutter, order, peer });
    }
    if (figures.length === 0) console.log(`No pages were ${name}, because no browser was found.\n`);
    else print(`order of pages ${name}, by gutter in points`, figures);
  }
  await reader.close();
  if (textByPoppler === undefined)
    console.log('pdftotext is not on the PATH and was not measured: install poppler-utils for it.');
}

function print(title: string, figures: readonly Figure[]): void {
  const makeRow = (name: string, some: readonly Figure[]): string[] => [
    name,
    ...GROUPS.map((widest, index) =>
      mean(some.filter(({ gutter }) => gutter <= widest && gutter > (GROUPS[index - 1] ?? 0))),
    ),
    mean(some),
    ...(textByPoppler === undefined ? [] : [mean(some.map(({ peer = 0 }) => ({ order: peer })))]),
  ];
  const rows = [...Map.groupBy(figures, ({ kind }) => kind)].map(([kind, some]) => makeRow(kind, some));
  rows.push(makeRow('all', figures));
  const heads = GROUPS.map((widest, index) => `${String((GROUPS[index - 1] ?? 3) + 1)}–${String(widest)}`);
  printTable([title, ...heads, 'all', ...(textByPoppler === undefined ? [] : ['pdftotext'])], rows);
}

function mean(some: readonly Pick<Figure, 'order'>[]): string {
  return (some.reduce((sum, { order }) => sum + order, 0) / some.length).toFixed(3);
}
