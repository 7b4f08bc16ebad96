// Checks an index whose snapshot is missing or damaged, while it is being rebuilt.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { markIncomplete } from '../../src/answers/incomplete-answers.ts';
import type { AnswerEvent } from '../../src/core/domain/answer.ts';
import { searchHandlers } from '../../src/index/search/passage-search.ts';
import type { IncompleteSearch } from '../../src/index/search/search-api.ts';
import type { Within } from '../../src/index/store/sources/sources-api.ts';
import type { RebuildOptions } from '../../src/index/worker/index-follower.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { afterEachTest } from '../support/after-each-test.mjs';
import { versionWord } from '../support/durability-notes.ts';
import { input, makeFolder, origin, passageSettings } from '../support/opened-notebooks.ts';

const CRATES = 300;

type Progress = readonly [done: number, total: number];

/** Notebook whose rebuild waits after its first turn until it's resumed. */
interface PausedNotebook {
  readonly index: NotebookIndex;
  readonly progress: readonly Progress[];
  readonly resume: () => void;
}

const opened: (() => Promise<void>)[] = [];
afterEachTest(async () => {
  for (const close of opened.splice(0)) await close();
});

async function open(folder: string, options: Partial<RebuildOptions> = {}): Promise<PausedNotebook> {
  const gate = Promise.withResolvers<undefined>();
  const resume = (): void => gate.resolve(undefined);
  const progress: Progress[] = [];
  const { index } = await NotebookIndex.open(
    folder,
    passageSettings,
    { indexing: (done, total) => progress.push([done, total]), resplitting: () => undefined },
    'write',
    { passagesAtOpening: 0, pause: () => gate.promise, ...options },
  );
  opened.push(async () => {
    resume();
    await index.close();
  });
  return { index, progress, resume };
}

async function close({ index, resume }: PausedNotebook): Promise<void> {
  opened.pop();
  const closing = index.close();
  resume();
  await closing;
}

const textOf = (crate: number): string => `Crate ${String(crate)} holds goods of ${versionWord(crate)}.`;
const keyOf = (crate: number): string => `${String(crate)}.txt`;

/** Creates a notebook of crates, a document each, and returns its folder and the path of its snapshot. */
async function makeCrates(): Promise<{ folder: string; snapshot: string }> {
  const folder = makeFolder();
  const notebook = await open(folder);
  const { index } = notebook;
  const source = await index.addSource('Crates', origin, undefined);
  await Promise.all(
    Array.from({ length: CRATES }, (_, i) => index.putDocument(source.id, input(textOf(i), keyOf(i)))),
  );
  await close(notebook);
  const name = readdirSync(folder).find((file) => file.endsWith('.snapshot')) ?? '';
  return { folder, snapshot: join(folder, name) };
}

/** Asks for a crate without waiting for the rebuild. Returns the best key, and whether more may be missing. */
async function askNow(
  index: NotebookIndex,
  words: string,
  within?: Within,
): Promise<{ readonly key: string | undefined; readonly isIncomplete: boolean }> {
  let isIncomplete = false;
  const report = (progress: IncompleteSearch): void => {
    ({ isIncomplete } = progress);
  };
  const { signal } = new AbortController();
  const { places } = searchHandlers(() => index);
  const [place] = await places({ words, within, acceptsIncomplete: true }, { signal, report });
  return { key: place?.passage.documentKey, isIncomplete };
}

const isRebuilding = async (index: NotebookIndex): Promise<boolean> =>
  (await index.statistics()).revision < index.store.revision();

