import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { lockRecording } from '../../src/features/recordings/editor/recording-lock.ts';
import { makeGate } from '../support/gate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TIMES = { renewMs: 60_000, staleMs: 60_000, retryMs: 1 };
const never = new AbortController().signal;

describe('the lock of a recording', () => {
  const root = temporaryFolder('notebook-locks-');

  test('lets another window wait until it is released, and leaves nothing behind', async () => {
    const folder = join(root, 'waiting');
    const order: string[] = [];
    const first = await lockRecording(folder, 'talk', never, { times: TIMES });
    const waits = makeGate();
    const options = { times: TIMES, onWait: () => void waits.pass() };
    const waiting = lockRecording(folder, 'talk', never, options).then((lock) => {
      order.push('second');
      return lock;
    });
    await (await lockRecording(folder, 'other', never, { times: TIMES })).release();
    await waits.reached;
    order.push('first');
    await first.release();
    await (await waiting).release();
    assert.deepEqual(order, ['first', 'second']);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('is taken over by one of several windows if its owner is gone', async () => {
    const folder = join(root, 'stale');
    const lockOfEnded = await lockRecording(folder, 'talk', never, { times: TIMES });
    utimesSync(join(folder, 'talk.lock'), new Date(0), new Date(0));
    let holders = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const lock = await lockRecording(folder, 'talk', never, { times: TIMES });
        assert.equal(++holders, 1);
        await Promise.resolve();
        holders--;
        await lock.release();
      }),
    );
    await assert.rejects(lockOfEnded.check(), { name: 'LockLostError' });
    // The former owner doesn't release the lock of another window.
    const present = await lockRecording(folder, 'talk', never, { times: TIMES });
    await lockOfEnded.release();
    assert.deepEqual(readdirSync(folder), ['talk.lock']);
    await present.release();
  });

  test('stops waiting when transcription is paused', async () => {
    const folder = join(root, 'paused');
    const first = await lockRecording(folder, 'talk', never, { times: TIMES });
    const stop = new AbortController();
    const waiting = lockRecording(folder, 'talk', stop.signal, { times: { ...TIMES, retryMs: 60_000 } });
    stop.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    await first.release();
  });
});
