import assert from 'node:assert/strict';
import type { FoundPassage, PlaceSignals } from '../../src/core/domain/passage.ts';

/** Returns the signals that make up the score of a passage. */
export function addedUp(passage: Pick<FoundPassage, 'score' | 'signals'> | undefined): PlaceSignals {
  const { score, signals } = passage ?? assert.fail('Nothing was found.');
  assert.ok(signals);
  const { quoted: _, ...parts } = signals;
  const sum = Object.values(parts).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum - score) < 1e-9, JSON.stringify({ score, signals }));
  return signals;
}
