// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Emitter } from '../../src/platform/emitter.ts';
import {
  Embedder,
  type EmbedderParts,
  type EmbedderState,
} from '../../src/features/semantic-search/editor/embedder.ts';
import type { EmbeddingBatch } from '../../src/index/search/vectors/embeddings-api.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { STATIC_ADDRESS, type EmbeddingModel } from '../../src/core/domain/settings.ts';
import { makeGate } from '../support/gate.ts';
import { lines } from '../support/kept-conversations.ts';

const remoteModel: EmbeddingModel = { baseUrl: 'https://api.example/v1', name: 'embed-1' };
const sha256 = 'f'.repeat(64);
const localModel: EmbeddingModel = { baseUrl: STATIC_ADDRESS, name: `small@${sha256.slice(0, 12)}` };

/** Returns a notebook whose texts are embedded two at a time. Each counts as one passage. */
function makeNotebook(...texts: readonly string[]) {
  const vectors = new Map<string, Float32Array | null>();
  const state = {
    model: undefined as EmbeddingModel | undefined,
    isElsewhere: false,
    /** Texts that another member's machine is expected to embed, until `awaitedUntil`. */
    awaited: new Set<string>(),
    awaitedUntil: 0,
  };
  const opened = new Emitter<void>();
  const changed = new Emitter<void>();
  const missing = (model: EmbeddingModel): string[] =>
    model.name === state.model?.name ? texts.filter((text) => !vectors.has(text)) : [...texts];
  const isAwaited = (text: string): boolean => state.awaited.has(text) && Date.now() < state.awaitedUntil;
  const next = (model: EmbeddingModel): EmbeddingBatch => {
    const left = missing(model)
      .filter((text) => !isAwaited(text))
      .slice(0, 2);
    if (left.length === 0) return { kind: 'done' };
    if (state.isElsewhere) return { kind: 'elsewhere' };
    if (model.name !== state.model?.name) vectors.clear();
    state.model = model;
    return {
      kind: 'texts',
      setId: 1,
      texts: left.map((text) => ({ hash: text, text })),
      passages: left.length,
    };
  };
  const active = () => state.model && { setId: 1, model: state.model, dimension: 1 };
  const client: EmbedderParts['notebook'] = {
    embeddings: ({ model }) => {
      const left = missing(model).filter((text) => !isAwaited(text));
      const { awaitedUntil } = state;
      return Promise.resolve({
        active: active(),
        missing: {
          ...{ passages: left.length, characters: left.join('').length, total: texts.length },
          ...(missing(model).some(isAwaited) && { awaitedUntil }),
        },
      });
    },
    nextEmbeddings: ({ model }) => Promise.resolve(next(model)),
    activeEmbeddings: () => Promise.resolve(active()),
    putEmbeddings: ({ vectors: put }) => {
      for (const [hash, vector] of put) vectors.set(hash, vector);
      return Promise.resolve();
    },
    onDidOpen: opened.event,
    onDidChange: changed.event,
  };
  return { state, vectors, opened, changed, client };
}

let notebook: ReturnType<typeof makeNotebook>;
let parts: { -readonly [P in keyof EmbedderParts]: EmbedderParts[P] };
let embedder: Embedder;
let states: EmbedderState[];
let requests: string[][];
let model: EmbeddingModel | undefined;
let own: string;
let agrees: boolean;
let consents: string[];
let settingsChange: Map<string, () => void>;
const log = lines();
const never = new AbortController().signal;

/** The vector of a text contains its length. */
const vectorsFor = (texts: readonly string[]) => texts.map(({ length }) => Float32Array.of(length));

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  notebook = makeNotebook('a', 'bb', 'ccc');
  [model, own, agrees] = [remoteModel, '', true];
  [states, requests, consents] = [[], [], []];
  settingsChange = new Map();
  log.messages.length = 0;
  parts = {
    notebook: notebook.client,
    consent: {
      ask: () => {
        consents.push('asked');
        return Promise.resolve(agrees);
      },
      give: () => {
        consents.push('given');
        return Promise.resolve();
      },
    },
    settings: {
      embeddingModel: () => model,
      meaningModel: () => own,
      onDidChange: (keys, listener) => {
        settingsChange.set(keys, listener);
        return { dispose: () => undefined };
      },
    },
    embedThere: (_, texts) => {
      requests.push([...texts]);
      return Promise.resolve(vectorsFor(texts));
    },
    meaning: {
      models: {
        find: (name) => Promise.resolve(name === 'small' ? { name, sha256, folder: '/small' } : undefined),
      },
      vectors: ({ texts }) => {
        requests.push(['here', ...texts]);
        return Promise.resolve(vectorsFor(texts));
      },
      end: () => Promise.resolve(),
    },
    log,
  };
});

afterEach(() => {
  embedder.dispose();
  mock.timers.reset();
});

function begin(): Embedder {
  embedder = new Embedder(parts);
  embedder.onDidChangeState((state) => states.push(state));
  return embedder;
}

