import type { FollowUpRules } from './packs/pack.ts';
import { ALL_LANGUAGES, languageByTag } from './words/languages.ts';
import { partsOfPacks } from './words/pack-words.ts';
import { wordsInRole } from './words/role-words.ts';
import { ORDINAL_WORDS } from './words/word-lists.ts';
import { fold } from './words/folding.ts';
import { ENGLISH } from './words/word-terms.ts';
import { languageOfText, splitWords, termsIn } from './words/words.ts';

/** Reference to a list item by its number: "Punkt 2", "шаг 3". */
const NUMBERED = new RegExp(
  String.raw`(?<!\p{L})(?:${partsOfPacks(({ followUps }) => followUps?.numbered)}) (\d{1,2})(?!\d)`,
  'iu',
);

/** "the second one", "the last?", "the former does"; not "the first release". */
const POINTS = new RegExp(
  String.raw`\b(?:the|its|their|that)\s+(${ORDINAL_WORDS.join('|')}|last|former|latter|\d{1,2}(?:st|nd|rd|th))(?:\s+(?:of\s+(?:them|these|those)|(?:ones?|items?|points?|options?|steps?|ways?|kinds?|types?|methods?|entry|bullets?|choices?|phases?|reasons?|approach|approaches|arguments?|ideas?|proposals?|statements?|examples?|solutions?|tools?|products?))\b|\s*(?:[?.!,;:]|$)|(?=\s+(?:do|does|did|is|was|work|works|need|needs|mean|means|and|or|differ|compare)\b))`,
  'i',
);
const ENGLISH_NUMBERED = /\b(?:number|point|item|option)\s+(\d{1,2})\b/i;

/** English words that refer to something named before. */
const STANDS_FOR =
  /\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|these|those|former|latter|above)\b/i;
/** Pronouns that are the object of the verb directly before them. */
const OBJECTS = /^(?:it|them|him|her)$/i;
const THIS =
  /\b(?:do|does|did|is|was|are|about|like|than|of|for|with|without|after|before|why|how|change|use|call)\s+(?:this|that)(?:\s*[,;]|\s+(?:an?|the|also|always|still|true|so|work|happen|mean|do|help|cost|take|need|require|apply|affect|change|matter|different|possible|safe|better|worse|needed|necessary|too)\b)|\b(?:this|that)(?:\s*[?.!]*$|\s+(?:in|on|with|for|from|at|by|without)\b)/i;
const SAME_ONE =
  /\b(?:this|that|which|other|another|same|next)\s+(?:ones?|way|case)\b(?!\s+of\s+the\b)|\bthe\s+(?:same|others?|rest|opposite)(?:\s*[?.!,;]|\s*$|\s+(?:for|hold|holds|apply|applies|go|goes|true|happen|work)\b)/i;
/** Beginnings of questions that continue the conversation. */
const GOES_ON =
  /^\s*(?:and|but|so|also|or|then|since|what about|how about|what else|why not|tell me more|more|go on|continue|which ones?|how so|how come|for example)\b/i;
/** "It" without a referent: "is it possible to", "how long does it take to", "if it rains". */
const EXPLETIVE =
  /\b(?:is|was|would|will|does|can)\s+it\s+(?:\w+\s+)?(?:possible|impossible|necessary|safe|better|best|worth|okay|ok|true|important|easy|hard|allowed|take|cost|matter|make sense|rain|snow)\b(?=\s+\w)|\bit\s+(?:rains|snows)\b/gi;
