import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryModelOver, forgetCarriedModel } from '../../src/features/models/editor/carried-model.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { ModelChoice } from '../../src/core/domain/model-choice.ts';

const before = { kind: 'endpoint', baseUrl: 'http://127.0.0.1:11434/v1', name: 'llama3' } as const;

/** Returns the stored state of a workspace, and a notebook with a selected model. */
function world(value: unknown, picked?: ModelChoice) {
  const state = { kept: value, picked, fails: false };
  const call = (method: string, params: { readonly choice?: ModelChoice }) => {
    if (method === 'pickedModels')
      return Promise.resolve({ notebook: state.picked, conversation: undefined });
    assert.equal(method, 'pickModel');
    if (state.fails) return Promise.reject(new Error('The notebook can only be read.'));
    state.picked = params.choice;
    return Promise.resolve(null);
  };
  return {
    state,
    notebook: { call: call as NotebookClient['call'] },
    memento: {
      get: (key: string) => (key === 'model' ? state.kept : undefined) as never,
      update: (key: string, value: unknown) => {
        assert.equal(key, 'model');
        state.kept = value;
        return Promise.resolve();
      },
    },
  };
}

test('moves the model that an earlier version stored in the workspace to the notebook, once', async () => {
  const { state, notebook, memento } = world(before);
  await carryModelOver(memento, notebook);
  assert.deepEqual(state.picked, before);
  assert.equal(state.kept, undefined);
  // A model that is deselected later doesn't come back.
  state.picked = undefined;
  await carryModelOver(memento, notebook);
  assert.equal(state.picked, undefined);
});

test('keeps a later selection, and forgets an invalid one', async () => {
  const picked = world(before, { kind: 'quotes' });
  await carryModelOver(picked.memento, picked.notebook);
  assert.deepEqual([picked.state.picked, picked.state.kept], [{ kind: 'quotes' }, undefined]);
  const broken = world({ kind: 'oracle' });
  await carryModelOver(broken.memento, broken.notebook);
  assert.deepEqual([broken.state.picked, broken.state.kept], [undefined, undefined]);
});

test('waits while the notebook is read-only, until another model is selected', async () => {
  const { state, notebook, memento } = world(before);
  state.fails = true;
  await assert.rejects(carryModelOver(memento, notebook), /only be read/);
  assert.deepEqual(state.kept, before);
  await forgetCarriedModel(memento);
  assert.equal(state.kept, undefined);
});
