// Kinds of headings from which questions are generated.
import { wordsInRole } from './words/role-words.ts';

const QUESTION_WORDS = wordsInRole('questions');

/** The first words of English headings that are questions by themselves. */
const ENGLISH_QUESTION =
  /^(?:are|can|could|did|do|does|how|is|should|was|were|what|when|where|which|who|whose|why|will|would) /i;
/**
 * Minimum number of words of a question that is understandable without its page, unlike “Why Bother?” or “How much
 * power?”.
 */
const MIN_QUESTION_WORDS = 4;
const MAX_TOPIC_WORDS = 7;
const MAX_INSTRUCTION_WORDS = 9;
/** The beginning of a heading that names a topic in plain words: “Removing a dependency”, “Types of meditation”. */
const TOPIC = /^\p{Lu}\p{Ll}+(?:ing| of) /u;
const PLAIN_WORD = /^[\p{L}\p{N}][\p{L}\p{N}'’-]*$/u;
const MIN_TOPIC_WORDS = 3;
/** Words of headings that sell or greet, or speak to the reader. */
const ADDRESSES_READER =
  /\b(?:announcing|breaking|is now|empowering|getting started|introducing|our|ours|unlocking|us|we|welcome|your|yours)\b/i;

/** Reports whether an English heading announces instructions, such as “How to split a file”. */
export function isInstructionHeading(heading: string): boolean {
  const [how, to, ...others] = heading.split(' ');
  return (
    how === 'How' &&
    to === 'to' &&
    others.length >= 2 &&
    others.length <= MAX_INSTRUCTION_WORDS &&
    others.every((word) => !/[^\p{L}\p{N}'’-]/u.test(word))
  );
}

/** Reports whether an English heading names a topic in plain words, such as “Removing a dependency”. */
export function isTopicHeading(heading: string): boolean {
  const [, ...others] = heading.split(' ');
  const count = others.length + 1;
  // Capitals on most words would look odd within a question.
  const capitalized = others.filter((word) => /^\p{Lu}\p{Ll}/u.test(word));
  return (
    TOPIC.test(heading) &&
    count >= MIN_TOPIC_WORDS &&
    count <= MAX_TOPIC_WORDS &&
    capitalized.length <= 1 &&
    others.every((word) => PLAIN_WORD.test(word))
  );
}

/** Reports whether a heading is a question by itself, in English, Chinese, or a language whose question words are known. */
export function isQuestionHeading(words: string): boolean {
  if (!/^[^?？؟.!:|]*[?？؟]$/u.test(words)) return false;
  // Chinese has no spaces between words.
  if (/\p{sc=Han}/u.test(words)) return true;
  if (words.split(' ').length < MIN_QUESTION_WORDS) return false;
  const [first = ''] = words.toLowerCase().split(' ', 1);
  return ENGLISH_QUESTION.test(words) || QUESTION_WORDS.includes(first);
}

/** Reports whether an English heading sells or greets, or speaks to the reader. */
export function addressesReader(heading: string): boolean {
  return ADDRESSES_READER.test(heading);
}
