import type { PdfPage } from '../../notebook/document.ts';
import type { PlacedLine } from './blocks.ts';
import type { CodeLines } from './code.ts';
import { kindOfItem } from './lists.ts';
import type { Word } from './fragment.ts';
import type { LineBreak } from './paragraphs.ts';
import { Runs, type PdfMap } from './runs.ts';
import type { Row } from './tables.ts';

const SEPARATORS: Record<LineBreak, string> = { join: '', word: ' ', line: '\n', paragraph: '\n\n' };

/** Writer of paragraphs, tables, and code that records the page position of each word. */
export class TextWriter {
  /** Text before the current block. */
  readonly #blocks: string[] = [];
  #parts: string[] = [];
  #length = 0;
  readonly #runs = new Runs();
  readonly #hyphenated: ReadonlySet<string>;
  #lastWord = '';

  constructor(hyphenated: ReadonlySet<string>) {
    this.#hyphenated = hyphenated;
  }

  /** Text written so far. */
  get text(): string {
    return this.#blocks.join('') + this.block;
  }

  /** Starts a paragraph; returns its offset. */
  beginBlock(): number {
    if (this.#length > 0) this.#write(SEPARATORS.paragraph);
    this.#blocks.push(this.block);
    this.#parts = [];
    return this.#length;
  }

  /** Current block so far. */
  get block(): string {
    return this.#parts.join('');
  }

  /** Writes a line; returns the offset of its first word. */
  writeLine({ line, page, before, level }: PlacedLine): number {
    const first = line.words[0]?.text ?? '';
    if (!(before === 'word' && this.#dropHyphen(first))) this.#write(SEPARATORS[before]);
    if (level !== undefined) this.#write('  '.repeat(level));
    const start = this.#length;
    const isSymbol = kindOfItem(line) === 'symbol';
    for (const [index, word] of line.words.entries()) {
      // The gap after a list marker can have any width; later gaps in a line separate cells.
      if (index > 0) this.#write(index === 1 && (isSymbol || level !== undefined) ? ' ' : word.before);
      this.#writeWord(index === 0 && isSymbol ? { ...word, text: '-' } : word, page);
    }
    return start;
  }

  /** Writes a table in Markdown; returns the offset of its first word. */
  writeTable(rows: readonly Row[], page: number): number {
    const start = this.#length + 2;
    for (const [index, cells] of rows.entries()) {
      if (index > 0) this.#write('\n');
      if (index === 1) this.#write(`|${cells.map(() => ' - |').join('')}\n`);
      this.#write('|');
      for (const cell of cells) {
        this.#write(' ');
        for (const [at, words] of cell.entries()) this.#writeCellLine(words, at, page);
        this.#write(cell.length === 0 ? '|' : ' |');
      }
    }
    return start;
  }

  /** Writes a block of code in Markdown; returns the offset of its first word. */
  writeCode(lines: CodeLines, page: number): number {
    // The fence must be longer than any run of backticks in the code.
    const marks = lines.flat().flatMap(({ word }) => word.text.match(/`+/g) ?? []);
    const fence = '`'.repeat(Math.max(3, ...marks.map(({ length }) => length + 1)));
    this.#write(`${fence}\n`);
    const start = this.#length;
    for (const line of lines) {
      for (const { word, spaces } of line) {
        this.#write(' '.repeat(spaces));
        this.#writeWord(word, page);
      }
      this.#write('\n');
    }
    this.#write(fence);
    return start;
  }

  #writeCellLine(words: readonly Word[], at: number, page: number): void {
    if (at > 0 && !this.#dropHyphen(words[0]?.text ?? '')) this.#write(' ');
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#write(word.before);
      // An unescaped bar would start a cell.
      this.#writeWord({ ...word, text: word.text.replaceAll('|', '\\|') }, page);
    }
  }

  /** Writes words of the page with text before and after them that isn't on the page. */
  writeTold(before: string, words: readonly Word[], after: string, page: number): void {
    this.#write(before);
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#write(' ');
      this.#writeWord(word, page);
    }
    this.#write(after);
  }

  /** Returns the map from the text to these pages. */
  mapWith(pages: readonly PdfPage[]): PdfMap {
    return this.#runs.mapWith(pages);
  }

  #write(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  #writeWord(word: Word, page: number): void {
    const { text, before } = word;
    const start = this.#length;
    this.#write(text);
    this.#runs.add(start, this.#length, word, page);
    this.#lastWord = before === '' ? this.#lastWord + text : text;
  }

  /** Joins a word that a line end splits, unless the document also spells it with its hyphen. */
  #dropHyphen(continuation: string): boolean {
    if (!/\p{L}[-\u00ad\u2010]$/u.test(this.#lastWord) || !/^\p{Ll}/u.test(continuation)) return false;
    if (this.#hyphenated.has(letters(this.#lastWord + continuation))) return true;
    const lastPart = this.#parts.pop() ?? '';
    this.#parts.push(lastPart.slice(0, -1));
    this.#length--;
    // This also removes a hyphen that is a separate word in the file.
    this.#runs.shortenLast();
    return true;
  }
}

/** Returns a word in its form for comparison: its letters and the hyphens between them. */
export function letters(word: string): string {
  return word
    .replace(/\u2010/g, '-')
    .replace(/^\P{L}+/u, '')
    .replace(/(?<=\p{L})\P{L}+$/u, '')
    .toLowerCase();
}
