import type { Citation, CitedContext } from '../../core/domain/answer.ts';
import type { PlacedFigure } from '../../core/domain/figure.ts';
import { locate, formatLocator } from '../../core/domain/locator.ts';
import type { DocumentEntry, SourceOrigin } from '../../core/domain/source.ts';
import type { Span } from '../../core/language/span.ts';
import type { CitedWords, CiteRequest, Surroundings, Whereabouts } from './citing-api.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';
import { doubtfulWords } from './recognized-words.ts';
import { citedFigure, figureAt } from './cited-figures.ts';
import { LineScanner, isTableRow, linesIn } from '../../core/language/markdown-lines.ts';
import { MAX_HEADER_DISTANCE, headerAbove } from '../../core/language/tables.ts';

/** Kind of a document's source, and the document's title in citations; see `titleOfCitation`. */
export interface SourceOfCitation {
  readonly kind: SourceOrigin['kind'];
  readonly title: string;
}

/**
 * Creates the citation of recently read text. If the document changed meanwhile, cites the text at its current
 * position. If the text is gone, cites it as it was, at its old position within the document's bounds.
 */
export function makeCitation(
  { number, documentId, passage, span, quote }: CiteRequest,
  document: StoredDocument,
  { kind, title }: SourceOfCitation,
): Citation {
  const { entry, text, map, headings } = document;
  const currentSpan = findQuote(document, quote, span);
  const moved = currentSpan === undefined ? 0 : currentSpan.start - span.start;
  const place = currentSpan ?? within(span, text.length);
  const locator = locate(text, map, place);
  const figure = figureAt(document, place);
  const above = headings
    .filter(({ offset, title }) => offset <= place.start && title !== '')
    .map(({ title }) => title);
  return {
    number,
    sourceId: entry.sourceId,
    sourceKind: kind,
    documentId,
    title,
    place: formatLocator(locator, above.slice(-1)),
    uri: entry.uri,
    mediaType: entry.mediaType,
    passage: within({ start: passage.start + moved, end: passage.end + moved }, text.length),
    span: currentSpan ?? span,
    quote,
    ...(currentSpan && { context: contextOf(document, currentSpan) }),
    locator,
    ...(figure && { figure: citedFigure(figure) }),
  };
}

function contextOf(document: StoredDocument, span: Span): CitedContext {
  const { format, languageId } = document;
  const { text, mark } = shownAround(document, span);
  const [before, after] = [text.slice(0, mark.start), text.slice(mark.end)];
  return { before, after, format, ...(languageId !== undefined && { languageId }) };
}

/** Creates the citation of text whose document was removed after the reading. It shows the text without a link. */
export function citationOfRemoved(
  { number, documentId, passage, span, quote }: CiteRequest,
  readIn: NonNullable<CiteRequest['readIn']>,
): Citation {
  return {
    number,
    ...readIn,
    sourceKind: 'text',
    documentId,
    uri: '',
    mediaType: 'text/plain',
    passage,
    span,
    quote,
    locator: { kind: 'saved', span },
  };
}

/** Finds cited text in the current document. */
export function findWhereabouts(words: CitedWords, document: StoredDocument | undefined): Whereabouts {
  if (document === undefined || !isFromSource(words, document)) return { kind: 'removed' };
  const { span, quote } = words;
  const { uri } = document.entry;
  const quoteSpan = findQuote(document, quote, span);
  return quoteSpan === undefined
    ? { kind: 'changed', uri }
    : { kind: 'found', uri, span: quoteSpan, locator: locate(document.text, document.map, quoteSpan) };
}

/** Returns the figure that cited text shows or names in the current document. */
export function findFigure(
  words: CitedWords,
  document: StoredDocument | undefined,
): PlacedFigure | undefined {
  if (document === undefined || !isFromSource(words, document)) return undefined;
  const quoteSpan = findQuote(document, words.quote, words.span);
  return quoteSpan && figureAt(document, quoteSpan);
}

