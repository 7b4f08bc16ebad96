import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { MeaningOffer } from '../../src/editor/chat/meaning-offer.ts';
import { EmbeddingConsent } from '../../src/editor/models/embedding-consent.ts';
import { findByMeaning, type MeaningParts } from '../../src/editor/models/find-by-meaning.ts';
import { InstalledModels } from '../../src/editor/models/installed-models.ts';
import { meaningProcess } from '../../src/editor/models/meaning-process.ts';
import type { Turn } from '../../src/notebook/answer.ts';
import { makeGate } from '../support/gate.ts';
import { worker } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { makeCatalogue, modelOfWords, writeModel } from '../support/made-model.ts';
import { MemoryMemento } from '../support/memory-storage.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { ScriptedUser } from '../support/scripted-user.ts';
import { mountSmallDisk, unmount } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const name = 'small-words';
const ballast = 3_000_000;
const words = {
  the: [0.02, 0.02, 0.02],
  automobile: [1, 0, 0.1],
  vehicle: [1, 0, 0.1],
  lentils: [0, 1, 0.1],
  beans: [0, 1, 0.1],
  fitter: [0.3, 0, 0.5],
};
const fetchIt = [{ pick: `${name} | ` }, { press: 'Fetch' }] as const;
const inUse = /small-words is on this machine: passages are also found by what they mean from now on/;

const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('openNotebook');
const set = async (settings: Readonly<Record<string, unknown>>): Promise<void> => {
  for (const [key, value] of Object.entries(settings))
    // The editor takes its time even if nothing changes.
    if (configuration().inspect(key)?.globalValue !== value)
      await configuration().update(key, value, vscode.ConfigurationTarget.Global);
};

