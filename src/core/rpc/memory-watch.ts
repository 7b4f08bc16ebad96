import { Worker } from 'node:worker_threads';

/** Last message of a process that the watch ended. */
export const MEMORY_SIGN = 'It used more memory than allowed.';

interface Watched {
  /** Limit of the whole process's memory, in bytes. */
  readonly limit: number;
  /** ID of the process that this one depends on. */
  readonly parent: number;
  readonly sign: string;
}

/**
 * Starts a thread that ends this process if it holds more than `megabytes` of memory of any kind, or its parent is
 * gone. Nothing else can end it while it's busy parsing. V8's own limit counts neither memory outside of its heap nor
 * that of WebAssembly.
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

/** Runs in a separate thread from its source text, so it can't use anything of this file. */
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
      // A parent that belongs to another user still exists.
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (isGone) process.kill(process.pid, 'SIGKILL');
    }
  }, 25);
}
