import { firstIndex } from './first-index.ts';
import { isTableRow, kindOfLine, linesIn, markdownLines, openedFence } from './markdown-lines.ts';
import { cutSentences } from './sentences.ts';
import { overlap, type Span } from './span.ts';
import type { TextFormat } from './units.ts';
import { DOCUMENT_WORDS, documentParts } from './packs/document-words.ts';
import type { FigureWords } from './packs/pack.ts';

/** An image in a Markdown or HTML text: its address as written, and its description. */
interface NamedImage extends Span {
  readonly source: string;
  readonly description: string;
}

/** A figure of a text: its caption, with its image if the text contains one. */
export interface Figure extends Span {
  /** Start of its caption, `Figure 3`; '' without a number. */
  readonly name: string;
  readonly caption: Span;
  readonly image?: NamedImage;
}

/** A reference to a figure by its number, outside its caption. */
export interface FigureMention extends Span {
  /** Index of the figure in the text's figures. */
  readonly figure: number;
}

/** Spans in order of their starts; one can contain another. */
interface Reaching {
  /** The furthest end of this span and all spans before it. */
  readonly reach: number;
}

/** The figures of a text and the references to them, in order. */
export interface TextFigures {
  readonly figures: readonly (Figure & Reaching)[];
  readonly mentions: readonly (FigureMention & Reaching)[];
}

const listsOf = (kind: keyof FigureWords): string[] =>
  DOCUMENT_WORDS.flatMap(({ figures }) => figures?.[kind] ?? []);
const parts = (kind: keyof FigureWords): string => documentParts(({ figures }) => figures?.[kind]);

const NAMES = parts('names');
const UNCASED_NAMES = parts('uncasedNames');
const TABLE_SIGNS = [...new Set(listsOf('tableSigns'))].join('');
const SIGNS = [...new Set(listsOf('signs'))].join('');
const NUMBER = '(?:[A-Z]{1,2}[.-]?)?\\d{1,3}(?:[.–-]\\d{1,3}){0,2}';
/** "Figure 3", "Figs. 2a and 4", "Abb. 1.2", "图3"; "3. ábra", "2 pav." in Hungarian and Lithuanian. */
const NAME = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:(?:${NAMES})\\.?[ \\u00a0\\n]{0,2}|(?:${UNCASED_NAMES})[ \\u00a0]{0,2})|[${SIGNS}][ \\u00a0]?)(${NUMBER})(?!\\d)(?:[a-z](?![\\p{L}\\d])|\\([a-z]\\))?|(?<![\\p{L}\\p{N}.])(\\d{1,3})\\.?[ \\u00a0]?(?:${parts('afterNumber')})(?![\\p{L}])`,
  'giu',
);
const RANGES = parts('ranges');
const JOINS = `${documentParts(({ beforeLast }) => beforeLast)}|${RANGES}`;
/** Further numbers after "Figures 3": ", 4 and 5", "–7". */
const MORE = new RegExp(
  `(?:[ \\u00a0]?(?:,|[–-]|&|[,，、和及至])[ \\u00a0]?(?:(?:${JOINS})[ \\u00a0])?|[ \\u00a0](?:${JOINS})[ \\u00a0])(${NUMBER})(?![\\d\\p{L}%])[a-z]?`,
  'iuy',
);
const RANGE = new RegExp(String.raw`^[ \u00a0]?[–-]|至|\b(?:${RANGES})\b`);
/** Maximum number of further figures: "figures 3, 4, 5 and 6" names three. */
const MAX_FURTHER_FIGURES = 6;
/** Maximum number of figures in a range. A longer range refers only to its ends. */
const MAX_RANGE_LENGTH = 10;
/** Words for several figures. */
const PLURAL = new RegExp(String.raw`^(?:\p{L}+(?:${parts('pluralEndings')})\.?[\s\u00a0]|[${SIGNS}])`, 'iu');
/** Text after the number of a caption, also a capital: "Fig. 3 Overview", but "Figure 3 shows" begins a sentence. */
const CAPTION_GOES_ON = new RegExp(
  String.raw`[ \u00a0]?(?:[*_]{1,3})?[ \u00a0]?(?:[.:：．。|—–)]|- |$|\n)|[ \u00a0](?:[*_]{1,3})?["“„«(]?[\p{Lu}\p{Lt}\d]|[ \u00a0\u3000](?!${parts('sentences')})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`,
  'uy',
);
/** Markup that can come before a caption in its line. */
const CAPTION_PREFIX = String.raw`^(?:[ \t>*_#]|<[a-z][^<>]{0,200}>){0,12}(?:!\[)?[*_[]{0,3}`;
const CAPTION_BEGINS = new RegExp(`${CAPTION_PREFIX}$`, 'iu');
/** End of a caption in HTML. */
const CAPTION_ENDS = /<\/(?:caption|center|div|figcaption|figure|p|td)>/i;
/** An entry of a list of figures: "Figure 3: Overview ........ 12". */
const LIST_ENTRY = /(?:\. ?){4}\d{0,4}\s*$|\s…+\s*\d{1,4}\s*$/;

