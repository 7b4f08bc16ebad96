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

const SIGNS_OF_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(SIGNS).flatMap(([unit, signs]) =>
    PREFIXES.flatMap(([prefix, before]) =>
      wordsOfPacks(({ units }) => units?.[unit as UnitName]).map((word): [string, readonly string[]] => [
        prefix + word,
        signs.split(' ').map((sign) => before + sign),
      ]),
    ),
  ),
);

/** Returns the signs of a unit of measurement, time, or money, in lower case; undefined for other words. */
export function unitSigns(word: string): readonly string[] | undefined {
  return SIGNS_OF_WORDS.get(word.toLowerCase());
}

/** Returns the possible signs of units next to the figures of a text, in lower case. */
export function signsIn(text: string): ReadonlySet<string> {
  const behind = text.matchAll(/\d\s?(\p{L}{1,4}|[%°€$£])(?!\p{L})/gu);
  const before = text.matchAll(/(?<!\p{L})(\p{Lu}{2,3}|[€$£])\s?\d/gu);
  const symbols = text.matchAll(/([%°€$£])/gu);
  return new Set([...behind, ...before, ...symbols].map(([, sign = '']) => sign.toLowerCase()));
}
