import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { connectToPage } from '../../src/editor/webview-channel.ts';

// A process of its own: nothing else has given the channel what it needs of Node.
test('a page is connected to where no worker was started before', async () => {
  const events = new EventEmitter();
  const on = (name: string) => (listener: () => void) => {
    events.on(name, listener);
    return { dispose: () => events.off(name, listener) };
  };
  const view = {
    webview: {
      postMessage: (message: unknown) => Promise.resolve(events.emit('sent', message)),
      onDidReceiveMessage: on('message'),
    },
    onDidDispose: on('disposed'),
  } as unknown as Parameters<typeof connectToPage>[0];
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