/** Returns cited text with its surroundings; undefined if the text is no longer in the document. */
export function findSurroundings(
  words: CitedWords,
  document: StoredDocument | undefined,
): Surroundings | undefined {
  if (document === undefined || !isFromSource(words, document)) return undefined;
  const quoteSpan = findQuote(document, words.quote, words.span);
  if (quoteSpan === undefined) return undefined;
  const { format, languageId, text, map } = document;
  const around = surroundingLines(text, quoteSpan);
  const shown = shownAround(document, quoteSpan);
  const begin = quoteSpan.start - shown.mark.start;
  // A table's header is further up in the document than the text shown here.
  const doubtful = doubtfulWords(map, {
    start: Math.max(0, quoteSpan.start - around.mark.start),
    end: begin + shown.text.length,
  });
  return {
    ...shown,
    format,
    languageId,
    doubtful: doubtful.map(({ start, end }) => ({ start: start - begin, end: end - begin })),
  };
}

/**
 * Returns text with the surrounding lines, and with the lines above that these need to render as in the whole document.
 */
function shownAround(
  { format, text }: StoredDocument,
  span: Span,
): { readonly text: string; readonly mark: Span } {
  const around = surroundingLines(text, span);
  return format === 'markdown' ? withOpening(text, span, around) : around;
}

/** Adds the table header or the start of the code block to the lines around cited text. */
function withOpening(
  text: string,
  span: Span,
  around: { readonly text: string; readonly mark: Span },
): { text: string; mark: Span } {
  const begin = span.start - around.mark.start;
  const start = rowStart(text, begin);
  const opening = openedAbove(text, start);
  const shift = opening.length + begin - start;
  return {
    text: opening + text.slice(start, begin) + around.text,
    mark: { start: around.mark.start + shift, end: around.mark.end + shift },
  };
}

/**
 * Returns a document's title in citations: its source's title, the path of a folder's file, or the title of a site's
 * page.
 */
export function citedTitle(
  { key, title }: Pick<DocumentEntry, 'key' | 'title'>,
  source: { readonly title: string; readonly origin: SourceOrigin } | undefined,
): string {
  if (key === '') return source?.title ?? title;
  return source?.origin.kind === 'site' && title !== '' ? title : key;
}

/** Returns the title as `citedTitle` does, with the folder's title if another folder has a file with the same path. */
export function titleOfCitation(
  entry: Pick<DocumentEntry, 'key' | 'title'>,
  source: { readonly title: string; readonly origin: SourceOrigin } | undefined,
  isKeyShared: boolean,
): string {
  return isKeyShared && source?.origin.kind === 'folder'
    ? `${source.title}/${entry.key}`
    : citedTitle(entry, source);
}

function isFromSource({ sourceId }: CitedWords, { entry }: StoredDocument): boolean {
  return sourceId === undefined || sourceId === entry.sourceId;
}

function within({ start, end }: Span, length: number): Span {
  return { start: Math.max(0, Math.min(start, length)), end: Math.max(0, Math.min(end, length)) };
}

/** Finds a quote in a document; in a transcript, also if its speakers have other names now. */
function findQuote({ text, map }: StoredDocument, quote: string, span: Span): Span | undefined {
  const occurrence = nearestOccurrence(text, quote, span);
  const isTranscript = map.kind === 'saved' && map.spoken !== undefined;
  return occurrence ?? (isTranscript ? nearestWithOtherNames(text, quote, span) : undefined);
}

/** Lines of a text without the names of their speakers, joined by spaces. */
interface NamelessText {
  readonly joined: string;
  /** Offsets of the lines in the joined text and in the original, ascending. */
  readonly lines: readonly { readonly at: number; readonly from: number }[];
}

function withoutNames(text: string): NamelessText {
  const lines: { at: number; from: number }[] = [];
  let joined = '';
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const name = /^[^:]{1,60}: /.exec(line)?.[0].length ?? 0;
    if (joined !== '') joined += ' ';
    lines.push({ at: joined.length, from: index + name });
    joined += line.slice(name);
  }
  return { joined, lines };
}

