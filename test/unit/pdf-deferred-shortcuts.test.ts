import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deferredCommand,
  DeferredShortcuts,
  type DeferredCommand,
} from '../../webview/pdf/deferred-shortcuts.ts';

test('waits with undo, redo, and save until earlier edits are reported, in order', async () => {
  const done: string[] = [];
  const deferredShortcuts = new DeferredShortcuts((command) => {
    done.push(command);
    return Promise.resolve();
  });
  assert.equal(deferredShortcuts.hold('undo'), false);
  const first = Promise.withResolvers<undefined>();
  const second = Promise.withResolvers<undefined>();
  deferredShortcuts.wait(first.promise);
  deferredShortcuts.wait(second.promise);
  assert.equal(deferredShortcuts.hold('undo'), true);
  assert.equal(deferredShortcuts.hold('save'), true);
  second.resolve(undefined);
  await new Promise(setImmediate);
  assert.deepEqual(done, []);
  first.resolve(undefined);
  await deferredShortcuts.settled;
  assert.deepEqual(done, ['undo', 'save']);
  assert.equal(deferredShortcuts.hold('undo'), false);
});

test('continues after an edit that couldn’t be reported', async () => {
  const done: DeferredCommand[] = [];
  const deferredShortcuts = new DeferredShortcuts((command) => {
    done.push(command);
    return Promise.reject(new Error('The editor is gone.'));
  });
  deferredShortcuts.wait(Promise.reject(new Error('The editor is gone.')));
  assert.equal(deferredShortcuts.hold('save'), true);
  await deferredShortcuts.settled;
  assert.deepEqual(done, ['save']);
  assert.equal(deferredShortcuts.hold('save'), false);
});

test('recognizes the keys for undo, redo, and save on every system', () => {
  const pressed = (key: string, more = {}) =>
    deferredCommand({ key, ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, ...more });
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
