import { setImmediate as yieldToMessages } from 'node:timers/promises';
import { throwIfCancelled } from '../../notebook/errors.ts';

/** How long is worked before questions are let in, in milliseconds. */
const PAUSING_INTERVAL = 20;

/** Lets other questions in now and then, and breaks off where nobody waits any more. */
export function pausing(signal: AbortSignal): (told?: () => void) => Promise<void> {
  let turnedAt = performance.now();
  return async (tell) => {
    if (performance.now() - turnedAt < PAUSING_INTERVAL) return;
    tell?.();
    await yieldToMessages();
    throwIfCancelled(signal);
    turnedAt = performance.now();
  };
}
