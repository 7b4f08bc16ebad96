import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

/** So long, in milliseconds, is waited for what never comes: far longer than the slowest machine takes, as it only ends what hangs. */
export const LONGEST = 900_000;

/** Waits until something holds, looking often; `told` says what there was instead. @throws AssertionError */
export async function until(
  holds: () => boolean | Promise<boolean>,
  told: () => unknown = () => undefined,
): Promise<void> {
  for (const end = Date.now() + LONGEST; !(await holds());) {
    assert.ok(Date.now() < end, `It took too long: ${JSON.stringify(await told())}`);
    await wait(50);
  }
}
