import type { Span } from '../../language/span.ts';
import type { Found } from './found-parts.ts';
import { LEAST_OF_PART, partCoverage } from './found-parts.ts';
import type { Match } from './matching.ts';

/** A sentence whose missing words make up more is missing as a whole. */
const MOST_OF_SENTENCE = 0.8;
/** A term counts as being there from this credit on. */
const THERE = 0.5;

/**
 * The words of a claim that were not found, as spans of its sentence in order: whole parts, or single words where
 * most of their part was found. None where too few or too many are missing to tell them from the rest.
 */
export function missingWords({ claim, weights }: Match, { known }: Pick<Found, 'known'>): Span[] {
  const missing: Span[] = [];
  for (const part of claim.parts) {
    if (partCoverage(part, known, weights) < LEAST_OF_PART) {
      missing.push({ start: part.start, end: part.end });
      continue;
    }
    // A stretch of missing words goes on until a word that was found.
    const words = part.terms
      .flatMap((index) =>
        (claim.terms[index]?.places ?? []).map((place) => ({ place, credit: known[index] ?? 0 })),
      )
      .filter(({ place }) => part.start <= place.start && place.end <= part.end)
      .sort((a, b) => a.place.start - b.place.start || b.credit - a.credit);
    let open: { start: number; end: number } | undefined;
    let last = -1;
    for (const { place, credit } of words) {
      // Of a word's several terms the best tells.
      if (place.start === last) continue;
      last = place.start;
      if (credit >= THERE) open = undefined;
      else if (open === undefined) missing.push((open = { ...place }));
      else open.end = place.end;
    }
  }
  const length = missing.reduce((sum, { start, end }) => sum + end - start, 0);
  const [first, end] = [claim.parts[0]?.start ?? 0, claim.parts.at(-1)?.end ?? 0];
  return length > MOST_OF_SENTENCE * (end - first) ? [] : missing;
}
