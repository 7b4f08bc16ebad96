import { enumeratedItems } from '../../core/language/enumerations.ts';
import { itemPlaceIn } from '../../core/language/follow-ups.ts';
import {
  headingOfLine,
  isTableRow,
  isTableRule,
  itemOfLine,
  markdownLines,
} from '../../core/language/markdown-lines.ts';

const LABEL = /^(\*\*|__)(\S.*?)\1$/;
/** Maximum length of a list item's name, in UTF-16 code units. */
const MAX_ITEM_LENGTH = 120;

/**
 * Returns the item of an answer's list that a question refers to, as in "how does the second one do that?"; undefined
 * if it refers to none.
 */
export function itemPointedAt(question: string, answer: string): string | undefined {
  const place = itemPlaceIn(question);
  if (place === undefined) return undefined;
  const items = listItems(answer);
  const item = items.at(place > 0 ? place - 1 : place);
  return items.length < 2 || item === undefined ? undefined : shortName(item);
}

/**
 * Returns the items of an answer's first list, or else the rows of its first table, its headings and labels, or the
 * items in a sentence.
 */
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
  return enumeratedItems(answer);
}

/** Returns the items of the first list, without nested ones. */
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

/** Returns the name of an item, without its explanation and Markdown marks. */
function shortName(item: string): string {
  const plain = item
    .replaceAll(/\]\((?:[^)\]]|\](?!\())*\)/g, '')
    .replaceAll(/[*`[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .trim();
  const name = /^.{2,60}?(?=\s+[—–-]\s|[:—])/.exec(plain)?.[0] ?? plain;
  return name.length <= MAX_ITEM_LENGTH ? name : name.slice(0, MAX_ITEM_LENGTH).replace(/(?<!\s)\s+\S*$/, '');
}
