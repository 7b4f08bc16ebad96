import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ModelServer, ServerPlace } from '../../src/answers/models/model-provider.ts';
import { modelCommands } from '../../src/features/models/commands/model-commands.ts';
import { keyOrigin } from '../../src/features/models/editor/api-key.ts';
import { editorProvider } from '../../src/features/models/editor/editor-provider.ts';
import { manageEndpoints, testEndpointKey } from '../../src/features/models/editor/endpoint-manager.ts';
import { accessTo } from '../../src/features/models/editor/endpoint-provider.ts';
import { askForApiKey } from '../../src/features/models/editor/enter-api-key.ts';
import { ModelChoices } from '../../src/features/models/editor/model-choice.ts';
import { pickModel } from '../../src/features/models/editor/model-picker.ts';
import { ModelProviders } from '../../src/features/models/editor/model-providers.ts';
import { modelProviders } from '../../src/features/models/editor/providers.ts';
import { setMeaningModel } from '../../src/platform/settings.ts';
import { UsageMeter } from '../../src/features/models/editor/usage-meter.ts';
import { UsageReports } from '../../src/features/models/editor/usage-reports.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { ModelChoice } from '../../src/core/domain/model-choice.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { GARDEN_KEY, GARDEN_MODEL, gardenProvider } from '../support/garden-provider.ts';
import { instead } from '../support/instead.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { MemoryMemento, MemorySecrets } from '../support/memory-storage.ts';
import { startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import { startProxy } from '../support/proxy-server.ts';
import { ScriptedUser } from '../support/scripted-user.ts';
import { until } from '../support/until.ts';

const KEY = 'sk-of-the-garden';
const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('openNotebook');
const quotes = { kind: 'quotes' } as const;
const modelState = { current: quotes, notebook: quotes, isOfConversation: false, isChosen: false };

suite('endpoints and their keys', () => {
  let server: OpenAIServer;
  let secrets: MemorySecrets;
  let providers: ModelProviders;
  let user: ScriptedUser;

  setup(async () => {
    server = await startOpenAIServer({
      apiKey: KEY,
      models: [
        { id: 'scripted-1', context_length: 131_072, architecture: { input_modalities: ['text', 'image'] } },
        { id: 'scripted-2', context_length: 8192, supported_parameters: ['tools'] },
      ],
    });
    [secrets, user] = [new MemorySecrets(), new ScriptedUser()];
    providers = modelProviders(secrets);
    await configuration().update(
      'endpoints',
      { 'Garden server': { address: server.baseUrl, inputPrice: 3, outputPrice: 15 } },
      vscode.ConfigurationTarget.Global,
    );
  });

  teardown(async () => {
    await configuration().update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    await server.close();
  });

  /** Sets the endpoints of the user's settings. */
  const setEndpoints = async (endpoints: object): Promise<void> => {
    await configuration().update('endpoints', endpoints, vscode.ConfigurationTarget.Global);
  };

  /** Returns the rows of a list, without its title and placeholder. */
  const rowsOf = (list = ''): string[] => list.split('\n').slice(2);

  const garden = (): { name: string; address: string } => ({
    name: 'Garden server',
    address: server.baseUrl,
  });

  const serverAt = (place: ServerPlace): ModelServer => {
    const server = providers.serverAt(place);
    assert.ok(server);
    return server;
  };

  test('a rejected key is requested again from the list of models', async () => {
    const picked = await user.during(
      [
        { pick: 'Set API Key… | Garden server' },
        { enter: 'sk-wrong' },
        { pick: 'The API key was rejected. Set API Key… | Garden server' },
        { enter: KEY },
        { pick: 'Pick Model for This Conversation' },
        { pick: 'scripted-1' },
      ],
      () => pickModel(modelState, providers),
    );
    assert.equal(picked?.forConversation, true);
    assert.partialDeepStrictEqual(picked.choice, { name: 'scripted-1', baseUrl: server.baseUrl });
    const list = user.seen.at(-1) ?? '';
    assert.match(list, /^Pick Model for This Conversation/);
    assert.match(list, /scripted-1 \| Garden server · 131,072 tokens · images/);
    assert.match(list, /scripted-2 \| Garden server · 8,192 tokens · tools/);
    assert.equal(user.matching(/^Replace API Key/).length, 1);
    assert.equal(
      user.matching(
        /stores the API key for .* in its secret storage\. Open Notebook sends the key only to this URL\./,
      ).length,
      2,
    );
  });

  /** Shows the list of models while a model of the server writes the answers. */
  const showModels = async (name: string): Promise<void> => {
    const current = { kind: 'endpoint', name, baseUrl: server.baseUrl, endpoint: 'Garden server' } as const;
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, garden()));
    await user.during(['dismiss'], () =>
      pickModel({ ...modelState, current, notebook: current, isChosen: true }, providers),
    );
  };

  test('the list of models starts at the current model', async () => {
    await showModels('scripted-2');
    assert.match(user.firstActive ?? '', /^\$\(check\) scripted-2 /);
  });

  test('the list of models contains the current model even if its server doesn’t list it', async () => {
    await showModels('typed-1');
    assert.match(user.seen.at(-1) ?? '', /^\$\(check\) typed-1 /m);
  });

  test('the list of models sets the model that checks facts', async () => {
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, garden()));
    const current = { kind: 'endpoint', ...{ name: 'scripted-1', baseUrl: server.baseUrl } } as const;
    const models = { ...modelState, current, notebook: current, isChosen: true };
    await user.during([{ pick: 'Pick Fact-Check Model…' }, { pick: 'scripted-2' }, 'dismiss'], () =>
      pickModel(models, providers),
    );
    assert.equal(configuration().get('answer.checkModel'), 'Garden server/scripted-2');
    assert.match(user.seen.at(-1) ?? '', /Pick Fact-Check Model… \| Garden server\/scripted-2/);
    await user.during(
      [{ pick: 'Pick Fact-Check Model…' }, { pick: 'The model that writes the answer' }, 'dismiss'],
      () => pickModel(models, providers),
    );
    assert.equal(configuration().inspect('answer.checkModel')?.globalValue, undefined);
  });

  test('the list of models names both servers if one redirects to the other', async () => {
    const moved = await startLoopbackServer(({ path }, response) => {
      response.writeHead(308, { location: server.url + path }).end();
      return Promise.resolve();
    });
    const endpoint = { ...garden(), address: `${moved.url}/v1` };
    await configuration().update(
      'endpoints',
      { [endpoint.name]: { address: endpoint.address } },
      vscode.ConfigurationTarget.Global,
    );
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, endpoint));
    await user.during([{ pick: 'Another model from Garden server' }, 'dismiss', 'dismiss'], () =>
      pickModel(modelState, providers),
    );
    await moved.close();
    assert.ok(user.seen[1]?.includes(`${moved.url} redirects to ${server.url}. `), user.seen[1]);
    assert.equal(server.requests.length, 0);
  });

  test('the list of models shows why a server lists none', async () => {
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, garden()));
    await server.close();
    await user.during([{ pick: 'Another model from Garden server' }, 'dismiss', 'dismiss'], () =>
      pickModel(modelState, providers),
    );
    assert.match(
      user.seen[1] ?? '',
      /Another model from Garden server… \| No response from http:\/\/127\.0\.0\.1/,
    );
  });

  test('a server is asked through the proxy of the editor', async () => {
    const proxy = await startProxy(server.url);
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', proxy.url, vscode.ConfigurationTarget.Global);
    try {
      const place = { ...garden(), address: 'http://models.example/v1' };
      await user.during([{ enter: KEY }], () => askForApiKey(secrets, place));
      await user.during([], () => testEndpointKey(providers, serverAt(place), quotes));
      assert.equal(user.seen.at(-1)?.trim(), 'Garden server accepts the API key.');
      assert.deepEqual(
        new Set(proxy.hosts.map((host) => host.replace(/:80$/, ''))),
        new Set(['models.example']),
      );
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await proxy.close();
    }
  });

  test('adding an endpoint with one model picks the model in one step', async () => {
    const local = await startOpenAIServer({ models: ['scripted-only'] });
    await setEndpoints({});
    try {
      const picked = await user.during([{ pick: 'Add Endpoint…' }, { enter: local.url }], () =>
        pickModel(modelState, providers),
      );
      assert.partialDeepStrictEqual(picked?.choice, { name: 'scripted-only', baseUrl: local.baseUrl });
      assert.deepEqual(configuration().get('endpoints'), { [new URL(local.url).host]: local.baseUrl });
    } finally {
      await local.close();
    }
  });

  test('adding an endpoint asks for a key until the server accepts it', async () => {
    await setEndpoints({});
    const { host } = new URL(server.url);
    const picked = await user.during(
      [
        { pick: 'Add Endpoint…' },
        { enter: server.url },
        { enter: 'sk-wrong' },
        { enter: KEY },
        { pick: 'scripted-2' },
      ],
      () => pickModel(modelState, providers),
    );
    assert.partialDeepStrictEqual(picked?.choice, {
      name: 'scripted-2',
      baseUrl: server.baseUrl,
      endpoint: host,
    });
    assert.equal(user.matching(new RegExp(`${host} requires an API key\\.`)).length, 1);
    assert.equal(user.matching(new RegExp(`${host} rejected the API key\\.`)).length, 1);
    assert.deepEqual(await secrets.keys(), [`apiKey:${server.baseUrl}#${host}`]);
    // The models of the new endpoint come first, the first one is active, and other actions come last.
    assert.match(user.firstActive ?? '', /^scripted-1 /);
    assert.deepEqual(
      rowsOf(user.seen.at(-1))
        .map((row) => row.replace(/ \| .*/, ''))
        .slice(0, 4),
      ['$(check) Excerpts only', host, 'scripted-1', 'scripted-2'],
    );
    assert.deepEqual(
      rowsOf(user.seen.at(-1))
        .slice(-6)
        .map((row) => row.replace(/ \| .*/, '')),
      [
        '',
        '$(comment-discussion) Pick Model for This Conversation…',
        '$(add) Add Endpoint…',
        '$(gear) Manage Endpoints and API Keys…',
        '$(checklist) Pick Fact-Check Model…',
        '$(telescope) Set Up Semantic Search…',
      ],
    );
  });

  for (const [what, status, reason] of [
    ['lists no models', 404, /doesn’t list its models\. Check the URL/],
    ['limits requests', 429, /is limiting requests/],
    ['fails', 500, /The server at http.* reported an error/],
  ] as const)
    test(`adding an endpoint shows why if the server ${what}, and adds it on request`, async () => {
      await setEndpoints({});
      const failing = await startLoopbackServer((_, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
        return Promise.resolve();
      });
      try {
        await user.during(
          [{ pick: 'Add Endpoint…' }, { enter: failing.url }, { enter: failing.url }, 'dismiss'],
          () => pickModel(modelState, providers),
        );
        assert.match(user.seen[2] ?? '', reason);
        assert.match(user.seen[2] ?? '', /Correct the URL, or press Enter to add it anyway\.\nhttp/);
        assert.deepEqual(configuration().get('endpoints'), { [new URL(failing.url).host]: failing.url });
        assert.match(user.firstActive ?? '', /^\$\(edit\) Another model from 127/);
      } finally {
        await failing.close();
      }
    });

  test('adding an endpoint shows that no server answers, and keeps the address to correct it', async () => {
    await setEndpoints({});
    await server.close();
    await user.during([{ pick: 'Add Endpoint…' }, { enter: `${server.url}/` }, 'dismiss', 'dismiss'], () =>
      pickModel(modelState, providers),
    );
    assert.match(user.seen[2] ?? '', /No response from http.* Check that the server is running\.[^]*\nhttp/);
    assert.deepEqual(configuration().get('endpoints'), {});
  });

  test('adding an existing endpoint adds no second one', async () => {
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, { address: server.baseUrl }));
    await user.during([{ pick: 'Add Endpoint…' }, { enter: server.baseUrl }, 'dismiss'], () =>
      pickModel(modelState, providers),
    );
    assert.match(user.firstActive ?? '', /^scripted-1 \| Garden server/);
    assert.deepEqual(Object.keys(configuration().get('endpoints', {})), ['Garden server']);
  });

  test('a key is tested', async () => {
    await user.during(['dismiss'], () => testEndpointKey(providers, serverAt(garden()), quotes));
    assert.match(user.seen[0] ?? '', /requires an API key[^]*Set API Key…/);
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, garden()));
    await user.during([], () => testEndpointKey(providers, serverAt(garden()), quotes));
    assert.equal(user.seen.at(-1)?.trim(), 'Garden server accepts the API key.');
  });

  test('a key stays when its endpoint is renamed', async () => {
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, garden()));
    await user.during(
      [
        { pick: 'Garden server | ' },
        { pick: 'Rename Endpoint' },
        { enter: '' },
        { enter: 'Allotment' },
        { pick: 'Allotment | ' },
        'dismiss',
        'dismiss',
      ],
      () => manageEndpoints(providers, quotes),
    );
    assert.match(user.seen[1] ?? '', /Garden server \| http.* \| API key set/);
    assert.equal(user.matching(/^Enter a name for the endpoint/).length, 1);
    assert.match(user.seen.at(-2) ?? '', /^Allotment\n[^]*Replace API Key…/);
    assert.deepEqual(configuration().get('endpoints'), {
      Allotment: { address: server.baseUrl, inputPrice: 3, outputPrice: 15 },
    });
    assert.equal((await accessTo(secrets, { ...garden(), name: 'Allotment' })).apiKey, KEY);
    assert.equal(await keyOrigin(secrets, garden()), undefined);
  });

  test('a key is removed with its endpoint, after a question', async () => {
    await user.during([{ enter: KEY }], () => askForApiKey(secrets, garden()));
    await user.during(
      [
        { pick: 'Garden server | ' },
        { pick: 'Remove API Key' },
        { pick: 'No API key set' },
        { pick: 'Remove Endpoint' },
        { press: 'Remove' },
        'dismiss',
      ],
      () => manageEndpoints(providers, quotes),
    );
    assert.equal(user.matching(/^Removed the API key for Garden server\./).length, 1);
    assert.deepEqual(await secrets.keys(), []);
    assert.deepEqual(configuration().get('endpoints'), {});
  });

  /** Adds a provider in one file to the others. */
  const withGarden = (): ModelProviders => {
    providers = new ModelProviders([editorProvider, gardenProvider(secrets)], secrets);
    return providers;
  };

  test('another provider is picked like an endpoint, with its key', async () => {
    const picked = await user.during(
      [{ pick: 'Set API Key… | Garden' }, { enter: GARDEN_KEY }, { pick: 'rose-1' }],
      () => pickModel(modelState, withGarden()),
    );
    assert.deepEqual(picked?.choice, GARDEN_MODEL);
    assert.match(user.seen.at(-1) ?? '', /^Garden\nrose-1 \| Garden · 1,000 tokens · tools$/m);
    await user.during([{ pick: 'Garden | ' }, { pick: 'Remove API Key' }, 'dismiss'], () =>
      manageEndpoints(providers, quotes),
    );
    assert.equal(user.matching(/Rename Endpoint|Edit Headers/).length, 0);
    assert.deepEqual(await secrets.keys(), []);
  });

  /** Returns the commands while a model is picked. */
  const commandsFor = (current: ModelChoice): ReturnType<typeof modelCommands> => {
    const parts: unknown = {
      models: { of: () => Promise.resolve({ ...modelState, current }) },
      conversation: { id: () => Promise.resolve('') },
      providers,
    };
    return modelCommands(parts as Parameters<typeof modelCommands>[0]);
  };

  test('the commands for keys are about the current model of any provider', async () => {
    withGarden();
    const { setApiKey, testApiKey, removeApiKey } = commandsFor(GARDEN_MODEL);
    await user.during([{ enter: GARDEN_KEY }], async () => await setApiKey?.());
    assert.deepEqual(await secrets.keys(), ['apiKey:https://garden.example']);
    await user.during([], async () => await testApiKey?.());
    assert.equal(user.seen.at(-1)?.trim(), 'Garden accepts the API key.');
    await user.during([], async () => await removeApiKey?.());
    assert.deepEqual(await secrets.keys(), []);
    await user.during([], async () => await removeApiKey?.());
    assert.match(user.seen.at(-1) ?? '', /^No API key is stored for Garden/);
  });

  test('the commands for keys change no other key if the current model needs none', async () => {
    const { setApiKey, testApiKey, removeApiKey } = commandsFor({
      ...{ kind: 'editor', vendor: 'copilot', id: 'gpt', name: 'GPT' },
    });
    await secrets.store('apiKey:https://api.openai.com/v1', KEY);
    for (const run of [setApiKey, testApiKey, removeApiKey])
      await user.during(['dismiss'], async () => await run?.());
    assert.equal(user.matching(/^VS Code doesn’t need an API key from you\./).length, 3);
    assert.equal(await secrets.get('apiKey:https://api.openai.com/v1'), KEY);
  });
});

