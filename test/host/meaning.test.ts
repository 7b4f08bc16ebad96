import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { SemanticSearchOffer } from '../../src/features/chat/editor/semantic-search-offer.ts';
import { EmbeddingConsent } from '../../src/features/semantic-search/editor/embedding-consent.ts';
import {
  findByMeaning,
  type MeaningParts,
} from '../../src/features/semantic-search/editor/find-by-meaning.ts';
import { InstalledModels } from '../../src/features/semantic-search/editor/installed-models.ts';
import { meaningProcess } from '../../src/features/semantic-search/editor/meaning-process.ts';
import type { Turn } from '../../src/core/domain/answer.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { makeGate } from '../support/gate.ts';
import { worker } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { makeCatalog, modelOfWords, writeModel } from '../support/made-model.ts';
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
const fetchIt = [{ pick: `${name} | ` }, { press: 'Download' }] as const;
const inUse = /small-words is ready\. Semantic search is now on/;

const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('openNotebook');
const set = async (settings: Readonly<Record<string, unknown>>): Promise<void> => {
  for (const [key, value] of Object.entries(settings))
    // Skip the update, because it takes time even if nothing changes.
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
    writeFileSync(join(home, 'mirror', 'models.json'), makeCatalog(name, files));
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
      /small-words \| 3 MB · license: MIT · English \| One-time download from 127\.0\.0\.1:/,
    );
    assert.match(list ?? '', /Download from Another Location… \| A mirror or a local folder/);
    assert.match(consent ?? '', /^Download small-words \(3 MB · license: MIT · English\)\?/);
    assert.match(consent ?? '', /Your sources and questions stay on this machine/);
    assert.deepEqual([server.ranges(), existsSync(modelsFolder())], [[], false]);
  });

  test('an interrupted download resumes where it stopped', async () => {
    const parts = open();
    const gate = makeGate();
    server.mishaps = [
      { kind: 'cut', after: 1_000_000 },
      { kind: 'wait', after: 900_000, gate },
    ];
    const stop = new vscode.CancellationTokenSource();
    const reports: string[] = [];
    const withProgress = (_: unknown, action: (progress: unknown, token: unknown) => unknown): unknown =>
      action({ report: ({ message }: { message: string }) => reports.push(message) }, stop.token);
    await instead({ withProgress }, () =>
      user.during(fetchIt, async () => {
        const fetching = findByMeaning(parts);
        await gate.reached;
        await until(() => reports.some((message) => /^[12](\.\d)? MB of 3 MB$/.test(message)));
        stop.cancel();
        await fetching;
      }),
    );
    gate.open();
    assert.match(
      user.seen.at(-1) ?? '',
      /^You canceled the download of small-words\. The next download resumes/,
    );

    await user.during(fetchIt, () => findByMeaning(parts));
    assert.match(
      user.seen.at(-3) ?? '',
      /[12](\.\d)? MB of 3 MB downloaded from 127\.0\.0\.1:\d+\. Select to resume\./,
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
    assert.match(user.seen.at(-2) ?? '', /small-words \| .* \| In use\. Runs offline on this machine\./);
    assert.match(user.seen.at(-1) ?? '', /Removed small-words from this machine/);
    assert.deepEqual([readdirSync(modelsFolder()), configuration().get('meaning.model')], [[], '']);
  });

  test('a local model replaces an embedding endpoint after the user agrees', async () => {
    const parts = open();
    await set({ 'embeddings.baseUrl': 'http://127.0.0.1:1/v1', 'embeddings.model': 'scripted-embeddings' });
    await user.during(fetchIt, () => findByMeaning(parts));
    const [list, consent] = user.seen;
    assert.match(
      list?.split('\n')[2] ?? '',
      /scripted-embeddings \| 127\.0\.0\.1:1 \| In use \(set by openNotebook\.embeddings\.model\)/,
    );
    assert.match(consent ?? '', /This replaces scripted-embeddings at 127\.0\.0\.1:1/);
    assert.deepEqual(
      [configuration().get('meaning.model'), configuration().get('embeddings.model')],
      [name, ''],
    );
  });

  test('a model that is not in use stays and is used again on request', async () => {
    const parts = open();
    await user.during(fetchIt, () => findByMeaning(parts));
    await user.during([{ pick: 'Use Keyword Search Only' }], () => findByMeaning(parts));
    assert.equal(configuration().get('meaning.model'), '');
    await user.during([{ pick: `${name} | ` }], () => findByMeaning(parts));
    assert.match(user.seen.at(-2) ?? '', /small-words \| .* \| Downloaded, not in use/);
    assert.match(user.seen.at(-1) ?? '', inUse);
    assert.equal(server.ranges().length, 1);
  });

  test('two windows download one copy', async () => {
    const [here, other] = [open(), open()];
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 500_000, gate }];
    const reports: string[] = [];
    const token = new vscode.CancellationTokenSource().token;
    const withProgress = (_: unknown, action: (progress: unknown, token: unknown) => unknown): unknown =>
      action({ report: ({ message }: { message: string }) => reports.push(message) }, token);
    await instead({ withProgress }, () =>
      user.during([...fetchIt, ...fetchIt], async () => {
        const first = findByMeaning(here);
        await gate.reached;
        const second = findByMeaning(other);
        await until(() => reports.includes('Waiting for a download in another window…'));
        gate.open();
        await Promise.all([first, second]);
      }),
    );
    assert.equal(user.matching(inUse).length, 2);
    assert.equal(server.ranges().length, 1);
  });

  test('a wrong checksum or a missing file is reported with a retry', async () => {
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
    assert.match(wrong ?? '', /its checksum doesn’t match[^]*Try Again/);
    assert.match(missing ?? '', /has no such file \(404\)[^]*Try Again/);
    assert.equal(configuration().get('meaning.model'), '');
  });

  test('a full disk is reported with a retry', async function () {
    const parts = open();
    const reason = mountSmallDisk(modelsFolder());
    if (reason !== undefined) this.skip();
    try {
      const filler = join(modelsFolder(), 'filler');
      writeFileSync(filler, Buffer.alloc(6_500_000));
      const makeRoom = (): void => rmSync(filler);
      await user.during([...fetchIt, { press: 'Try Again', after: makeRoom }], () => findByMeaning(parts));
      assert.match(user.seen[2] ?? '', /^Can’t download small-words because it needs 3 MB/);
      assert.match(user.seen.at(-1) ?? '', inUse);
      assert.ok(existsSync(join(modelsFolder(), name, 'model.json')));
    } finally {
      unmount(modelsFolder());
    }
  });

  suite('the offer under an answer', () => {
    const memento = new MemoryMemento();
    let offers: SemanticSearchOffer[];
    let states: string[];
    let prompts: string[];
    let isExcerptsOnly: boolean;
    let embedAll: (signal: AbortSignal, onProgress: (done: number, total: number) => void) => Promise<void>;

    /** Returns an answer without a model. */
    const excerptsOf = (id: string, question = 'How is a vehicle maintained?'): Turn => ({
      id,
      question,
      askedAt: 0,
      state: { kind: 'done', milliseconds: 1 },
      answer: { kind: 'quotes', text: '', quotes: [], citations: [] },
    });

    const begin = (turns: readonly Turn[] = []): SemanticSearchOffer => {
      const offer = new SemanticSearchOffer({
        memento,
        meaning: open(),
        embedder: { embedAll: (signal, onProgress) => embedAll(signal, onProgress) },
        conversation: {
          turns: () => Promise.resolve(turns),
          whenAnswered: () => Promise.resolve(),
          retry: (turnId) => {
            prompts.push(turnId);
            return Promise.resolve();
          },
        },
        isExcerptsOnly: () => Promise.resolve(isExcerptsOnly),
        log,
      });
      offer.onDidChange(() => states.push(offer.shown?.state.kind ?? 'none'));
      offers.push(offer);
      return offer;
    };

    setup(async () => {
      [offers, states, prompts, isExcerptsOnly] = [[], [], [], true];
      embedAll = (_, onProgress) => {
        onProgress(1, 2);
        return Promise.resolve();
      };
      await memento.update('meaningOfferedUnder', undefined);
    });

    teardown(() => {
      for (const offer of offers) offer.dispose();
    });

    test('appears once in a conversation, with the size of the model', async () => {
      const first = excerptsOf('first');
      const offer = begin([first]);
      await offer.consider({ ...first, answer: { ...first.answer, kind: 'written' } as Turn['answer'] });
      assert.deepEqual(states, []);
      await offer.consider(first);
      await offer.consider(excerptsOf('second'));
      const { shown } = offer;
      assert.deepEqual([shown?.turnId, shown?.model, shown?.size], ['first', 'small-words (MIT)', '3 MB']);
      assert.deepEqual(server.ranges(), []);
      assert.equal(existsSync(modelsFolder()), false);
    });

    test('sets the model up and asks the question again after one click', async () => {
      const offer = begin();
      await offer.consider(excerptsOf('first'));
      await offer.accept();
      assert.equal(configuration().get('meaning.model'), name);
      assert.deepEqual(readdirSync(modelsFolder()), [name]);
      assert.deepEqual([...new Set(states)], ['offered', 'downloading', 'verifying', 'embedding', 'none']);
      assert.deepEqual(prompts, ['first']);
      await offer.consider(excerptsOf('second'));
      assert.equal(offer.shown, undefined);
    });

    test('doesn’t ask a model that the user selected in the meantime', async () => {
      const offer = begin();
      await offer.consider(excerptsOf('first'));
      isExcerptsOnly = false;
      await offer.accept();
      assert.deepEqual(prompts, []);
    });

    test('resumes a download that the user canceled', async () => {
      const gate = makeGate();
      server.mishaps = [{ kind: 'wait', after: 900_000, gate }];
      const offer = begin();
      await offer.consider(excerptsOf('first'));
      const canceled = offer.accept();
      await gate.reached;
      offer.cancel();
      await canceled;
      gate.open();
      assert.equal(offer.shown?.state.kind, 'offered');
      assert.equal(configuration().get('meaning.model'), '');
      await offer.accept();
      assert.match(server.ranges().at(-1) ?? '', /^bytes=[1-9]\d+-$/);
      assert.deepEqual(prompts, ['first']);
    });

    test('shows an error and tries again', async () => {
      server.mishaps = [{ kind: 'status', status: 404 }];
      const offer = begin();
      await offer.consider(excerptsOf('first'));
      await offer.accept();
      const state = offer.shown?.state;
      assert.match(state?.kind === 'failed' ? state.message : '', /has no such file \(404\)/);
      embedAll = () => Promise.reject(new NotebookError('internal', 'The process stopped.'));
      await offer.accept();
      assert.deepEqual(offer.shown?.state, {
        kind: 'failed',
        message: 'The process stopped.',
        opensSettings: false,
      });
      const downloads = server.ranges().length;
      embedAll = () => Promise.resolve();
      await offer.accept();
      assert.equal(server.ranges().length, downloads);
      assert.deepEqual(prompts, ['first']);
    });

    test('stays away after the user dismissed it', async () => {
      const offer = begin();
      await offer.consider(excerptsOf('first'));
      await offer.dismiss();
      await offer.consider(excerptsOf('second'));
      assert.equal(offer.shown, undefined);
      const later = begin();
      await later.consider(excerptsOf('third'));
      assert.equal(later.shown, undefined);
    });

    test('isn’t made while an embedding model is in use', async () => {
      const offer = begin();
      await set({ 'embeddings.model': 'scripted-embeddings' });
      await offer.consider(excerptsOf('first'));
      assert.equal(offer.shown, undefined);
    });

    test('chooses a model that knows the language', async () => {
      await set({ 'meaning.address': undefined });
      const offer = begin();
      await offer.consider(excerptsOf('english', 'How is the vehicle maintained in the winter?'));
      assert.match(offer.shown?.model ?? '', /^potion-retrieval-32M /);
      await offer.consider(excerptsOf('german', 'Wie wird das Fahrzeug im Winter gewartet?'));
      assert.match(offer.shown?.model ?? '', /^potion-multilingual-128M /);
      await offer.consider(excerptsOf('japanese', '冬に車を整備する方法は何ですか'));
      assert.match(offer.shown?.model ?? '', /^potion-multilingual-128M /);
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

  test('the question names the cost, and applies to that amount of text', async () => {
    assert.equal(await ask([{ press: 'Start' }]), true);
    assert.match(
      user.seen[0] ?? '',
      /^Semantic search sends 3 passages \(about 1K tokens, about \$0\.02\) to scripted-embeddings at 127\.0\.0\.1:1 to generate embeddings\. Start\?/,
    );
    assert.equal(await ask([]), true);
    assert.equal(await ask(['dismiss'], 7_000), false);
  });

  test('doesn’t ask again about a notebook that the user excluded', async () => {
    assert.equal(await ask([{ press: 'Don’t Use in This Notebook' }]), false);
    assert.equal(await ask([]), false);
  });

  test('asks again after the user closed the question', async () => {
    assert.equal(await ask(['dismiss']), false);
    assert.equal(await ask([{ press: 'Start' }]), true);
  });
});