/** Begins, opens the notebook, and waits until the first request is due. */
async function beginAndWait(): Promise<void> {
  begin();
  notebook.opened.fire();
  await pass(2_000);
}

/** Advances the clock and runs everything that follows from it. */
async function pass(milliseconds: number): Promise<void> {
  mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

test('embeds an opened notebook in batches when it is idle, with consent', async () => {
  begin();
  notebook.opened.fire();
  await pass(1_500);
  notebook.changed.fire();
  await pass(1_500);
  assert.deepEqual(requests, []);
  await pass(500);
  assert.deepEqual(requests, [['a', 'bb'], ['ccc']]);
  assert.deepEqual(consents, ['asked']);
  assert.deepEqual([...notebook.vectors.keys()], ['a', 'bb', 'ccc']);
  assert.deepEqual(states, [
    { kind: 'embedding', done: 0, total: 3 },
    { kind: 'embedding', done: 2, total: 3 },
    { kind: 'embedding', done: 3, total: 3 },
    { kind: 'idle' },
  ]);
});

test('waits for embeddings that another member’s machine generates, and checks again', async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  notebook.state.awaited = new Set(['a', 'bb', 'ccc']);
  notebook.state.awaitedUntil = 40_000;
  await beginAndWait();
  // Sends no request while all texts are expected from another machine.
  assert.deepEqual([requests, consents], [[], []]);
  notebook.state.awaited.delete('bb');
  notebook.changed.fire();
  await pass(2_000);
  assert.deepEqual(requests, [['bb']]);
  // An embedding that arrived costs nothing here. The one that didn't arrive in time is generated.
  notebook.vectors.set('a', Float32Array.of(1));
  await pass(15_000);
  await pass(15_000);
  assert.deepEqual(requests, [['bb']]);
  await pass(15_000);
  assert.deepEqual(requests, [['bb'], ['ccc']]);
  assert.equal(notebook.vectors.size, 3);
});

test('doesn’t ask again after the user declined, but lets them start it', async () => {
  agrees = false;
  begin();
  for (let change = 0; change < 3; change++) {
    notebook.changed.fire();
    await pass(2_000);
  }
  assert.deepEqual([consents, requests], [['asked'], []]);
  await embedder.start();
  assert.deepEqual(consents, ['asked', 'given']);
  assert.equal(notebook.vectors.size, 3);
});

test('needs no consent for a local model', async () => {
  [model, own] = [undefined, 'small'];
  await beginAndWait();
  assert.deepEqual(requests, [
    ['here', 'a', 'bb'],
    ['here', 'ccc'],
  ]);
  assert.deepEqual(consents, []);
  assert.equal(notebook.state.model?.name, localModel.name);
});

test('retries after a temporary failure, with growing delays', async () => {
  parts.embedThere = () => Promise.reject(new Error('No line.'));
  await beginAndWait();
  await pass(60_000);
  assert.deepEqual(log.messages, ['Embedding: No line.', 'Embedding: No line.']);
  assert.deepEqual(states.at(-1), { kind: 'paused', reason: 'No line.' });
  parts.embedThere = (_, texts) => Promise.resolve(vectorsFor(texts));
  await pass(60_000);
  assert.equal(notebook.vectors.size, 0);
  await pass(60_000);
  assert.equal(notebook.vectors.size, 3);
  assert.deepEqual(states.at(-1), { kind: 'idle' });
});

test('waits for new settings after a failure that only the user can fix', async () => {
  parts.embedThere = () => Promise.reject(new NotebookError('unauthorized', 'The key is wrong.'));
  await beginAndWait();
  parts.embedThere = (_, texts) => Promise.resolve(vectorsFor(texts));
  notebook.changed.fire();
  await pass(3_600_000);
  assert.equal(notebook.vectors.size, 0);
  settingsChange.get('embeddings')?.();
  await pass(0);
  assert.equal(notebook.vectors.size, 3);
});

test('checks again later if another window generates embeddings', async () => {
  notebook.state.isElsewhere = true;
  await beginAndWait();
  assert.deepEqual(requests, []);
  notebook.state.isElsewhere = false;
  await pass(60_000);
  assert.equal(notebook.vectors.size, 3);
});

test('keeps finished embeddings after a stop, and doesn’t restart on a change', async () => {
  const gate = makeGate();
  parts.embedThere = async (_, texts, { signal }) => {
    if (texts.includes('ccc')) {
      await gate.pass();
      signal.throwIfAborted();
    }
    return vectorsFor(texts);
  };
  await beginAndWait();
  await gate.reached;
  embedder.stop();
  gate.open();
  notebook.changed.fire();
  await pass(2_000);
  assert.deepEqual([...notebook.vectors.keys()], ['a', 'bb']);
  assert.deepEqual([states.at(-1), log.messages], [{ kind: 'idle' }, []]);
});

