import { setImmediate as yieldToMessages } from 'node:timers/promises';
import { throwIfCancelled } from '../../notebook/errors.ts';

/** How long work goes on before it lets messages in, in milliseconds. */
const INTERVAL = 50;

/**
 * Called again and again in the midst of long work: lets messages in now and then, and ends the work where one of them
 * cancelled it. That is better than ending its thread, which ends the whole process where it packs or unpacks just then.
 */
export function pausing(signal: AbortSignal): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last >= INTERVAL) {
      await yieldToMessages();
      last = performance.now();
    }
    throwIfCancelled(signal);
  };
}
