import type { EvidenceUnit } from './evidence.ts';

/**
 * What makes a unit one that bears a claim out, fitted to sentences of abstracts: how much more of the claim it covers
 * than the other units do, how long it is, that it tells no mere purpose, and, in prose, that what was found comes late.
 */
const FIT = { bias: -5.4, lead: 5.4, length: 0.93, place: 1.9, purpose: -1.9 };
/** A further unit is taken where it is at least this likely, and this likely beside the best. */
const LEAST_LIKELY = 0.25;
const MOST_UNITS = 3;
const SHARE_OF_BEST = 0.5;

const PURPOSE =
  /^(?:OBJECTIVES?|AIMS?|PURPOSE|DESIGN|SETTING|METHODS?|BACKGROUND|PARTICIPANTS|CONTEXT|INTRODUCTION)\b|\bto (?:determine|investigate|examine|assess|evaluate|test|explore|study|identify|compare|find out)\b|\bwe (?:investigate|examine|assess|evaluate|test|stud(?:y|ied)|use|perform|conduct|measure|sought|analy[sz]e|aim)(?:d|ed)?\b/i;

/** How likely each unit bears the claim out, by how much of it each covers. */
function likelihoods(
  units: readonly EvidenceUnit[],
  coverages: readonly number[],
  isProse: boolean,
): number[] {
  const all = coverages.reduce((sum, coverage) => sum + coverage, 0);
  const others = Math.max(1, units.length - 1);
  return units.map(({ text, wordCount }, index) => {
    const coverage = coverages[index] ?? 0;
    if (coverage === 0) return 0;
    const x =
      FIT.bias +
      FIT.lead * (coverage - (all - coverage) / others) +
      FIT.length * Math.log(wordCount + 1) +
      FIT.place * (isProse ? index / others : 0.5) +
      (PURPOSE.test(text) ? FIT.purpose : 0);
    return 1 / (1 + Math.exp(-x));
  });
}

/** The units that bear a claim out, likeliest first, by how much of it each covers; as indexes. */
export function bestUnits(
  units: readonly EvidenceUnit[],
  coverages: readonly number[],
  isProse: boolean,
): number[] {
  const likely = likelihoods(units, coverages, isProse);
  const order = [...likely.keys()].sort((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0));
  const most = likely[order[0] ?? 0] ?? 0;
  return order.slice(0, MOST_UNITS).filter((index, rank) => {
    const own = likely[index] ?? 0;
    return own > 0 && (rank === 0 || (own >= SHARE_OF_BEST * most && own >= LEAST_LIKELY));
  });
}
