import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  fetchedBytes,
  fetchModel,
  type ModelFetching,
} from '../../src/features/semantic-search/editor/fetch-model.ts';
import {
  embeddingModelFor,
  InstalledModels,
} from '../../src/features/semantic-search/editor/installed-models.ts';
import { listedModels, modelOrigin } from '../../src/features/semantic-search/editor/model-origin.ts';
import {
  bytesOfModel,
  knownModels,
  type OfferedModel,
} from '../../src/features/semantic-search/service/catalog.ts';
import { checkModel } from '../../src/features/semantic-search/service/static-model.ts';
import { fetchFile } from '../../src/parsers/web/fetch-file.ts';
import { guardedFetch } from '../../src/parsers/web/guarded-fetch.ts';
import { makeGate } from '../support/gate.ts';
import { makeCatalog, modelOfWords, writeModel } from '../support/made-model.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder('meaning-fetch-');
let folderCount = 0;

function newFolder(): string {
  const path = join(folder, String(++folderCount));
  mkdirSync(path);
  return path;
}

/** Starts a mirror with one model of some megabytes. */
async function mirror(t: TestContext, name = 'own'): Promise<{ server: ModelServer; served: string }> {
  const served = newFolder();
  const files = writeModel(join(served, name), {
    ...modelOfWords({ the: [1, 2], car: [2, 1] }),
    ballast: 3_000_000,
  });
  writeFileSync(join(served, 'models.json'), makeCatalog(name, files));
  const server = await startModelServer(served);
  t.after(() => server.close());
  return { server, served };
}

const never = new AbortController().signal;

interface FetchOptions {
  readonly address: string;
  readonly models?: InstalledModels;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytes: number) => void;
  readonly onWait?: () => void;
}

async function offered(address: string): Promise<OfferedModel> {
  const [model] = await listedModels(modelOrigin(address), never);
  assert.ok(model !== undefined);
  return model;
}

async function fetchIt({
  address,
  models = new InstalledModels(newFolder()),
  signal = never,
  onProgress = () => undefined,
  onWait = () => undefined,
}: FetchOptions): ReturnType<typeof fetchModel> {
  const check: ModelFetching['check'] = (params, checking) =>
    checkModel(params.folder, params.files, checking);
  const fetching = { models, userAgent: 'Test', check, signal, onProgress, onWait };
  return await fetchModel(await offered(address), modelOrigin(address), fetching);
}

