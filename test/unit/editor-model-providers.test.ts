import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  apiKeyFor,
  forgetApiKey,
  keyOrigin,
  storeApiKey,
  type KeyStorage,
} from '../../src/features/models/editor/api-key.ts';
import { ModelProviders } from '../../src/features/models/editor/model-providers.ts';
import { parseModelChoice, type ModelChoice } from '../../src/core/domain/model-choice.ts';
import { GARDEN_KEY, GARDEN_MODEL, gardenProvider } from '../support/garden-provider.ts';

function memorySecrets(): KeyStorage {
  const keys = new Map<string, string>();
  return {
    get: (name) => Promise.resolve(keys.get(name)),
    store: (name, key) => Promise.resolve(void keys.set(name, key)),
    delete: (name) => Promise.resolve(void keys.delete(name)),
  };
}

function garden() {
  const secrets = memorySecrets();
  return new ModelProviders([gardenProvider(secrets)], secrets);
}

const { signal } = new AbortController();
const options = { signal, timeout: 1_000, retries: 0 };
const EXCERPTS: ModelChoice = { kind: 'quotes' };

describe('A provider in one file', () => {
  test('reads a stored choice', () => {
    const stored = parseModelChoice(JSON.parse(JSON.stringify({ ...GARDEN_MODEL, bed: 3 })));
    assert.ok(stored);
    assert.deepEqual(garden().find(stored)?.choice, { ...GARDEN_MODEL, bed: 3 });
    assert.ok(garden().isSame(stored, GARDEN_MODEL));
    assert.ok(!garden().isSame(stored, EXCERPTS));
  });

  test('lists its models after its key is set', async () => {
    const providers = garden();
    const [server] = providers.servers(EXCERPTS);
    assert.ok(server);
    await assert.rejects(server.list(signal), { code: 'unauthorized' });
    await storeApiKey(providers.secrets, server, GARDEN_KEY);
    assert.deepEqual(
      (await server.list(signal)).map(({ choice }) => choice),
      [GARDEN_MODEL],
    );
  });

  test('answers, with prices', async () => {
    const providers = garden();
    const model = providers.find(GARDEN_MODEL);
    assert.ok(model);
    await storeApiKey(providers.secrets, model.server, GARDEN_KEY);
    const stream = (await model.open()).stream([{ role: 'user', content: 'Frost?' }], { signal });
    for await (const text of stream) assert.equal(text, 'Frost?');
    assert.deepEqual([model.cost, model.prices], ['metered', { input: 1, output: 2 }]);
  });

  test('has a key of its own that is set, tested, and removed', async () => {
    const providers = garden();
    const server = providers.find(GARDEN_MODEL)?.server;
    assert.ok(server?.key);
    const test = () => server.key?.test('rose-1', options);
    await storeApiKey(providers.secrets, { address: 'https://api.openai.com/v1' }, GARDEN_KEY);
    await assert.rejects(async () => test(), { code: 'unauthorized' });
    await storeApiKey(providers.secrets, server, GARDEN_KEY);
    await test();
    assert.equal(await keyOrigin(providers.secrets, server), 'stored');
    await forgetApiKey(providers.secrets, server);
    assert.equal(await apiKeyFor(providers.secrets, server), undefined);
  });

  test('checks answers by its name in the settings', () => {
    const name = garden().find(GARDEN_MODEL)?.settingName ?? '';
    assert.deepEqual(garden().modelInSetting(name), GARDEN_MODEL);
    assert.equal(garden().modelInSetting('other/rose-1'), undefined);
  });

  test('embeds and speaks at its URL', async () => {
    const { address } = garden().servers()[0] ?? { address: '' };
    let used = 0;
    const onUsage = ({ input }: { readonly input: number }): void => void (used += input);
    const vectors = await garden().embedding(address)('rose-1', ['a', 'bc'], { ...options, onUsage });
    assert.deepEqual(vectors, [Float32Array.of(1), Float32Array.of(2)]);
    assert.equal(used, 2);
    const sound = await garden().speech(address)(
      'rose-1',
      { text: 'Frost', voice: 'v', format: 'mp3' },
      options,
    );
    assert.equal(new TextDecoder().decode(sound), 'Frost');
  });
});

describe('Providers', () => {
  test('ignore models of unknown providers', () => {
    assert.equal(garden().find({ kind: 'later', name: 'rose-1' }), undefined);
    assert.equal(garden().servers({ kind: 'later', name: 'rose-1' }).length, 1);
  });

  test('report a URL without embeddings or speech', () => {
    for (const act of ['embedding', 'speech'] as const)
      assert.throws(() => garden()[act]('https://other.example/v1'), {
        code: 'unsupported',
        message: /^other\.example can’t generate /,
      });
  });
});
