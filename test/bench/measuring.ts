import { setImmediate } from 'node:timers/promises';

/** Returns the memory in use after garbage collection, in megabytes. */
export async function memoryInUse(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Run this with --expose-gc.');
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await setImmediate();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

/** Returns the duration of an action, in milliseconds. */
export async function measureTime(action: () => unknown): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

/** Returns the processor time of an action in all threads of the process, in milliseconds. */
export async function measureProcessorTime(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
