import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRegularFile } from '../../../core/domain/regular-file.ts';
import { createFile } from '../../../core/domain/write-file.ts';

/** Interval at which the owner of a lock renews it, and age at which a lock counts as left behind, in milliseconds. */
const RENEW_INTERVAL_MS = 10_000;
const STALE_MS = 60_000;
/** Interval at which another window looks whether a lock is free, in milliseconds. */
const RETRY_INTERVAL_MS = 5_000;

/** Times of a lock, in milliseconds. */
export interface LockTimes {
  readonly renewMs: number;
  readonly staleMs: number;
  readonly retryMs: number;
}

interface LockOptions {
  readonly times?: LockTimes | undefined;
  readonly onWait?: () => void;
}

const DEFAULT_TIMES: LockTimes = {
  renewMs: RENEW_INTERVAL_MS,
  staleMs: STALE_MS,
  retryMs: RETRY_INTERVAL_MS,
};

/** Another window took over a lock. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

/** Lock that one window holds, also among windows of other notebooks. */
export interface RecordingLock {
  /** @throws LockLostError if another window took the lock over, for example while the machine slept */
  check(): Promise<void>;
  /** Releases the lock. Does nothing if another window took it over. */
  release(): Promise<void>;
}

/**
 * Waits until no other window has the lock of a recording, by the hash of its file, and takes it. A lock whose owner
 * no longer renews it is taken over. Calls `onWait` once if another window holds the lock.
 * @throws AbortError if `signal` is aborted, and errors of the file system
 */
export async function lockRecording(
  folder: string,
  hash: string,
  signal: AbortSignal,
  { times = DEFAULT_TIMES, onWait }: LockOptions = {},
): Promise<RecordingLock> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${hash}.lock`);
  const owner = randomUUID();
  let isWaiting = false;
  for (;;) {
    signal.throwIfAborted();
    if (await take(path, owner)) break;
    if (await removeStale(path, times.staleMs)) continue;
    if (!isWaiting) onWait?.();
    isWaiting = true;
    await sleep(times.retryMs, undefined, { signal });
  }
  const renewal = setInterval(() => {
    // A failure is retried at the next interval.
    void renew(path, owner).catch(() => undefined);
  }, times.renewMs);
  renewal.unref();
  return {
    check: async () => {
      if ((await ownerOf(path)) !== owner) throw new LockLostError('Another window took over the recording.');
    },
    release: async () => {
      clearInterval(renewal);
      if ((await ownerOf(path)) === owner) await rm(path, { force: true });
    },
  };
}

/** Renews a lock, unless another window took it over. */
async function renew(path: string, owner: string): Promise<void> {
  if ((await ownerOf(path)) !== owner) return;
  const now = new Date();
  await utimes(path, now, now);
}

async function ownerOf(path: string): Promise<string | undefined> {
  // The lock may be gone.
  const bytes = await readRegularFile(path, { maxBytes: 100 }).catch(() => undefined);
  return bytes && new TextDecoder().decode(bytes);
}

/** Creates a lock; returns `false` if the lock exists. */
async function take(path: string, owner: string): Promise<boolean> {
  try {
    await createFile(path, owner);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a lock that its owner no longer renews. Resolves to whether there is none now. */
async function removeStale(path: string, staleMs: number): Promise<boolean> {
  // The lock may be gone.
  const before = await stat(path).catch(() => undefined);
  if (before === undefined) return true;
  if (Date.now() - before.mtimeMs < staleMs) return false;
  // Two windows may find the same old lock, and the second one must not remove the new lock of the first.
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    // Another window removed the lock first.
    return true;
  }
  // Without the file, there is no lock to restore.
  const moved = await stat(aside).catch(() => undefined);
  // If the lock can't be restored, its owner notices with `check`.
  if (moved !== undefined && moved.ino !== before.ino) await rename(aside, path).catch(() => undefined);
  else await rm(aside, { force: true });
  return true;
}
