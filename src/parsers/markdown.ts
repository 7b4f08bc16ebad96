import { citationLinks } from '../core/domain/citation-links.ts';
import type { Heading, OffsetMap, ReadDocument } from '../core/domain/document.ts';
import { headingOfLine, levelOfUnderline, linesIn, markdownLines } from '../core/language/markdown-lines.ts';
import { headingsOfPlainText } from './plain-headings.ts';
import { LineRuns } from './line-runs.ts';

/** Maximum length of a title line, in UTF-16 code units. */
const MAX_TITLE_LINE_LENGTH = 4000;

/**
 * Returns a Markdown file as a document: its own text, its headings, and the title of its front matter or first
 * heading. Leaves out the citation links of a note, and the data of files in `data:` URIs.
 */
export function readMarkdown(original: string): ReadDocument {
  const { text, map } = readableText(original);
  // In AsciiDoc, lines of hyphens enclose code, and would underline its lines as headings.
  const isAsciiDoc = /^= \S/.test(text);
  const marked = isAsciiDoc ? [] : headingsOfMarkdown(text);
  const headings = marked.length > 0 ? marked : headingsOfPlainText(text);
  return {
    title: frontMatterTitle(text) ?? (isAsciiDoc ? headings : marked)[0]?.title,
    mediaType: 'text/markdown',
    format: 'markdown',
    languageId: 'markdown',
    text,
    map,
    headings,
    warnings: [],
  };
}

function readableText(original: string): { readonly text: string; readonly map: OffsetMap } {
  const links = citationLinks(original);
  const cuts = [...links.map((link) => ({ ...link, isLink: true })), ...dataUris(original)].sort(
    (a, b) => a.start - b.start,
  );
  if (cuts.length > 0) return withoutCuts(original, cuts);
  return { text: original, map: { kind: 'text', origin: { line: 0, character: 0 } } };
}

/**
 * Returns the headings of a Markdown text (`# Title`, and a title underlined with = or -), outside of fenced code and
 * front matter. Offsets are UTF-16 code units of the line's start.
 */
export function headingsOfMarkdown(text: string): Heading[] {
  const headings: Heading[] = [];
  /** Words that an underline can turn into a heading. */
  let paragraph: { readonly offset: number; readonly words: string } | undefined;
  const body = { start: readFrontMatter(text)?.end ?? 0, end: text.length };
  for (const { kind, start, end } of markdownLines(text, body)) {
    const line = text.slice(start, Math.min(end, start + MAX_TITLE_LINE_LENGTH + 1));
    const level = levelOfUnderline(line);
    const marked = kind === 'heading' ? headingOfLine(line) : undefined;
    if (marked !== undefined && line.length <= MAX_TITLE_LINE_LENGTH) {
      const title = withoutMarkup(marked.title);
      if (title !== '') headings.push({ offset: start, level: marked.level, title });
    } else if (paragraph !== undefined && level !== undefined && kind !== 'code')
      headings.push({ offset: paragraph.offset, level, title: withoutMarkup(paragraph.words) });
    else if (kind === 'text' && line.length <= MAX_TITLE_LINE_LENGTH && (paragraph ?? mayBeTitle(line))) {
      paragraph ??= { offset: start, words: line };
      continue;
    }
    paragraph = undefined;
  }
  return headings;
}

function frontMatterTitle(text: string): string | undefined {
  const title = /^title[ \t]{0,20}[:=](.{1,1000})$/m.exec(readFrontMatter(text)?.body ?? '')?.[1];
  const bare = title
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  return bare === '' ? undefined : bare;
}

