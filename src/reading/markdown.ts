import { citationLinks } from '../notebook/citation-links.ts';
import type { Heading, OffsetMap, ReadDocument } from '../notebook/document.ts';
import { headingOfLine } from '../language/markdown-lines.ts';
import { withoutCitationLinks } from './note-text.ts';
import { headingsOfPlainText } from './plain-headings.ts';

/** Nobody titles anything with a longer line, in UTF-16 code units. */
const longestTitleLine = 4000;

interface Line {
  readonly start: number;
  readonly text: string;
}

/**
 * A Markdown file as a document: its own text, its headings, and the title that its front matter or first heading gives.
 * The links of a note's citations are left out.
 */
export function readMarkdown(original: string): ReadDocument {
  const { text, map } = readableText(original);
  const headings = headingsOfMarkdown(text);
  return {
    title: frontMatterTitle(text) ?? headings[0]?.title,
    mediaType: 'text/markdown',
    format: 'markdown',
    languageId: 'markdown',
    text,
    map,
    headings: headings.length > 0 ? headings : headingsOfPlainText(text),
    warnings: [],
  };
}

function readableText(original: string): { readonly text: string; readonly map: OffsetMap } {
  const links = citationLinks(original);
  if (links.length > 0) return withoutCitationLinks(original, links);
  return { text: original, map: { kind: 'text', origin: { line: 0, character: 0 } } };
}

/**
 * The headings of a Markdown text, both kinds (`# Title`, and a title underlined with = or -), outside of fenced code
 * and front matter. Offsets are UTF-16 code units of the line's beginning.
 */
export function headingsOfMarkdown(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let paragraph: Line | undefined;
  for (const line of linesOf(text, frontMatterOf(text)?.end ?? 0)) {
    const marker = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line.text);
    if (fence !== undefined) {
      const closes = marker?.[1]?.startsWith(fence) === true && marker[2]?.trim() === '';
      if (closes) fence = undefined;
      continue;
    }
    if (marker?.[1] !== undefined && !(marker[1].startsWith('`') && marker[2]?.includes('`'))) {
      fence = marker[1];
      paragraph = undefined;
      continue;
    }
    if (line.text.length > longestTitleLine) {
      paragraph = undefined;
      continue;
    }
    const marked = headingOfLine(line.text);
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line.text);
    if (marked !== undefined) {
      const title = withoutMarkup(marked.title);
      if (title !== '') headings.push({ offset: line.start, level: marked.level, title });
      paragraph = undefined;
    } else if (underline && paragraph) {
      const level = underline[1]?.startsWith('=') === true ? 1 : 2;
      headings.push({ offset: paragraph.start, level, title: withoutMarkup(paragraph.text) });
      paragraph = undefined;
    } else {
      paragraph = isParagraphLine(line.text) ? (paragraph ?? line) : undefined;
    }
  }
  return headings;
}

function frontMatterTitle(text: string): string | undefined {
  const title = /^title[ \t]{0,20}[:=](.{1,1000})$/m.exec(frontMatterOf(text)?.body ?? '')?.[1];
  const bare = title
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  return bare === '' ? undefined : bare;
}

/** The block between `---` (YAML) or `+++` (TOML) lines at the very beginning. */
function frontMatterOf(text: string): { body: string; end: number } | undefined {
  const found = /^(---|\+\+\+)[ \t]*\r?\n([^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? { body: found[2] ?? '', end: found[0].length } : undefined;
}

/** A rule across the page, which no underline below makes a heading of. */
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** A line that a following underline would make a heading of; not a rule, quote, list item, table row, comment or indented code. */
function isParagraphLine(line: string): boolean {
  return (
    line.trim() !== '' && !RULE.test(line) && !/^(?: {4}|\t| {0,3}(?:>|[-*+] |\d{1,9}[.)] |\||<))/.test(line)
  );
}

/** Long titles are cut, as are those of pages that want to keep their readers busy. */
const longestTitle = 1000;

function withoutMarkup(markdown: string): string {
  const words = markdown.slice(0, longestTitle).replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
  return withoutEmphasis(words)
    .replace(/<[^>]+>/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Words without the marks around those that are emphasised, struck out or code. */
function withoutEmphasis(words: string): string {
  const marks = /\*\*|__|\*|`+|~~/g;
  const unclosed = new Set<string>();
  let rest = '';
  let from = 0;
  for (let found = marks.exec(words); found !== null; found = marks.exec(words)) {
    const { 0: whole, index } = found;
    const mark = whole === '**' && isUnclosed(whole, index) ? '*' : whole;
    if (isUnclosed(mark, index)) continue;
    const end = words.indexOf(mark, index + mark.length + 1);
    rest += words.slice(from, index) + words.slice(index + mark.length, end);
    from = marks.lastIndex = end + mark.length;
  }
  return rest + words.slice(from);

  /** What is not closed once is not looked for again. */
  function isUnclosed(mark: string, index: number): boolean {
    if (!unclosed.has(mark) && !words.includes(mark, index + mark.length + 1)) unclosed.add(mark);
    return unclosed.has(mark);
  }
}

function* linesOf(text: string, from: number): Generator<Line> {
  const breaks = /\r\n|\n|\r/g;
  breaks.lastIndex = from;
  let start = from;
  for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
    yield { start, text: text.slice(start, found.index) };
    start = breaks.lastIndex;
  }
  yield { start, text: text.slice(start) };
}