describe('an index without a valid snapshot', () => {
  const damages: Readonly<Record<string, (snapshot: string) => void>> = {
    missing: (snapshot) => rmSync(snapshot),
    cut: (snapshot) => {
      writeFileSync(snapshot, readFileSync(snapshot).subarray(0, -100));
    },
    flipped: (snapshot) => {
      const bytes = readFileSync(snapshot);
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      writeFileSync(snapshot, bytes);
    },
  };
  for (const [damage, spoil] of Object.entries(damages))
    test(`answers from the database during the rebuild when the snapshot is ${damage}`, async () => {
      const { folder, snapshot } = await makeCrates();
      spoil(snapshot);
      const { index, progress, resume } = await open(folder);
      for (const crate of [7, 150, 299])
        assert.deepEqual(await askNow(index, `What is ${versionWord(crate)}?`), {
          key: keyOf(crate),
          isIncomplete: false,
        });
      assert.ok(await isRebuilding(index));
      assert.ok(progress.every(([done, total]) => done < total && total === CRATES));
      resume();
      await index.rebuilt();
      assert.ok(!(await isRebuilding(index)));
      assert.deepEqual(progress.at(-1), [CRATES, CRATES]);
      assert.equal((await index.passageSearch.search(versionWord(200), 1))[0]?.documentKey, keyOf(200));
    });

  test('says that passages may be missing when more documents match than are indexed for a question', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const { index } = await open(folder, { maxPassagesOfQuestion: 5 });
    assert.deepEqual(await askNow(index, `goods of ${versionWord(250)}`), {
      key: keyOf(250),
      isIncomplete: true,
    });
    assert.deepEqual(await askNow(index, versionWord(251)), { key: keyOf(251), isIncomplete: false });
  });

  test('says that passages may be missing when not all texts are scanned', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const { index } = await open(folder, { maxScannedLength: 1_000 });
    assert.deepEqual(await askNow(index, versionWord(299)), { key: undefined, isIncomplete: true });
  });

  test('scans only the documents of the search scope', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const { index } = await open(folder, { maxScannedLength: 1_000 });
    const documentIds = index.store.documents
      .stamps(index.store.sources()[0]?.id ?? '')
      .flatMap(({ id, key }) => (key === keyOf(299) ? [id] : []));
    assert.deepEqual(await askNow(index, versionWord(299), { kind: 'documents', documentIds }), {
      key: keyOf(299),
      isIncomplete: false,
    });
  });

  test('makes a search wait for the end of the rebuild unless it accepts missing passages', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const { index, resume } = await open(folder);
    const events: string[] = [];
    const searching = index.passageSearch.search('goods', 256).then((passages) => {
      events.push(`found in ${String(passages.length)}`);
    });
    // This answers later questions, so the search above would have been answered, too.
    await askNow(index, versionWord(299));
    events.push('resumed');
    resume();
    await searching;
    assert.deepEqual(events, ['resumed', 'found in 256']);
  });

  test('follows changes during the rebuild', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const { index, resume } = await open(folder);
    const sourceId = index.store.sources()[0]?.id ?? '';
    const idOf = (crate: number): number =>
      index.store.documents.stamps(sourceId).find(({ key }) => key === keyOf(crate))?.id ?? 0;
    await index.putDocument(sourceId, input('A barrel of walnuts.', 'barrel.txt'));
    await index.putDocument(sourceId, input('The crate is empty: zebra.', keyOf(290)));
    // One of them is indexed, and the other waits.
    await index.change(() => index.store.documents.removeDocuments([idOf(0), idOf(291)]));
    assert.ok(await isRebuilding(index));
    const check = async (): Promise<void> => {
      assert.equal((await askNow(index, 'walnuts')).key, 'barrel.txt');
      assert.equal((await askNow(index, 'zebra')).key, keyOf(290));
      for (const removed of [0, 290, 291])
        assert.equal((await askNow(index, versionWord(removed))).key, undefined);
    };
    await check();
    resume();
    await index.rebuilt();
    await check();
    assert.equal((await index.statistics()).passages, CRATES - 1);
  });

  test('continues a rebuild when the notebook was closed meanwhile', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const first = await open(folder);
    await askNow(first.index, versionWord(299));
    await close(first);
    const { progress, index, resume } = await open(folder);
    const total = progress[0]?.[1] ?? 0;
    assert.ok(total < CRATES, `${String(total)} documents are indexed again`);
    assert.equal((await askNow(index, versionWord(280))).key, keyOf(280));
    resume();
    await index.rebuilt();
    const { passages } = await index.statistics();
    assert.equal(passages, CRATES);
    for (const crate of [0, 100, 299])
      assert.equal((await index.passageSearch.search(versionWord(crate), 1))[0]?.documentKey, keyOf(crate));
  });

  test('rebuilds the index of a process that was killed during the rebuild', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const first = await open(folder);
    await askNow(first.index, versionWord(299));
    // The folder of a running process is what a killed one leaves behind.
    const copy = join(makeFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    const { index, resume } = await open(copy);
    resume();
    for (const crate of [0, 100, 299])
      assert.equal((await index.passageSearch.search(versionWord(crate), 1))[0]?.documentKey, keyOf(crate));
  });

  test('resumes a rebuild that an error interrupted, and reports the error', async () => {
    const { folder, snapshot } = await makeCrates();
    rmSync(snapshot);
    const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
    database.exec("UPDATE passages SET headings = 'not JSON' WHERE document_id = 200");
    const { index, resume } = await open(folder);
    resume();
    await assert.rejects(index.rebuilt());
    assert.equal((await askNow(index, versionWord(299))).key, keyOf(299));
    await assert.rejects(index.followOthers());
    database.exec("UPDATE passages SET headings = '[]' WHERE document_id = 200");
    database.close();
    await index.followOthers().catch(() => undefined);
    await index.rebuilt();
    assert.ok(!(await isRebuilding(index)));
  });
});

test('marks answers that start after an incomplete search', () => {
  const events: AnswerEvent[] = [];
  const { emit, onIncomplete } = markIncomplete((event) => events.push(event));
  const started = { kind: 'started', answer: { kind: 'nothing', text: 'Nothing.', citations: [] } } as const;
  emit(started);
  onIncomplete();
  emit({ kind: 'status', text: 'Searching…' });
  emit(started);
  assert.deepEqual(
    events.map((event) => event.kind === 'started' && event.answer.isIncomplete),
    [undefined, false, true],
  );
});
