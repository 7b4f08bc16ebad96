import type { Span } from './span.ts';

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const ITEM = /^[ \t>]*(?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]/;
const ROW = /^[ \t]*\|/;
const RULER = /^[ \t>]*(?:[-=*_][ \t]*){3,}$/;

/** Longer stretches are handed to the segmenter in parts, cut at white space, so that memory stays small. */
const LONGEST_STRETCH = 50_000;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Words before a full stop that does not end the sentence, whatever follows. */
const ABBREVIATION = endingWith(
  'al|approx|bspw|bzw|ca|cf|d|dr|eds|e\\. ?g|hon|i\\. ?e|inkl|lt|mr|mrs|ms|mt|prof|resp|rev|sen|sog|st|viz|vs|z|zzgl',
);
/** The same, where a number follows. */
const NUMBERED = endingWith(
  'abb|abs|art|ch|chap|col|eqs?|figs?|kap|nos?|nr|op|par|pp?|refs?|secs?|sect|tab|vols?',
);
const INITIAL = /(?:^|[\s([{"'“‘.-])\p{Lu}\.\s*$/u;
/** A single capital that ends a sentence more often than it begins a name: "vitamin C.", "and I." */
const NO_INITIAL = /(?:^|\s)(?:I|\p{Ll}{3,}\s+\p{Lu})\.\s*$/u;
/** A full stop that makes a number an ordinal in German: "am 1. Mai", "im 3. Stock". */
const ORDINAL = /(?:^|\s)(?:am|vom|zum|beim|der|des|dem|den|das|ab|im|seit|jeden)\s+\d{1,2}\.\s+$/u;
const MONTH =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/u;
const ITEM_NUMBER = /^\s*(?:\d{1,3}|\p{L})[.)]\s*$/u;
/** A mark that ends nothing: of an image in Markdown, or of an operator such as `!==` and `?.`. */
const IN_CODE = /(?:^|[\s[(])!\[.?$|[!?][=.(\w]$/;
const OPEN_BRACKET = /[.!?]["'”’»)\]]*[[(]$/u;
const REFERENCE = /^[^\s[\]()][^[\]()]{0,30}[\])](?:\[[^\s[\]][^[\]]{0,30}\])*\s*/u;
/** What follows an end mark directly and belongs to the sentence before: reference numbers as in "so.[3]". */
const LEADING_REFERENCE = /^(?:\[[^\s[\]][^[\]]{0,30}\]\s*)+/u;

/**
 * The sentences of prose or Markdown within a span, in order and without the white space around them. Headings,
 * list items, table rows and blank lines end a sentence; a fenced block of code is one; line breaks within a
 * paragraph end nothing. Every character that is not white space belongs to exactly one.
 */
export function sentencesOf(text: string, span: Span = { start: 0, end: text.length }): Span[] {
  const sentences: Span[] = [];
  let paragraph = -1;
  let fence: { readonly start: number; readonly mark: string } | undefined;
  const endParagraph = (end: number): void => {
    if (paragraph >= 0) addSentences(sentences, text, paragraph, end);
    paragraph = -1;
  };
  for (let start = span.start; start < span.end;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 || newline >= span.end ? span.end : newline + 1;
    // The marks that decide stand at a line's beginning.
    const line = text.slice(start, Math.min(next, start + 200));
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence.mark)) {
        addTrimmed(sentences, text, fence.start, next);
        fence = undefined;
      }
    } else if (
      mark !== undefined &&
      !text
        .slice(start, next)
        .trimEnd()
        .slice(line.indexOf(mark) + mark.length)
        .includes('`')
    ) {
      endParagraph(start);
      fence = { start, mark };
    } else if (line.trim() === '' && (line.length < 200 || text.slice(start, next).trim() === ''))
      endParagraph(start);
    else if (HEADING.test(line) || ROW.test(line) || (next - start < 200 && RULER.test(line.trimEnd()))) {
      endParagraph(start);
      addTrimmed(sentences, text, start, next);
    } else if (ITEM.test(line)) {
      endParagraph(start);
      paragraph = start;
    } else if (paragraph < 0) paragraph = start;
    start = next;
  }
  if (fence !== undefined) addTrimmed(sentences, text, fence.start, span.end);
  endParagraph(span.end);
  return sentences;
}

function endingWith(words: string): RegExp {
  return new RegExp(`(?:^|[\\s([{"'“‘«/-])(?:${words})\\.\\s*$`, 'i');
}

function addSentences(sentences: Span[], text: string, start: number, end: number): void {
  for (let from = start; from < end;) {
    const to = end - from <= LONGEST_STRETCH ? end : stretchEnd(text, from);
    addStretch(sentences, text, from, to);
    from = to;
  }
}

/** A place after white space, or at least between two characters, at most `LONGEST_STRETCH` further on. */
function stretchEnd(text: string, from: number): number {
  const limit = from + LONGEST_STRETCH;
  for (let at = limit; at > from + LONGEST_STRETCH / 2; at--) if (/\s/.test(text.charAt(at - 1))) return at;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code < 0xe000 ? limit - 1 : limit;
}

function addStretch(sentences: Span[], text: string, start: number, end: number): void {
  // The segmenter ends a sentence at every line break.
  const words = text.slice(start, end).replace(/[\r\n\u2028\u2029\u0085]/g, ' ');
  let begin = 0;
  let previous = 0;
  for (const { index } of segmenter.segment(words)) {
    if (index <= begin || index < previous) continue;
    const cut = boundary(words, begin, index);
    if (cut === undefined) continue;
    addTrimmed(sentences, text, start + begin, start + cut);
    begin = cut;
    previous = cut;
  }
  addTrimmed(sentences, text, start + begin, end);
}

/** Where a sentence from `begin` that the segmenter ends at `index` really ends, or undefined where it goes on. */
function boundary(words: string, begin: number, index: number): number | undefined {
  const tail = words.slice(Math.max(begin, index - 40), index);
  if (IN_CODE.test(words.slice(Math.max(begin, index - 3), index + 1))) return undefined;
  if (OPEN_BRACKET.test(tail)) {
    const reference = REFERENCE.exec(words.slice(index, index + 40));
    return reference === null ? index - 1 : index + reference[0].length;
  }
  if (/\.\s*$/.test(tail)) {
    if (index - begin <= 12 && ITEM_NUMBER.test(words.slice(begin, index))) return undefined;
    if (ORDINAL.test(tail) || (/\d\.\s*$/.test(tail) && MONTH.test(words.slice(index, index + 12))))
      return undefined;
    if (ABBREVIATION.test(tail) || (INITIAL.test(tail) && !NO_INITIAL.test(tail))) return undefined;
    if (NUMBERED.test(tail) && /^\p{Lu}?\d/u.test(words.slice(index, index + 3))) return undefined;
  }
  const reference = /\s$/.test(tail) ? null : LEADING_REFERENCE.exec(words.slice(index, index + 80));
  return reference === null ? index : index + reference[0].length;
}

function addTrimmed(sentences: Span[], text: string, start: number, end: number): void {
  let from = start;
  let to = end;
  while (from < to && isBlank(text, from)) from++;
  while (to > from && isBlank(text, to - 1)) to--;
  if (from < to) sentences.push({ start: from, end: to });
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)));
}
