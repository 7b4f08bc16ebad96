import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { connectToPage } from '../../src/platform/webview-channel.ts';
import { PAGE_BEGINS } from '../../src/core/rpc/page-begins.ts';
import { until } from '../support/until.ts';

/** Returns a webview whose messages are events: `sent` to the page, and `message` from it. */
function makeView(events: EventEmitter): Parameters<typeof connectToPage>[0] {
  const on = (name: string) => (listener: () => void) => {
    events.on(name, listener);
    return { dispose: () => events.off(name, listener) };
  };
  return {
    webview: {
      postMessage: (message: unknown) => Promise.resolve(events.emit('sent', message)),
      onDidReceiveMessage: on('message'),
    },
    onDidDispose: on('disposed'),
  } as unknown as Parameters<typeof connectToPage>[0];
}

// This needs a separate process, in which nothing has prepared the channel for Node.
test('connects to a page that has no worker yet', async () => {
  const events = new EventEmitter();
  const view = makeView(events);
  connectToPage<{ turn: (params: { page: number }) => number }, Record<string, never>>(view, {
    turn: ({ page }) => page + 1,
  });
  const sent = once(events, 'sent');
  events.emit('message', { jsonrpc: '2.0', id: 1, method: 'turn', params: { params: { page: 3 } } });
  const [answer] = (await sent) as [{ id: number; result: unknown }];
  assert.equal(answer.id, 1);
  assert.match(JSON.stringify(answer.result), /4/);
  events.emit('disposed');
});

test('sends a page no response to a request of the previous page', async () => {
  const events = new EventEmitter();
  const answers: ((answer: string) => void)[] = [];
  const ask = (): Promise<string> => new Promise((resolve) => answers.push(resolve));
  const { remote } = connectToPage<{ ask: () => string }, { selection: () => string }>(makeView(events), {
    ask,
  });
  const sent: { id?: number; result?: unknown }[] = [];
  events.on('sent', (message: { id?: number; result?: unknown }) => sent.push(message));
  const request = { jsonrpc: '2.0', id: 0, method: 'ask', params: { params: {} } };
  events.emit('message', PAGE_BEGINS);
  events.emit('message', request);
  const selection = remote.call('selection', {});
  await until(() => answers.length === 1);
  events.emit('message', PAGE_BEGINS);
  await assert.rejects(selection);
  events.emit('message', request);
  await until(() => answers.length === 2);
  answers[0]?.('for the first page');
  answers[1]?.('for the second page');
  await until(() => sent.some(({ id, result }) => id === 0 && result !== undefined));
  assert.deepEqual(
    sent.flatMap(({ result }) => (result === undefined ? [] : [result])),
    [{ result: 'for the second page' }],
  );
  events.emit('disposed');
});