/** Returns the block between `---` (YAML) or `+++` (TOML) lines at the very start. */
function readFrontMatter(text: string): { body: string; end: number } | undefined {
  const match = /^(---|\+\+\+)[ \t]*\r?\n([^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(text);
  return match ? { body: match[2] ?? '', end: match[0].length } : undefined;
}

/**
 * Reports whether an underline can turn a line into a heading. It can't for a quote, a comment, indented code, or an
 * item of a numbered list.
 */
function mayBeTitle(line: string): boolean {
  return !/^(?: {4}|\t| {0,3}(?:[><]|\d{1,9}[.)] ))/.test(line);
}

/** Maximum length of a title; longer ones are cut. */
const MAX_TITLE_LENGTH = 1000;

function withoutMarkup(markdown: string): string {
  const words = markdown.slice(0, MAX_TITLE_LENGTH).replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
  return withoutEmphasis(words)
    .replace(/<[^>]+>/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Removes the marks around emphasized words, struck words, and code. */
function withoutEmphasis(words: string): string {
  const marks = /\*\*|__|\*|`+|~~/g;
  const unclosed = new Set<string>();
  let rest = '';
  let from = 0;
  for (let match = marks.exec(words); match !== null; match = marks.exec(words)) {
    const { 0: whole, index } = match;
    const mark = whole === '**' && isUnclosed(whole, index) ? '*' : whole;
    if (isUnclosed(mark, index)) continue;
    const end = words.indexOf(mark, index + mark.length + 1);
    rest += words.slice(from, index) + words.slice(index + mark.length, end);
    from = marks.lastIndex = end + mark.length;
  }
  return rest + words.slice(from);

  /** Remembers unclosed marks to avoid searching for their end again. */
  function isUnclosed(mark: string, index: number): boolean {
    if (!unclosed.has(mark) && !words.includes(mark, index + mark.length + 1)) unclosed.add(mark);
    return unclosed.has(mark);
  }
}

/** Part of a text to leave out. */
interface Cut {
  readonly start: number;
  readonly end: number;
  /** `true` for a citation link, which is removed together with the blank before it. */
  readonly isLink?: boolean;
}

/** Minimum length of the data of a file in a URI, in UTF-16 code units, from which it is left out. */
const MIN_DATA_LENGTH = 64;
/** Maximum number of blanks between the lines of data. */
const MAX_BLANKS = 8;

/** Returns the spans of files, such as images in Base64, that a text contains as `data:` URIs. */
function dataUris(text: string): Cut[] {
  const cuts: Cut[] = [];
  for (const { 0: head, 1: isBase64, index } of text.matchAll(
    /\bdata:[a-z]{1,20}\/[\w.+-]{1,100}(?:;[\w-]{1,40}=[\w."-]{1,100}){0,5}(;base64)?,/gi,
  )) {
    const from = index + head.length;
    const end = isBase64 === undefined ? endOfUri(text, from) : endOfBase64(text, from);
    if (index >= (cuts.at(-1)?.end ?? 0) && end - from >= MIN_DATA_LENGTH) cuts.push({ start: index, end });
  }
  return cuts;
}

function endOfUri(text: string, from: number): number {
  let end = from;
  while (end < text.length && !/[\s"'<>()\\]/.test(text.charAt(end))) end++;
  return end;
}

/** Returns the end of Base64 data, whose lines programs break after 64 or 76 letters. */
function endOfBase64(text: string, from: number): number {
  let end = from;
  for (;;) {
    const start = end;
    while (end < text.length && /[\w+/=%-]/.test(text.charAt(end))) end++;
    let next = end;
    while (next - end < MAX_BLANKS && /\s/.test(text.charAt(next))) next++;
    const line = /^[\w+/=]{0,80}/.exec(text.slice(next, next + 80))?.[0] ?? '';
    const isContinued =
      next > end &&
      (end - start >= 60 || start === from) &&
      (line.length >= 60 || /^[\w+/]{1,78}=?=?["')>]/.test(text.slice(next, next + 82)));
    if (!isContinued) return end;
    end = next;
  }
}

/**
 * Returns a text without citation links, which have no meaning by themselves, and without the data of files, with the
 * map to its lines.
 */
function withoutCuts(
  original: string,
  cuts: readonly Cut[],
): { readonly text: string; readonly map: OffsetMap } {
  const runs = new LineRuns(original);
  const parts: string[] = [];
  let length = 0;
  const take = (from: number, to: number): void => {
    for (const { start, end } of linesIn(original, { start: from, end: to }))
      if (end > start) runs.add(length + start - from, end - start, start);
    parts.push(original.slice(from, to));
    length += to - from;
  };
  let from = 0;
  for (const { start, end, isLink } of cuts) {
    if (start < from) continue;
    // Remove the blank before a link, too.
    const plainLength =
      isLink === true ? original.slice(from, start).replace(/(?<![ \t])[ \t]+$/, '').length : start - from;
    take(from, from + plainLength);
    from = end;
  }
  take(from, original.length);
  return { text: parts.join(''), map: runs.makeMap() };
}
