import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logFailedNotifications, reportFailedNotification } from '../../src/core/rpc/failed-notifications.ts';

test('writes an error to the console until there is a log', ({ mock }) => {
  const write = mock.method(console, 'error', () => undefined);
  const error = new TypeError('x is not a function');
  reportFailedNotification('changed', error);
  assert.deepEqual(
    write.mock.calls.map((call) => call.arguments),
    [['The notification “changed” failed:', error]],
  );

  const logged: unknown[] = [];
  logFailedNotifications((...entry) => logged.push(entry));
  reportFailedNotification('reveal', error);
  assert.deepEqual(logged, [['The notification “reveal” failed:', error]]);
  assert.equal(write.mock.callCount(), 1);
});
