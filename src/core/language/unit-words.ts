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
/** Units in English, German, and French that can have a prefix, with their signs. */
const UNITS: readonly (readonly [words: string, signs: string])[] = [
  ['second seconds sekunde sekunden seconde secondes', 's sec sek'],
  ['meter meters metre metres metern mètre mètres', 'm'],
  ['gram grams gramm gramme grammes', 'g'],
  ['liter liters litre litres litern', 'l'],
  ['byte bytes octet octets', 'b ib o'],
  ['watt watts', 'w'],
  ['hertz', 'hz'],
  ['minute minutes minuten', 'min'],
  ['hour hours stunde stunden heure heures', 'h hr hrs std'],
  ['day days tag tage tagen jour jours', 'd j'],
  ['week weeks woche wochen semaine semaines', 'w wo sem'],
  ['month months monat monate monaten mois', 'mo'],
  ['year years jahr jahre jahren an ans année années', 'y yr yrs j a'],
  ['mile miles meile meilen', 'mi'],
  ['acre acres', 'ac'],
  ['hectare hectares hektar', 'ha'],
  ['foot feet', 'ft'],
  ['inch inches', 'in'],
  ['ton tons tonne tonnes tonnen', 't'],
  ['pound pounds', '£ gbp lb lbs'],
  ['euro euros', '€ eur'],
  ['dollar dollars', '$ usd us'],
  ['percent prozent', '%'],
  ['degree degrees', '°'],
];

const SIGNS_OF_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  UNITS.flatMap(([words, signs]) =>
    PREFIXES.flatMap(([prefix, before]) =>
      words
        .split(' ')
        .map((word): [string, readonly string[]] => [
          prefix + word,
          signs.split(' ').map((sign) => before + sign),
        ]),
    ),
  ),
);

/**
 * Returns the signs of a unit of measurement, time, or money, in lower case; undefined for other words. Knows English,
 * German, and French.
 */
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
