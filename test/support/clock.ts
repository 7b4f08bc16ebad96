import { mock } from 'node:test';

/** Stops timers and the clock until `mock.reset()`. Only `mock.timers.tick` advances them. */
export function stopClock(): void {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
  mock.method(performance, 'now', () => Date.now());
}
