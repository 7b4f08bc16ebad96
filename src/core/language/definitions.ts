import { ALL_LANGUAGES } from './words/languages.ts';
import { partsOfPacks, wholeWordsOfPacks } from './words/pack-words.ts';
import { isStopWord } from './words/word-terms.ts';
import { languageOfText } from './words/words.ts';
import { headingOfLine } from './markdown-lines.ts';
import type { DefinitionRules } from './packs/pack.ts';
import type { Span } from './span.ts';
import { cutUnits, type TextFormat } from './units.ts';

/** A sentence that defines a term, and the term in it, both as spans of the text. */
interface Definition {
  readonly term: Span;
  readonly sentence: Span;
}

/** Maximum length of a term and of a definition, in UTF-16 code units. */
const MAX_TERM_LENGTH = 60;
const MAX_SENTENCE_LENGTH = 600;
const MAX_WORDS = 6;

/** A term that only the following words delimit. */
const NAME = String.raw`([\p{L}\p{N}][^\n.,;:!?|"]{1,${String(MAX_TERM_LENGTH)}}?)`;
const REST = String.raw`[^\n]{1,${String(MAX_SENTENCE_LENGTH)}}`;

const parts = (kind: Exclude<keyof DefinitionRules, 'sentences'>): string =>
  partsOfPacks(({ definitions }) => definitions?.[kind]);

/**
 * Patterns of defining sentences of all languages. In English, `who`, a possessive, or an article before the subject
 * refers to one person or thing instead of a kind.
 */
export const DEFINING: readonly RegExp[] = [
  ...new Set(ALL_LANGUAGES.flatMap(({ definitions }) => definitions?.sentences ?? [])),
].map((sentence) => pattern(sentence.replaceAll('{term}', NAME).replaceAll('{rest}', REST)));

function pattern(source: string): RegExp {
  return new RegExp(`^(?:${source})`, 'iu');
}

