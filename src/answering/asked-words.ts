import type { FoundPassage } from '../notebook/passage.ts';
import { subjectOf } from './answer-forms.ts';
import { askedTerms } from './asked-terms.ts';
import type { Asked } from './follow-up.ts';
import { asSpelled } from './near-terms.ts';
import { FORM_TERMS, kindOf } from './question-kinds.ts';
import { identifierTerms, termsOf, wordsOf } from './terms.ts';

/** What a question asks for, in the spelling of the passages. */
export interface AskedWords {
  /** Each term with how much it counts beside its rarity. */
  readonly counts: ReadonlyMap<string, number>;
  /** Terms that the question has in another spelling. */
  readonly respelled: ReadonlySet<string>;
  /** Terms that tell where something is that is to be defined, as "in Rust" does. */
  readonly ofPlace: ReadonlySet<string>;
  /** What is written as code is: `--amend`, `^1.2.3`, `Promise.all`. */
  readonly literals: readonly string[];
}

/** What a question only leans on counts less than what it says itself, and the less the further back it was said. */
const CARRIED = 0.5;
const FURTHER_BACK = 0.7;
/** Words that tell what kind of answer is wanted count less than those that tell of what. */
const OF_ITS_FORM = 0.3;

/** What is asked of some passages. */
export function askedWords({ question, carried }: Asked, passages: readonly FoundPassage[]): AskedWords {
  const vocabulary = termsIn(passages);
  const inTheirWords = (text: string): string[] => asSpelled(askedTerms(text), vocabulary);
  const lines = carried.split('\n');
  const typed = new Set([question, ...lines].flatMap(askedTerms));
  const parts = new Set(wordsOf(`${question}\n${carried}`).flatMap(identifierTerms));
  const own = inTheirWords(question);
  const subject = new Set(
    kindOf(question) === 'definition' ? asSpelled(subjectOf(question), vocabulary) : own,
  );
  const counts = new Map<string, number>();
  const add = (terms: readonly string[], worth: number): void => {
    for (const term of terms) {
      const isOfForm = FORM_TERMS.has(term) || parts.has(term);
      if (!counts.has(term)) counts.set(term, worth * (isOfForm ? OF_ITS_FORM : 1));
    }
  };
  add(own, 1);
  for (const [back, line] of lines.entries()) add(inTheirWords(line), CARRIED * FURTHER_BACK ** back);
  return {
    counts,
    respelled: new Set([...counts.keys()].filter((term) => !typed.has(term))),
    ofPlace: new Set(own.filter((term) => !subject.has(term))),
    literals: literalsIn(question),
  };
}

/** All terms of passages and of what they stand under. */
function termsIn(passages: readonly FoundPassage[]): ReadonlySet<string> {
  return new Set(
    passages.flatMap(({ sourceTitle, documentTitle, documentKey, headings, text }) =>
      termsOf([sourceTitle, documentTitle, documentKey, ...headings, text].join('\n')),
    ),
  );
}

function literalsIn(question: string): string[] {
  const tokens = question.split(/[\s,;"'“”()]+/).map((token) => token.replace(/[?!.:]+$/, ''));
  return tokens.filter((token) =>
    /^[-^~@#$./]{1,3}[\p{L}\p{N}]|[\p{L}\p{N}](?:[._/]|::)[\p{L}\p{N}]/u.test(token),
  );
}
