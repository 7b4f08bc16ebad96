import assert from 'node:assert/strict';

/** Minimum processor time whose growth can be measured, in milliseconds. */
const MEASURABLE = 20;
const TIMES_LARGER = 8;
/** Maximum growth: linear work grows eight times, and quadratic work 64 times. */
const MAX_GROWTH = 28;
const TRIES = 3;

/**
 * Asserts that work needs at most linear time. Compares two sizes in the same run by the processor time of this thread,
 * so slow or busy machines don't matter. `from` is the smallest size; work passes if it takes no measurable time at 64
 * times that size.
 */
export function assertLinear(action: (size: number) => unknown, from: number): void {
  action(from);
  for (let size = from; size <= 64 * from; size *= 2) {
    let small = Infinity;
    // A size that takes less in one of the tries is too small.
    for (let i = 0; i < TRIES && small >= MEASURABLE; i++) small = Math.min(small, measureTime(action, size));
    if (small < MEASURABLE) continue;
    let growth = Infinity;
    for (let i = 0; i < TRIES && growth >= MAX_GROWTH; i++)
      growth = measureTime(action, TIMES_LARGER * size) / small;
    assert.ok(
      growth < MAX_GROWTH,
      `${String(TIMES_LARGER)} times as much takes ${growth.toFixed(1)} times as long`,
    );
    return;
  }
}

/** Returns the processor time of work, in milliseconds. */
function measureTime(action: (size: number) => unknown, size: number): number {
  const before = process.threadCpuUsage();
  action(size);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
