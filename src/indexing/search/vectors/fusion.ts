import type { Hit } from '../lexical/passage-index.ts';

/**
 * One ranking of what words and what vectors found when both were asked for equally many: at most `limit`, best
 * first, equal ones by id. A passage counts by how far it stands out among the scores of either side, in standard
 * deviations, both sides alike; where one side did not find it, it counts as the least there. So a name that one
 * passage alone has comes first, and where no passage stands out by its words, meaning decides: see
 * `npm run bench -- vectors`.
 *
 * Scores are on the scale of the lexical ones: the best gets the score of the best by words, the others their share
 * of it. Without lexical hits the best gets 1.
 */
export function fuse(lexical: readonly Hit[], vector: readonly Hit[], limit: number): Hit[] {
  const sums = new Map<number, number>();
  // Where words found fewer than were asked for, the others have none of them.
  addOutstanding(sums, lexical, Math.max(0, vector.length - lexical.length));
  addOutstanding(sums, vector, 0);
  const ranked = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit);
  const best = ranked[0]?.[1] ?? 0;
  const highest = lexical[0]?.score ?? 1;
  return ranked.map(([id, sum]) => ({ id, score: best === 0 ? highest : (highest * sum) / best }));
}

/** Adds how many standard deviations each hit lies above the least; `zeros` more passages have a score of 0. */
function addOutstanding(sums: Map<number, number>, hits: readonly Hit[], zeros: number): void {
  const scores = [...hits.map(({ score }) => score), ...new Array<number>(zeros).fill(0)];
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  const least = Math.min(...scores);
  for (const { id, score } of hits) {
    const above = variance === 0 ? 0 : (score - least) / Math.sqrt(variance);
    sums.set(id, (sums.get(id) ?? 0) + above);
  }
}