describe('a model', () => {
  test('is downloaded completely, checked, and available to all windows', async (t) => {
    const { server } = await mirror(t);
    const models = new InstalledModels(newFolder());
    const progress: number[] = [];
    const installed = await fetchIt({
      address: server.url,
      models,
      onProgress: (bytes) => progress.push(bytes),
    });
    const offer = await offered(server.url);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    assert.equal(progress.at(-1), bytesOfModel(offer));
    assert.equal(installed.dimension, 2);
    assert.deepEqual(await new InstalledModels(models.folder).all(), [installed]);
    assert.match(embeddingModelFor(installed).name, /^own@[0-9a-f]{12}$/);
    assert.deepEqual(readdirSync(models.folder), ['own']);
    assert.ok(server.requests.every(({ headers }) => headers['user-agent'] !== undefined));
    await models.remove('own');
    assert.deepEqual(await models.all(), []);
    assert.deepEqual(readdirSync(models.folder), []);
  });

  test('is missing if its record is damaged', async (t) => {
    const { server } = await mirror(t);
    const models = new InstalledModels(newFolder());
    const { folder } = await fetchIt({ address: server.url, models });
    writeFileSync(join(folder, 'model.json'), JSON.stringify({ sha256: 'ab' }));
    assert.deepEqual(await models.all(), []);
  });

  test('resumes a download that broke off, also at another address', async (t) => {
    const { server } = await mirror(t);
    const models = new InstalledModels(newFolder());
    server.mishaps = [
      { kind: 'cut', after: 1_000_000 },
      { kind: 'status', status: 503 },
      { kind: 'redirect', to: '/own/model.safetensors' },
    ];
    const installed = await fetchIt({ address: `${server.url}/`, models });
    const [first, ...others] = server.ranges();
    assert.equal(first, undefined);
    assert.equal(others.length, 3);
    for (const range of others) assert.match(range ?? '', /^bytes=[1-9]\d{4,}-$/);
    assert.equal(installed.name, 'own');
  });

  test('resumes a download that was paused', async (t) => {
    const { server } = await mirror(t);
    const models = new InstalledModels(newFolder());
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 500_000, gate }];
    const stop = new AbortController();
    const fetching = fetchIt({ address: server.url, models, signal: stop.signal });
    await gate.reached;
    // Bytes that the server sent arrive a moment later.
    await until(async () => (await fetchedBytes(await offered(server.url), models)) > 100_000);
    stop.abort();
    await assert.rejects(fetching, { code: 'cancelled' });
    gate.open();
    assert.deepEqual(await models.all(), []);
    assert.ok((await fetchedBytes(await offered(server.url), models)) > 100_000);
    await fetchIt({ address: server.url, models });
    assert.match(server.ranges().at(-1) ?? '', /^bytes=[1-9]/);
    // A server without range requests sends the file from its beginning.
    const others = new InstalledModels(newFolder());
    server.mishaps = [{ kind: 'cut', after: 500_000 }, { kind: 'whole' }];
    await fetchIt({ address: server.url, models: others });
    assert.equal((await others.all()).length, 1);
  });

  test('rejects a wrong file in one sentence, and downloads it again from the start', async (t) => {
    const { server, served } = await mirror(t);
    const models = new InstalledModels(newFolder());
    const refused = async (message: RegExp, code: string): Promise<void> => {
      await assert.rejects(fetchIt({ address: server.url, models }), {
        name: 'NotebookError',
        code,
        message,
      });
      assert.deepEqual(await models.all(), []);
    };
    const weights = join(served, 'own', 'model.safetensors');
    const good = readFileSync(weights);
    const bad = Buffer.from(good);
    bad[good.length - 5] = 99;
    writeFileSync(weights, bad);
    await refused(/its checksum doesn’t match\. Download it again/, 'damaged');
    assert.deepEqual(readdirSync(models.folder), []);
    writeFileSync(weights, good);
    server.mishaps = [{ kind: 'text', text: '<html>Sign in to the network' }];
    await refused(/returned a different file than requested/, 'damaged');
    for (const [status, code] of [
      [404, 'not-found'],
      [403, 'forbidden'],
      [429, 'rate-limited'],
      [400, 'server'],
    ] as const) {
      server.mishaps = [{ kind: 'status', status }];
      await refused(new RegExp(`\\(${String(status)}\\)`), code);
    }
    await fetchIt({ address: server.url, models });
    assert.equal((await models.all()).length, 1);
  });

  test('is downloaded once by two windows', async (t) => {
    const { server } = await mirror(t);
    const models = new InstalledModels(newFolder());
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 500_000, gate }];
    const waited = Promise.withResolvers<undefined>();
    const firstDownload = fetchIt({ address: server.url, models });
    await gate.reached;
    const two = fetchIt({
      address: server.url,
      models: new InstalledModels(models.folder),
      onWait: () => {
        waited.resolve(undefined);
      },
    });
    await waited.promise;
    // A waiting download can be stopped separately.
    const stop = new AbortController();
    const three = fetchIt({
      address: server.url,
      models,
      signal: stop.signal,
      onWait: () => {
        stop.abort();
      },
    });
    await assert.rejects(three, { code: 'cancelled' });
    gate.open();
    assert.deepEqual(await firstDownload, await two);
    assert.equal(server.ranges().length, 1);
  });

  test('continues the download of a killed window', async (t) => {
    const { server } = await mirror(t);
    const models = new InstalledModels(newFolder());
    const lock = join(models.folder, 'own.lock');
    writeFileSync(lock, '');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    await fetchIt({ address: server.url, models });
    assert.ok(!existsSync(lock));
  });

  test('rejects a download larger than the free space, and resumes one that filled the disk', async (t) => {
    const disk = smallDisk(t);
    if (disk === undefined) return;
    const { server } = await mirror(t);
    const models = new InstalledModels(join(disk, 'models'));
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(6_000_000));
    await assert.rejects(fetchIt({ address: server.url, models }), {
      code: 'disk-full',
      message: /^Can’t download own because it needs 3 MB, and only [\d.]+ MB is free\./,
    });
    assert.deepEqual(server.ranges(), []);
    rmSync(ballast);
    // Another program uses the free space meanwhile.
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 500_000, gate }];
    const fetching = fetchIt({ address: server.url, models });
    await gate.reached;
    writeFileSync(ballast, Buffer.alloc(6_500_000));
    gate.open();
    await assert.rejects(fetching, { code: 'disk-full', message: /^The disk is full\. Free up some space/ });
    rmSync(ballast);
    await fetchIt({ address: server.url, models });
    assert.match(server.ranges().at(-1) ?? '', /^bytes=[1-9]/);
  });

  test('is copied from a folder that contains it, lists it, or is it', async (t) => {
    const { served } = await mirror(t);
    const models = new InstalledModels(newFolder());
    await fetchIt({ address: served, models });
    await fetchIt({
      address: new URL(`file://${join(served, 'own')}`).href,
      models: new InstalledModels(newFolder()),
    });
    const own = await offered(join(served, 'own'));
    assert.equal(own.name, 'own');
    const known = newFolder();
    const [usual] = knownModels();
    writeModel(join(known, 'minishlab', usual?.name ?? ''), modelOfWords({ the: [1] }));
    // The file has the right name, but other bytes.
    await assert.rejects(fetchIt({ address: known }), {
      code: 'damaged',
      message: /its checksum doesn’t match/,
    });
    await assert.rejects(fetchIt({ address: newFolder() }), {
      code: 'not-found',
      message: /doesn’t contain a model/,
    });
    await assert.rejects(fetchIt({ address: 'models' }), {
      code: 'unsupported',
      message: /isn’t a URL or an absolute path/,
    });
  });

  test('is downloaded from the default server if a mirror lists none', async (t) => {
    const server = await startModelServer(newFolder());
    t.after(() => server.close());
    assert.deepEqual(await listedModels(modelOrigin(server.url), never), knownModels());
    assert.deepEqual(await listedModels(modelOrigin('https://huggingface.co/'), never), knownModels());
    await assert.rejects(fetchIt({ address: server.url }), {
      code: 'not-found',
      message: /has no such file \(404\)/,
    });
  });
});

