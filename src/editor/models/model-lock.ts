import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfCancelled } from '../../notebook/errors.ts';

/** How often whoever holds it shows that it is there, and how long it may not before it counts as gone, in milliseconds. */
const BEAT = 2_000;
const GONE_AFTER = 15_000;
/** How often it is looked whether it is free, in milliseconds. */
const LOOK = 300;

/**
 * Does some work while no other window on this machine does the same; waits for one that does, and tells so. A window
 * that was killed is waited for no longer than some seconds.
 */
export async function inOneWindow<T>(
  path: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
  work: () => Promise<T>,
): Promise<T> {
  while (!(await isTaken(path))) {
    throwIfCancelled(signal);
    onWait();
    await sleep(LOOK, undefined, { signal }).catch(() => undefined);
    throwIfCancelled(signal);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, BEAT);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

/** Whether the lock was free and is taken now. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > GONE_AFTER) {
    // Of several windows that see it one takes it away.
    const aside = `${path}.${randomUUID()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { force: true });
  }
  return false;
}
