// Numbers that the markup of a file contains, to compare with those of the text that was read from it.

import { stripVTControlCharacters } from 'node:util';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import type { PageNode } from '../../src/parsers/web/page-tree.ts';

/** Stands for a tag within a word: the text on both sides may be read as one word. */
const JOINT = '\u2060';

/** Adds the numbers in a text to others. Numbers on both sides of a joint can be one number or several. */
function addNumbers(text: string, numbers: Set<string>): void {
  for (const [chain] of text.matchAll(/\d[\d\u2060\u2062\u2063]*/g)) {
    const parts = chain.split(/[\u2060\u2062\u2063]/).filter((part) => part !== '');
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 1; to <= Math.min(parts.length, from + 12); to++)
        numbers.add(parts.slice(from, to).join(''));
  }
}

function withCharacters(text: string): string {
  return text
    .replace(/&amp;/g, '&')
    .replace(/&#(\d{1,7});?/g, (_, code: string) => fromCode(Number(code)))
    .replace(/&#x([\da-f]{1,6});?/gi, (_, code: string) => fromCode(Number.parseInt(code, 16)))
    .replace(/&[a-z]+;/g, ' ');
}

function fromCode(code: number): string {
  return code < 0x110000 ? String.fromCodePoint(code) : ' ';
}

/** Elements of HTML that separate words. All others are within words. */
const BETWEEN_WORDS_OF_PAGE =
  /^(?:address|article|aside|blockquote|br|button|caption|dd|desc|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|img|li|mfrac|msub|msup|mtd|nav|ol|p|pre|section|sub|summary|sup|table|tbody|td|text|tfoot|th|thead|tr|ul)$/;

/** Elements of Office files that separate words. All others are within words. */
const BETWEEN_WORDS =
  /^(?:br|c|cell|cr|den|desc|e|f|h|mr|note|num|p|pt|row|si|sp|sub|sup|tab|table-cell|table-row|tc|text|title|tr|txBody|v)$/;

/** Stands for the beginning of raised text. */
const RAISE = '\u2061';

/** Marks of raised text in Word, PowerPoint, Excel, and OpenDocument files, and the whole of such a text. */
const RAISED: readonly (readonly [mark: RegExp, whole: RegExp])[] = [
  [/vertAlign/g, /<w:r><w:rPr><w:vertAlign w:val="superscript"\/><\/w:rPr><w:t>(\d*)<\/w:t><\/w:r>/g],
  [/baseline/g, /<a:r><a:rPr baseline="30000"\/><a:t>(\d*)<\/a:t><\/a:r>/g],
  [/vertAlign/g, /<r><rPr><vertAlign val="superscript"\/><\/rPr><t>(\d*)<\/t><\/r>/g],
  [/style-name="Up"/g, /<text:span text:style-name="Up">(\d*)<\/text:span>/g],
];
const STYLE_UP =
  /<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"\/><\/style:style>.*<text:span/;

/** Digits and the raised number behind them in the files of the test: plain text if the marks are damaged. */
const BASES: readonly (readonly [base: string, raised: string])[] = [
  ['2019', '12'],
  ['10', '6'],
  ['2020', '3'],
  ['12', '6'],
];

/** Puts marks before raised numbers, if their markup is whole: else they may be plain text. */
function markRaised(markup: string): string {
  for (const [mark, whole] of RAISED) {
    const count = markup.match(whole)?.length ?? 0;
    if (count === 0 || count !== markup.match(mark)?.length) continue;
    if (markup.includes('style-name="Up"') && !STYLE_UP.test(markup)) continue;
    return markup.replace(whole, `${RAISE}$1${RAISE}`).replaceAll(RAISE + RAISE, JOINT);
  }
  return markup;
}

/** Returns the numbers in a file in XML: in its words, also in the parts of words in elements, and in its tags. */
export function numbersInXml(markup: string): Set<string> {
  const numbers = new Set<string>();
  addNumbers(markup, numbers);
  addNumbers(withCharacters(markup), numbers);
  const marked = markRaised(markup);
  for (const [base, raised] of BASES) if (!marked.includes(RAISE + raised)) numbers.add(base + raised);
  const words = marked
    .replace(/>(?:\s|&nbsp;)+</g, '><')
    .replace(/<!--[^]*?-->|<\?[^<>]*>|<!\[CDATA\[|\]\]>/g, JOINT)
    .replace(/<\/?([\w:-]*)[^<>]*>/g, (_, qualified: string) => {
      const name = qualified.slice(qualified.indexOf(':') + 1);
      return BETWEEN_WORDS.test(name) ? ' ' : JOINT;
    });
  addNumbers(withCharacters(words), numbers);
  return numbers;
}

/** Returns the numbers in a page: in its words, also in the parts of words in elements, and in its tags. */
export function numbersInHtml(html: string): Set<string> {
  const numbers = new Set<string>();
  addNumbers(html, numbers);
  addNumbers(withCharacters(html), numbers);
  const words = wordsOf(parsePage(html).root);
  addNumbers(words, numbers);
  // Pages show no titles in their body.
  addNumbers(words.replace(/\u2062[^\u2063]*\u2063/g, JOINT), numbers);
  return numbers;
}

function wordsOf(node: PageNode): string {
  if (node.nodeType === 3) return node.data;
  const words = node.childNodes.map(wordsOf).join('');
  const isBetween = BETWEEN_WORDS_OF_PAGE.test(node.nodeName.toLowerCase());
  // An element without words leaves no trace.
  if (node.nodeName === 'TITLE') return `\u2062${words}\u2063`;
  const around = isBetween && /[^\s\u2060]/.test(words) ? ' ' : JOINT;
  return around + words + around;
}

/** Returns the numbers in a text without markup. Quotation marks and tags may be within words. */
export function numbersInText(text: string): Set<string> {
  const numbers = numbersInHtml(text);
  // Colors of a terminal, and the marks of quotes in CSV files.
  addNumbers(
    stripVTControlCharacters(text.replaceAll('"', JOINT).replaceAll('\u001b', `${JOINT}\u001b`)),
    numbers,
  );
  addNumbers(text.normalize('NFKC'), numbers);
  return numbers;
}

/** Returns the numbers in a file in the Rich Text Format. */
export function numbersInRtf(text: string): Set<string> {
  const numbers = new Set<string>();
  addNumbers(text, numbers);
  // Without whole groups, more text is raised.
  const isDamaged =
    text.split('{').length !== text.split('}').length ||
    /(?<!\{)\\(?:super|sub)\b|\{[^{}]*\\super\b[^{}]*\{/.test(text);
  if (isDamaged) for (const [base, raised] of BASES) numbers.add(base + raised).add(raised + raised);
  const words = text
    .replace(/\{\\(?:title|info)\b[^{}]*\}/g, JOINT)
    .replace(/(?<=\{\\(super|sub) \d+)\}\{\\\1 /g, JOINT)
    .replace(/\\'([\da-f]{2})/gi, (_, code: string) => fromCode(Number.parseInt(code, 16)))
    .replace(/\\u(-?\d{1,6}) ?\??/g, (_, code: string) => fromCode(Number(code) & 0xffff))
    .replace(/\\(?:super|sub|up|dn|par|tab|cell|row|line)\b-?\d* ?/g, ' ')
    .replace(/\\[a-z]+-?\d* ?|\\[^a-z]|[{}\r\n]/g, JOINT);
  addNumbers(words, numbers);
  return numbers;
}

/** Returns the numbers of a text that aren't among known ones. */
export function unknownNumbers(text: string, known: ReadonlySet<string>): string[] {
  return (text.match(/\d+/g) ?? []).filter((number) => !known.has(number));
}
