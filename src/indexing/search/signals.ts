import type { PlaceSignals } from '../../notebook/passage.ts';
import type { Hit } from './lexical/passage-index.ts';

/** A found passage with what its score is made of. */
export interface RankedHit extends Hit {
  readonly signals: PlaceSignals;
}

/** What words and meaning make of a score that both make, as `fuse` tells it. */
interface Sides {
  readonly words: number;
  readonly meaning: number;
}

type Part = Exclude<keyof PlaceSignals, 'quoted'>;

/** The signals of one passage in two searches. */
export function addSignals(a: PlaceSignals, b: PlaceSignals): PlaceSignals {
  const sum = { ...a };
  for (const [part, value] of Object.entries(b) as [Part, number][]) sum[part] = (sum[part] ?? 0) + value;
  return sum;
}

/** What a passage's words tell, brought to what words make of its score, and what its meaning makes of it. */
export function fuseSignals(byWords: PlaceSignals, { words, meaning }: Sides): PlaceSignals {
  const entries = Object.entries(byWords) as [Part, number][];
  const all = entries.reduce((sum, [, value]) => sum + value, 0);
  const scaled = entries.map(([part, value]) => [part, all > 0 ? (value * words) / all : 0]);
  return { ...(Object.fromEntries(scaled) as Record<Part, number>), meaning };
}
