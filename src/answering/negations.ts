import type { Word } from './terms.ts';
import { termsOfWord } from './terms.ts';

/** The terms that follow a negation closely enough to be turned round by it, nearest first. */
export type NegationScope = readonly string[];

const NEGATIONS = /^(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|\p{L}+n't)$/u;
/** "Not only" and the like deny nothing. */
const NO_NEGATION_BEFORE = /^(?:only|just|necessarily|least|longer)$/;
const NEW_CLAUSE = /^(?:but|because|although|though|whereas|while|if|when|unless|since|that)$/;
const REACH = 3;

/** The scopes of a text's negations; `text` is what the words were taken from. */
export function negationsIn(words: readonly Word[], text: string): NegationScope[] {
  const scopes: string[][] = [];
  for (const [index, word] of words.entries()) {
    if (!NEGATIONS.test(word.folded) || NO_NEGATION_BEFORE.test(words[index + 1]?.folded ?? '')) continue;
    const scope: string[] = [];
    let reached = 0;
    let end = word.end;
    for (const next of words.slice(index + 1)) {
      if (/[,;:.()]/.test(text.slice(end, next.start)) || NEW_CLAUSE.test(next.folded)) break;
      ({ end } = next);
      const terms = termsOfWord(next);
      if (terms.length === 0) continue;
      scope.push(...terms);
      reached++;
      if (reached >= REACH) break;
    }
    scopes.push(scope);
  }
  return scopes;
}

/** Whether one of two texts denies what the other says, where `terms` are those of the text without the negations. */
export function denies(scopes: readonly NegationScope[], others: readonly NegationScope[], terms: ReadonlySet<string>): boolean {
  const denied = new Set(others.flat());
  return scopes.some((scope) => {
    const [nearest] = scope;
    return nearest !== undefined && terms.has(nearest) && !scope.some((term) => denied.has(term));
  });
}
