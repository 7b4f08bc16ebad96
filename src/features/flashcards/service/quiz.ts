import { t } from '@vscode/l10n';
import { splitWords } from '../../../core/language/words/words.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { questionKey } from './generated-cards.ts';
import { clozeParts } from '../../../core/language/cloze.ts';
import type { NewCard, QuizQuestion } from '../model.ts';

/** Term with its definition, in which gaps replace the term. */
interface Definition {
  readonly term: string;
  readonly front: string;
  readonly citation: Citation;
}

/** Question with choices by a model that its source supports. */
interface GeneratedChoice {
  readonly pair: {
    readonly question: string;
    readonly answer: string;
    readonly choices?: readonly string[] | undefined;
  };
  readonly statement: string;
  readonly citation: Citation;
}

/** Number of wrong choices next to the right one. */
const WRONG_CHOICES = 3;
/** Maximum number of terms to consider as wrong choices, because comparing all pairs would be slow. */
const MAX_COMPARED_TERMS = 400;
const BLANK = '**\\_\\_\\_\\_\\_**';

/**
 * Creates questions that ask which term a definition describes. The wrong choices are the most similar other terms that
 * the definition doesn't contain. Skips definitions with too few such terms. `random` returns numbers from 0 to 1.
 */
export function quizOfDefinitions(
  definitions: readonly Definition[],
  count: number,
  random: () => number,
  selected: readonly Definition[] = definitions,
): QuizQuestion[] {
  const questions: QuizQuestion[] = [];
  for (const definition of shuffle(selected, random)) {
    if (questions.length === count) break;
    const { term, front, citation } = definition;
    const wrong = wrongTerms(definition, definitions, random);
    if (wrong === undefined) continue;
    const right = Math.floor(random() * (WRONG_CHOICES + 1));
    const parts = clozeParts(front);
    questions.push({
      question: `${t('Which term is missing?')}\n\n${parts.map(({ words, isGap }) => (isGap ? BLANK : words)).join('')}`,
      choices: wrong.toSpliced(right, 0, term),
      right,
      reason: parts.map(({ words }) => words).join(''),
      citation,
    });
  }
  return questions;
}

/** Converts the questions of a model, in order. */
export function quizOfChoices(choices: readonly GeneratedChoice[]): QuizQuestion[] {
  return choices.flatMap(({ pair: { question, answer, choices = [] }, statement, citation }) => {
    const right = choices.indexOf(answer);
    return right < 0 ? [] : [{ question, choices, right, reason: statement, citation }];
  });
}

/** Cards of the questions that were answered wrongly. */
export function wrongCards(
  questions: readonly QuizQuestion[],
  replies: readonly (number | null)[],
): NewCard[] {
  return questions.flatMap(({ question, choices, right, reason, citation }, index): NewCard[] => {
    const reply = replies[index] ?? null;
    const answer = choices[right];
    if (reply === null || reply === right || answer === undefined) return [];
    const back = reason === '' ? `**${answer}**` : `**${answer}**\n\n${reason}`;
    return [{ key: questionKey(question), kind: 'question', maker: 'quiz', front: question, back, citation }];
  });
}

function wrongTerms(
  { term, front }: Definition,
  definitions: readonly Definition[],
  random: () => number,
): string[] | undefined {
  const foldedFront = ` ${foldCase(front)} `;
  const words = describeTerm(term);
  const near = sample(definitions, MAX_COMPARED_TERMS, random)
    .map((other) => ({ other: other.term, distance: distance(words, describeTerm(other.term)) }))
    .sort((a, b) => a.distance - b.distance);
  const usedTerms = [foldCase(term)];
  const chosen: string[] = [];
  for (const { other } of near) {
    const key = foldCase(other);
    const overlaps = usedTerms.some(
      (usedKey) => ` ${usedKey} `.includes(` ${key} `) || ` ${key} `.includes(` ${usedKey} `),
    );
    if (key === '' || overlaps || foldedFront.includes(` ${key} `)) continue;
    usedTerms.push(key);
    chosen.push(other);
    if (chosen.length === WRONG_CHOICES) return chosen;
  }
  return undefined;
}

/** Shape of a term: its length, its number of words, and its first letter. */
interface Look {
  readonly length: number;
  readonly words: number;
  readonly isCapital: boolean;
}

function describeTerm(term: string): Look {
  return { length: term.length, words: term.split(/\s+/).length, isCapital: /^\p{Lu}/u.test(term) };
}

/**
 * Penalties for a different number of words and for a different kind of first letter, as a difference in length by
 * this number of letters: "Ada Berg" next to "harbour".
 */
const LETTERS_OF_WORD = 8;
const LETTERS_OF_CAPITAL = 4;

function distance(a: Look, b: Look): number {
  return (
    Math.abs(a.length - b.length) +
    LETTERS_OF_WORD * Math.abs(a.words - b.words) +
    (a.isCapital === b.isCapital ? 0 : LETTERS_OF_CAPITAL)
  );
}

/** Normalizes text to its words for comparison. */
function foldCase(text: string): string {
  return splitWords(text)
    .map((word) => word.folded)
    .join(' ');
}

function sample<T>(list: readonly T[], limit: number, random: () => number): readonly T[] {
  if (list.length <= limit) return list;
  const from = Math.floor(random() * list.length);
  return [...list.slice(from), ...list.slice(0, from)].slice(0, limit);
}

function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ one: item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
