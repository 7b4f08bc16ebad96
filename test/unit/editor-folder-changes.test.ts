// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ChangeSettler, type Changes } from '../../src/features/sources/editor/change-settler.ts';
import { compareFolder, formerDocument } from '../../src/features/sources/editor/folder-changes.ts';
import {
  kindOfSkip,
  noSkips,
  noteSkip,
  skipsBeside,
} from '../../src/features/sources/editor/skipped-files.ts';
import type { DocumentStamp } from '../../src/index/store/sources/sources-api.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';

const stamp = (id: number, key: string, hash = `hash of ${key}`): DocumentStamp => ({
  id,
  key,
  hash,
  size: 1,
  modifiedAt: 1,
});

/** Returns a settler that records its checks. Each check takes some time of the mocked clock. */
function recorded(took = 0): { settler: ChangeSettler; looks: { at: number; changes: Changes }[] } {
  const looks: { at: number; changes: Changes }[] = [];
  const settler = new ChangeSettler(async (_, changes) => {
    looks.push({ at: Date.now(), changes });
    await new Promise((resolve) => setTimeout(resolve, took));
  });
  return { settler, looks };
}

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    mock.timers.tick(100);
    await turn();
  }
}

test('collects changes until they have settled', async () => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'] });
  try {
    const { settler, looks } = recorded();
    for (let i = 0; i < 3_000; i++) settler.recordChange('a', `file ${String(i)}`);
    await pass(500);
    settler.recordChange('a', 'late');
    await pass(700);
    assert.equal(looks.length, 0);
    await pass(200);
    assert.equal(looks.length, 1);
    assert.equal((looks[0]!.changes as ReadonlySet<string>).size, 3_001);
    for (let i = 0; i < 6_000; i++) settler.recordChange('a', `file ${String(i)}`);
    settler.recordChange('b', undefined);
    await pass(1_000);
    assert.deepEqual(
      looks.slice(1).map(({ changes }) => changes),
      ['many', 'many'],
    );
    settler.recordChange('a', 'x');
    settler.forget('a');
    await pass(2_000);
    assert.equal(looks.length, 3);
  } finally {
    mock.timers.reset();
  }
});

test('checks a folder that never settles, at a limited rate', async () => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'] });
  try {
    const took = 2_000;
    const { settler, looks } = recorded(took);
    for (let at = 0; at < 120_000; at += 100) {
      settler.recordChange('a', `file ${String(at % 1_000)}`);
      await pass(100);
    }
    assert.ok(looks.length >= 8, String(looks.length));
    assert.ok((looks.length * took) / 120_000 < 0.25, String(looks.length));
    const looked = looks.length;
    await pass(20_000);
    assert.ok(looks.length <= looked + 1);
    // A change during a check is checked afterwards.
    settler.recordChange('b', 'x');
    await pass(1_000);
    settler.recordChange('b', 'y');
    await pass(12_000);
    assert.deepEqual(
      looks.slice(-2).map(({ changes }) => [...(changes as ReadonlySet<string>)]),
      [['x'], ['y']],
    );
    settler.dispose();
  } finally {
    mock.timers.reset();
  }
});

test('reports deleted documents only at changed paths and in deleted folders', () => {
  const stamps = [stamp(1, 'a.ts'), stamp(2, 'docs/x.md'), stamp(3, 'docs/deep/y.md'), stamp(4, 'docsz.md')];
  const ids = (paths: string[], changes: Changes): number[] =>
    compareFolder(paths, stamps, changes).removed.map(({ id }) => id);
  assert.deepEqual(ids(['a.ts'], 'many'), [2, 3, 4]);
  assert.deepEqual(ids([], new Set(['docs'])), [2, 3]);
  assert.deepEqual(ids(['a.ts'], new Set(['a.ts', 'docs/x.md', 'new.md'])), [2]);
  assert.equal(compareFolder([], stamps, 'many').stored.get('a.ts')?.id, 1);
});

test('recognizes a renamed file by its content and extension', () => {
  const leaving = [
    stamp(1, 'old.ts', 'h'),
    stamp(2, 'old.md', 'h'),
    stamp(3, 'x.md', 'other'),
    stamp(4, 'Makefile', 'm'),
  ];
  assert.equal(formerDocument('sub/new.md', 'h', leaving)?.id, 2);
  assert.equal(formerDocument('new.txt', 'h', leaving), undefined);
  assert.equal(formerDocument('sub/Makefile', 'm', leaving)?.id, 4);
  assert.equal(formerDocument('new.md', 'none', leaving), undefined);
});

test('reports skipped files again only for paths that are read again', () => {
  const counts = { binary: 3, tooLarge: 0, tooShort: 1, failed: 1 };
  const before = [
    { path: 'a.bin', reason: 'a.bin is not text.', kind: 'binary' },
    { path: 'made/b.bin', reason: 'b.bin is not text.', kind: 'binary' },
    { path: 'made-up.txt', reason: 'made-up.txt holds no text.', kind: 'tooShort' },
    { path: 'old.txt', reason: 'Listed before kinds were kept.' },
  ] as const;
  const skips = skipsBeside(new Set(['made', 'a.bin', 'new.txt']), counts, before);
  assert.deepEqual(skips, { binary: 1, tooLarge: 0, tooShort: 1, failed: 1, files: before.slice(2) });
  noteSkip(
    skips,
    'new.txt',
    kindOfSkip(new NotebookError('empty', 'It holds no text.')),
    'It holds no text.',
  );
  assert.equal(skips.tooShort, 2);
  assert.deepEqual(skips.files.at(-1), { path: 'new.txt', reason: 'It holds no text.', kind: 'tooShort' });

  const many = noSkips();
  for (let i = 0; i < 600; i++) noteSkip(many, `${String(i)}.bin`, 'binary', 'It is not text.');
  assert.deepEqual([many.binary, many.files.length], [600, 500]);
  // Skips beyond the listed ones are counted until the whole folder is read.
  const rest = skipsBeside(new Set(many.files.map(({ path }) => path)), many, many.files);
  assert.deepEqual([rest.binary, rest.files.length], [100, 0]);
});
