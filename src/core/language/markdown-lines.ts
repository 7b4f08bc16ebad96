import type { Span } from './span.ts';

/**
 * Kind of a Markdown line. `opening` and `closing` are the fences of a code block, `code` the lines in it. `row`
 * belongs to a table, `rule` is the line below its header. `ruler` is a line of marks only, a thematic break or the
 * underline of a heading.
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
  /** Start of the next line. */
  readonly next: number;
}

/** Opening fence of a code block. */
export interface Fence {
  /** The run of backticks or tildes. */
  readonly mark: string;
  /** Info string after the marks, usually the language. */
  readonly info: string;
  /** Number of quotes around the block. */
  readonly quotes: number;
  /** Number of columns before the mark, without those of quotes. */
  readonly indent: number;
  /** `true` if it begins a list item: "- ```js". */
  readonly isInItem: boolean;
}

/** Heading of a Markdown line with its marks: `## Title ##`. */
interface MarkedHeading {
  /** 1 to 6. */
  readonly level: number;
  /** Title as written, without the marks around it; '' if it is empty. */
  readonly title: string;
}

/** A number has at most three digits, because a year at the start of a line usually ends a sentence. */
const ITEM = /^([ \t>]*)([-*+•◦▪‣]|\d{1,3}[.)])[ \t]+(.*)$/s;
const MARKS = /^(?:[\s>]|(?:[-*+•◦▪‣]|\d{1,3}[.)])(?=\s))*/;
const OPENING = /^([ \t>]*)((?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/s;
const RULER = /^[ \t>]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}[ \t]*)$/;
/** Beginnings of an incomplete line whose kind is still unknown. */
const UNTOLD = [
  /^[ \t>]*(?:\d{1,3}[.)]?|[#=]+|[-*_][-*_ \t]*|[+•◦▪‣]|\|[ \t|:-]*)?$/,
  /^[ \t>]*(?:(?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]+)?(?:`{1,2}|`{3,}[^`]*|~~?)?$/,
];

/** Classifies the lines of a Markdown text one after another, each without its line break. */
export class LineScanner {
  #fence: Fence | undefined;

  /** Fence of the code block that contains the last line; undefined outside of code blocks and for a closing fence. */
  get fence(): Fence | undefined {
    return this.#fence;
  }

  /** Consumes the next line and returns its kind. */
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

/**
 * Yields the lines of a Markdown text within a span, in order. A text that ends with a line break has no line after
 * it.
 */
export function* markdownLines(text: string, span?: Span): Generator<MarkdownLine> {
  const scanner = new LineScanner();
  for (const line of linesIn(text, span))
    yield { ...line, kind: scanner.take(text.slice(line.start, line.end)) };
}

/** Yields the lines of any text within a span, without their breaks, in order. */
export function* linesIn(
  text: string,
  { start, end }: Span = { start: 0, end: text.length },
): Generator<Span & { readonly next: number }> {
  const breaks = /\r\n?|\n/g;
  for (let from = start; from < end;) {
    breaks.lastIndex = from;
    const match = breaks.exec(text);
    const to = Math.min(match?.index ?? end, end);
    const next = match === null ? end : Math.min(breaks.lastIndex, end);
    yield { start: from, end: to, next };
    from = next;
  }
}

/** Returns the kind of a line outside of code blocks, without its context. */
export function kindOfLine(line: string): Exclude<LineKind, 'closing' | 'code' | 'opening'> {
  if (line.trim() === '') return 'blank';
  if (isTableRow(line)) return isTableRule(line) ? 'rule' : 'row';
  if (RULER.test(line)) return 'ruler';
  if (headingOfLine(line) !== undefined) return 'heading';
  return itemOfLine(line) === undefined ? 'text' : 'item';
}

/** Reports whether an incomplete line outside of code blocks can still change its kind. */
export function isLineUntold(line: string): boolean {
  return UNTOLD.some((beginning) => beginning.test(line));
}

/**
 * Returns the code block that a line opens; undefined if it opens none, for example because it contains inline code:
 * "```npm i x```". The line may be indented like the text of a list item.
 */
export function openedFence(line: string): Fence | undefined {
  const [, before = '', item = '', mark, info = ''] = OPENING.exec(line) ?? [];
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined;
  const quotes = before.split('>').length - 1;
  const indent = countIndent(withoutQuotes(line, quotes) ?? '') + item.length;
  return { mark, info: info.trim(), quotes, indent, isInItem: item !== '' };
}

/** Reports whether a line closes a code block: only its mark, at least as long as the opening one. */
export function closesFence(line: string, { mark, quotes, indent, isInItem }: Fence): boolean {
  const own = withoutQuotes(line, quotes);
  if (own === undefined) return false;
  const words = own.trim();
  if (!words.startsWith(mark) || words !== mark.charAt(0).repeat(words.length)) return false;
  return countIndent(own) <= (indent <= 3 && !isInItem ? 3 : indent + 3);
}

/** Reports whether a line is outside of the quote or list item of a code block, which ends the block. */
function endsAround(line: string, { quotes, indent, isInItem }: Fence): boolean {
  const own = withoutQuotes(line, quotes);
  if (own === undefined) return true;
  return own.trim() !== '' && countIndent(own) < (isInItem ? indent : indent - 3);
}

/** Returns a line without a number of quote marks; undefined if it has fewer. */
function withoutQuotes(line: string, quotes: number): string | undefined {
  let at = 0;
  for (let remaining = quotes; remaining > 0; remaining--) {
    while (line[at] === ' ' || line[at] === '\t') at++;
    if (line[at] !== '>') return undefined;
    at++;
  }
  return quotes > 0 && line[at] === ' ' ? line.slice(at + 1) : line.slice(at);
}

/** Counts the columns of leading blanks. A tab extends to the next multiple of four. */
function countIndent(line: string): number {
  let columns = 0;
  for (let at = 0; line[at] === ' ' || line[at] === '\t'; at++)
    columns = line[at] === '\t' ? columns + 4 - (columns % 4) : columns + 1;
  return columns;
}

/** List item, according to its first line. */
interface MarkedItem {
  /** Blanks and quote marks before its mark. */
  readonly before: string;
  /** `-`, `•` or `2.`. */
  readonly mark: string;
  readonly text: string;
}

/** Returns the list item that a line outside of code blocks begins; undefined if it begins none. */
export function itemOfLine(line: string): MarkedItem | undefined {
  const [, before = '', mark, text = ''] = ITEM.exec(line) ?? [];
  return mark === undefined ? undefined : { before, mark, text };
}

/** Returns a line without the mark of a list item: `Rain` for `2. Rain`. */
export function withoutItemMark(line: string): string {
  return itemOfLine(line)?.text ?? line;
}

/** Returns the end of the leading quote and list marks of a line, such as "> - 1. Rain". */
export function endOfMarks(line: string): number {
  return MARKS.exec(line)?.[0].length ?? 0;
}

/** Returns a line without the marks of a heading or a list item. */
export function withoutLineMark(line: string): string {
  return headingOfLine(line)?.title ?? withoutItemMark(line);
}

/**
 * Returns a text as a Markdown code block, whose fence is longer than any in the text. Omits a language that isn't a
 * single word, because it could end the block.
 */
export function fenceText(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${/^[\w.+#-]*$/.test(language) ? language : ''}\n${text}\n${mark}`;
}

/** Parses a line as a heading, without its line break; undefined if it isn't one. */
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

/** Returns the level of the heading that an underline creates: 1 for `=`, 2 for `-`; undefined for other lines. */
export function levelOfUnderline(line: string): 1 | 2 | undefined {
  const mark = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1];
  return mark === undefined ? undefined : mark.startsWith('=') ? 1 : 2;
}

/** Reports whether a line belongs to a table, including the header and the line below it. */
export function isTableRow(line: string): boolean {
  return /^[ \t]*\|/.test(line);
}

/** Reports whether a line is the one between the header of a table and its rows. */
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

/** Returns the offset after the last character before `end` that isn’t one of `characters`. */
export function endWithout(text: string, end: number, characters: string): number {
  let last = end;
  while (last > 0 && characters.includes(text.charAt(last - 1))) last--;
  return last;
}