suite('semantic search by a local model', () => {
  const log = vscode.window.createOutputChannel('Meaning', { log: true });
  let home: string;
  let weights: string;
  let server: ModelServer;
  let user: ScriptedUser;
  const windows: MeaningParts[] = [];
  const modelsFolder = (): string => join(home, 'models');

  /** Returns the parts of a new window that handle models. */
  const open = (): MeaningParts => {
    const parts = {
      models: new InstalledModels(modelsFolder()),
      process: meaningProcess(worker('meaning-worker.cjs'), log),
      userAgent: 'Test',
    };
    windows.push(parts);
    return parts;
  };

  setup(async () => {
    home = mkdtempSync(join(tmpdir(), 'meaning-'));
    const files = writeModel(join(home, 'mirror', name), { ...modelOfWords(words), ballast });
    writeFileSync(join(home, 'mirror', 'models.json'), makeCatalogue(name, files));
    weights = join(home, 'mirror', name, 'model.safetensors');
    server = await startModelServer(join(home, 'mirror'));
    user = new ScriptedUser();
    await set({ 'meaning.address': server.url });
  });

  teardown(async () => {
    await set({
      'meaning.address': undefined,
      'meaning.model': undefined,
      'embeddings.baseUrl': undefined,
      'embeddings.model': undefined,
    });
    for (const { process } of windows.splice(0)) await process.end();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('nothing is downloaded before the user agrees', async () => {
    const parts = open();
    await user.during([{ pick: `${name} | ` }, 'dismiss'], () => findByMeaning(parts));
    const [list, consent] = user.seen;
    assert.match(
      list ?? '',
      /small-words \| 3 MB · licence: MIT · English \| Is fetched once from 127\.0\.0\.1:/,
    );
    assert.match(list ?? '', /Fetch from elsewhere… \| A mirror, or a folder of this machine/);
    assert.match(consent ?? '', /^Fetch small-words \(3 MB · licence: MIT · English\)\?/);
    assert.match(consent ?? '', /Your sources and questions stay on this machine/);
    assert.deepEqual([server.ranges(), existsSync(modelsFolder())], [[], false]);
  });

  test('a download that was cut and stopped resumes where it was', async () => {
    const parts = open();
    const gate = makeGate();
    server.mishaps = [
      { kind: 'cut', after: 1_000_000 },
      { kind: 'wait', after: 900_000, gate },
    ];
    const stop = new vscode.CancellationTokenSource();
    const reports: string[] = [];
    const withProgress = (_: unknown, work: (progress: unknown, token: unknown) => unknown): unknown =>
      work({ report: ({ message }: { message: string }) => reports.push(message) }, stop.token);
    await instead('withProgress', withProgress, () =>
      user.during(fetchIt, async () => {
        const fetching = findByMeaning(parts);
        await gate.reached;
        await until(() => reports.some((message) => /^[12](\.\d)? MB of 3 MB$/.test(message)));
        stop.cancel();
        await fetching;
      }),
    );
    gate.open();
    assert.match(user.seen.at(-1) ?? '', /^small-words was not fetched to its end\. What has come is kept/);

    await user.during(fetchIt, () => findByMeaning(parts));
    assert.match(
      user.seen.at(-3) ?? '',
      /[12](\.\d)? MB of 3 MB have come from 127\.0\.0\.1:\d+; goes on from there/,
    );
    assert.match(user.seen.at(-1) ?? '', inUse);
    const ranges = server.ranges();
    assert.deepEqual([ranges[0], ranges.length], [undefined, 3]);
    for (const range of ranges.slice(1)) assert.match(range ?? '', /^bytes=[1-9]\d{4,}-$/);
  });

  test('a model that was downloaded is removed on request', async () => {
    const parts = open();
    await user.during(fetchIt, () => findByMeaning(parts));
    assert.equal(configuration().get('meaning.model'), name);
    assert.deepEqual(readdirSync(modelsFolder()), [name]);
    await server.close();
    await user.during([{ pick: `Remove ${name}` }], () => findByMeaning(parts));
    assert.match(
      user.seen.at(-2) ?? '',
      /small-words \| .* \| In use, on this machine and without a network/,
    );
    assert.match(user.seen.at(-1) ?? '', /small-words was removed from this machine/);
    assert.deepEqual([readdirSync(modelsFolder()), configuration().get('meaning.model')], [[], '']);
  });

  test('a model takes the place of an endpoint that embeds when the user agrees', async () => {
    const parts = open();
    await set({ 'embeddings.baseUrl': 'http://127.0.0.1:1/v1', 'embeddings.model': 'scripted-embeddings' });
    await user.during(fetchIt, () => findByMeaning(parts));
    const [list, consent] = user.seen;
    assert.match(
      list?.split('\n')[2] ?? '',
      /scripted-embeddings \| 127\.0\.0\.1:1 \| In use, by openNotebook\.embeddings\.model/,
    );
    assert.match(consent ?? '', /It takes the place of scripted-embeddings at 127\.0\.0\.1:1/);
    assert.deepEqual(
      [configuration().get('meaning.model'), configuration().get('embeddings.model')],
      [name, ''],
    );
  });

  test('a model that is not in use stays and is used again on request', async () => {
    const parts = open();
    await user.during(fetchIt, () => findByMeaning(parts));
    await user.during([{ pick: 'Find by words alone' }], () => findByMeaning(parts));
    assert.equal(configuration().get('meaning.model'), '');
    await user.during([{ pick: `${name} | ` }], () => findByMeaning(parts));
    assert.match(user.seen.at(-2) ?? '', /small-words \| .* \| On this machine, not in use/);
    assert.match(user.seen.at(-1) ?? '', inUse);
    assert.equal(server.ranges().length, 1);
  });

  test('two windows download one copy', async () => {
    const [here, other] = [open(), open()];
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 500_000, gate }];
    const reports: string[] = [];
    const token = new vscode.CancellationTokenSource().token;
    const withProgress = (_: unknown, work: (progress: unknown, token: unknown) => unknown): unknown =>
      work({ report: ({ message }: { message: string }) => reports.push(message) }, token);
    await instead('withProgress', withProgress, () =>
      user.during([...fetchIt, ...fetchIt], async () => {
        const first = findByMeaning(here);
        await gate.reached;
        const second = findByMeaning(other);
        await until(() => reports.includes('Another window is fetching it…'));
        gate.open();
        await Promise.all([first, second]);
      }),
    );
    assert.equal(user.matching(inUse).length, 2);
    assert.equal(server.ranges().length, 1);
  });

  test('a wrong checksum and a file that the mirror lacks are reported with a way to try again', async () => {
    const parts = open();
    const good = readFileSync(weights);
    const bad = Buffer.from(good);
    bad[bad.length - 3] = 99;
    writeFileSync(weights, bad);
    const mend = (): void => {
      writeFileSync(weights, good);
      server.mishaps = [{ kind: 'status', status: 404 }];
    };
    await user.during([...fetchIt, { press: 'Try Again', after: mend }, 'dismiss'], () =>
      findByMeaning(parts),
    );
    const [wrong, missing] = user.seen.slice(2);
    assert.match(wrong ?? '', /its checksum differs[^]*Try Again/);
    assert.match(missing ?? '', /has no such file \(404\)[^]*Try Again/);
    assert.equal(configuration().get('meaning.model'), '');
  });

  test('a full disk is reported with a way to try again', async function () {
    const parts = open();
    const reason = mountSmallDisk(modelsFolder());
    if (reason !== undefined) this.skip();
    try {
      const filler = join(modelsFolder(), 'filler');
      writeFileSync(filler, Buffer.alloc(6_500_000));
      const makeRoom = (): void => rmSync(filler);
      await user.during([...fetchIt, { press: 'Try Again', after: makeRoom }], () => findByMeaning(parts));
      assert.match(user.seen[2] ?? '', /^The disk has no room for small-words: it takes 3 MB/);
      assert.match(user.seen.at(-1) ?? '', inUse);
      assert.ok(existsSync(join(modelsFolder(), name, 'model.json')));
    } finally {
      unmount(modelsFolder());
    }
  });

  suite('the offer under an answer', () => {
    /** Returns an answer without a model and without excerpts. */
    const poor = (id: string): Turn => ({
      id,
      question: 'How is a vehicle maintained?',
      askedAt: 0,
      state: { kind: 'done', milliseconds: 1 },
      answer: { kind: 'quotes', text: '', quotes: [], citations: [] },
    });

    test('is made once, and never again after it was declined', async () => {
      const memento = new MemoryMemento();
      const offer = new MeaningOffer(memento);
      await offer.consider(poor('first'));
      await offer.consider(poor('second'));
      assert.equal(offer.turnId, 'first');
      await offer.decline();
      await offer.consider(poor('third'));
      assert.equal(offer.turnId, undefined);
      offer.dispose();
      const later = new MeaningOffer(memento);
      await later.consider(poor('fourth'));
      assert.equal(later.turnId, undefined);
      later.dispose();
    });

    test('is not made while an embedding model is in use', async () => {
      const offer = new MeaningOffer(new MemoryMemento());
      await set({ 'embeddings.model': 'scripted-embeddings' });
      await offer.consider(poor('first'));
      assert.equal(offer.turnId, undefined);
      offer.dispose();
    });
  });
});

