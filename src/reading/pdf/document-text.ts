import type { Heading, OffsetMap, PdfPage } from '../../notebook/document.ts';
import type { PlacedWord } from './lines.ts';
import { lengthOf } from './lines.ts';
import type { LineBreak } from './paragraphs.ts';
import { breakBetween, breakBetweenPages } from './paragraphs.ts';
import type { Line } from './reading-order.ts';

export interface PdfText {
  readonly text: string;
  readonly map: Extract<OffsetMap, { kind: 'pdf' }>;
  readonly headings: readonly Heading[];
}

/** The size and label of a page, in the order of the pages' lines. */
export type PageFrame = Omit<PdfPage, 'start'>;

interface Block {
  readonly lines: { readonly line: Line; readonly page: number; readonly before: LineBreak }[];
}

/** Text larger than the body's by this share is a heading, where it is no longer than a heading is. */
const headingSize = 1.12;
const longestHeading = 200;

const separators: Record<LineBreak, string> = { join: '', word: ' ', line: '\n', paragraph: '\n\n' };

/** Writes the lines of a document's pages as one text: paragraphs parted by blank lines, words joined over line ends. */
export function writeText(pages: readonly (readonly Line[])[], frames: readonly PageFrame[]): PdfText {
  const writer = new Writer(hyphenatedWords(pages));
  const bodySize = bodySizeOf(pages);
  const large: { offset: number; size: number; title: string }[] = [];
  const starts: (number | undefined)[] = frames.map(() => undefined);
  for (const { lines } of blocksOf(pages)) {
    const offset = writer.beginBlock();
    for (const { line, page, before } of lines) {
      const lineStart = writer.writeLine(line, page, before);
      starts[page] ??= lineStart;
    }
    if (lines.length > 4 || lines.some(({ line }) => line.size < headingSize * bodySize)) continue;
    const title = writer.block.replace(/\s+/g, ' ').trim();
    const size = Math.max(...lines.map(({ line }) => line.size));
    if (title.length <= longestHeading && /\p{L}{2}/u.test(title)) large.push({ offset, size, title });
  }
  return {
    text: writer.text,
    map: writer.mapWith(pagesWith(frames, starts, writer.text.length)),
    headings: headingsOf(large),
  };
}

function blocksOf(pages: readonly (readonly Line[])[]): Block[] {
  const blocks: Block[] = [];
  let previous: { line: Line; page: number } | undefined;
  for (const [page, lines] of pages.entries()) {
    for (const line of lines) {
      const before =
        previous === undefined
          ? 'paragraph'
          : previous.page === page
            ? breakBetween(previous.line, line)
            : breakBetweenPages(previous.line, line);
      const last = blocks.at(-1);
      if (before === 'paragraph' || !last) blocks.push({ lines: [{ line, page, before: 'join' }] });
      else last.lines.push({ line, page, before });
      previous = { line, page };
    }
  }
  return blocks;
}

class Writer {
  readonly #parts: string[] = [];
  #length = 0;
  #blockStart = 0;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #pageOf: number[] = [];
  readonly #boxes: number[] = [];
  readonly #directions: number[] = [];
  readonly #hyphenated: ReadonlySet<string>;
  #lastWord = '';

  constructor(hyphenated: ReadonlySet<string>) {
    this.#hyphenated = hyphenated;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** Starts a paragraph; returns where it begins. */
  beginBlock(): number {
    if (this.#length > 0) this.#write(separators.paragraph);
    this.#blockStart = this.#parts.length;
    return this.#length;
  }

  /** The paragraph that is being written. */
  get block(): string {
    return this.#parts.slice(this.#blockStart).join('');
  }

  /** Writes a line; returns where its first word begins. */
  writeLine(line: Line, page: number, before: LineBreak): number {
    const first = line.words[0]?.text ?? '';
    if (!(before === 'word' && this.#dropHyphen(first))) this.#write(separators[before]);
    const start = this.#length;
    for (const [index, word] of line.words.entries()) {
      if (index > 0) this.#write(word.before);
      this.#writeWord(word, page);
    }
    return start;
  }

  mapWith(pages: readonly PdfPage[]): PdfText['map'] {
    return {
      kind: 'pdf',
      pages,
      starts: Uint32Array.from(this.#starts),
      ends: Uint32Array.from(this.#ends),
      pageOf: Uint16Array.from(this.#pageOf),
      boxes: Float32Array.from(this.#boxes),
      directions: Uint8Array.from(this.#directions),
    };
  }

  #write(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  #writeWord({ text, box, direction, before }: PlacedWord, page: number): void {
    this.#starts.push(this.#length);
    this.#write(text);
    this.#ends.push(this.#length);
    this.#pageOf.push(page);
    this.#boxes.push(...box);
    this.#directions.push(direction);
    this.#lastWord = before === '' ? this.#lastWord + text : text;
  }

  /** Joins a word that a line's end parted, unless it is written with its hyphen elsewhere too. */
  #dropHyphen(continuation: string): boolean {
    if (!/\p{L}[-\u00ad\u2010]$/u.test(this.#lastWord) || !/^\p{Ll}/u.test(continuation)) return false;
    if (this.#hyphenated.has(letters(this.#lastWord + continuation))) return true;
    const lastPart = this.#parts.pop() ?? '';
    this.#parts.push(lastPart.slice(0, -1));
    this.#length--;
    this.#ends[this.#ends.length - 1] = this.#length;
    if (lastPart.length === 1) this.#dropRun();
    return true;
  }

  /** A hyphen that the file writes by itself leaves nothing behind. */
  #dropRun(): void {
    for (const numbers of [this.#starts, this.#ends, this.#pageOf, this.#directions]) numbers.pop();
    this.#boxes.splice(-4);
  }
}

/** The words with a hyphen that stand within lines. */
function hyphenatedWords(pages: readonly (readonly Line[])[]): Set<string> {
  const found = new Set<string>();
  for (const line of pages.flat())
    for (const { text } of line.words) if (/\p{L}[-\u2010]\p{L}/u.test(text)) found.add(letters(text));
  return found;
}

function letters(word: string): string {
  return word
    .replace(/\u2010/g, '-')
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    .toLowerCase();
}

/** The font size in which most of the text is set, in half points. */
function bodySizeOf(pages: readonly (readonly Line[])[]): number {
  const counts = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = Math.round(2 * line.size) / 2;
    counts.set(size, (counts.get(size) ?? 0) + lengthOf(line.words));
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}

function headingsOf(large: readonly { offset: number; size: number; title: string }[]): Heading[] {
  const rounded = (size: number): number => Math.round(2 * size);
  const sizes = [...new Set(large.map(({ size }) => rounded(size)))].sort((a, b) => b - a);
  return large.map(({ offset, size, title }) => ({
    offset,
    level: Math.min(6, sizes.indexOf(rounded(size)) + 1),
    title,
  }));
}

/** A page without text begins where the next one does. */
function pagesWith(
  frames: readonly PageFrame[],
  starts: readonly (number | undefined)[],
  textLength: number,
): PdfPage[] {
  const pages: PdfPage[] = [];
  let next = textLength;
  for (let index = frames.length - 1; index >= 0; index--) {
    next = starts[index] ?? next;
    const frame = frames[index];
    if (frame) pages.unshift({ ...frame, start: next });
  }
  return pages;
}
