import type { Span } from './span.ts';

/**
 * What a line of Markdown is. `opening` and `closing` are the lines around a block of code, `code` those within; `row` is
 * one of a table, `rule` the one below its header; `ruler` is a line of marks alone, across the page or below a title.
 */
export type LineKind =
  | 'blank'
  | 'closing'
  | 'code'
  | 'heading'
  | 'item'
  | 'opening'
  | 'row'
  | 'rule'
  | 'ruler'
  | 'text';

/** A line of Markdown, without its break. */
export interface MarkdownLine extends Span {
  readonly kind: LineKind;
  /** Where the next line begins. */
  readonly next: number;
}

/** What opens a block of code. */
export interface Fence {
  /** The run of backticks or tildes. */
  readonly mark: string;
  /** What stands behind them: mostly the language. */
  readonly info: string;
  /** In how many quotes the block stands. */
  readonly quotes: number;
  /** How many columns stand before the mark, without those of quotes. */
  readonly indent: number;
  /** Whether it begins an item: "- ```js". */
  readonly isInItem: boolean;
}

/** A line of Markdown that is a heading with its marks: `## Title ##`. */
interface MarkedHeading {
  /** 1 to 6. */
  readonly level: number;
  /** As it is written, without the marks around it; '' where there is nothing between them. */
  readonly title: string;
}