suite('models of a notebook', () => {
  const log = vscode.window.createOutputChannel('Models', { log: true });
  const providers = modelProviders(new MemorySecrets());
  const scripted: ModelChoice = { kind: 'endpoint', name: 'scripted-1', baseUrl: 'http://127.0.0.1:1/v1' };
  let own: AddingNotebook;

  setup(() => {
    own = openToAdd('models-', log);
  });

  teardown(() => own.end());

  test('a conversation keeps its own model', async () => {
    const { id } = await own.notebook.call('newConversation', {});
    const here = new ModelChoices(own.notebook, providers, new MemoryMemento(), new MemoryMemento(), log);
    await here.pick(scripted, id);
    here.dispose();
    const later = new ModelChoices(own.notebook, providers, new MemoryMemento(), new MemoryMemento(), log);
    assert.partialDeepStrictEqual(await later.of(id), { current: scripted, isOfConversation: true });
    assert.partialDeepStrictEqual(await later.of('other'), { current: quotes, isOfConversation: false });
    await later.pick(undefined, id);
    assert.partialDeepStrictEqual(await later.of(id), { current: quotes, isOfConversation: false });
    later.dispose();
  });

  test('a notebook without a model of its own uses the one that was selected last', async () => {
    const everywhere = new MemoryMemento();
    const other = openToAdd('models-other-', log);
    const [here, there] = [own, other].map(
      ({ notebook }) => new ModelChoices(notebook, providers, new MemoryMemento(), everywhere, log),
    );
    assert.ok(here && there);
    try {
      const local = { ...scripted, baseUrl: 'http://127.0.0.1:11434/v1' } as const;
      await here.pick(scripted, 'one conversation');
      assert.partialDeepStrictEqual(await there.of(''), { current: quotes, isChosen: false });
      await here.pick(local);
      assert.partialDeepStrictEqual(await there.of(''), { current: local, isChosen: true });
      await there.pick(quotes);
      assert.partialDeepStrictEqual(await here.of(''), { current: local });
      assert.partialDeepStrictEqual(await there.of(''), { current: quotes });
      // An endpoint that has been removed since is not used.
      await here.pick(scripted);
      await there.pick(undefined);
      assert.partialDeepStrictEqual(await there.of(''), { current: quotes, isChosen: false });
    } finally {
      here.dispose();
      there.dispose();
      await other.end();
    }
  });

  test('the usage report totals tokens and cost', async () => {
    const meter = new UsageMeter(own.notebook, log);
    const prices = { input: 3, output: 15 };
    const usage = meter.add(
      'scripted-1',
      { input: 1200, output: 34, estimated: 0 },
      { provider: 'Garden server', prices },
    );
    assert.ok(Math.abs((usage.cost ?? 0) - 0.00411) < 1e-9);
    const reports = new UsageReports(own.notebook);
    const read = (): Promise<string> => reports.provideTextDocumentContent();
    await until(async () => (await read()).includes('scripted-1'), read);
    assert.match(await read(), /scripted-1.*1,200.*34.*about \$0\.0041/);
    reports.dispose();
  });
});

suite('settings that another window writes, too', () => {
  /** Sets the embedding model while the first writes fail, and returns how often it was written. */
  const writeDuring = async (failures: number): Promise<number> => {
    let writes = 0;
    const settings = {
      get: () => '',
      update: () =>
        ++writes > failures ? Promise.resolve() : Promise.reject(new Error('The file has unsaved changes.')),
    };
    try {
      await instead({ getConfiguration: () => settings }, () => setMeaningModel('small'), vscode.workspace);
    } catch (error) {
      assert.ok(error instanceof NotebookError);
      assert.deepEqual([error.code, error.message], ['conflict', 'The file has unsaved changes.']);
      return -writes;
    }
    return writes;
  };

  test('are written again after a conflict', async () => {
    assert.equal(await writeDuring(1), 2);
  });

  test('report why they can’t be written', async () => {
    assert.equal(await writeDuring(Infinity), -5);
  });
});
