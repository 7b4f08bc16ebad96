// Pages that Chromium prints in columns and whose reading order is known.
import { chromium } from '@playwright/test';
import { findBrowser } from './browser.mjs';
import { generateText, plain, type ColumnPage } from './set-pages.ts';

/** A page in the making: texts are taken in reading order. */
class PrintedPage {
  readonly gutter: number;
  readonly #texts: string[] = [];
  #seed: number;

  constructor(gutter: number, seed: number) {
    this.gutter = gutter;
    this.#seed = seed * 1000;
  }

  /** Returns words that can be hyphenated between syllables. */
  words(count: number): string {
    const words = generateText(this.#seed++, count);
    this.#texts.push(plain(words));
    return words.map((word) => word.join('&shy;').replace('&shy;.', '.')).join(' ');
  }

  paragraphs(...counts: readonly number[]): string {
    return counts.map((count) => `<p>${this.words(count)}</p>`).join('');
  }

  get text(): string {
    return this.#texts.join(' ');
  }
}

const flow = (inner: string, count = 2): string =>
  `<div class="flow" style="columns: ${String(count)}">${inner}</div>`;
const side = (columns: string, ...inner: readonly string[]): string =>
  `<div class="side" style="grid-template-columns: ${columns}">${inner.map((one) => `<div>${one}</div>`).join('')}</div>`;

const kinds: Readonly<Record<string, (page: PrintedPage) => string>> = {
  'two columns': (page) => flow(page.paragraphs(60, 90, 45, 120, 70, 40)),
  'three columns': (page) => flow(page.paragraphs(60, 90, 45, 120, 70), 3),
  'headings across': (page) =>
    `<h1>${page.words(6)}</h1>${flow(
      `<h2>${page.words(3)}</h2>${page.paragraphs(60, 70)}<h2>${page.words(2)}</h2>${page.paragraphs(70)}<h1>${page.words(8)}</h1>` +
        `<h2>${page.words(3)}</h2>${page.paragraphs(60, 80, 40)}`,
    )}`,
  'short heading across': (page) =>
    flow(
      `${page.paragraphs(60, 90, 50)}<h1 class="left">${page.words(2)}</h1>${page.paragraphs(60, 80, 40)}`,
    ),
  'figure across': (page) =>
    flow(`${page.paragraphs(60, 90)}<figure><i></i>${page.words(22)}</figure>${page.paragraphs(60, 80, 40)}`),
  'figure in a column': (page) =>
    flow(
      `${page.paragraphs(60, 90)}<figure class="in"><i></i>${page.words(14)}</figure>${page.paragraphs(60, 80, 90)}`,
    ),
  footnotes: (page) =>
    side(
      '1fr 1fr',
      ...[1, 2].map(() => `${page.paragraphs(60, 90, 70)}<small>${page.paragraphs(16, 20)}</small>`),
    ),
  'footnote across': (page) =>
    `${flow(page.paragraphs(60, 90, 70, 60))}<small>${page.paragraphs(40)}</small>`,
  'short footnote across': (page) =>
    `${flow(page.paragraphs(60, 90, 70, 60))}<small>${page.paragraphs(4)}</small>`,
  'marginal notes': (page) =>
    side(
      '1fr 110pt',
      page.paragraphs(80, 90, 70, 90),
      [12, 14, 10].map((count) => `<aside>${page.words(count)}</aside>`).join(''),
    ),
  'boxes of a form': (page) =>
    side(
      '1fr 1fr',
      ...[1, 2].map(() =>
        [14, 12, 16, 10, 15]
          .map(
            (count) =>
              `<section><b>${page.words(4)}</b><br>${page.words(count)}<br>□ ${page.words(1)} □ ${page.words(1)}</section>`,
          )
          .join(''),
      ),
    ),
  'mixed sizes': (page) =>
    side('1fr 1fr', page.paragraphs(60, 90, 60), `<div class="small">${page.paragraphs(90, 100, 60)}</div>`),
  'short last column': (page) => side('1fr 1fr', page.paragraphs(60, 90, 60, 40), page.paragraphs(30)),
  'table across': (page) =>
    flow(
      `${page.paragraphs(60, 90)}<table>${Array.from({ length: 7 }, () => `<tr>${[2, 2, 2, 2].map((count) => `<td>${page.words(count)}</td>`).join('')}</tr>`).join('')}</table>${page.paragraphs(60, 80, 40)}`,
    ),
  'table of long cells': (page) =>
    `${page.paragraphs(60)}<table class="tight">${Array.from({ length: 12 }, () => `<tr>${[4, 4, 4].map((count) => `<td>${page.words(count)}</td>`).join('')}</tr>`).join('')}</table>${page.paragraphs(60)}`,
  'one column': (page) => page.paragraphs(120, 130, 80),
};

function makeHtml(body: string, gutter: number, isJustified: boolean): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>
  body { font: 10pt/1.25 'DejaVu Serif', serif; margin: 0; text-align: ${isJustified ? 'justify' : 'left'}; hyphens: manual }
  p { margin: 0; text-indent: 10pt } h1 { font-size: 16pt; text-align: center; column-span: all } h1.left { text-align: left }
  h2 { font-size: 12pt; text-align: left; margin: 6pt 0 2pt } small { font-size: 8pt } small p { text-indent: 0 }
  .flow { column-gap: ${String(gutter)}pt } .side { display: grid; column-gap: ${String(gutter)}pt } .side > div { min-width: 0 }
  small { display: block; margin-top: 10pt } .small { font-size: 8pt } aside { font-size: 7.5pt; margin: 20pt 0 60pt; text-align: left }
  figure { column-span: all; margin: 12pt 20pt; font-size: 9pt; text-align: center } figure.in { column-span: none; margin: 8pt 0 }
  figure i { display: block; height: 90pt; background: teal; margin-bottom: 6pt } section { border: 0.5pt solid; padding: 2pt; margin-bottom: 4pt; text-align: left }
  table { column-span: all; font-size: 9pt; margin: 12pt 0; border-spacing: 0; text-align: left } td { padding: 0 ${String(gutter / 2)}pt; white-space: nowrap }
  table.tight { font-size: 6.5pt }
</style><body>${body}</body></html>`;
}

/** Returns pages of every kind with several gutters, justified and ragged; none if there is no browser. */
export async function* printedPages(gutters: readonly number[]): AsyncGenerator<ColumnPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    let seed = 100_000;
    for (const [kind, print] of Object.entries(kinds))
      for (const gutter of gutters)
        for (const isJustified of [true, false]) {
          const page = new PrintedPage(gutter, seed++);
          await tab.setContent(makeHtml(print(page), gutter, isJustified));
          const margin = { top: '18mm', bottom: '18mm', left: '18mm', right: '18mm' };
          const bytes = new Uint8Array(await tab.pdf({ format: 'A4', margin }));
          yield { kind, gutter, isJustified, bytes, text: page.text };
        }
  } finally {
    await browser.close();
  }
}
