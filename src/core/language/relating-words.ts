// Words between two nouns that say how they relate.

/** Returns the words of a list with blanks between them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Determiners by language code. */
export const DETERMINERS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordSet(
    'a an the this these those each every any some no its their our your his her my such another both',
  ),
  de: wordSet(
    'der die das den dem des ein eine einen einem einer eines kein keine dieser diese dieses jeder jede jedes zum zur im am vom beim',
  ),
  fr: wordSet('le la les l un une des du au aux d ce cet cette ces son sa ses leur leurs chaque'),
  es: wordSet('el la los las un una unos unas del al este esta estos estas su sus cada'),
  it: wordSet(
    'il lo la i gli le l un uno una del della dei degli delle dell al alla ai alle nel nella questo questa',
  ),
  pt: wordSet('o a os as um uma do da dos das no na nos nas ao este esta esse essa seu sua cada'),
  nl: wordSet('de het een dit dat deze die elk elke zijn haar hun'),
  sv: wordSet('en ett den det de denna detta varje'),
  no: wordSet('en et ei den det de denne dette hver'),
  da: wordSet('en et den det de denne dette hver'),
};
/** English prepositions. */
export const PREPOSITIONS = wordSet(
  'of in on by with from for without between into through about via per under over against',
);
/** Conjunctions that join terms or clauses, by language code. */
export const CONJUNCTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordSet('and or nor but so because if when while than then'),
  de: wordSet('und oder sowie aber sondern wenn weil als'),
  fr: wordSet('et ou mais si que quand'),
  es: wordSet('y e o u pero si que cuando'),
  it: wordSet('e ed o ma se che quando'),
  pt: wordSet('e ou mas se que quando'),
  nl: wordSet('en of maar als dan'),
  sv: wordSet('och eller men om som'),
  no: wordSet('og eller men om som'),
  da: wordSet('og eller men om som'),
  zh: wordSet('和 与 及 或 以及 而 但'),
  ja: wordSet('と や か'),
};
/** English pronouns, which begin another clause. */
export const PRONOUNS = wordSet('i we you he she it they there them us him her one what how where why whose');
const AUXILIARIES = wordSet(
  'is are was were be been being has have had having does do did can could may might must shall should will would use uses used using needs need',
);
const VERB_ENDING = /^\p{L}{3,30}(?:ed|izes|ates|ifies)$/u;

/** Reports whether an English word is an auxiliary verb or has the ending of a verb. */
export function isEnglishVerb(word: string): boolean {
  return AUXILIARIES.has(word) || VERB_ENDING.test(word);
}
