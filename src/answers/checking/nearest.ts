import type { FoundPassage } from '../../core/domain/passage.ts';
import type { Span } from '../../core/language/span.ts';
import { prepareClaim } from './claim.ts';
import type { Evidence } from './evidence.ts';
import { matchClaim } from './matching.ts';
import { chooseCandidates, rankCandidates, type Candidate } from './relevance.ts';

/** Span of a passage that is close to the meaning of a sentence. */
export interface Support {
  readonly passage: FoundPassage;
  /** Span in the document. */
  readonly span: Span;
}

/** Returns the closest text of each passage to a sentence, and the share of the sentence that it covers, 0 to 1. */
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

/** Returns the location of a candidate in its document. */
export function toSupport({ source: { passage }, units }: Candidate): Support {
  const start = passage.start + (units[0]?.start ?? 0);
  return { passage, span: { start, end: passage.start + (units.at(-1)?.end ?? 0) } };
}

/** Returns the spans of candidates, best first, with neighbors joined. */
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
