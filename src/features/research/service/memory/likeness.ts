import { comparedTermSet, weighTerms } from '../../../../core/language/words/words.ts';

/** Maximum length of the beginning of a text that is compared, in UTF-16 code units. */
const MAX_COMPARED_LENGTH = 400;

/** Returns the terms of a text without duplicates, in the language of the whole comparison. */
export function termSet(text: string, language: number): ReadonlySet<string> {
  return comparedTermSet(text.slice(0, MAX_COMPARED_LENGTH), language);
}

/** Similarity of each text, by its index, to some terms, above 0 to 1: the cosine of the weights of shared terms. */
type Likeness = (terms: ReadonlySet<string>) => ReadonlyMap<number, number>;

/**
 * Compares terms with many texts at once. A term weighs less if more of the `units` have it. The units are the texts
 * themselves, unless several texts belong together.
 */
export function likenessTo(texts: readonly ReadonlySet<string>[], units = texts): Likeness {
  const weigh = weighTerms(units);
  const weights = new Map<string, number>();
  const termWeight = (term: string): number => {
    const known = weights.get(term) ?? weigh(term) ** 2;
    weights.set(term, known);
    return known;
  };
  const vectorNorm = (terms: ReadonlySet<string>): number => {
    let sum = 0;
    for (const term of terms) sum += termWeight(term);
    return Math.sqrt(sum);
  };
  const norms = texts.map(vectorNorm);
  const having = new Map<string, number[]>();
  for (const [at, terms] of texts.entries())
    for (const term of terms) {
      const places = having.get(term);
      if (places === undefined) having.set(term, [at]);
      else places.push(at);
    }
  return (terms) => {
    const shared = new Map<number, number>();
    for (const term of terms)
      for (const at of having.get(term) ?? []) shared.set(at, (shared.get(at) ?? 0) + termWeight(term));
    const norm = vectorNorm(terms);
    for (const [at, sum] of shared) shared.set(at, sum / (norm * (norms[at] ?? 1)));
    return shared;
  };
}