/** Of a number three digits at most: a year at the beginning of a line ends a sentence more often. */
const ITEM = /^([ \t>]*)([-*+•◦▪‣]|\d{1,3}[.)])[ \t]+(.*)$/s;
const MARKS = /^(?:[\s>]|(?:[-*+•◦▪‣]|\d{1,3}[.)])(?=\s))*/;
const OPENING = /^([ \t>]*)((?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/s;
const RULER = /^[ \t>]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}[ \t]*)$/;
/** What a line that is still being written may begin with before it is known what it is. */
const UNTOLD = [
  /^[ \t>]*(?:\d{1,3}[.)]?|[#=]+|[-*_][-*_ \t]*|[+•◦▪‣]|\|[ \t|:-]*)?$/,
  /^[ \t>]*(?:(?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]+)?(?:`{1,2}|`{3,}[^`]*|~~?)?$/,
];

/** Tells the lines of a Markdown text one after another, each without its break. */
export class LineScanner {
  #fence: Fence | undefined;

  /** What opened the block of code that the last line is in; undefined where it is in none, or closes it. */
  get fence(): Fence | undefined {
    return this.#fence;
  }

  /** Takes the next line; returns what it is. */
  take(line: string): LineKind {
    if (this.#fence !== undefined && !endsAround(line, this.#fence)) {
      if (!closesFence(line, this.#fence)) return 'code';
      this.#fence = undefined;
      return 'closing';
    }
    this.#fence = openedFence(line);
    return this.#fence === undefined ? kindOfLine(line) : 'opening';
  }
}

/** The lines of a Markdown text within a span, in their order. A text that ends with a break has no line behind it. */
export function* markdownLines(text: string, span?: Span): Generator<MarkdownLine> {
  const scanner = new LineScanner();
  for (const line of linesIn(text, span))
    yield { ...line, kind: scanner.take(text.slice(line.start, line.end)) };
}

/** The lines of any text within a span, without their breaks, in their order. */
export function* linesIn(
  text: string,
  { start, end }: Span = { start: 0, end: text.length },
): Generator<Span & { readonly next: number }> {
  const breaks = /\r\n?|\n/g;
  for (let from = start; from < end;) {
    breaks.lastIndex = from;
    const found = breaks.exec(text);
    const to = Math.min(found?.index ?? end, end);
    const next = found === null ? end : Math.min(breaks.lastIndex, end);
    yield { start: from, end: to, next };
    from = next;
  }
}

/** What a line outside of blocks of code is by itself. */
export function kindOfLine(line: string): Exclude<LineKind, 'closing' | 'code' | 'opening'> {
  if (line.trim() === '') return 'blank';
  if (isTableRow(line)) return isTableRule(line) ? 'rule' : 'row';
  if (RULER.test(line)) return 'ruler';
  if (headingOfLine(line) !== undefined) return 'heading';
  return itemOfLine(line) === undefined ? 'text' : 'item';
}

/** Whether a line outside of blocks of code that is still being written may become of another kind. */
export function isLineUntold(line: string): boolean {
  return UNTOLD.some((beginning) => beginning.test(line));
}

/**
 * The block of code that a line opens; undefined where it opens none, as a line with code of its own does: "```npm i x```".
 * It may be indented as deep as an item's words are.
 */
export function openedFence(line: string): Fence | undefined {
  const [, before = '', item = '', mark, info = ''] = OPENING.exec(line) ?? [];
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined;
  const quotes = before.split('>').length - 1;
  const indent = countIndent(withoutQuotes(line, quotes) ?? '') + item.length;
  return { mark, info: info.trim(), quotes, indent, isInItem: item !== '' };
}

/** Whether a line closes a block of code: nothing stands behind its mark, which is as long as the one that opened it. */
export function closesFence(line: string, { mark, quotes, indent, isInItem }: Fence): boolean {
  const own = withoutQuotes(line, quotes);
  if (own === undefined) return false;
  const words = own.trim();
  if (!words.startsWith(mark) || words !== mark.charAt(0).repeat(words.length)) return false;
  return countIndent(own) <= (indent <= 3 && !isInItem ? 3 : indent + 3);
}

/** Whether a line stands outside of the quote or the item that a block of code is in, which ends with it. */
function endsAround(line: string, { quotes, indent, isInItem }: Fence): boolean {
  const own = withoutQuotes(line, quotes);
  if (own === undefined) return true;
  return own.trim() !== '' && countIndent(own) < (isInItem ? indent : indent - 3);
}

/** A line without the marks of so many quotes; undefined where it has fewer. */
function withoutQuotes(line: string, quotes: number): string | undefined {
  let at = 0;
  for (let left = quotes; left > 0; left--) {
    while (line[at] === ' ' || line[at] === '\t') at++;
    if (line[at] !== '>') return undefined;
    at++;
  }
  return quotes > 0 && line[at] === ' ' ? line.slice(at + 1) : line.slice(at);
}

/** How many columns of blanks a line begins with: a tab reaches to the next multiple of four. */
function countIndent(line: string): number {
  let columns = 0;
  for (let at = 0; line[at] === ' ' || line[at] === '\t'; at++)
    columns = line[at] === '\t' ? columns + 4 - (columns % 4) : columns + 1;
  return columns;
}

/** An item of a list, as the line that it begins with tells it. */
interface MarkedItem {
  /** What stands before its mark: blanks and the marks of quotes. */
  readonly before: string;
  /** `-`, `•` or `2.`. */
  readonly mark: string;
  readonly text: string;
}

/** The item that a line outside of blocks of code begins; undefined where it begins none. */
export function itemOfLine(line: string): MarkedItem | undefined {
  const [, before = '', mark, text = ''] = ITEM.exec(line) ?? [];
  return mark === undefined ? undefined : { before, mark, text };
}

/** A line without what makes it an item of a list: `2. Rain` is `Rain`. */
export function withoutItemMark(line: string): string {
  return itemOfLine(line)?.text ?? line;
}

/** How far the marks of quotes and items reach that a line begins with, of which there may be several: "> - 1. Rain". */
export function endOfMarks(line: string): number {
  return MARKS.exec(line)?.[0].length ?? 0;
}

/** A line without what makes it a heading or an item. */
export function withoutLineMark(line: string): string {
  return headingOfLine(line)?.title ?? withoutItemMark(line);
}

/**
 * A text as a block of code in Markdown, between marks that are longer than any in it. A language that isn't one word is
 * left out, as it may hold the end of the block.
 */
export function fenced(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${/^[\w.+#-]*$/.test(language) ? language : ''}\n${text}\n${mark}`;
}

/** The heading that a line of Markdown, without its break, is; undefined where it is none. */
export function headingOfLine(line: string): MarkedHeading | undefined {
  const opened = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (opened?.[1] === undefined) return undefined;
  const words = line.slice(opened[0].length);
  const end = endWithout(words, words.length, ' \t');
  const beforeMarks = endWithout(words, end, '#');
  const isClosed = beforeMarks < end && /^[ \t]$/.test(words.charAt(beforeMarks - 1));
  const title = words.slice(0, isClosed ? endWithout(words, beforeMarks, ' \t') : end);
  return { level: opened[1].length, title: title.replace(/^[ \t]+/, '') };
}

/** The level of the heading that a line makes of the words above it: 1 by = and 2 by -; undefined where it makes none. */
export function levelOfUnderline(line: string): 1 | 2 | undefined {
  const mark = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1];
  return mark === undefined ? undefined : mark.startsWith('=') ? 1 : 2;
}

/** Whether a line is the row of a table, its header or the line below that included. */
export function isTableRow(line: string): boolean {
  return /^[ \t]*\|/.test(line);
}

/** Whether a line is the one between the header of a table and its rows. */
export function isTableRule(line: string): boolean {
  return /^[ \t]*\|[ \t|:-]*\r?$/.test(line) && line.includes('-');
}

/** Returns the text of the cells of a table's row, from the first to the last. Escaped bars belong to a cell. */
export function rowCells(row: string): string[] {
  return cellSpans(row).map(({ start, end }) => row.slice(start, end).trim());
}

/** Returns the ranges between the bars of a table's row, blanks included. */
export function cellSpans(row: string): Span[] {
  const begin = row.length - row.trimStart().length;
  const end = row.trimEnd().length;
  const bars = Array.from(row.slice(0, end).matchAll(/(?<!\\)\|/g), ({ index }) => index);
  const inner = bars.filter((at, i) => !(at === begin && i === 0) && at !== end - 1);
  const starts = [bars[0] === begin ? begin + 1 : begin, ...inner.map((at) => at + 1)];
  const last = bars.at(-1) === end - 1 && end - 1 >= (starts.at(-1) ?? 0) ? end - 1 : end;
  return starts.map((start, i) => ({ start, end: inner[i] ?? last }));
}

/** Adds the bars at the ends of a table's lines that a writer left out: `a | b` becomes `| a | b |`. */
export function withOuterBars(text: string): string {
  const lines = Array.from(markdownLines(text));
  const words = lines.map(({ start, end }) => text.slice(start, end));
  const isOpen = (i: number): boolean => lines[i]?.kind === 'text' && words[i]?.includes('|') === true;
  const open = new Set<number>();
  for (const [i, line] of words.entries()) {
    if (!isOpen(i) || !isOpen(i - 1) || !/^[ \t|:-]+$/.test(line) || !line.includes('-')) continue;
    if (cellSpans(line).length !== cellSpans(words[i - 1] ?? '').length) continue;
    open.add(i - 1);
    for (let row = i; isOpen(row); row++) open.add(row);
  }
  if (open.size === 0) return text;
  return lines
    .map(({ end, next }, i) => {
      const line = words[i] ?? '';
      const bare = line.trim();
      const closed = open.has(i) ? `| ${bare}${/(?<!\\)\|$/.test(bare) ? '' : ' |'}` : line;
      return closed + text.slice(end, next);
    })
    .join('');
}

/** Where a text ends without the characters at its end that are among `characters`. */
function endWithout(text: string, end: number, characters: string): number {
  let last = end;
  while (last > 0 && characters.includes(text.charAt(last - 1))) last--;
  return last;
}
