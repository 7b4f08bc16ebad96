import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDropped } from '../../webview/chat/dropped-files.ts';

/** A folder with the sizes of its files in bytes, or the size of a file. */
type Tree = number | { readonly [name: string]: Tree };

/** Number of entries that a browser returns at a time. */
const TOLD_AT_ONCE = 100;

function makeFile(name: string, size: number): File {
  return { name, size, arrayBuffer: () => Promise.resolve(new ArrayBuffer(size)) } as unknown as File;
}

function makeEntry(name: string, tree: Tree): FileSystemEntry {
  if (typeof tree === 'number') {
    const file = (resolve: (file: File) => void): void => {
      resolve(makeFile(name, tree));
    };
    return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = (): object => {
    const rest = Object.entries(tree).map(([inner, value]) => makeEntry(inner, value));
    return {
      readEntries: (resolve: (entries: FileSystemEntry[]) => void) => {
        resolve(rest.splice(0, TOLD_AT_ONCE));
      },
    };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

/** Returns a drop as a browser passes it. Its items can't be read later. */
function dropped(tree: Readonly<Record<string, Tree>>): Pick<DataTransfer, 'items'> {
  let isOver = false;
  void Promise.resolve().then(() => (isOver = true));
  const items = Object.entries(tree).map(([name, tree]) => ({
    kind: 'file',
    webkitGetAsEntry: () => (isOver ? null : makeEntry(name, tree)),
    getAsFile: () => (isOver ? null : makeFile(name, typeof tree === 'number' ? tree : 4096)),
  }));
  return { items: [{ kind: 'string' }, ...items] as unknown as DataTransferItemList };
}

const paths = async (tree: Readonly<Record<string, Tree>>): Promise<string[]> =>
  (await readDropped(dropped(tree))).map(({ path }) => path);

test('reads files by name and those in folders by path, several drops at once', async () => {
  assert.deepEqual(await paths({ 'a.md': 3, box: { inner: { 'nail.md': 5 }, 'rope.md': 0 }, 'b.md': 2 }), [
    'a.md',
    'box/inner/nail.md',
    'box/rope.md',
    'b.md',
  ]);
  const [file] = await readDropped(dropped({ 'a.md': 3 }));
  assert.equal(file?.bytes.length, 3);
});

test('reads all files of a folder, however many the browser returns at a time', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`${String(n)}.md`, 1]));
  assert.equal((await paths({ many })).length, 250);
});

test('skips folders of tools', async () => {
  const project = { '.git': { config: 1 }, node_modules: { a: { 'index.js': 1 } }, 'read.me': 1 };
  assert.deepEqual(await paths({ project }), ['project/read.me']);
});

test('rejects too many, too large, and no files in one sentence', async () => {
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [String(n), 1]));
  await assert.rejects(paths({ many }), /too many files/);
  await assert.rejects(paths({ big: { film: 50_000_001 } }), /too large/);
  await assert.rejects(paths({ empty: {} }), /don’t contain any files/);
});
