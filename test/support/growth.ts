import assert from 'node:assert/strict';

/** What takes less of the processor's time, in milliseconds, tells nothing of how it grows. */
const MEASURABLE = 20;
const TIMES_LARGER = 8;
/** Linear work grows eight times, quadratic work 64. */
const MOST_GROWTH = 28;
const TRIES = 3;

/**
 * Asserts that work takes no more than time in proportion to its size. It is held to itself, a smaller size of it in
 * the same run, by the time that this thread had of the processor: however slow or busy the machine is does not count.
 * `from` is the least size; what takes no time even at 64 times as much is well.
 */
export function assertLinear(work: (size: number) => unknown, from: number): void {
  work(from);
  for (let size = from; size <= 64 * from; size *= 4) {
    const small = Math.min(...Array.from({ length: TRIES }, () => measureTime(work, size)));
    if (small < MEASURABLE) continue;
    let growth = Infinity;
    for (let i = 0; i < TRIES && growth >= MOST_GROWTH; i++)
      growth = measureTime(work, TIMES_LARGER * size) / small;
    assert.ok(
      growth < MOST_GROWTH,
      `${String(TIMES_LARGER)} times as much takes ${growth.toFixed(1)} times as long`,
    );
    return;
  }
}

/** The processor's time that work takes, in milliseconds. */
function measureTime(work: (size: number) => unknown, size: number): number {
  const before = process.threadCpuUsage();
  work(size);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