/** Finds the lines of a quote whose speakers may be named otherwise, or not at all. */
function nearestWithOtherNames(text: string, quote: string, span: Span): Span | undefined {
  const words = withoutNames(quote).joined.trim();
  if (words === '') return undefined;
  const { joined, lines } = withoutNames(text);
  const before = lines.findLast(({ from }) => from <= span.start);
  const start = before === undefined ? 0 : before.at + span.start - before.from;
  const occurrence = nearestOccurrence(joined, words, { start, end: start + words.length });
  const original = (at: number): number => {
    const line = lines.findLast((lineStart) => lineStart.at <= at);
    return line === undefined ? 0 : line.from + at - line.at;
  };
  return occurrence && { start: original(occurrence.start), end: original(occurrence.end - 1) + 1 };
}

/** Finds a quote in a text: at its old position, otherwise at the nearest occurrence. */
function nearestOccurrence(text: string, quote: string, span: Span): Span | undefined {
  if (text.startsWith(quote, span.start)) return { start: span.start, end: span.start + quote.length };
  const before = text.lastIndexOf(quote, span.start);
  const after = text.indexOf(quote, span.start);
  if (before < 0 && after < 0) return undefined;
  const beforeIsNearer = after < 0 || (before >= 0 && span.start - before < after - span.start);
  const start = beforeIsNearer ? before : after;
  return { start, end: start + quote.length };
}

/** Number of lines shown before and after cited text, and maximum number of characters on each side. */
const LINES_AROUND = 2;
const CHARACTERS_AROUND = 300;

/** Returns a span with two lines on each side, each side cut at 300 characters. */
function surroundingLines(text: string, span: Span): { text: string; mark: Span } {
  let start = span.start;
  for (let lines = 0; start > 0 && span.start - start < CHARACTERS_AROUND; start--)
    if (text[start - 1] === '\n' && lines++ === LINES_AROUND) break;
  let end = span.end;
  for (let lines = 0; end < text.length && end - span.end < CHARACTERS_AROUND; end++)
    if (text[end] === '\n' && lines++ === LINES_AROUND) break;
  return { text: text.slice(start, end), mark: { start: span.start - start, end: span.end - start } };
}

/**
 * Returns the lines that Markdown needs before a cut, so that the text after it renders as in the whole document: a
 * table header, or the start of a code block. Empty if it needs none.
 * @param start the cut, at the beginning of a line
 */
export function openedAbove(text: string, start: number): string {
  return openFence(text.slice(0, start)) ?? tableHeader(text, start) ?? '';
}

/** Returns the start of the table row that contains an offset, or the offset itself outside of tables. */
export function rowStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return isTableRow(text.slice(start, offset)) ? start : offset;
}

function openFence(before: string): string | undefined {
  const scanner = new LineScanner();
  const marks = /```|~~~/g;
  let next = 0;
  // Outside of code blocks, only lines with these marks matter.
  for (let mark = marks.exec(before); mark !== null; mark = marks.exec(before)) {
    const skipped = before.slice(next, mark.index);
    const start = next + Math.max(skipped.lastIndexOf('\n'), skipped.lastIndexOf('\r')) + 1;
    for (const line of linesIn(before, { start, end: before.length })) {
      scanner.take(before.slice(line.start, line.end));
      ({ next } = line);
      if (scanner.fence === undefined) break;
    }
    marks.lastIndex = next;
    if (scanner.fence !== undefined) break;
  }
  return scanner.fence && `${scanner.fence.mark}${scanner.fence.info}\n`;
}

function tableHeader(text: string, start: number): string | undefined {
  const end = text.indexOf('\n', start);
  const row = text.slice(start, end < 0 ? undefined : end);
  if (!isTableRow(row)) return undefined;
  return headerAbove(text.slice(Math.max(0, start - MAX_HEADER_DISTANCE), start), row)?.header;
}
