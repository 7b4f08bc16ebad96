import type { Hit } from '../lexical/passage-index.ts';
import { FUSION_WEIGHTS } from './fusion-weights.ts';

/** Passage with the parts of its score from words and meaning. */
interface FusedHit extends Hit {
  readonly words: number;
  readonly meaning: number;
}

/**
 * Combines equally long results of keyword and semantic search into one ranking: at most `limit` hits, best first,
 * equal ones by ID. A hit's score on each side is its distance from the lowest score in standard deviations, or 0 if
 * that side didn't find it. So a name that only one passage contains comes first, and if no passage stands out by its
 * words, meaning decides: see `npm run bench -- vectors`.
 *
 * Scores are on the scale of keyword search: the best hit gets the best keyword score, and the others their share of
 * it. Without keyword hits the best gets 1.
 */
export function fuse(lexical: readonly Hit[], vector: readonly Hit[], limit: number): FusedHit[] {
  // If keyword search found fewer than requested, all other passages have no match.
  const byWords = outstanding(lexical, Math.max(0, vector.length - lexical.length));
  const byMeaning = outstanding(vector, 0);
  const ranked = Array.from(new Set([...byWords.keys(), ...byMeaning.keys()]), (id) => {
    const [words, meaning] = [byWords.get(id) ?? 0, FUSION_WEIGHTS.meaning * (byMeaning.get(id) ?? 0)];
    return { id, words, meaning, sum: words + meaning };
  })
    .sort((a, b) => b.sum - a.sum || a.id - b.id)
    .slice(0, limit);
  const best = ranked[0]?.sum ?? 0;
  const highest = lexical[0]?.score ?? 1;
  return ranked.map(({ id, words, meaning, sum }) =>
    best === 0
      ? { id, score: highest, words: highest, meaning: 0 }
      : {
          id,
          score: (highest * sum) / best,
          words: (highest * words) / best,
          meaning: (highest * meaning) / best,
        },
  );
}

/**
 * Returns each hit's distance from the lowest score, in standard deviations. `zeros` more passages have a score of 0.
 */
function outstanding(hits: readonly Hit[], zeros: number): ReadonlyMap<number, number> {
  const scores = [...hits.map(({ score }) => score), ...new Array<number>(zeros).fill(0)];
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  const least = Math.min(...scores);
  return new Map(
    hits.map(({ id, score }) => [id, variance === 0 ? 0 : (score - least) / Math.sqrt(variance)]),
  );
}
