// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { diskStore } from '../../src/features/sharing/editor/shared-store.ts';
import {
  writeShared,
  type MayOverwrite,
  type SharedText,
} from '../../src/features/sharing/editor/shared-writing.ts';
import { readShared, type SharedNotebook } from '../../src/features/sharing/model/shared-notebook.ts';
import { makeFolder } from '../support/opened-notebooks.ts';

/** Creates a repository with these files, next to a folder that it must not touch. */
function makeRepository(files: Readonly<Record<string, string>> = {}): {
  root: string;
  outside: string;
  at: (path: string) => string;
} {
  const home = makeFolder();
  const [root, outside] = [join(home, 'repository'), join(home, 'outside')];
  const at = (path: string): string => join(root, path);
  mkdirSync(root);
  mkdirSync(outside);
  for (const name of ['Guide.md', 'key']) writeFileSync(join(outside, name), 'Outside.');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  return { root, outside, at };
}

const never: MayOverwrite = (paths) => {
  throw new Error(`Nobody was to be asked about ${paths.join(', ')}.`);
};

/** Shares texts as sources and notes, and resolves to those that were left unchanged. */
async function share(
  root: string,
  texts: readonly SharedText[],
  mayOverwrite = never,
): Promise<readonly string[] | undefined> {
  const store = diskStore(root);
  const list = await store.read('.notebook/notebook.json', 1_000_000);
  const before = list && readShared(String(Buffer.from(list)));
  const of = (folder: string): string[] =>
    texts.map(({ path }) => path).filter((path) => path.startsWith(folder));
  const shared: SharedNotebook = {
    sources: of('texts/').map((path) => ({ kind: 'text', path, title: path })),
    notes: of('notes/'),
  };
  return writeShared(store, { shared, texts, before }, mayOverwrite);
}

const guide = { path: 'texts/Guide.md', text: 'The guide.' };
const note = { path: 'notes/Compost.md', text: 'Turn it.\n' };

test('writes, changes, and deletes shared texts where they were written', async () => {
  const { root, at } = makeRepository();
  assert.deepEqual(await share(root, [guide, note]), []);
  assert.equal(readFileSync(at('.notebook/texts/Guide.md'), 'utf8'), 'The guide.');
  // Git may write other line endings.
  writeFileSync(at('.notebook/notes/Compost.md'), 'Turn it.\r\n');
  assert.deepEqual(await share(root, [guide, { ...note, text: 'Turn it twice.\n' }]), []);
  assert.equal(readFileSync(at('.notebook/notes/Compost.md'), 'utf8'), 'Turn it twice.\n');
  assert.deepEqual(await share(root, [note]), []);
  assert.deepEqual(readdirSync(at('.notebook/texts')), []);
  assert.deepEqual(readdirSync(at('.notebook')).sort(), ['notebook.json', 'notes', 'texts']);
});

test('overwrites another person’s changes only on request, and never deletes them', async () => {
  const { root, at } = makeRepository({ '.notebook/texts/Guide.md': 'By hand.' });
  const prompts: string[] = [];
  const answer =
    (may: boolean | undefined): MayOverwrite =>
    (paths) => {
      prompts.push(...paths);
      return Promise.resolve(may);
    };
  assert.equal(await share(root, [guide, note], answer(undefined)), undefined);
  assert.deepEqual(readdirSync(at('.notebook')), ['texts']);
  assert.deepEqual(await share(root, [guide, note], answer(false)), [guide.path]);
  assert.equal(readFileSync(at('.notebook/texts/Guide.md'), 'utf8'), 'By hand.');
  assert.deepEqual(await share(root, [note]), [guide.path]);
  assert.equal(readFileSync(at('.notebook/texts/Guide.md'), 'utf8'), 'By hand.');
  assert.deepEqual(await share(root, [guide, note], answer(true)), []);
  assert.equal(readFileSync(at('.notebook/texts/Guide.md'), 'utf8'), 'The guide.');
  assert.deepEqual(prompts, [guide.path, guide.path, guide.path]);
  writeFileSync(at('.notebook/texts/Guide.md'), 'Changed since.');
  assert.deepEqual(await share(root, [note]), [guide.path]);
  assert.ok(existsSync(at('.notebook/texts/Guide.md')));
});

