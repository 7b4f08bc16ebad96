import type { PageIndex } from '../../core/domain/page-number.ts';
import type { PdfPage } from '../../core/domain/document.ts';
import type { PlacedLine, PlacedRow } from './blocks.ts';
import type { CodeLines } from './code.ts';
import {
  endsWithHyphen,
  hyphenAtLineEnd,
  type DocumentSpellings,
} from '../../core/language/line-end-hyphens.ts';
import { kindOfItem } from './lists.ts';
import type { Word } from './fragment.ts';
import type { LineBreak } from './paragraphs.ts';
import { Runs, type PdfMap } from './runs.ts';

const SEPARATORS: Record<LineBreak, string> = { join: '', word: ' ', line: '\n', paragraph: '\n\n' };

/** Writer of paragraphs, tables, and code that records the page position of each word. */
export class TextWriter {
  /** Text before the current block. */
  readonly #blocks: string[] = [];
  #parts: string[] = [];
  #length = 0;
  readonly #runs = new Runs();
  readonly #spellings: DocumentSpellings;
  #lastWord = '';

  constructor(spellings: DocumentSpellings) {
    this.#spellings = spellings;
  }

  /** Text written so far. */
  get text(): string {
    return this.#blocks.join('') + this.block;
  }

  /** Length of the text written so far, in UTF-16 code units. */
  get length(): number {
    return this.#length;
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
    // Join each block once, although headings and the text need it.
    if (this.#parts.length > 1) this.#parts = [this.#parts.join('')];
    return this.#parts[0] ?? '';
  }

  /** Writes a line; returns the offset of its first word. */
  writeLine({ line, page, before, level }: PlacedLine): number {
    if (!(before === 'word' && this.#joinWord(line.words))) this.#writeGap(SEPARATORS[before]);
    if (level !== undefined) this.#write('  '.repeat(level));
    const start = this.#length;
    const isSymbol = kindOfItem(line) === 'symbol';
    let index = 0;
    for (const word of line.words) {
      // The gap after a list marker can have any width; later gaps in a line separate cells.
      if (index > 0) this.#write(index === 1 && (isSymbol || level !== undefined) ? ' ' : word.before);
      this.#writeWord(index === 0 && isSymbol ? { ...word, text: '-' } : word, page);
      index++;
    }
    return start;
  }

  /** Writes a table in Markdown; returns the offsets of the rows' first words. */
  writeTable(rows: readonly PlacedRow[]): number[] {
    return rows.map(({ cells, page }, index) => {
      if (index > 0) this.#write('\n');
      if (index === 1) this.#write(`|${cells.map(() => ' - |').join('')}\n`);
      const start = this.#length + 2;
      this.#write('|');
      for (const cell of cells) {
        this.#write(' ');
        for (const [at, words] of cell.entries()) this.#writeCellLine(words, at, page);
        this.#write(cell.length === 0 ? '|' : ' |');
      }
      return start;
    });
  }

  /** Writes a block of code in Markdown; returns the offset of its first word. */
  writeCode(lines: CodeLines, page: PageIndex): number {
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

  #writeCellLine(words: readonly Word[], at: number, page: PageIndex): void {
    if (at > 0 && !this.#joinWord(words)) this.#writeGap(' ');
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#write(word.before);
      // An unescaped bar would start a cell.
      this.#writeWord({ ...word, text: word.text.replaceAll('|', '\\|') }, page);
    }
  }

  /** Writes words of the page with text before and after them that isn't on the page. */
  writeAround(before: string, words: readonly Word[], after: string, page: PageIndex): void {
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
    if (text === '') return;
    this.#parts.push(text);
    this.#length += text.length;
  }

  #writeWord(word: Word, page: PageIndex): void {
    const { text, before } = word;
    const start = this.#length;
    this.#write(text);
    this.#runs.add(start, this.#length, word, page);
    this.#lastWord = before === '' ? this.#lastWord + text : text;
  }

  /** Writes space between words. */
  #writeGap(text: string): void {
    this.#write(text);
    if (text !== '') this.#lastWord = '';
  }

  /** Joins a word that a line end splits, with or without its hyphen. Returns `false` if the line ends with a word. */
  #joinWord(next: readonly Word[]): boolean {
    if (!endsWithHyphen(this.#lastWord)) return false;
    const start = next.slice(0, 2).map(({ text }) => text);
    const treatment = hyphenAtLineEnd(this.#lastWord, start, this.#spellings);
    if (treatment === undefined || treatment === 'space') return false;
    if (treatment === 'keep') return true;
    const lastPart = this.#parts.pop() ?? '';
    this.#parts.push(lastPart.slice(0, -1));
    this.#length--;
    this.#lastWord = this.#lastWord.slice(0, -1);
    // This also removes a hyphen that is a separate word in the file.
    this.#runs.shortenLast();
    return true;
  }
}
