import { Worker } from 'node:worker_threads';

/** What a process says last where the watch has ended it. */
export const MEMORY_SIGN = 'It took more memory than it may.';

interface Watched {
  /** In bytes, of all that the process has in memory. */
  readonly limit: number;
  /** The process without which this one is of no use. */
  readonly parent: number;
  readonly sign: string;
}

/**
 * Has this process ended by a thread of its own as soon as it holds more than some megabytes of memory of any kind, or
 * its parent is gone: nothing else can, while it is busy parsing. A limit of V8's counts neither what is outside of its
 * heap nor what WebAssembly takes.
 */
export function watchMemory(megabytes: number): void {
  const workerData: Watched = { limit: megabytes * 2 ** 20, parent: process.ppid, sign: MEMORY_SIGN };
  const thread = new Worker(`(${watch.toString()})()`, {
    eval: true,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
}

/** Runs alone, from its text: it knows nothing of this file. */
function watch(): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  const threads = process.getBuiltinModule('node:worker_threads');
  const { limit, parent, sign } = threads.workerData as Watched;
  let looks = 0;
  setInterval(() => {
    if (process.memoryUsage.rss() > limit) {
      try {
        writeSync(2, sign);
      } finally {
        process.kill(process.pid, 'SIGKILL');
      }
    }
    if (++looks % 40 !== 0) return;
    try {
      process.kill(parent, 0);
    } catch (error) {
      // A parent of another user is there, too.
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (isGone) process.kill(process.pid, 'SIGKILL');
    }
  }, 25);
}
