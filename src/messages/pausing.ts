import { setImmediate as yieldToMessages } from 'node:timers/promises';
import { throwIfCancelled } from '../notebook/errors.ts';

/** How long work goes on before others get their turn, in milliseconds: no thread that anybody waits for is to be busy for 16. */
const LONGEST_TURN = 8;

/**
 * Called again and again in the midst of long work: lets messages in now and then, and breaks off where one of them
 * cancelled it. That is better than ending its thread, which ends the whole process where it packs or unpacks just then.
 * `tell` is called each time before that.
 */
export function pausing(signal?: AbortSignal): (tell?: () => void) => Promise<void> {
  let since = performance.now();
  return async (tell) => {
    if (performance.now() - since >= LONGEST_TURN) {
      tell?.();
      await yieldToMessages();
      since = performance.now();
    }
    throwIfCancelled(signal);
  };
}
