// Pages set in columns like TeX's, whose reading order is known: a line is one operator with kerns and no spaces.
import { seededRandom } from './durability-random.ts';

/** A page and its words in the order in which they are to be read. */
export interface ColumnPage {
  readonly kind: string;
  /** Between columns, in points. */
  readonly gutter: number;
  readonly isJustified: boolean;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** A word by its syllables. */
type GeneratedWord = readonly string[];

const SMALL = 'a an and as at by for from he if in is it no not of on or she the they to was we with'.split(
  ' ',
);
const SYLLABLES = 'ba be lo mi tu ran sel dor ker pi na vo gel hus tra spo lin mer qua zet fla gro'.split(
  ' ',
);

/** Returns sentences of artificial words, the same for the same seed. */
export function generateText(seed: number, count: number): GeneratedWord[] {
  const random = seededRandom(seed);
  const pickOne = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? '';
  let left = 0;
  return Array.from({ length: count }, (_, index): GeneratedWord => {
    const isFirst = left === 0;
    if (isFirst) left = 7 + Math.floor(random() * 12);
    left--;
    const isSmall = random() < 0.35;
    const word = isSmall
      ? [pickOne(SMALL)]
      : Array.from({ length: 2 + Math.floor(random() * 3) }, () => pickOne(SYLLABLES));
    if (isFirst) word[0] = (word[0] ?? '').replace(/^./, (letter) => letter.toUpperCase());
    if (left === 0 || index === count - 1) word.push('.');
    return word;
  });
}

export function plain(words: readonly GeneratedWord[]): string {
  return words.map((word) => word.join('')).join(' ');
}

const PAGE = { left: 54, right: 558, top: 60, bottom: 730, height: 792 };
const WIDTH = PAGE.right - PAGE.left;
/** Widths of Times Roman from the space on, in thousandths of its size. */
const WIDTHS = (
  '250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444 921 ' +
  '722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 ' +
  '444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541'
).split(' ');

function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += Number(WIDTHS[letter.charCodeAt(0) - 32] ?? 500);
  return (width * size) / 1000;
}

interface SetLine {
  readonly x: number;
  /** Distance from the upper edge. */
  readonly baseline: number;
  readonly size: number;
  readonly words: readonly string[];
  /** Between its words, in points. */
  readonly gap: number;
}

interface Setting {
  readonly size?: number;
  readonly leading?: number;
  readonly isJustified?: boolean;
  readonly isCentered?: boolean;
}

/** A page that is being set; its lines are in reading order. */
class SetPage {
  readonly gutter: number;
  readonly isJustified: boolean;
  readonly #lines: SetLine[] = [];
  readonly #boxes: string[] = [];
  readonly #texts: string[] = [];
  #seed: number;

  constructor(gutter: number, isJustified: boolean, seed: number) {
    this.gutter = gutter;
    this.isJustified = isJustified;
    this.#seed = seed * 1000;
  }

