import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import { throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import type { Source } from '../../../../core/domain/source.ts';

/** Estimated tokens around a passage in a prompt: its fence, number, and title. */
export const TOKENS_AROUND = 40;

interface GatheredSources {
  /** Passages grouped by source. */
  readonly passages: readonly FoundPassage[];
  /** Number of passages per source, in the order of the sources. */
  readonly counts: readonly number[];
  /** Titles of the sources that were read only in part. */
  readonly shortened: readonly string[];
}

/**
 * Reads sources within a number of tokens. Each gets an equal share, and its unused rest goes to later ones. Reads a
 * source as a whole if it fits, else the passages nearest to the searches, at least one.
 */
export async function gatherEach(
  sources: readonly Pick<Source, 'id' | 'title'>[],
  searches: readonly string[],
  tokens: number,
  finderIn: (sourceId: string) => PassageFinder,
  signal: AbortSignal,
): Promise<GatheredSources> {
  const passages: FoundPassage[] = [];
  const counts: number[] = [];
  const shortened: string[] = [];
  let remainingTokens = tokens;
  for (const [i, { id, title }] of sources.entries()) {
    throwIfCanceled(signal);
    const share = Math.max(0, remainingTokens) / (sources.length - i);
    const finder = finderIn(id);
    const gathered = await finder.gather(searches, Math.max(1, share), signal);
    const foundPassages = gathered.passages.length > 0 ? gathered.passages : await finder.overview('', 1);
    let room = share;
    const own = foundPassages.filter(({ text }, rank) => {
      const cost = estimateTokens(text) + TOKENS_AROUND;
      if (rank > 0 && cost > room) return false;
      room -= cost;
      remainingTokens -= cost;
      return true;
    });
    passages.push(...own);
    counts.push(own.length);
    if (own.length > 0 && !(gathered.isAll && own.length === foundPassages.length)) shortened.push(title);
  }
  return { passages, counts, shortened };
}
