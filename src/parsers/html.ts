import type { OffsetMap, ReadDocument } from '../core/domain/document.ts';
import { decodeText, encodingNamed } from './text-decoding.ts';
import { extractPage, type ExtractedPage } from './web/extract-page.ts';
import { alignWords } from './word-alignment.ts';
import { scanMarkup } from './markup-scan.ts';

/** Length of the part of a page that is searched for its declared charset, in bytes. */
const DECLARED_WITHIN = 16 * 1024;
/**
 * A declaration of UTF-8 is wrong if the text has more replacement characters than this number and this share:
 * "f\ufffdr" in German.
 */
const MAX_MISREAD = 20;
const SHARE_MISREAD = 0.01;

/**
 * Decodes an HTML file or page by its byte order mark, the server's charset, its own meta element or XML declaration,
 * or its bytes. Ignores a declaration of UTF-8 that doesn't match the bytes.
 */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const head = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1');
  const declared =
    /<meta[^>]{1,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s{0,9}<\?xml[^>]{1,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]+)/i.exec(head)?.[1];
  // If its declaration is readable, the page isn't UTF-16, whatever it declares.
  const usable = declared !== undefined && !/^utf-?16/i.test(declared) ? declared : undefined;
  const known = [charset, usable].map(encodingNamed).find((encoding) => encoding !== undefined);
  if (known === undefined) return decodeText(bytes);
  const text = decodeText(bytes, known);
  const misread = /^utf-?8$/i.test(known) ? text.split('\uFFFD').length - 1 : 0;
  return misread > MAX_MISREAD && misread > SHARE_MISREAD * text.length ? decodeText(bytes) : text;
}

/**
 * Returns a downloaded page as a document: its main content as Markdown, which is also the text to open.
 * @throws NotebookError `unauthorized`, `forbidden` or `unsupported` if the page shows its content to browsers only.
 */
export function readPage(html: string, url: string): ReadDocument {
  const page = extractPage(html, url);
  if (page.emptyPage) throw page.emptyPage;
  return makeDocument(page, { kind: 'saved' });
}

/** Returns an HTML file as a document: its main content as Markdown, with each word mapped to its line in the file. */
export function readHtmlFile(html: string): ReadDocument {
  const page = extractPage(html, 'file:///');
  return makeDocument(page, alignToSource(page.markdown, html));
}

function makeDocument(page: ExtractedPage, map: OffsetMap): ReadDocument {
  return {
    title: page.title,
    mediaType: 'text/html',
    format: 'markdown',
    text: page.markdown,
    map,
    headings: page.headings,
    warnings: [],
    byline: page.metadata.byline,
    bibliography: page.bibliography,
  };
}

/** Returns the runs of `markdown` that match its HTML source letter for letter, each within one line. */
export function alignToSource(markdown: string, html: string): Extract<OffsetMap, { kind: 'aligned' }> {
  return findRuns(markdown, html, sourceOffsets(markdown, alignedSource(html)));
}

/** Returns the start in the source for each code unit of the Markdown, or -1. */
function sourceOffsets(markdown: string, source: SourceText): Int32Array {
  const wordsA = cutWords(markdown);
  const wordsB = cutWords(source.text);
  const offsets = new Int32Array(markdown.length).fill(-1);
  const set = (at: number, sourceAt: number): void => {
    offsets[at] = source.offsets[sourceAt] ?? -1;
  };
  let endA = 0;
  let endB = 0;
  for (const [indexA, indexB] of alignWords(wordsA.words, wordsB.words)) {
    const startA = wordsA.starts[indexA] ?? 0;
    const startB = wordsB.starts[indexB] ?? 0;
    const length = wordsA.words[indexA]?.length ?? 0;
    // Align the punctuation after the last word and before this one, as far as both texts agree.
    while (endA < startA && endB < startB && markdown[endA] === source.text[endB]) set(endA++, endB++);
    for (let back = 1; startA - back >= endA && startB - back >= endB; back++) {
      if (markdown[startA - back] !== source.text[startB - back]) break;
      set(startA - back, startB - back);
    }
    for (let i = 0; i < length; i++) set(startA + i, startB + i);
    endA = startA + length;
    endB = startB + length;
  }
  while (endA < markdown.length && markdown[endA] === source.text[endB]) set(endA++, endB++);
  return offsets;
}