  words(count: number): GeneratedWord[] {
    return generateText(this.#seed++, count);
  }

  /** The left edge and width of each of some columns. */
  columns(count: number): { readonly x: number; readonly width: number }[] {
    const width = (WIDTH - (count - 1) * this.gutter) / count;
    return Array.from({ length: count }, (_, index) => ({
      x: PAGE.left + index * (width + this.gutter),
      width,
    }));
  }

  /** Sets a paragraph below a height, and returns the start of the next one. */
  set(words: readonly GeneratedWord[], x: number, top: number, width: number, setting: Setting = {}): number {
    const { size = 10, isJustified = this.isJustified, isCentered = false } = setting;
    const { leading = 1.2 * size } = setting;
    const space = 0.25 * size;
    let baseline = top;
    for (const { texts, isLast } of brokenLines(words, width, size, isJustified)) {
      baseline += leading;
      const bare = texts.reduce((sum, text) => sum + textWidth(text, size), 0);
      const gaps = texts.length - 1;
      const gap = isJustified && !isLast && gaps > 0 ? (width - bare) / gaps : space;
      const start = isCentered ? x + (width - bare - gaps * gap) / 2 : x;
      this.#lines.push({ x: start, baseline, size, words: texts, gap });
    }
    this.#texts.push(plain(words));
    return baseline;
  }

  /** Paragraphs from one height down to another, some lines short of it. */
  fill(x: number, top: number, width: number, bottom: number, setting: Setting = {}): number {
    const { size = 10 } = setting;
    const { leading = 1.2 * size } = setting;
    let end = top;
    for (;;) {
      const lines = Math.floor((bottom - end) / leading);
      if (lines < 2) return end;
      // A word of this text is about three sizes wide.
      const maxLength = Math.floor((lines * width) / (3 * size)) - 2;
      if (maxLength < 4) return end;
      end = this.set(this.words(Math.min(60, maxLength)), x, end, width, setting);
    }
  }

  box(x: number, top: number, width: number, height: number, isFilled = false): void {
    const at = [x, PAGE.height - top - height, width, height].map((value) => value.toFixed(2)).join(' ');
    this.#boxes.push(`${at} re ${isFilled ? 'f' : 'S'}`);
  }

  /** The page with its lines written one after another, or row by row with each word by itself. */
  finish(kind: string, isByRows = false): ColumnPage {
    const rows = isByRows
      ? this.#lines.toSorted((a, b) => a.baseline - b.baseline || a.x - b.x).flatMap(wordsAlone)
      : this.#lines;
    const content = [...this.#boxes, 'BT', ...rows.map(writeOperators), 'ET'].join('\n');
    const { gutter, isJustified } = this;
    return { kind, gutter, isJustified, bytes: makePdf(content), text: this.#texts.join(' ') };
  }
}

function wordsAlone({ words, gap, x, size, ...rest }: SetLine): SetLine[] {
  let at = x;
  return words.map((word) => {
    const line = { ...rest, x: at, size, words: [word], gap };
    at += textWidth(word, size) + gap;
    return line;
  });
}

/** Returns the words of each line. In justified text, words are hyphenated between syllables. */
function brokenLines(
  words: readonly GeneratedWord[],
  width: number,
  size: number,
  isHyphenated: boolean,
): { readonly texts: string[]; readonly isLast: boolean }[] {
  const lines: { texts: string[]; isLast: boolean }[] = [];
  let texts: string[] = [];
  let used = 0;
  const wrap = (): void => {
    lines.push({ texts, isLast: false });
    texts = [];
    used = 0;
  };
  for (const word of words) {
    const room = width - used - (texts.length > 0 ? 0.25 * size : 0);
    let text = word.join('');
    if (textWidth(text, size) > room && texts.length > 0) {
      // A separate period isn't a syllable.
      const ends = isHyphenated
        ? word
            .map((_, index) => index + 1)
            .slice(0, -1)
            .reverse()
        : [];
      const part = ends
        .filter((end) => word[end] !== '.')
        .map((end) => `${word.slice(0, end).join('')}-`)
        .find((start) => textWidth(start, size) <= room);
      if (part !== undefined) {
        texts.push(part);
        text = text.slice(part.length - 1);
      }
      wrap();
    }
    used += textWidth(text, size) + (texts.length > 0 ? 0.25 * size : 0);
    texts.push(text);
  }
  if (texts.length > 0) lines.push({ texts, isLast: true });
  return lines;
}

function writeOperators({ x, baseline, size, words, gap }: SetLine): string {
  const kern = ((-1000 * gap) / size).toFixed(3);
  const shown = words.map((word) => `(${word.replace(/[()\\]/g, '\\$&')})`).join(` ${kern} `);
  return `/F ${String(size)} Tf 1 0 0 1 ${x.toFixed(3)} ${(PAGE.height - baseline).toFixed(3)} Tm [${shown}] TJ`;
}

function makePdf(content: string): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /FirstChar 32 /LastChar 126 /Widths [${WIDTHS.join(' ')}] >>`,
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = String(objects.length + 1);
  file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(file.length)}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}

type Kind = (page: SetPage) => boolean | undefined;

function inColumns(page: SetPage, count: number, top: number, bottom: number): void {
  for (const { x, width } of page.columns(count)) page.fill(x, top, width, bottom);
}

/** Layouts of pages by name. Those that return `true` are written row by row. */
const kinds: Readonly<Record<string, Kind>> = {
  'two columns': (page) => {
    inColumns(page, 2, PAGE.top, PAGE.bottom);
  },
  'three columns': (page) => {
    inColumns(page, 3, PAGE.top, PAGE.bottom);
  },
  'written row by row': (page) => {
    inColumns(page, 2, PAGE.top, PAGE.bottom);
    return true;
  },
  'headings across': (page) => {
    let y = page.set(page.words(6), PAGE.left, PAGE.top, WIDTH, {
      size: 18,
      isCentered: true,
      isJustified: false,
    });
    y = page.set(page.words(60), PAGE.left + 40, y + 10, WIDTH - 80, { size: 9 });
    for (const bottom of [400, PAGE.bottom]) {
      for (const { x, width } of page.columns(2)) {
        const heading = page.set(page.words(3), x, y + 14, width, { size: 12, isJustified: false });
        page.fill(x, heading + 4, width, bottom);
      }
      if (bottom !== PAGE.bottom)
        y = page.set(page.words(9), PAGE.left, bottom + 14, WIDTH, {
          size: 14,
          isCentered: true,
          isJustified: false,
        });
    }
  },
  'short heading across': (page) => {
    inColumns(page, 2, PAGE.top, 380);
    const y = page.set(page.words(2), PAGE.left, 396, WIDTH, { size: 16, isJustified: false });
    inColumns(page, 2, y + 12, PAGE.bottom);
  },
  'figure across': (page) => {
    inColumns(page, 2, PAGE.top, 280);
    page.box(PAGE.left + 60, 300, WIDTH - 120, 120, true);
    const y = page.set(page.words(24), PAGE.left + 30, 426, WIDTH - 60, {
      size: 9,
      isCentered: true,
      isJustified: false,
    });
    inColumns(page, 2, y + 20, PAGE.bottom);
  },
  'figure in a column': (page) => {
    const [first, second] = page.columns(2);
    if (!first || !second) return undefined;
    page.fill(first.x, PAGE.top, first.width, 300);
    page.box(first.x, 310, first.width, 140, true);
    const y = page.set(page.words(15), first.x, 455, first.width, { size: 9 });
    page.fill(first.x, y + 14, first.width, PAGE.bottom);
    page.fill(second.x, PAGE.top, second.width, PAGE.bottom);
    return undefined;
  },
  footnotes: (page) => {
    for (const { x, width } of page.columns(2)) {
      page.fill(x, PAGE.top, width, 650);
      const y = page.set(page.words(20), x, 662, width, { size: 8 });
      page.set(page.words(14), x, y, width, { size: 8 });
    }
  },
  'footnote across': (page) => {
    inColumns(page, 2, PAGE.top, 670);
    page.set(page.words(40), PAGE.left, 690, WIDTH, { size: 8 });
  },
  'short footnote across': (page) => {
    inColumns(page, 2, PAGE.top, 670);
    page.set(page.words(5), PAGE.left, 690, WIDTH, { size: 8 });
  },
  'marginal notes': (page) => {
    const width = WIDTH - 110 - page.gutter;
    page.fill(PAGE.left, PAGE.top, width, PAGE.bottom);
    for (const top of [90, 205, 420, 590])
      page.set(page.words(14), PAGE.right - 110, top, 110, { size: 8, isJustified: false });
  },
  'boxes of a form': (page) => {
    for (const { x, width } of page.columns(2)) {
      for (let top = PAGE.top; top < 620; top += 84) {
        page.box(x, top, width, 80);
        const inner = { x: x + 2, width: width - 4 };
        let y = page.set(page.words(4), inner.x, top, inner.width, { size: 11, isJustified: false });
        y = page.set(page.words(14), inner.x, y + 2, inner.width, { size: 9, isJustified: false });
        page.set(page.words(3), inner.x, y + 4, inner.width, { size: 9, isJustified: false });
      }
    }
  },
  'mixed sizes': (page) => {
    const [first, second] = page.columns(2);
    if (!first || !second) return undefined;
    page.fill(first.x, PAGE.top, first.width, PAGE.bottom, { size: 11 });
    page.fill(second.x, PAGE.top, second.width, PAGE.bottom, { size: 8.5, leading: 10 });
    return undefined;
  },
  'baselines apart': (page) => {
    const [first, second] = page.columns(2);
    if (!first || !second) return undefined;
    page.fill(first.x, PAGE.top, first.width, PAGE.bottom);
    page.fill(second.x, PAGE.top + 5, second.width, PAGE.bottom + 5);
    return undefined;
  },
  'short last column': (page) => {
    const [first, second] = page.columns(2);
    if (!first || !second) return undefined;
    page.fill(first.x, PAGE.top, first.width, PAGE.bottom);
    page.fill(second.x, PAGE.top, second.width, PAGE.top + 110);
    return undefined;
  },
  'table across': (page) => {
    inColumns(page, 2, PAGE.top, 300);
    const y = table(page, 4, 320, 8, 2);
    inColumns(page, 2, y + 20, PAGE.bottom);
  },
  'table of long cells': (page) => {
    let y = page.set(page.words(70), PAGE.left, PAGE.top, WIDTH);
    y = table(page, 3, y + 20, 14, 4);
    page.set(page.words(70), PAGE.left, y + 20, WIDTH);
  },
  'one column': (page) => {
    page.fill(PAGE.left, PAGE.top, WIDTH, PAGE.bottom);
  },
};

/** Rows of cells of one line, the widest a gutter apart. */
function table(page: SetPage, columns: number, top: number, rows: number, words: number): number {
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => page.words(words)));
  let x = PAGE.left;
  const places = Array.from({ length: columns }, (_, column) => {
    const at = x;
    x += Math.max(...cells.map((row) => textWidth(plain(row[column] ?? []), 9))) + page.gutter;
    return at;
  });
  let y = top;
  for (const row of cells) {
    const ends = row.map((cell, column) =>
      page.set(cell, places[column] ?? 0, y, WIDTH, { size: 9, isJustified: false }),
    );
    y = Math.max(...ends) + 2;
  }
  return y;
}

/** Pages of every kind, with each of some gutters, justified and ragged. */
export function* setPages(gutters: readonly number[]): Generator<ColumnPage> {
  for (const [at, [kind, setOn]] of Object.entries(kinds).entries())
    for (const gutter of gutters)
      for (const isJustified of [true, false]) {
        const page = new SetPage(gutter, isJustified, 1000 * at + 2 * gutter + Number(isJustified));
        const isByRows = setOn(page) === true;
        yield page.finish(kind, isByRows);
      }
}
