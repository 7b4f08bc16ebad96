import type { Hit } from '../lexical/passage-index.ts';
import { FUSION_WEIGHTS } from './fusion-weights.ts';

/** A passage with what words and what meaning make of its score. */
interface FusedHit extends Hit {
  readonly words: number;
  readonly meaning: number;
}

/**
 * One ranking of what words and what vectors found when both were asked for equally many: at most `limit`, best
 * first, equal ones by id. A passage counts by how far it stands out among the scores of either side, in standard
 * deviations, weighed against each other; where one side did not find it, it counts as the least there. So a name that one
 * passage alone has comes first, and where no passage stands out by its words, meaning decides: see
 * `npm run bench -- vectors`.
 *
 * Scores are on the scale of the lexical ones: the best gets the score of the best by words, the others their share
 * of it. Without lexical hits the best gets 1.
 */
export function fuse(lexical: readonly Hit[], vector: readonly Hit[], limit: number): FusedHit[] {
  // Where words found fewer than were asked for, the others have none of them.
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

/** How many standard deviations each hit lies above the least; `zeros` more passages have a score of 0. */
function outstanding(hits: readonly Hit[], zeros: number): ReadonlyMap<number, number> {
  const scores = [...hits.map(({ score }) => score), ...new Array<number>(zeros).fill(0)];
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  const least = Math.min(...scores);
  return new Map(
    hits.map(({ id, score }) => [id, variance === 0 ? 0 : (score - least) / Math.sqrt(variance)]),
  );
}
