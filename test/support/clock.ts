import { mock } from 'node:test';

/** Has timers and the clock go on only by `mock.timers.tick`, until `mock.reset()`. */
export function stopClock(): void {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
  mock.method(performance, 'now', () => Date.now());
}
