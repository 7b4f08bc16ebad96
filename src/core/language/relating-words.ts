// Words between two nouns that say how they relate.
import type { LanguageRules } from './packs/pack.ts';
import { ALL_LANGUAGES } from './words/languages.ts';

/** Words before nouns, and conjunctions that join terms or clauses, by language code. */
export const DETERMINERS = byLanguage(({ determiners }) => determiners);
export const CONJUNCTIONS = byLanguage(({ conjunctions }) => conjunctions);

function byLanguage(
  select: (rules: LanguageRules) => string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    ALL_LANGUAGES.flatMap((rules): [string, ReadonlySet<string>][] => {
      const list = select(rules);
      return list === undefined ? [] : [[rules.code, wordSet(list)]];
    }),
  );
}

/** Returns the words of a list with blanks between them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** English prepositions. */
export const PREPOSITIONS = wordSet(
  'of in on by with from for without between into through about via per under over against',
);
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
