import { termsIn, weighTerms } from '../../language/words/words.ts';

/** The terms of a text, each once. */
export function termSet(text: string): ReadonlySet<string> {
  return new Set(termsIn(text));
}

/** How alike two texts are by their terms, 0 to 1: the cosine of what these tell among all texts that are compared. */
export type Likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>) => number;

/** The likeness of texts among others: a term that many of them have tells little. */
export function likenessAmong(texts: readonly ReadonlySet<string>[]): Likeness {
  const weigh = weighTerms(texts);
  const weight = (terms: Iterable<string>): number => {
    let sum = 0;
    for (const term of terms) sum += weigh(term) ** 2;
    return sum;
  };
  return (a, b) => {
    const all = Math.sqrt(weight(a) * weight(b));
    return all === 0 ? 0 : weight([...a].filter((term) => b.has(term))) / all;
  };
}
