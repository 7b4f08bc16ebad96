import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyChange, changeOf, StateSender, type Change } from '../../src/core/rpc/shared-state.ts';

/** Returns data as a page receives it: as JSON, without undefined fields. */
function sent<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** States with lists that share IDs, so that items change, move, appear, and disappear between two states. */
const states = fc.letrec((tie) => ({
  state: fc.record({
    list: fc.array(fc.record({ id: fc.integer({ min: 0, max: 5 }), more: tie('value') }), { maxLength: 6 }),
    names: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }),
    more: tie('value'),
  }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(undefined, null, 0, 1, 'a', '__proto__'),
    fc.dictionary(fc.constantFrom('id', 'to', 'value', 'fields', 'items', '__proto__', 'a'), tie('value')),
    fc.array(fc.constantFrom<unknown>(1, 'a', { id: 1 }, { a: 2 }, [3])),
    fc.jsonValue({ maxDepth: 1 }),
  ),
})).state;

describe('Changes of a state', () => {
  it('lead from the first state to the last', () => {
    fc.assert(
      fc.property(fc.array(states, { minLength: 1, maxLength: 3 }), (sequence) => {
        let received: unknown;
        let last: unknown;
        for (const state of sequence) {
          const change = changeOf(last, state);
          if (change !== undefined) received = applyChange(received, sent(change));
          last = state;
          assert.deepEqual(sent(received), sent(state));
        }
      }),
    );
  });

  it('are none between equal states', () => {
    fc.assert(
      fc.property(states, (state) => {
        assert.equal(changeOf(state, structuredClone(state)), undefined);
        assert.equal(changeOf(sent(state), state), undefined);
      }),
    );
  });

  it('contain only the parts that differ', () => {
    const list = Array.from({ length: 200 }, (_, id) => ({
      id: `s${String(id)}`,
      text: 'long '.repeat(100),
    }));
    const [first, ...others] = list;
    const edited = [...others.slice(0, 50), { ...others[50], text: 'short' }, ...others.slice(51), first];
    const added = { id: 'new', text: '' };
    const change = changeOf({ list, other: 1 }, { list: [added, ...edited], other: 1 });
    assert.deepEqual(change, {
      fields: {
        list: {
          items: [
            { value: added },
            { from: 1, to: 51 },
            { from: 51, change: { fields: { text: { value: 'short' } } } },
            { from: 52, to: 200 },
            { from: 0, to: 1 },
          ],
        },
      },
    });
  });

  it('leave the other parts the same objects', () => {
    const before = { list: [{ id: 1 }, { id: 2, text: 'a' }], sources: [{ id: 3 }] };
    const after = applyChange(before, changeOf(before, { ...before, list: [{ id: 1 }, { id: 2 }] }) ?? {});
    const { list, sources } = after as typeof before;
    assert.equal(sources, before.sources);
    assert.equal(list[0], before.list[0]);
    assert.notEqual(list[1], before.list[1]);
  });
});

describe('Sender of a state', () => {
  it('sends each page the whole state once, then its changes in order', async () => {
    const actions = fc.array(fc.constantFrom('change', 'hide', 'show'), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, sequence) => {
        let revision = 0;
        let page: { state: unknown; readonly changes: Change[] } | undefined;
        const sender = new StateSender({
          read: () => scheduler.schedule(Promise.resolve({ revision, constant: 'a' })),
          send(change) {
            if (page === undefined) return;
            page.changes.push(sent(change));
            page.state = applyChange(page.state, sent(change));
          },
        });
        const steps = [...sequence, 'show'].map((action) => (): Promise<void> => {
          if (action === 'hide') page = undefined;
          else if (action === 'show') {
            page = { state: undefined, changes: [] };
            sender.restart();
          } else revision++;
          void sender.send();
          return Promise.resolve();
        });
        scheduler.scheduleSequence(steps);
        await scheduler.waitIdle();
        assert.deepEqual(page?.state, { revision, constant: 'a' });
        assert.deepEqual(
          page.changes.map((change) => 'value' in change),
          page.changes.map((_, index) => index === 0),
        );
      }),
    );
  });

  it('reads once more for all calls during a read', async () => {
    let reads = 0;
    let later: Promise<unknown> | undefined;
    const changes: Change[] = [];
    const sender = new StateSender({
      read() {
        later ??= Promise.all([sender.send(), sender.send(), sender.send()]);
        return Promise.resolve(++reads);
      },
      send: (change) => changes.push(change),
    });
    await sender.send();
    await later;
    assert.deepEqual(changes, [{ value: 1 }, { value: 2 }]);
  });

  it('sends the state after a read that failed', async () => {
    let isBroken = true;
    const changes: Change[] = [];
    const sender = new StateSender({
      read: () => (isBroken ? Promise.reject(new Error('Locked.')) : Promise.resolve('state')),
      send: (change) => changes.push(change),
    });
    await assert.rejects(sender.send(), /Locked/);
    isBroken = false;
    await sender.send();
    assert.deepEqual(changes, [{ value: 'state' }]);
  });
});
