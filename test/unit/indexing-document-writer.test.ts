import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentWriter } from '../../src/index/worker/document-writer.ts';
import { input, makeFolder, open, origin, openNew } from '../support/opened-notebooks.ts';

/** Creates a notebook with a source. */
async function openWithSource(): Promise<{
  readonly index: Awaited<ReturnType<typeof open>>;
  readonly sourceId: string;
}> {
  const index = await open(makeFolder());
  const { id } = await index.addSource('Looms', origin, undefined);
  return { index, sourceId: id };
}

describe('document writer', () => {
  it('commits documents that arrive together in one transaction', async () => {
    let transactions = 0;
    const { index, sourceId } = await openWithSource();
    const { documents } = index.store;
    const writer = new DocumentWriter({
      transaction: (action) => {
        transactions++;
        return index.sql.transaction(action);
      },
      write: (id, document) => documents.putDocument(id, document, () => [], index.settings),
      follow: () => Promise.resolve(),
    });
    const keys = Array.from({ length: 20 }, (_, i) => `${String(i)}.txt`);
    await Promise.all(keys.map((key) => writer.put(sourceId, input(`The loom ${key} weaves.`, key))));
    assert.equal(transactions, 1);
    assert.deepEqual(
      documents.stamps(sourceId).map(({ key }) => key),
      keys.toSorted(),
    );
  });

  it('starts another transaction after many documents or a long text', async () => {
    const sizes: number[] = [];
    let size = 0;
    const writer = new DocumentWriter({
      transaction: (action) => {
        size = 0;
        const result = action();
        sizes.push(size);
        return result;
      },
      write: () => {
        size++;
        return undefined;
      },
      follow: () => Promise.resolve(),
    });
    const long = 'a'.repeat(400_000);
    const texts = [...Array.from({ length: 40 }, () => 'short'), long, long];
    await Promise.all(texts.map((text, i) => writer.put('looms', input(text, String(i)))));
    assert.deepEqual(sizes, [32, 9, 1]);
  });

  it('writes the others when one document fails', async () => {
    const { index, sourceId } = await openWithSource();
    const writer = new DocumentWriter({
      transaction: (action) => index.sql.transaction(action),
      write: (id, document) => {
        if (document.key === 'bad.txt') throw new Error('This one fails.');
        return index.store.documents.putDocument(id, document, () => [], index.settings);
      },
      follow: () => Promise.resolve(),
    });
    const keys = ['a.txt', 'bad.txt', 'b.txt'];
    const outcomes = await Promise.allSettled(
      keys.map((key) => writer.put(sourceId, input('The loom weaves.', key))),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      index.store.documents.stamps(sourceId).map(({ key }) => key),
      ['a.txt', 'b.txt'],
    );
  });
});

describe('index of written documents', () => {
  it('reads no document back that was just written', async (t) => {
    const { index, sourceId } = await openWithSource();
    const reads = t.mock.method(index.store.documents, 'document').mock;
    const added = Array.from({ length: 5 }, (_, i) =>
      index.putDocument(sourceId, input(`The heron ${String(i)} waits in the reeds.`, `${String(i)}.txt`)),
    );
    await Promise.all(added);
    assert.equal(reads.callCount(), 0);
    assert.equal((await index.passageSearch.search('heron', 10)).length, 5);
  });

  it('has the text of another window that replaced a document in the meantime', async (t) => {
    const { folder, index } = await openNew();
    const { id } = await index.addSource('Herons', origin, undefined);
    const other = await open(folder);
    const { documents } = index.store;
    const put = documents.putDocument.bind(documents);
    t.mock.method(documents, 'putDocument', (...parameters: Parameters<typeof put>) => {
      const written = put(...parameters);
      // The other window's commit comes after this one, and before the index follows.
      queueMicrotask(() => {
        other.store.documents.putDocument(
          id,
          input('The otter swims.', 'a.txt'),
          ({ text }) => [{ start: 0, end: text.length, headings: [] }],
          other.settings,
        );
      });
      return written;
    });
    await index.putDocument(id, input('The heron waits in the reeds.', 'a.txt'));
    await index.followOthers();
    assert.deepEqual(
      (await index.passageSearch.search('otter', 10)).map(({ text }) => text),
      ['The otter swims.'],
    );
    assert.deepEqual(await index.passageSearch.search('heron', 10), []);
  });
});