/** A term in bold or code, followed by its definition: "**Upstream**: the branch that …". */
const MARKED =
  /^(?:[-*+•][ \t]+)?(?:\*\*|__)`?([^*_`\n]{2,60}?)`?:?(?:\*\*|__)(?:[ \t]*\([^()\n]{1,40}\))?(?::|[ \t]+[–—-]|(?<=:\*\*|:__))[ \t]+([^\n]{12,600})$/su;
/** Words in this form that aren't terms. */
const REMARKS = new RegExp(`^(?:${parts('remarks')})$`, 'iu');
/** Words that refer to something named before, or ask. */
const POINTING = new RegExp(`^(?:${wholeWordsOfPacks(({ definitions }) => definitions?.references)})`, 'iu');
const INTRODUCING = new RegExp(`^(?:${parts('introductions')}) `, 'i');

/** Judgments, which don't name a kind: "a common annoyance", "a good example". */
const JUDGING = /^(?:common|good|great|key|main|typical|best|better|big|major|simple|easy|nice|popular)\s/iu;

/** Start of a definition in a list: a kind, not an instruction. */
const KIND_OF = new RegExp(
  String.raw`^(?:(?:${parts('indefinite')}) |(?:${parts('elided')}|(?:${parts('definite')}) )(?:[\p{L}'’-]{1,30},? ){0,6}?(?:${parts('distinctions')})(?!\p{L}))`,
  'iu',
);
/** Words of instructions and facts, which don't define a term. */
const TELLING = new RegExp(
  String.raw`^(?:[\p{L}'’-]{1,30} ){0,5}?(?:${parts('instructions')})(?!\p{L})`,
  'iu',
);
/** Headings of sections whose items are definitions in any form. */
const GLOSSARY_HEADING = new RegExp(
  String.raw`^(?:[\d.]+\s)?(?:[\p{L}]+ (?:${parts('headingJoins')}) )?(?:${parts('headings')})(?!\p{L})`,
  'iu',
);
/** Patterns from words of packs, for tests. */
export const DEFINITION_PATTERNS: readonly RegExp[] = [
  REMARKS,
  POINTING,
  INTRODUCING,
  KIND_OF,
  TELLING,
  GLOSSARY_HEADING,
];

/**
 * Returns the sentences of a text that define a term, in order, each with its term. Prefers precision: leaves out
 * sentences that may not be definitions.
 * @param beginning text that determines the language, if the text is part of another
 */
export function findDefinitions(
  text: string,
  format: TextFormat,
  beginning = text.slice(0, 20_000),
): Definition[] {
  if (format === 'code') return [];
  const language = languageOfText(beginning);
  let isInGlossary = false;
  return cutUnits(text, format, []).flatMap((unit): Definition[] => {
    const { start, end, kind } = unit;
    const heading = format === 'markdown' ? headingOfLine(text.slice(start, end)) : undefined;
    if (heading !== undefined) isInGlossary = GLOSSARY_HEADING.test(heading.title);
    if ((kind !== 'sentence' && kind !== 'item') || end - start > MAX_SENTENCE_LENGTH) return [];
    const sentence = text.slice(start, end);
    const definition = findMarkedTerm(sentence, isInGlossary) ?? statedDefinition(sentence, language);
    return definition === undefined
      ? []
      : [
          {
            term: { start: start + definition.start, end: start + definition.end },
            sentence: { start, end },
          },
        ];
  });
}

function findMarkedTerm(sentence: string, isInGlossary: boolean): Span | undefined {
  const match = MARKED.exec(sentence);
  const term = match?.[1]?.replace(/:$/, '');
  if (match === null || term === undefined || REMARKS.test(term.trim())) return undefined;
  // A definition has words. Numbers, links, and commands are values.
  const words = match[2]?.match(/\p{L}{2,1000}/gu)?.length ?? 0;
  const meaning = match[2] ?? '';
  if (words < 4 || /^[`[<"]/.test(meaning)) return undefined;
  return isInGlossary || (KIND_OF.test(meaning) && !TELLING.test(meaning))
    ? findSpan(sentence, term)
    : undefined;
}

function statedDefinition(sentence: string, language: number): Span | undefined {
  const from = /^(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?/.exec(sentence)?.[0].length ?? 0;
  // Remove line breaks, emphasis, and numbers of references before matching.
  const plain = sentence
    .slice(from)
    .replace(/[\r\n\t]/g, ' ')
    .replace(/[*`]+/g, '')
    .replace(/ ?\[[\d, ]{1,20}\]/g, '');
  if (POINTING.test(plain) && !INTRODUCING.test(plain)) return undefined;
  for (const pattern of DEFINING) {
    const match = pattern.exec(plain);
    const term = match?.[1];
    if (term === undefined) continue;
    const name = withoutRepetition(term).replace(/^[*_`"“„«‘']+|[*_`"”“»’']+$/gu, '');
    if (!isTerm(name, language)) continue;
    return findSpan(sentence, name);
  }
  return undefined;
}

/** Removes a heading that repeats the term: "Content Marketing — Content marketing refers to …". */
function withoutRepetition(term: string): string {
  const [first = '', second] = term.trim().split(/[^\S\n][–—-][^\S\n]/, 2);
  return second !== undefined && first.toLowerCase().includes(second.toLowerCase()) ? first : term.trim();
}

function isTerm(name: string, language: number): boolean {
  const words = name.split(/\s+/);
  if (name.length < 2 || words.length > MAX_WORDS || POINTING.test(name) || JUDGING.test(name)) return false;
  if (!/\p{L}{2}/u.test(name)) return false;
  const stops = words.filter((word) => isStopWord(word.toLowerCase(), language)).length;
  return (
    stops === 0 || (stops === 1 && words.length > 2 && !isStopWord((words[0] ?? '').toLowerCase(), language))
  );
}

function findSpan(sentence: string, term: string): Span | undefined {
  const start = sentence.indexOf(term);
  return start < 0 ? undefined : { start, end: start + term.length };
}