/**
 * Cuts a text into words without changing letters: words of the page and its Markdown must match exactly and have the
 * same length.
 */
function cutWords(text: string): { words: string[]; starts: number[] } {
  const words: string[] = [];
  const starts: number[] = [];
  // Limit the length of matches: a run of millions of letters overflows the stack.
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]{1,1000}/gu)) {
    words.push(match[0]);
    starts.push(match.index);
  }
  return { words, starts };
}

function findRuns(
  markdown: string,
  html: string,
  offsets: Int32Array,
): Extract<OffsetMap, { kind: 'aligned' }> {
  const starts: number[] = [];
  const lengths: number[] = [];
  const lines: number[] = [];
  const characters: number[] = [];
  let line = 0;
  let lineStart = 0;
  let scanned = 0;
  const moveTo = (offset: number): void => {
    for (; scanned < offset; scanned++) {
      const unit = html.charCodeAt(scanned);
      if (unit === 10 || (unit === 13 && html.charCodeAt(scanned + 1) !== 10)) {
        line++;
        lineStart = scanned + 1;
      }
    }
  };
  const literal = (at: number): boolean => {
    const offset = offsets[at] ?? -1;
    const unit = markdown[at];
    return offset >= 0 && unit === html[offset] && unit !== '\n' && unit !== '\r';
  };
  for (let at = 0; at < markdown.length; at++) {
    if (!literal(at)) continue;
    const start = at;
    while (literal(at + 1) && offsets[at + 1] === (offsets[at] ?? 0) + 1) at++;
    if (markdown.slice(start, at + 1).trim() === '') continue;
    const offset = offsets[start] ?? 0;
    moveTo(offset);
    starts.push(start);
    lengths.push(at + 1 - start);
    lines.push(line);
    characters.push(offset - lineStart);
  }
  return {
    kind: 'aligned',
    starts: Uint32Array.from(starts),
    lengths: Uint32Array.from(lengths),
    lines: Uint32Array.from(lines),
    characters: Uint32Array.from(characters),
  };
}

/** Visible text of an HTML source, and the start in the source of each of its UTF-16 code units. */
interface SourceText {
  readonly text: string;
  readonly offsets: Uint32Array;
}

const UNREAD = new Set(['script', 'style', 'template', 'title', 'svg', 'rt', 'rp']);

const INLINE = new Set(
  'a,abbr,b,bdi,bdo,cite,code,data,dfn,em,font,i,ins,del,kbd,mark,q,rb,ruby,s,samp,small,span,strong,sub,sup,time,tt,u,var,wbr'.split(
    ',',
  ),
);

/** Reports whether the number in a superscript is a word of its own, as it is in the Markdown: `10^6`. */
function isApart(html: string, name: string, start: number): boolean {
  return (
    name === 'sup' &&
    /^(?:<sup[^<>]{0,200}>\s{0,9}(?:<a[^<>]{0,500}>)?\[?\d|<\/sup)/i.test(html.slice(start, start + 800))
  );
}

/** Returns the text nodes of an HTML source in order, with entities resolved and line breaks at block boundaries. */
function alignedSource(html: string): SourceText {
  const parts: string[] = [];
  const offsets: number[] = [];
  let unreadDepth = 0;
  const add = (text: string, offset: number, literal: boolean): void => {
    parts.push(text);
    for (let i = 0; i < text.length; i++) offsets.push(literal ? offset + i : offset);
  };
  const tag = (name: string, start: number, step: number): void => {
    if (UNREAD.has(name)) unreadDepth = Math.max(0, unreadDepth + step);
    else if (!INLINE.has(name) || isApart(html, name, start)) add('\n', start, false);
  };
  scanMarkup(html, 'html', {
    onOpen: (name, _, start) => tag(name, start, 1),
    onClose: (name, start) => tag(name, start, -1),
    onText: (text, start) => {
      // The scanner reports an entity as a separate text, which differs from the source.
      if (unreadDepth === 0) add(text, start, html.startsWith(text, start));
    },
  });
  return { text: parts.join(''), offsets: Uint32Array.from(offsets) };
}