/** Possible referents of a later word: a noun with its article, a plural, the object of a verb, a name, code. */
const NAMES =
  /\b(?:an?|the|my|our|your|every|each|any|no|all|one|two|three)\s+(?!\w{1,40}(?:st|nd|rd|th)\b|(?:last|same|other|difference|default|reason|limit|name|size|code|best|meaning|way|use|point)\b)\p{L}+|\b(?!does\b|this\b|its\b|has\b|was\b|always\b)\p{Ll}{3,40}s\b|\b(?:does|do|did|can|could|is|are|was|were|will|would|should|must|has|have)\s+(?!it\b|they\b|he\b|she\b|you\b|one\b|we\b|all\b|the\b|this\b|that\b|these\b|those\b|there\b|its\b|their\b|both\b|not\b)\p{L}{3,}|(?<=\S\s)\p{Lu}[\p{L}\p{N}]+|[`_/.-]\w|\w[A-Z]/u;
/** Possible referents in other languages: a noun with its article, a name, or a German noun. */
const NAMED = new RegExp(
  String.raw`(?<!\p{L})(?:${partsOfPacks(({ followUps }) => followUps?.articles)}) \p{L}{2}|l['’]\p{L}{2}|(?<=\S )\p{Lu}`,
  'u',
);
/** Patterns from words of packs, for tests. */
export const FOLLOW_UP_PATTERNS: readonly RegExp[] = [NUMBERED, NAMED];
/** Minimum number of content words that can be a referent. */
const NAMING_TERMS = 2;

/** Maximum number of terms in a question that is a follow-up because of its beginning. */
const FEW_TERMS = 3;
/** Limit in words instead of terms for other languages, because content words of short questions are uncertain. */
const FEW_WORDS = 6;
/** Maximum length of a follow-up, in UTF-16 code units. Only English patterns also apply to longer questions. */
const MAX_QUESTION_LENGTH = 300;

const ASPECTS: ReadonlySet<string> = new Set(
  wordsInRole('aspects').flatMap((word) => [word, ...termsIn(word)]),
);
const QUESTIONS: ReadonlySet<string> = new Set(wordsInRole('questions').map(fold));
/** Rules of all languages except English. */
const ruled = ALL_LANGUAGES.flatMap(({ code, followUps }) =>
  followUps === undefined ? [] : [{ ...followUps, language: languageByTag(code) ?? ENGLISH }],
);
const UNKNOWN_LANGUAGE = -1;
/**
 * Maximum number of words for which English isn't certain, because other languages share words with it: "is", "no".
 */
const TOO_FEW_TO_TELL = 4;

/**
 * Returns the rules for a question, without pronouns of other languages: "es" is Spanish for "is". All rules if its
 * language is unknown.
 */
function rulesFor(
  question: string,
  wordCount: number,
): readonly (FollowUpRules & { readonly language: number })[] {
  if (question.length > MAX_QUESTION_LENGTH) return [];
  const detectedLanguage = languageOfText(question, UNKNOWN_LANGUAGE);
  if (detectedLanguage === UNKNOWN_LANGUAGE || (detectedLanguage === ENGLISH && wordCount <= TOO_FEW_TO_TELL))
    return ruled;
  if (detectedLanguage === ENGLISH || !ruled.some(({ language }) => language === detectedLanguage)) return [];
  return ruled.map(({ standsFor, ...own }) =>
    standsFor !== undefined && own.language === detectedLanguage ? { ...own, standsFor } : own,
  );
}

/** Returns a question in one line, without the marks at its beginning and end. Commas stay. */
function plainQuestion(question: string): string {
  return question
    .replaceAll(/[\s¿¡?!.:;"“”„«»？。！؟]+/gu, ' ')
    .replaceAll('，', ',')
    .replaceAll('İ', 'i')
    .trim();
}

/** Reports whether a question depends on what was said before it. */
export function isFollowUp(question: string): boolean {
  const words = splitWords(question);
  const telling = words.filter(({ terms }) => terms.length > 0);
  if (telling.every(({ folded, terms }) => ASPECTS.has(folded) || terms.every((term) => ASPECTS.has(term))))
    return true;
  if (leansBackInEnglish(question, new Set(telling.flatMap(({ terms }) => terms)).size)) return true;
  const plain = plainQuestion(question);
  return rulesFor(question, words.length).some((own) => {
    if (own.pointsBack.test(plain) || own.item.test(plain)) return true;
    if (words.length <= FEW_WORDS && own.continuation.test(plain)) return true;
    const text = own.expletive === undefined ? plain : plain.replaceAll(own.expletive, ' ');
    const stands = own.standsFor?.exec(text) ?? null;
    if (stands === null) return false;
    return !namesSomething(text.slice(0, stands.index), own.language);
  });
}

/** Reports whether the words before a pronoun name its referent. */
function namesSomething(before: string, language: number): boolean {
  const words = splitWords(before, language).filter(({ folded }) => !QUESTIONS.has(folded));
  const telling = words.filter(({ terms }) => terms.length > 0);
  return telling.length >= NAMING_TERMS || NAMED.test(before.charAt(0).toLowerCase() + before.slice(1));
}

function leansBackInEnglish(question: string, terms: number): boolean {
  const text = question.replaceAll(EXPLETIVE, ' ');
  if (THIS.test(text) || SAME_ONE.test(text) || placeInEnglish(text) !== undefined) return true;
  if (terms <= FEW_TERMS && GOES_ON.test(text)) return true;
  const stands = STANDS_FOR.exec(text);
  if (stands === null) return false;
  // A verb before its object isn't a plural: "fixes it".
  const before = text
    .slice(0, stands.index)
    .trimStart()
    .replace(OBJECTS.test(stands[0]) ? /\p{Ll}{3,40}s\s*$/u : '', '');
  return !NAMES.test(before.charAt(0).toLowerCase() + before.slice(1));
}

/**
 * Returns the position of the list item that a question refers to, counted from 1, or -1 for the last; undefined if
 * it refers to none.
 */
export function itemPlaceIn(question: string): number | undefined {
  const inEnglish = placeInEnglish(question);
  if (inEnglish !== undefined) return inEnglish;
  const plain = plainQuestion(question);
  const own = rulesFor(question, splitWords(question).length);
  const numbered = own.length > 0 ? NUMBERED.exec(plain)?.[1] : undefined;
  if (numbered !== undefined) return Number(numbered);
  for (const { item, ordinals, last } of own) {
    const groups: readonly (string | undefined)[] = item.exec(plain)?.slice(1) ?? [];
    const word = groups.find((group) => group !== undefined)?.toLowerCase();
    if (word === undefined) continue;
    if (/^\d/.test(word)) return Number(word);
    const rank = ordinals
      .split(' ')
      .findIndex((beginnings) => beginnings.split('|').some((beginning) => word.startsWith(beginning)));
    if (rank >= 0) return rank + 1;
    if (word.startsWith(last)) return -1;
  }
  return undefined;
}

function placeInEnglish(question: string): number | undefined {
  const which = (POINTS.exec(question)?.[1] ?? ENGLISH_NUMBERED.exec(question)?.[1])?.toLowerCase();
  if (which === undefined) return undefined;
  if (which === 'last') return -1;
  if (which === 'former') return 1;
  if (which === 'latter') return 2;
  const ordinal = ORDINAL_WORDS.indexOf(which);
  return ordinal >= 0 ? ordinal + 1 : Number.parseInt(which, 10);
}
