import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { isEverything } from './test-size.mjs';

/** Time limit in milliseconds, shorter than that of a test, so that the failure says what was waited for. */
export const TIMEOUT_MS = isEverything ? 600_000 : 25_000;

/** Polls until a condition is true. `told` describes the actual state. @throws AssertionError if it never is */
export async function until(
  holds: () => boolean | Promise<boolean>,
  describeState: () => unknown = () => undefined,
): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !(await holds());) {
    assert.ok(Date.now() < end, `It took too long: ${JSON.stringify(await describeState())}`);
    await wait(50);
  }
}
