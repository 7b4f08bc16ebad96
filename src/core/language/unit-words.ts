import type { UnitName } from './packs/pack.ts';
import { wordsOfPacks } from './words/pack-words.ts';

/** Prefixes of units with the beginnings of their signs. */
const PREFIXES: readonly (readonly [prefix: string, sign: string])[] = [
  ...([
    ['', ''] as const,
    ['nano', 'n'],
    ['micro', 'µ'],
    ['milli', 'm'],
    ['centi', 'c'],
    ['kilo', 'k'],
  ] as const),
  ...([
    ['mega', 'm'],
    ['giga', 'g'],
    ['tera', 't'],
  ] as const),
];
/** Signs of the units. Units of time, length, and the like can have a prefix. */
const SIGNS: Readonly<Record<UnitName, string>> = {
  second: 's sec sek',
  meter: 'm',
  gram: 'g',
  liter: 'l',
  byte: 'b ib o',
  watt: 'w',
  hertz: 'hz',
  minute: 'min',
  hour: 'h hr hrs std',
  day: 'd j',
  week: 'w wo sem',
  month: 'mo',
  year: 'y yr yrs j a',
  mile: 'mi',
  acre: 'ac',
  hectare: 'ha',
  foot: 'ft',
  inch: 'in',
  ton: 't',
  pound: '£ gbp lb lbs',
  euro: '€ eur',
  dollar: '$ usd us',
  percent: '%',
  degree: '°',
};

/** Words and signs of units by each of them. A sign can belong to several units. */
const FORMS = new Map<string, Set<string>>();
for (const [unit, signs] of Object.entries(SIGNS))
  for (const [prefix, before] of PREFIXES) {
    const forms = [
      ...wordsOfPacks(({ units }) => units?.[unit as UnitName]).map((word) => prefix + word),
      ...signs.split(' ').map((sign) => before + sign),
    ];
    for (const form of forms) FORMS.set(form, new Set([...(FORMS.get(form) ?? []), ...forms]));
  }

/**
 * Returns the words and signs of a unit of measurement, time, or money, in lower case, by one of them; undefined for
 * other words.
 */
export function unitForms(wordOrSign: string): ReadonlySet<string> | undefined {
  return FORMS.get(wordOrSign.toLowerCase());
}

/** Returns the units in a text, in lower case: possible signs next to its figures, and words of units anywhere. */
export function unitsIn(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set([...signsIn(text), ...words.filter((word) => FORMS.has(word))]);
}

/** Returns the possible signs of units next to the figures of a text, in lower case. */
function signsIn(text: string): string[] {
  const behind = text.matchAll(/\d\s?(\p{L}{1,4}|[%°€$£])(?!\p{L})/gu);
  const before = text.matchAll(/(?<!\p{L})(\p{Lu}{2,3}|[€$£])\s?\d/gu);
  const symbols = text.matchAll(/([%°€$£])/gu);
  return [...behind, ...before, ...symbols].map(([, sign = '']) => sign.toLowerCase());
}
