import type { Hit } from './lexical/passage-index.ts';
import { WordTokenizer } from '../../language/words/tokenizer.ts';
import { STOP_MARK } from '../../language/words/word-terms.ts';

/** How many hits are looked into. */
export const HITS_RERANKED = 60;
/** How many characters of texts are looked into; what is behind keeps its place. */
const MOST_CHARACTERS = 200_000;

/** What a pair of the question's words counts that stands together, and how close that is, in terms. */
const PAIR = 0.3;
const PAIR_REACH = 2;
/** What a term counts that stands where a passage begins: in its path, its heading, its title or its signature. */
const LEAD = 0.2;
const LEAD_TERMS = 10;

/**
 * Ranks hits in code by what postings can't tell: the question's words that stand next to each other as in the
 * question, and those with which a passage begins. Prose was measured worse with it.
 */
export class Reranking {
  readonly #tokenizer = new WordTokenizer();

  /**
   * The hits, best first. Those among the first sixty for which `codeOf` gives all that they are found by, as one
   * text, take each other's places; all others keep theirs. `weights` are the question's terms in their order with
   * their inverse document frequency.
   */
  rerank(
    hits: readonly Hit[],
    weights: ReadonlyMap<string, number>,
    codeOf: (id: number) => string | undefined,
  ): Hit[] {
    const before = predecessors(weights);
    let left = MOST_CHARACTERS;
    const places: number[] = [];
    const reranked: Hit[] = [];
    for (const [place, { id, score }] of hits.slice(0, HITS_RERANKED).entries()) {
      const text = left > 0 ? codeOf(id) : undefined;
      if (text === undefined) continue;
      left -= text.length;
      places.push(place);
      reranked.push({ id, score: score + this.#bonus(text, weights, before) });
    }
    reranked.sort((a, b) => b.score - a.score || a.id - b.id);
    const result = [...hits];
    for (const [i, { id }] of reranked.entries()) {
      const place = places[i] ?? 0;
      result[place] = { id, score: hits[place]?.score ?? 0 };
    }
    return result;
  }

  #bonus(text: string, weights: ReadonlyMap<string, number>, before: ReadonlyMap<string, string>): number {
    const last = new Map<string, number>();
    const pairs = new Map<string, number>();
    let at = 0;
    let lead = 0;
    for (const term of this.#tokenizer.termsOfPassage(text)) {
      if (term.startsWith(STOP_MARK)) continue;
      const weight = weights.get(term);
      if (weight !== undefined) {
        if (at < LEAD_TERMS && !last.has(term)) lead += weight;
        const previous = before.get(term);
        if (previous !== undefined && at - (last.get(previous) ?? -Infinity) <= PAIR_REACH)
          pairs.set(term, (pairs.get(term) ?? 0) + 1);
        last.set(term, at);
      }
      at++;
    }
    let together = 0;
    for (const [term, count] of pairs) {
      const weight = ((weights.get(term) ?? 0) + (weights.get(before.get(term) ?? '') ?? 0)) / 2;
      together += (weight * 2 * count) / (count + 1);
    }
    return PAIR * together + LEAD * lead;
  }
}

/** Of each term of the question the one before it. */
function predecessors(weights: ReadonlyMap<string, number>): Map<string, string> {
  const before = new Map<string, string>();
  let previous: string | undefined;
  for (const term of weights.keys()) {
    if (previous !== undefined) before.set(term, previous);
    previous = term;
  }
  return before;
}
