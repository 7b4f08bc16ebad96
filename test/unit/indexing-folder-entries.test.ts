import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { placeEntries, type PlacedDocument } from '../../src/index/store/sources/folder-entries.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

function listed(
  keys: readonly string[],
  folder = '',
  isIncluded = (_key: string): boolean => true,
): string[] {
  const documents = keys.toSorted().map((key, id) => ({ id, key }));
  const below = documents.filter(({ key }) => folder === '' || key.startsWith(`${folder}/`));
  const { folders, documentIds } = placeEntries(below, folder, isIncluded);
  return [
    ...folders.map(({ name, included, documents: all }) => `${name}/ ${String(included)} of ${String(all)}`),
    ...documentIds.map((id) => documents[id]?.key ?? ''),
  ];
}

describe('tree of a folder source', () => {
  const keys = [
    'readme.md',
    'docs/a.md',
    'docs/old/b.md',
    'src/main/java/Main.java',
    'src/main/java/ui/Ui.java',
  ];

  test('lists folders before files, and joins folders that contain only another one', () => {
    assert.deepEqual(listed(keys), ['docs/ 2 of 2', 'src/main/java/ 2 of 2', 'readme.md']);
    assert.deepEqual(listed(keys, 'docs'), ['old/ 1 of 1', 'docs/a.md']);
    assert.deepEqual(listed(keys, 'src/main/java'), ['ui/ 1 of 1', 'src/main/java/Main.java']);
  });

  test('counts the included files of each folder', () => {
    assert.deepEqual(
      listed(keys, '', (key) => key.startsWith('docs/old')),
      ['docs/ 1 of 2', 'src/main/java/ 0 of 2', 'readme.md'],
    );
  });

  test('sorts names in natural order', () => {
    const names = ['note 10.md', 'note 9.md', 'Ähre.md', 'zebra.md', 'Apple.md'];
    assert.deepEqual(listed(names), ['Ähre.md', 'Apple.md', 'note 9.md', 'note 10.md', 'zebra.md']);
  });

  test('lists each file once', () => {
    const name = fc.constantFrom('a', 'b', 'a b', 'Ä', '0', '-', '.x');
    const key = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `${names.join('/')}.md`);
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 40 }), (some) => {
        const documents = some.toSorted().map((one, id) => ({ id, key: one }));
        const walk = (below: readonly PlacedDocument[], folder: string): number[] => {
          const { folders, documentIds } = placeEntries(below, folder, () => true);
          return [
            ...folders.flatMap(({ path, documents: count }) => {
              const inside = documents.filter((one) => one.key.startsWith(`${path}/`));
              assert.equal(inside.length, count);
              assert.ok(path.length > folder.length);
              return walk(inside, path);
            }),
            ...documentIds,
          ];
        };
        assert.deepEqual(
          walk(documents, '').toSorted((a, b) => a - b),
          documents.map(({ id }) => id),
        );
      }),
    );
  });
});

describe('a notebook with excluded files', () => {
  async function notebook(): Promise<{ index: NotebookIndex; sourceId: string }> {
    const index = await open(makeFolder());
    const { id } = await index.addSource('Notes', origin, undefined);
    for (const key of ['birds/heron.txt', 'birds/old/otter.txt', 'grebe.txt'])
      await index.putDocument(id, input(`The bird of ${key} waits in the reeds.`, key));
    return { index, sourceId: id };
  }

  test('lists what is below a folder', async () => {
    const { index, sourceId } = await notebook();
    const rules = [{ sourceId, path: 'birds/old', isIncluded: false }];
    const { documents } = index.store;
    assert.deepEqual(documents.folderEntries(sourceId, '', rules).folders, [
      { path: 'birds', name: 'birds', documents: 2, included: 1 },
    ]);
    const birds = documents.folderEntries(sourceId, 'birds', rules);
    assert.deepEqual(
      [...birds.folders.map(({ path }) => path), ...birds.documents.map(({ key }) => key)],
      ['birds/old', 'birds/heron.txt'],
    );
    assert.deepEqual(documents.countIncluded(rules), [{ sourceId, documents: 2 }]);
  });

  test('searches the other files', async () => {
    const { index, sourceId } = await notebook();
    const paths = [
      { sourceId, path: '', isIncluded: false },
      { sourceId, path: 'birds', isIncluded: true },
      { sourceId, path: 'birds/old', isIncluded: false },
    ];
    const within = { kind: 'sources', sourceIds: [sourceId], paths } as const;
    const { passageSearch } = index;
    const words = 'bird reeds';
    const keys = async (found: Promise<readonly { documentKey: string }[]>): Promise<string[]> =>
      (await found).map(({ documentKey }) => documentKey);
    const only = ['birds/heron.txt'];
    assert.deepEqual(await keys(passageSearch.search(words, 5, undefined, within)), only);
    const gathering = { searches: [{ words }], tokens: 1_000, within };
    assert.deepEqual(await keys(passageSearch.gather(gathering).then(({ passages }) => passages)), only);
    const places = passageSearch.places({ words, within });
    assert.deepEqual(await keys(places.then((all) => all.map(({ passage }) => passage))), only);
    assert.deepEqual(await keys(Promise.resolve(passageSearch.overview('', 5, within))), only);
  });
});
