// Hooks of support modules. A module that calls `afterEach` of `node:test` while a file of a batch loads adds the hook to
// the suite of this file alone, although later files use the module, too.
import { afterEach } from 'node:test';

/** @type {(() => unknown)[]} */
const callbacks = [];

// The runner loads this module before any suite.
afterEach(async () => {
  for (const callback of callbacks) await callback();
});

/**
 * Calls back after each test of this process.
 * @param {() => unknown} callback
 */
export function afterEachTest(callback) {
  callbacks.push(callback);
}
