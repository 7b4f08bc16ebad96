import 'vscode-jsonrpc/node';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import {
  connect,
  type Channel,
  type Client,
  type NoParameters,
  type Port,
  type Report,
} from '../../src/core/rpc/rpc.ts';
import { logFailedNotifications } from '../../src/core/rpc/failed-notifications.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';

interface Calculator {
  add: (params: { a: number; b: number }) => number;
  fail: (params: { how: 'notebook' | 'other' }) => void;
  count: (params: { to: number }, report: Report<number>) => number;
  wait: (params: object) => void;
  bytes: (params: Float32Array) => Float32Array;
  message: (params: string) => void;
  half: (params: number) => number | undefined;
}

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function toPort(port: MessagePort): Port {
  ports.push(port);
  return {
    postMessage: (message) => {
      port.postMessage(message);
    },
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
  };
}

function calculator(): {
  channel: Channel<Calculator>;
  remote: Client<Calculator>;
  messages: readonly string[];
  waiting: Promise<undefined>;
  aborted: Promise<undefined>;
  otherEnd: MessagePort;
} {
  const { port1, port2 } = new MessageChannel();
  const messages: string[] = [];
  const waiting = Promise.withResolvers<undefined>();
  const aborted = Promise.withResolvers<undefined>();
  connect<Calculator, NoParameters>(toPort(port2), {
    add: ({ a, b }) => a + b,
    half: (n) => (n % 2 === 0 ? n / 2 : undefined),
    fail: ({ how }) => {
      throw how === 'notebook'
        ? new NotebookError('unauthorized', 'The key was refused.', { action: 'setApiKey' })
        : new TypeError('x is not a function');
    },
    count: ({ to }, { report }) => {
      for (let i = 1; i <= to; i++) report(i);
      return to;
    },
    wait: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        waiting.resolve(undefined);
        signal.addEventListener('abort', () => {
          aborted.resolve(undefined);
          reject(new NotebookError('cancelled', 'Stopped.'));
        });
      }),
    bytes: (values) => values.map((value) => value * 2),
    message: (what) => void messages.push(what),
  });
  const channel = connect<NoParameters, Calculator>(toPort(port1), {});
  return {
    channel,
    remote: channel.remote,
    messages,
    waiting: waiting.promise,
    aborted: aborted.promise,
    otherEnd: port2,
  };
}

test('returns the result of a call, including typed arrays', async () => {
  const { remote } = calculator();
  assert.equal(await remote.call('add', { a: 2, b: 3 }), 5);
  assert.deepEqual(await remote.call('bytes', new Float32Array([1, 2])), new Float32Array([2, 4]));
});

test('returns undefined for a call without a result', async () => {
  const { remote } = calculator();
  assert.equal(await remote.call('half', 4), 2);
  assert.equal(await remote.call('half', 5), undefined);
  const telling: Promise<unknown> = remote.call('message', 'it');
  assert.equal(await telling, undefined);
});

test('delivers a notebook error with its message, code, and action', async () => {
  const { remote } = calculator();
  await assert.rejects(remote.call('fail', { how: 'notebook' }), (error: unknown) => {
    assert.ok(error instanceof NotebookError);
    assert.deepEqual(
      [error.code, error.message, error.action],
      ['unauthorized', 'The key was refused.', 'setApiKey'],
    );
    return true;
  });
});

test('delivers any other error as an internal one', async () => {
  const { remote } = calculator();
  await assert.rejects(remote.call('fail', { how: 'other' }), { code: 'internal' });
});

test('delivers progress in order and before the result', async () => {
  const { remote } = calculator();
  const seen: number[] = [];
  await remote.call('count', { to: 4 }, { onProgress: (n) => seen.push(n) });
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test('stops an aborted call on the other side and rejects it as canceled', async () => {
  const { remote, waiting, aborted } = calculator();
  const controller = new AbortController();
  const call = assert.rejects(remote.call('wait', {}, { signal: controller.signal }), { code: 'cancelled' });
  await waiting;
  controller.abort();
  await call;
  await aborted;
  await assert.rejects(remote.call('add', { a: 1, b: 1 }, { signal: controller.signal }), {
    code: 'cancelled',
  });
});

test('rejects a call as canceled that is aborted before the other side starts it', async () => {
  const { remote } = calculator();
  const controller = new AbortController();
  const call = remote.call('wait', {}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { code: 'cancelled' });
});

test('fails pending calls when the other side goes away, and when this side is disposed', async () => {
  const closedCalculator = calculator();
  const call = closedCalculator.remote.call('wait', {});
  const rejected = assert.rejects(call, { code: 'broken-off' });
  closedCalculator.otherEnd.close();
  await rejected;

  const disposed = calculator();
  const pending = assert.rejects(disposed.remote.call('wait', {}), { code: 'broken-off' });
  disposed.channel.dispose();
  await pending;
});

test('delivers a notification before a later call', async () => {
  const { remote, messages } = calculator();
  remote.notify('message', 'first');
  await remote.call('add', { a: 0, b: 0 });
  assert.deepEqual(messages, ['first']);
});

test('logs the error of a notification handler', async () => {
  const logged: [string, unknown][] = [];
  logFailedNotifications((...entry) => logged.push(entry));
  const { remote } = calculator();
  remote.notify('fail', { how: 'other' });
  await remote.call('add', { a: 0, b: 0 });
  assert.deepEqual(
    logged.map(([message, error]) => [message, error instanceof TypeError]),
    [['The notification “fail” failed:', true]],
  );
});
