import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldCommand, HeldKeys, type HeldCommand } from '../../webview/pdf/held-keys.ts';

test('waits with undo, redo, and save until earlier edits are reported, in order', async () => {
  const done: string[] = [];
  const held = new HeldKeys((command) => {
    done.push(command);
    return Promise.resolve();
  });
  assert.equal(held.hold('undo'), false);
  const first = Promise.withResolvers<undefined>();
  const second = Promise.withResolvers<undefined>();
  held.wait(first.promise);
  held.wait(second.promise);
  assert.equal(held.hold('undo'), true);
  assert.equal(held.hold('save'), true);
  second.resolve(undefined);
  await new Promise(setImmediate);
  assert.deepEqual(done, []);
  first.resolve(undefined);
  await held.settled;
  assert.deepEqual(done, ['undo', 'save']);
  assert.equal(held.hold('undo'), false);
});

test('continues after an edit that couldn’t be reported', async () => {
  const done: HeldCommand[] = [];
  const held = new HeldKeys((command) => {
    done.push(command);
    return Promise.reject(new Error('The editor is gone.'));
  });
  held.wait(Promise.reject(new Error('The editor is gone.')));
  assert.equal(held.hold('save'), true);
  await held.settled;
  assert.deepEqual(done, ['save']);
  assert.equal(held.hold('save'), false);
});

test('recognizes the keys for undo, redo, and save on every system', () => {
  const pressed = (key: string, more = {}) =>
    heldCommand({ key, ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, ...more });
  assert.equal(pressed('z'), 'undo');
  assert.equal(pressed('Z', { shiftKey: true }), 'redo');
  assert.equal(pressed('y'), 'redo');
  assert.equal(pressed('s'), 'save');
  assert.equal(pressed('s', { ctrlKey: false, metaKey: true }), 'save');
  assert.equal(pressed('S', { shiftKey: true }), undefined);
  assert.equal(pressed('z', { altKey: true }), undefined);
  assert.equal(pressed('z', { ctrlKey: false }), undefined);
  assert.equal(pressed('f'), undefined);
});
