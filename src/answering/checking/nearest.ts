import type { FoundPassage } from '../../notebook/passage.ts';
import type { Span } from '../../language/span.ts';
import { prepareClaim } from './claim.ts';
import type { Evidence } from './evidence.ts';
import { matchClaim } from './matching.ts';
import { chooseCandidates, rankCandidates, type Candidate } from './relevance.ts';

/** A span of a passage that is near to what a sentence says. */
export interface Support {
  readonly passage: FoundPassage;
  /** In the document. */
  readonly span: Span;
}

/** Finds the words of each passage that come nearest to a sentence, with the share of it that they cover, 0 to 1. */
export function nearestSupports(
  sentence: string,
  evidence: Evidence,
): (Support & { readonly coverage: number })[] {
  const match = matchClaim(prepareClaim(sentence, evidence), evidence);
  return evidence.passages.flatMap((source) => {
    const [best] = chooseCandidates(rankCandidates(match, [source]));
    return best === undefined ? [] : { ...toSupport(best), coverage: best.coverageUnderHeading };
  });
}

/** Returns where a candidate is in its document. */
export function toSupport({ source: { passage }, units }: Candidate): Support {
  const start = passage.start + (units[0]?.start ?? 0);
  return { passage, span: { start, end: passage.start + (units.at(-1)?.end ?? 0) } };
}

/** Returns the spans of candidates, best first, those of neighbors as one. */
export function joinNeighbors(chosen: readonly Candidate[]): Support[] {
  const groups: Candidate[] = [];
  for (const each of chosen) {
    const touching = groups.findIndex(
      ({ source, units }) =>
        source === each.source &&
        ((units.at(-1)?.place ?? 0) + 1 === each.units[0]?.place ||
          (each.units.at(-1)?.place ?? 0) + 1 === units[0]?.place),
    );
    const group = groups[touching];
    if (group === undefined) groups.push(each);
    else {
      const units = [...group.units, ...each.units].sort((a, b) => a.place - b.place);
      groups[touching] = { ...group, units };
    }
  }
  return groups.map(toSupport);
}