test('reports no progress after a stop while vectors are stored', async () => {
  const gate = makeGate();
  const { client } = notebook;
  parts.notebook = {
    ...client,
    putEmbeddings: async (put) => {
      await gate.pass();
      await client.putEmbeddings(put);
    },
  };
  await beginAndWait();
  await gate.reached;
  embedder.stop();
  gate.open();
  await pass(2_000);
  assert.deepEqual([...notebook.vectors.keys()], ['a', 'bb']);
  assert.deepEqual(states, [{ kind: 'embedding', done: 0, total: 3 }, { kind: 'idle' }]);
});

test('reports no progress after a stop before the first batch', async () => {
  const gate = makeGate();
  const { client } = notebook;
  parts.notebook = {
    ...client,
    embeddings: async (params) => {
      await gate.pass();
      return await client.embeddings(params);
    },
  };
  await beginAndWait();
  await gate.reached;
  embedder.stop();
  gate.open();
  await pass(2_000);
  assert.deepEqual([consents, requests, states], [[], [], [{ kind: 'idle' }]]);
});

test('starts at once without asking for consent again when the user starts it right after a stop', async () => {
  const gate = makeGate();
  parts.embedThere = async (_, texts) => {
    await gate.pass();
    return vectorsFor(texts);
  };
  await beginAndWait();
  await gate.reached;
  embedder.stop();
  const started = embedder.start();
  gate.open();
  await started;
  assert.deepEqual(consents, ['asked', 'given']);
  assert.equal(notebook.vectors.size, 3);
});

test('stores nothing in a notebook that is opened after the embedded one', async () => {
  const gate = makeGate();
  parts.embedThere = async (_, texts) => {
    await gate.pass();
    return vectorsFor(texts);
  };
  await beginAndWait();
  await gate.reached;
  const left = embedder.leave();
  gate.open();
  await left;
  assert.equal(notebook.vectors.size, 0);
});

test('ends a question that waits for consent when the notebook is left', async () => {
  parts.consent = { ...parts.consent, ask: () => new Promise(() => undefined) };
  await beginAndWait();
  await embedder.leave();
  await pass(0);
  // The next notebook asks for consent again.
  parts.consent = { ...parts.consent, ask: () => Promise.resolve(true) };
  notebook.opened.fire();
  await pass(2_000);
  assert.equal(notebook.vectors.size, 3);
});

test('starts on request while an earlier request for consent has no answer', async () => {
  parts.consent = { ...parts.consent, ask: () => new Promise(() => undefined) };
  await beginAndWait();
  await embedder.start();
  assert.deepEqual(consents, ['given']);
  assert.equal(notebook.vectors.size, 3);
});

test('waits until all passages have embeddings, and reports the progress', async () => {
  [model, own] = [undefined, 'small'];
  begin();
  const reports: string[] = [];
  await embedder.embedAll(never, (done, total) => reports.push(`${String(done)}/${String(total)}`));
  assert.deepEqual(reports, ['0/3', '2/3', '3/3']);
  assert.deepEqual([...notebook.vectors.keys()], ['a', 'bb', 'ccc']);
});

test('keeps waiting when new settings start another run', async () => {
  [model, own] = [undefined, 'small'];
  begin();
  const finished = embedder.embedAll(never, () => undefined);
  settingsChange.get('meaning.model')?.();
  await pass(0);
  await pass(2_000);
  await finished;
  assert.deepEqual([...notebook.vectors.keys()], ['a', 'bb', 'ccc']);
});

test('rejects the wait when it is canceled or a run fails', async () => {
  [model, own] = [undefined, 'small'];
  begin();
  const controller = new AbortController();
  const canceled = embedder.embedAll(controller.signal, () => controller.abort());
  await assert.rejects(canceled, { code: 'cancelled' });
  parts.meaning = { ...parts.meaning, vectors: () => Promise.reject(new Error('out of memory')) };
  embedder.dispose();
  begin();
  await assert.rejects(
    embedder.embedAll(never, () => undefined),
    /out of memory/,
  );
});

test('embeds a question only with the model of the stored vectors', async () => {
  begin();
  assert.equal(await embedder.embedQuestion('four', never), undefined);
  await embedder.start();
  assert.deepEqual(await embedder.embedQuestion('four', never), { setId: 1, values: Float32Array.of(4) });
  // The vectors are still those of the previous model.
  model = { ...remoteModel, name: 'embed-2' };
  requests.length = 0;
  await embedder.embedQuestion('four', never);
  assert.deepEqual(requests, [['four']]);
  // An endpoint that is no longer selected gets no request.
  [model, own] = [undefined, 'small'];
  assert.equal(await embedder.embedQuestion('four', never), undefined);
  assert.deepEqual(requests, [['four']]);
});

test('answers a question by keywords if its model fails, and stops it when canceled', async () => {
  begin();
  await embedder.start();
  parts.embedThere = () => Promise.reject(new Error('No line.'));
  assert.equal(await embedder.embedQuestion('four', never), undefined);
  assert.deepEqual(log.messages, ['Embedding a question; it is answered by its words alone: No line.']);
  parts.embedThere = () => Promise.reject(new NotebookError('cancelled', 'Stopped.'));
  await assert.rejects(embedder.embedQuestion('four', never), /Stopped/);
});