test('deletes only texts that a list of an untrusted repository says were written', async () => {
  const { root, at } = makeRepository({
    '.notebook/notebook.json': JSON.stringify({
      version: 1,
      sources: [{ kind: 'text', path: 'texts/Own.md' }],
      notes: ['keep.txt', 'notebook.json'],
      written: { 'keep.txt': 'a'.repeat(64), '../../outside/key': 'b'.repeat(64), 'texts/Own.md': 7 },
    }),
    '.notebook/keep.txt': 'Keep.',
    '.notebook/texts/Own.md': 'Own.',
  });
  const left = await share(root, [note]);
  assert.deepEqual(left, ['keep.txt', 'notebook.json', 'texts/Own.md']);
  for (const path of ['keep.txt', 'texts/Own.md', 'notebook.json'])
    assert.ok(existsSync(at(`.notebook/${path}`)));
});

test('follows no link to read, write, or delete, and leaves everything outside alone', async () => {
  const links: readonly [string, string][] = [
    ['.notebook', '../outside'],
    ['.notebook/texts', '../../outside'],
    ['.notebook/texts/Guide.md', '../../../outside/Guide.md'],
    ['.notebook/texts/Guide.md', '../../../outside/new.md'],
    ['.notebook/texts/Guide.md', '../keep.txt'],
    ['.notebook/notebook.json', '../../outside/list.json'],
  ];
  for (const [link, target] of links) {
    const { root, outside, at } = makeRepository({ '.notebook/keep.txt': 'Keep.' });
    writeFileSync(join(outside, 'list.json'), '{"version":1,"sources":[],"notes":[]}');
    const before = readdirSync(outside);
    rmSync(at(link), { recursive: true, force: true });
    mkdirSync(dirname(at(link)), { recursive: true });
    symlinkSync(target, at(link));
    await assert.rejects(share(root, [guide]), { code: 'unsupported' }, link);
    const store = diskStore(root);
    if (link !== '.notebook/notebook.json')
      await assert.rejects(store.read('.notebook/texts/Guide.md', 100), { code: 'unsupported' }, link);
    assert.deepEqual(readdirSync(outside), before);
    assert.equal(readFileSync(join(outside, 'Guide.md'), 'utf8'), 'Outside.');
  }
});

test('deletes nothing through a folder that became a link', async () => {
  const { root, outside, at } = makeRepository();
  await share(root, [note]);
  rmSync(at('.notebook/notes'), { recursive: true });
  symlinkSync('../../outside', at('.notebook/notes'));
  writeFileSync(join(outside, 'Compost.md'), note.text);
  assert.deepEqual(await share(root, [guide]), [note.path]);
  assert.equal(readFileSync(join(outside, 'Compost.md'), 'utf8'), note.text);
});

test(
  'reports pipes and folders in place of texts without waiting',
  { skip: process.platform === 'win32' },
  async () => {
    const { root, at } = makeRepository({ '.notebook/texts/x': '' });
    execFileSync('mkfifo', [at('.notebook/texts/Guide.md')]);
    await assert.rejects(share(root, [guide]), { code: 'unsupported' });
    rmSync(at('.notebook/texts/Guide.md'));
    mkdirSync(at('.notebook/texts/Guide.md'));
    await assert.rejects(share(root, [guide]), { code: 'unsupported' });
    rmSync(at('.notebook/texts'), { recursive: true });
    writeFileSync(at('.notebook/texts'), 'A file.');
    await assert.rejects(share(root, [guide]), { code: 'unsupported' });
  },
);