/** Maximum length of a caption that is shown and indexed, in UTF-16 code units. */
const MAX_CAPTION_LENGTH = 1_500;
/** Maximum length of the markup before a caption, in UTF-16 code units. */
const MAX_PREFIX_LENGTH = 240;
const MAX_FIGURES = 2_000;
const MAX_MENTIONS = 20_000;
/** Maximum number of sentences about a figure that are added to its caption, nearest first. */
const MAX_SENTENCES = 4;
/** Range around a reference to a figure that is searched for its sentence. */
const SENTENCE_REACH = 400;
const MAX_DESCRIPTION_LENGTH = 500;

const NO_FIGURES: TextFigures = { figures: [], mentions: [] };

interface NameMatch extends Span {
  readonly numbers: readonly string[];
}

/** Returns the figures of a text: captions with numbers, images with descriptions, and the references to them. */
export function figuresIn(text: string, format: TextFormat): TextFigures {
  if (format === 'code') return NO_FIGURES;
  const names = namesIn(text, MAX_MENTIONS);
  const images = format === 'markdown' ? imagesIn(text) : [];
  if (names.length === 0 && images.length === 0) return NO_FIGURES;
  const code = format === 'markdown' ? codeIn(text) : [];
  const isCode = walk(code);
  const lineAt = lineWalker(text);
  const captions: { readonly found: NameMatch; readonly caption: Span }[] = [];
  const others: NameMatch[] = [];
  for (const nameMatch of names) {
    if (isCode(nameMatch.start)) continue;
    const last = captions.at(-1);
    const caption =
      captions.length < MAX_FIGURES && (last === undefined || last.caption.end <= nameMatch.start)
        ? captionFrom(text, nameMatch, lineAt(nameMatch.start))
        : undefined;
    if (caption === undefined) others.push(nameMatch);
    else captions.push({ found: nameMatch, caption });
  }
  const isImageCode = walk(code);
  const shown = images.filter(({ start }) => !isImageCode(start));
  return linkCaptions(text, captions, others, shown);
}

/** Returns the distinct numbers of the figures that a text refers to: `3`, `1-2`. */
export function figureNumbersIn(text: string): readonly string[] {
  return [...new Set(namesIn(text, MAX_MENTIONS).flatMap(({ numbers }) => numbers))];
}

/** "Figure 3", "Tab. II", "表 2", or the word alone in a line. */
const CAPTION_NAME = new RegExp(
  `^(?:(?:${NAMES}|${parts('tables')})(?:\\.?[ \\u00a0]{0,2}(?:${NUMBER}|[IVX]{1,4}(?![\\p{L}]))|[\\s.:]*$)|(?:${UNCASED_NAMES})[ \\u00a0]{0,2}\\d|[${SIGNS}${TABLE_SIGNS}][ \\u00a0]?\\d)`,
  'iu',
);

/** Reports whether a line begins the caption of a figure, table, or the like. */
export function beginsCaption(line: string): boolean {
  return CAPTION_NAME.test(line);
}

/** Words for pictures that have no number in a question: "what does the diagram of the pump show?" */
const PICTURE_WORD = new RegExp(
  `(?<![\\p{L}])(?:${NAMES}|${parts('pictures')})(?![\\p{L}])|${UNCASED_NAMES}|${parts('unspacedPictures')}|[${SIGNS}][ \u00a0]?\\d`,
  'iu',
);

/** Reports whether a question refers to a figure, with or without a number. */
export function asksForFigure(question: string): boolean {
  return PICTURE_WORD.test(question);
}