test('gives up a server that doesn’t respond after some attempts, and keeps what arrived', async (t) => {
  const { server } = await mirror(t);
  const path = join(newFolder(), 'part');
  const { bytes } = (await offered(server.url)).files[2]!;
  let downloadedBytes = 0;
  const options = {
    ...{ fetch: guardedFetch([new URL(server.url).host]), path, bytes, signal: never },
    delay: () => Promise.resolve(),
    onProgress: (count: number) => {
      downloadedBytes = count;
    },
  };
  const address = `${server.url}/own/model.safetensors`;
  const gates = Array.from({ length: 6 }, makeGate);
  t.after(() => {
    for (const gate of gates) gate.open();
  });
  server.mishaps = gates.map((gate, at) => ({ kind: 'wait', after: at === 0 ? 500_000 : 0, gate }));
  // Time passes only while the server is silent, so that slow machines don't time out.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const rejection = assert.rejects(fetchFile(address, { ...options, patience: 150 }), {
    code: 'timeout',
    message: /didn’t respond within 0\.15 seconds/,
  });
  for (const gate of gates) {
    await gate.reached;
    await until(() => downloadedBytes === 500_000);
    t.mock.timers.tick(150);
  }
  await rejection;
  t.mock.timers.reset();
  assert.equal(readFileSync(path).length, 500_000);
  await server.close();
  await assert.rejects(fetchFile(address, options), { code: 'connection' });
});
