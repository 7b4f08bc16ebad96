/** What the work below takes on an ordinary machine of 2024 (3 GHz), in milliseconds. */
const ORDINARY = 25;
const ROUNDS = 10_000_000;

/**
 * How many times as long as on an ordinary machine work takes on this one, by the processor's time of this thread; 1
 * where it is faster. What is held to milliseconds is held to as many times more.
 */
export function slowness(): number {
  return Math.max(1, Math.min(measureWork(), measureWork(), measureWork()) / ORDINARY);
}

function measureWork(): number {
  const before = process.threadCpuUsage();
  let sum = 0;
  for (let i = 0; i < ROUNDS; i++) sum = (sum + (i % 7)) | 0;
  const { user, system } = process.threadCpuUsage(before);
  return sum === 0 ? ORDINARY : (user + system) / 1_000;
}
