import type { PlaceSignals } from '../../core/domain/passage.ts';
import type { Hit } from './lexical/passage-index.ts';

/** Found passage with the parts of its score. */
export interface RankedHit extends Hit {
  readonly signals: PlaceSignals;
}

/** Parts of a combined score from words and meaning, as returned by `fuse`. */
interface Sides {
  readonly words: number;
  readonly meaning: number;
}

type Part = Exclude<keyof PlaceSignals, 'quoted'>;

/** Adds the signals of a passage from two searches. */
export function addSignals(a: PlaceSignals, b: PlaceSignals): PlaceSignals {
  const sum = { ...a };
  for (const [part, value] of Object.entries(b) as [Part, number][]) sum[part] = (sum[part] ?? 0) + value;
  return sum;
}

/** Scales a passage's keyword signals to its keyword score, and adds its semantic score. */
export function fuseSignals(byWords: PlaceSignals, { words, meaning }: Sides): PlaceSignals {
  const entries = Object.entries(byWords) as [Part, number][];
  const total = entries.reduce((sum, [, value]) => sum + value, 0);
  const scaled = entries.map(([part, value]) => [part, total > 0 ? (value * words) / total : 0]);
  return { ...(Object.fromEntries(scaled) as Record<Part, number>), meaning };
}
