import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** How long work goes on before others get their turn, in milliseconds. */
const LONGEST_TURN = 8;

/** Called again and again in the midst of long work on a thread that others wait for: lets them in now and then. */
export function takingTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_TURN) return;
    await yieldToOthers();
    since = performance.now();
  };
}
