import type { Hit } from '../passage-index.ts';

/** How slowly what a rank counts falls off. */
const K = 60;

/**
 * One ranking of what words and what vectors found, each best first: by the sum of `1 / (60 + rank)` over both.
 * At most `limit`, best first, equal ones by id. Scores are on the scale of the lexical ones: what is first in both
 * keeps the score of the first by words. Where words found nothing, it gets 1.
 */
export function fuse(lexical: readonly Hit[], vector: readonly Hit[], limit: number): Hit[] {
  const shares = new Map<number, number>();
  for (const hits of [lexical, vector])
    for (const [i, { id }] of hits.entries()) shares.set(id, (shares.get(id) ?? 0) + 1 / (K + i + 1));
  const scale = ((lexical[0]?.score ?? 1) * (K + 1)) / 2;
  return [...shares]
    .map(([id, share]) => ({ id, score: scale * share }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit);
}