suite('consent to embed at an endpoint', () => {
  const model = { baseUrl: 'http://127.0.0.1:1/v1', name: 'scripted-embeddings' };
  const missing = { passages: 3, total: 3, characters: 3_500 } as Parameters<EmbeddingConsent['ask']>[1];
  let user: ScriptedUser;
  let memento: MemoryMemento;

  setup(async () => {
    [user, memento] = [new ScriptedUser(), new MemoryMemento()];
    await set({ 'embeddings.price': 20 });
  });

  teardown(() => set({ 'embeddings.price': undefined }));

  const ask = (
    steps: Parameters<ScriptedUser['during']>[0],
    characters = missing.characters,
  ): Promise<boolean> =>
    user.during(steps, () => new EmbeddingConsent(memento).ask(model, { ...missing, characters }, false));

  test('the question names the cost, and an answer holds for as much text', async () => {
    assert.equal(await ask([{ press: 'Start' }]), true);
    assert.match(
      user.seen[0] ?? '',
      /^To find passages by their meaning, 3 passages \(about 1K tokens, which cost about \$0\.02\) are sent to scripted-embeddings at 127\.0\.0\.1:1\. Start\?/,
    );
    assert.equal(await ask([]), true);
    assert.equal(await ask(['dismiss'], 7_000), false);
  });

  test('doesn’t ask again about a notebook that the user excluded', async () => {
    assert.equal(await ask([{ press: 'Not in This Notebook' }]), false);
    assert.equal(await ask([]), false);
  });

  test('asks again after the user closed the question', async () => {
    assert.equal(await ask(['dismiss']), false);
    assert.equal(await ask([{ press: 'Start' }]), true);
  });
});
