import { itemPlaceIn } from '../../language/follow-ups.ts';
import {
  headingOfLine,
  isTableRow,
  isTableRule,
  itemOfLine,
  markdownLines,
} from '../../language/markdown-lines.ts';

const LABEL = /^(\*\*|__)(\S.*?)\1$/;
/** What leads up to things that a sentence lists. */
const LEADS_UP =
  /(?::|\b(?:are|include|includes|including|offers?|supports?|such as|namely|either|both|between))\s+/gi;
/** What parts the things of a sentence, or ends them. */
const BETWEEN_THINGS = /(,?(?<!\s)\s+(?:and|or)\s+)|(,\s+)|[,.;:\n]/i;
/** A thing that a sentence lists is at most this long, in UTF-16 code units, and so many of them are looked at. */
const LONGEST_THING = 60;
const MOST_THINGS = 40;
/** White space and words between two things, with room to spare. */
const LONGEST_GAP = 60;
/** So much of an item tells what it is, in UTF-16 code units. */
const LONGEST_ITEM = 120;

/** The item of an answer's list that a question points at, as in "how does the second one do that?"; undefined where it points at none. */
export function itemPointedAt(question: string, answer: string): string | undefined {
  const place = itemPlaceIn(question);
  if (place === undefined) return undefined;
  const items = listItems(answer);
  const item = items.at(place > 0 ? place - 1 : place);
  return items.length < 2 || item === undefined ? undefined : shortName(item);
}

/** The items of the first list of an answer, else the rows of its first table, its headings and labels, or what a sentence lists. */
function listItems(answer: string): string[] {
  const lines = Array.from(markdownLines(answer)).flatMap(({ kind, start, end }) =>
    kind === 'code' ? [] : [answer.slice(start, end)],
  );
  const items = outermost(lines);
  if (items.length > 1) return items;
  const rule = lines.findIndex(isTableRule);
  if (rule >= 0) {
    const end = lines.findIndex((line, i) => i > rule && !isTableRow(line));
    return lines.slice(rule + 1, end < 0 ? lines.length : end).map((row) => row.replaceAll('|', ' ').trim());
  }
  const named = lines.flatMap((line) => headingOfLine(line)?.title ?? LABEL.exec(line)?.[2] ?? []);
  if (named.length > 1) return named;
  const enumeration = enumerationIn(answer);
  return enumeration === undefined
    ? []
    : enumeration.split(/,\s+(?:(?:and|or)\s+)?|(?<!\s)\s+(?:and|or)\s+/i);
}

/** "mono, stereo and return", after a colon or a word that leads up to it. */
function enumerationIn(answer: string): string | undefined {
  for (const { 0: lead, index } of answer.matchAll(LEADS_UP)) {
    const start = index + lead.length;
    const end = endOfEnumeration(answer, start);
    if (end !== undefined) return answer.slice(start, end);
  }
  return undefined;
}

/** Where things end of which the last stands after "and" or "or"; undefined where none does. */
function endOfEnumeration(answer: string, start: number): number | undefined {
  let end: number | undefined;
  let thing = start;
  let isLast = false;
  for (let count = 0; count < MOST_THINGS; count++) {
    const near = answer.slice(thing, thing + LONGEST_THING + LONGEST_GAP);
    const between = BETWEEN_THINGS.exec(near);
    const [mark = '', joined, comma] = between ?? [];
    const at = thing + (between?.index ?? near.length);
    if (isLast) end = Math.min(at, thing + LONGEST_THING);
    if (at === thing || at - thing > LONGEST_THING) break;
    if (joined === undefined && comma === undefined) break;
    // In "a, b and c, d and e" the second thing is "b and c".
    isLast = joined !== undefined;
    thing = at + mark.length;
  }
  return end;
}

/** The items of the first list, without those within an item. */
function outermost(lines: readonly string[]): string[] {
  const items: { readonly indent: number; readonly isNumbered: boolean; readonly text: string }[] = [];
  for (const line of lines) {
    const { before, mark, text } = itemOfLine(line) ?? { before: '', mark: '', text: '' };
    const isNumbered = /^\d/.test(mark);
    const [first] = items;
    const isOther = first?.indent === before.length && first.isNumbered !== isNumbered;
    if (first !== undefined && (isOther || (text === '' && /^\S/.test(line)))) break;
    if (text !== '') items.push({ indent: before.length, isNumbered, text });
  }
  const least = Math.min(...items.map(({ indent }) => indent));
  return items.filter(({ indent }) => indent === least).map(({ text }) => text);
}

/** What an item is called, without what is said of it and without marks of Markdown. */
function shortName(item: string): string {
  const plain = item
    .replaceAll(/\]\((?:[^)\]]|\](?!\())*\)/g, '')
    .replaceAll(/[*`[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .trim();
  const name = /^.{2,60}?(?=\s+[—–-]\s|[:—])/.exec(plain)?.[0] ?? plain;
  return name.length <= LONGEST_ITEM ? name : name.slice(0, LONGEST_ITEM).replace(/(?<!\s)\s+\S*$/, '');
}
