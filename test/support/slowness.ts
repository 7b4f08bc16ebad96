/** Time of the work below on an ordinary machine of 2024 (3 GHz), in milliseconds. */
const ORDINARY = 25;
const ROUNDS = 10_000_000;

/**
 * Returns the factor by which this machine is slower than an ordinary one, by the processor time of this thread; 1 if
 * it is faster. Multiply limits in milliseconds by it.
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