/** Matches an image, or the name of a figure at the start of a line, as in a caption. */
const IMAGE = /!\[|<img\s/i;
const NAME_OF_CAPTION = new RegExp(`${CAPTION_PREFIX}(?:${NAME.source})`, 'imu');

/** Patterns from words of packs, for tests. */
export const FIGURE_PATTERNS: readonly RegExp[] = [
  ...[NAME, MORE, RANGE, PLURAL],
  ...[CAPTION_GOES_ON, CAPTION_NAME, PICTURE_WORD, NAME_OF_CAPTION],
];

/** Reports whether a text may show a figure or its caption, which is rare. Faster than `figuresIn`. */
export function mayShowFigure(text: string): boolean {
  return IMAGE.test(text) || NAME_OF_CAPTION.test(text);
}

/**
 * Returns the figures for a span of a text: those whose caption or image overlaps it, or else those that it refers
 * to.
 */
export function figuresAt({ figures, mentions }: TextFigures, span: Span): readonly number[] {
  const touched = overlapping(figures, span);
  if (touched.length > 0) return touched;
  return [...new Set(overlapping(mentions, span).flatMap((index) => mentions[index]?.figure ?? []))];
}

/** Returns the indices of overlapping spans. Fast for thousands of spans and queries. */
function overlapping(spans: readonly (Span & Reaching)[], span: Span): number[] {
  const indices: number[] = [];
  const first = firstIndex(spans.length, (index) => (spans[index]?.reach ?? 0) > span.start);
  for (let index = first; (spans[index]?.start ?? Infinity) < span.end; index++)
    if (overlap(spans[index] ?? span, span) > 0) indices.push(index);
  return indices;
}

function withReach<T extends Span>(spans: readonly T[]): (T & Reaching)[] {
  let reach = 0;
  return spans.map((span) => ({ ...span, reach: (reach = Math.max(reach, span.end)) }));
}

/** Returns the sentences of a text that refer to a figure, those nearest to its caption, in order. */
export function sentencesNaming(text: string, { figures, mentions }: TextFigures, figure: number): Span[] {
  const { caption } = figures[figure] ?? {};
  if (caption === undefined) return [];
  const sentences = new Map<number, Span>();
  const near = mentions
    .filter((mention) => mention.figure === figure)
    .map((mention) => ({ mention, distance: Math.abs(mention.start - caption.start) }))
    .toSorted((a, b) => a.distance - b.distance);
  for (const { mention } of near) {
    if (sentences.size === MAX_SENTENCES) break;
    const sentence = sentenceAround(text, mention);
    if (sentence !== undefined) sentences.set(sentence.start, sentence);
  }
  return [...sentences.values()].toSorted((a, b) => a.start - b.start);
}

function sentenceAround(text: string, { start, end }: Span): Span | undefined {
  const from = Math.max(0, start - SENTENCE_REACH);
  const before = text.slice(from, start);
  const near = text.slice(start, end + SENTENCE_REACH);
  const first = from + Math.max(0, before.lastIndexOf('\n\n') + 1);
  const gap = near.indexOf('\n\n', end - start);
  const last = gap < 0 ? start + near.length : start + gap;
  return cutSentences(text, { start: first, end: last }).find(
    (sentence) => sentence.start <= start && start < sentence.end,
  );
}

/** Returns the references to figures by number, in order, up to a limit. */
function namesIn(text: string, limit: number): NameMatch[] {
  const names: NameMatch[] = [];
  for (const { 0: words, 1: number, 2: before, index } of text.matchAll(NAME)) {
    if (names.length === limit) break;
    const first = plainNumber(number ?? before ?? '');
    let end = index + words.length;
    const isOne = number === undefined || !PLURAL.test(words);
    const numbers = isOne ? [first] : rangeIn(first);
    for (let more = 0; !isOne && more < MAX_FURTHER_FIGURES; more++) {
      MORE.lastIndex = end;
      const next = MORE.exec(text);
      if (next === null) break;
      const last = plainNumber(next[1] ?? '');
      const isRange = RANGE.test(next[0]);
      numbers.push(...(isRange ? expandRange(numbers.at(-1) ?? '', last).slice(1) : rangeIn(last)));
      end = MORE.lastIndex;
    }
    names.push({ start: index, end, numbers });
  }
  return names;
}

/** Returns the numbers of a range such as "3-5" after "Figures". */
function rangeIn(number: string): string[] {
  const [, first, last] = /^(\d{1,3})-(\d{1,3})$/.exec(number) ?? [];
  return first === undefined || last === undefined ? [number] : expandRange(first, last);
}

function expandRange(first: string, last: string): string[] {
  const [from, to] = [Number(first), Number(last)];
  if (!(to > from && to - from <= MAX_RANGE_LENGTH)) return [first, last];
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
}

function plainNumber(number: string): string {
  return number.replaceAll('–', '-').toLowerCase();
}

/** Returns the caption that begins with a name; undefined if it isn't a caption. */
function captionFrom(
  text: string,
  nameMatch: NameMatch,
  { start: line, isFirst }: { readonly start: number; readonly isFirst: boolean },
): Span | undefined {
  if (!isFirst || nameMatch.numbers.length > 1 || nameMatch.start - line > MAX_PREFIX_LENGTH)
    return undefined;
  if (!CAPTION_BEGINS.test(text.slice(line, nameMatch.start))) return undefined;
  CAPTION_GOES_ON.lastIndex = nameMatch.end;
  if (!CAPTION_GOES_ON.test(text)) return undefined;
  const near = text.slice(nameMatch.start, nameMatch.start + MAX_CAPTION_LENGTH);
  const block = beginningBlock(near);
  const close = block.search(CAPTION_ENDS);
  const caption = (close < 0 ? block : block.slice(0, close)).replace(/(?<![*_\s])[*_\s]+$/, '');
  return LIST_ENTRY.test(caption)
    ? undefined
    : { start: nameMatch.start, end: nameMatch.start + caption.length };
}

/** Returns the lines of a text before one that is blank, of another kind, an image, or the end of an HTML element. */
function beginningBlock(text: string): string {
  let last = 0;
  for (const { start, end } of linesIn(text)) {
    const line = text.slice(start, end);
    const isContinued = openedFence(line) === undefined && /^(?:item|ruler|text)$/.test(kindOfLine(line));
    if (start > 0 && (!isContinued || /^[ \t]*(?:!\[|<\/)/.test(line))) break;
    last = end;
  }
  return text.slice(0, last);
}

/** Connects captions with adjacent images, and references with the nearest figure of their number. */
function linkCaptions(
  text: string,
  captions: readonly { readonly found: NameMatch; readonly caption: Span }[],
  names: readonly NameMatch[],
  images: readonly NamedImage[],
): TextFigures {
  const linkedImages = new Set<NamedImage>();
  let next = 0;
  const figures: (Figure & { readonly number?: string })[] = captions.map(({ found, caption }, index) => {
    while (images[next + 1] !== undefined && (images[next + 1]?.start ?? 0) <= caption.start) next++;
    const image = [images[next], images[next + 1]].find(
      (candidate) =>
        candidate !== undefined && !linkedImages.has(candidate) && isBeside(text, candidate, caption),
    );
    if (image !== undefined) linkedImages.add(image);
    const name = text.slice(found.start, found.end).replaceAll(/\s+/g, ' ');
    const number = found.numbers[0] ?? String(index);
    if (image === undefined) return { ...caption, name, number, caption };
    const own = caption.start < image.end && image.start < caption.end;
    return {
      start: Math.min(image.start, caption.start),
      end: own ? image.end : Math.max(image.end, caption.end),
      name,
      number,
      caption: own ? { start: image.start, end: image.end } : caption,
      image,
    };
  });
  for (const image of images)
    if (!linkedImages.has(image) && figures.length < MAX_FIGURES)
      figures.push({ start: image.start, end: image.end, name: '', caption: image, image });
  figures.sort((a, b) => a.start - b.start);
  const byNumber = new Map<string, number[]>();
  for (const [index, { number }] of figures.entries())
    if (number !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), index]);
  const mentions = names.flatMap(({ start, end, numbers }) =>
    numbers.flatMap((number) => {
      const figure = nearest(byNumber.get(number) ?? [], start, figures);
      return figure === undefined ? [] : [{ start, end, figure }];
    }),
  );
  return { figures: withReach(figures), mentions: withReach(mentions) };
}

