import type { EnumerationRules } from './packs/pack.ts';
import { languageByTag, LANGUAGES } from './words/languages.ts';
import { partsOfPacks } from './words/pack-words.ts';
import { languageOfText } from './words/words.ts';

interface Patterns {
  readonly leadsUp: RegExp;
  /**
   * Matches the text between two items or after the last one. Its group captures the conjunction before the last
   * item.
   */
  readonly between: RegExp;
}

/** Patterns by the index of their language. */
export const ENUMERATING: ReadonlyMap<number | undefined, Patterns> = new Map(
  LANGUAGES.flatMap(({ enumerations }, index): [number, Patterns][] =>
    enumerations === undefined ? [] : [[index, toPatterns(enumerations)]],
  ),
);

function toPatterns({ leads, joins }: EnumerationRules): Patterns {
  return {
    leadsUp: new RegExp(String.raw`(?::|(?<!\p{L})(?:${leads}))\s+`, 'giu'),
    between: new RegExp(String.raw`(,?(?<!\s)\s+(?:${joins})\s+)|(,\s+)|[,.;:\n]`, 'iu'),
  };
}

const unspaced = (kind: 'leads' | 'joins'): string =>
  partsOfPacks(({ enumerations }) => (enumerations?.isUnspaced ? enumerations[kind] : undefined));
/** "包括温室、池塘和棚子", "場所：温室、池、小屋". */
export const UNSPACED: Patterns = {
  leadsUp: new RegExp(String.raw`[：:]\s*|${unspaced('leads')}`, 'gu'),
  between: new RegExp(
    String.raw`(、?(?:${unspaced('joins')})|、(?=[^、。]{1,60}[。]))|([、])|[，。；：\n]`,
    'u',
  ),
};
const UNSPACED_TEXT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Maximum length of an item, in UTF-16 code units, and maximum number of items. */
const MAX_ITEM_LENGTH = 60;
const MAX_ITEMS = 40;
/** Maximum length of white space and words between two items. */
const MAX_GAP_LENGTH = 60;

/**
 * Returns the items of the first enumeration in a text, such as "mono, stereo and return" after a colon or an
 * introducing word in its language. Empty if there is none.
 */
export function enumeratedItems(text: string): string[] {
  const english = ENUMERATING.get(languageByTag('en')) ?? UNSPACED;
  const { leadsUp, between } = UNSPACED_TEXT.test(text)
    ? UNSPACED
    : (ENUMERATING.get(languageOfText(text)) ?? english);
  for (const { 0: lead, index } of text.matchAll(leadsUp)) {
    const items = itemsFrom(text, index + lead.length, between);
    if (items.length > 1) return items;
  }
  return [];
}

/** Returns the items from a position on. Empty if no item follows "and" or "or". */
function itemsFrom(text: string, start: number, between: RegExp): string[] {
  const items: string[] = [];
  let whole = 0;
  let isLast = false;
  for (let at = start; items.length < MAX_ITEMS;) {
    const near = text.slice(at, at + MAX_ITEM_LENGTH + MAX_GAP_LENGTH);
    const parting = between.exec(near);
    const [mark = '', joined, comma] = parting ?? [];
    const length = parting?.index ?? near.length;
    if (length === 0) break;
    // Cut off the text after the last item: "and a shed which the family built in the year when…".
    if (isLast || length <= MAX_ITEM_LENGTH) items.push(near.slice(0, Math.min(length, MAX_ITEM_LENGTH)));
    if (isLast) whole = items.length;
    if (length > MAX_ITEM_LENGTH || (joined === undefined && comma === undefined)) break;
    // In "a, b and c, d and e" the second item is "b and c".
    isLast = joined !== undefined;
    at += length + mark.length;
  }
  return items.slice(0, whole);
}
