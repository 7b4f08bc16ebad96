import { setImmediate as yieldToMessages } from 'node:timers/promises';
import { throwIfCanceled } from '../domain/errors.ts';

/** Maximum time of uninterrupted work, in milliseconds: no thread that others wait for should be busy for 16. */
const MAX_TURN_LENGTH = 8;

/**
 * Returns a function to call repeatedly during long work. It lets messages in from time to time, and throws if one of
 * them canceled the work. Ending the thread instead would end the whole process if it's compressing or decompressing
 * data. Each pause calls `tell` first.
 */
export function pausing(signal?: AbortSignal): (report?: () => void) => Promise<void> {
  let since = performance.now();
  return async (report) => {
    if (performance.now() - since >= MAX_TURN_LENGTH) {
      report?.();
      await yieldToMessages();
      since = performance.now();
    }
    throwIfCanceled(signal);
  };
}