/** Reports whether only markup is between an image and a caption, or the caption is its description. */
function isBeside(text: string, image: NamedImage, caption: Span): boolean {
  if (overlap(image, caption) > 0) return true;
  const [from, to] = image.end <= caption.start ? [image.end, caption.start] : [caption.end, image.start];
  return to - from <= MAX_PREFIX_LENGTH && /^(?:[\s>*_#()[\]]|<[^<>]*>)*$/.test(text.slice(from, to));
}

/** Returns the figure nearest to an offset, by binary search among figures with the same number. */
function nearest(among: readonly number[], at: number, figures: readonly Figure[]): number | undefined {
  const next = firstIndex(among.length, (index) => (figures[among[index] ?? 0]?.start ?? 0) >= at);
  const [before, after] = [among[next - 1], among[next]];
  if (before === undefined || after === undefined) return before ?? after;
  return at - (figures[before]?.start ?? 0) <= (figures[after]?.start ?? 0) - at ? before : after;
}

/** Returns the images of a Markdown text, including those in HTML. */
function imagesIn(text: string): NamedImage[] {
  const images: NamedImage[] = [];
  const begins = /!\[([^\]\n]{0,500})\]\(\s?<?|<img\s([^<>]*)>/gi;
  for (let match = begins.exec(text); match !== null; match = begins.exec(text)) {
    const [, description, attributes] = match;
    if (images.length === MAX_FIGURES) break;
    if (attributes !== undefined) {
      const source = readAttribute(attributes, 'src');
      if (source !== '')
        images.push({
          start: match.index,
          end: begins.lastIndex,
          source,
          description: readAttribute(attributes, 'alt').slice(0, MAX_DESCRIPTION_LENGTH),
        });
      continue;
    }
    const address = /[^\s<>)]*/y;
    address.lastIndex = begins.lastIndex;
    const [source = ''] = address.exec(text) ?? [];
    const close = />?(?:\s["'(][^\n"]{0,300}["')])?\s{0,3}\)/y;
    close.lastIndex = begins.lastIndex + source.length;
    // Skip an unclosed address, or each image in it would scan the rest again.
    begins.lastIndex = address.lastIndex;
    if (source === '' || !close.test(text)) continue;
    begins.lastIndex = close.lastIndex;
    images.push({
      start: match.index,
      end: close.lastIndex,
      source,
      description: description ?? '',
    });
  }
  return images;
}

function readAttribute(attributes: string, name: 'alt' | 'src'): string {
  const [, double, single, bare] =
    (name === 'src'
      ? /(?:^|\s)src\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i
      : /(?:^|\s)alt\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i
    ).exec(attributes) ?? [];
  return (double ?? single ?? bare ?? '').trim();
}

/** Returns the code blocks of a Markdown text, in order. */
function codeIn(text: string): Span[] {
  const code: { start: number; end: number }[] = [];
  for (const { kind, start, next } of markdownLines(text)) {
    if (kind !== 'code' && kind !== 'opening' && kind !== 'closing') continue;
    const last = code.at(-1);
    if (last?.end === start) last.end = next;
    else code.push({ start, end: next });
  }
  return code;
}

/** Returns a function that reports whether an offset is in one of the spans. Offsets must ascend. */
function walk(spans: readonly Span[]): (offset: number) => boolean {
  let at = 0;
  return (offset) => {
    while ((spans[at]?.end ?? Infinity) <= offset) at++;
    return (spans[at]?.start ?? Infinity) <= offset;
  };
}

/**
 * Returns a function that finds the line of an offset, and whether a block begins with that line: after a blank line,
 * image, table, or code block. Offsets must ascend.
 */
function lineWalker(text: string): (offset: number) => { readonly start: number; readonly isFirst: boolean } {
  let start = 0;
  // The end of the line before.
  let before = '';
  return (offset) => {
    for (let next = text.indexOf('\n', start); next >= 0 && next < offset; next = text.indexOf('\n', start)) {
      before = text.slice(Math.max(start, next - MAX_PREFIX_LENGTH), next).trim();
      start = next + 1;
    }
    const isBlock = isTableRow(before) || openedFence(before) !== undefined;
    return { start, isFirst: before === '' || isBlock || /^<[^<>]*>$|!\[|<img\s|[)>]$/.test(before) };
  };
}
