// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { uriBelow } from '../../src/index/library/portable-places.ts';
import { resolveInsideRoot } from '../../src/core/domain/resolve-inside-root.ts';
import { changed, exported, followable, imported } from '../support/exported-notebooks.ts';
import { input, makeFolder, openNew } from '../support/opened-notebooks.ts';

/** Writes an exported notebook whose sources name these paths under harmless titles. */
async function naming(places: readonly { kind: string; path: string }[]): Promise<string> {
  const { folder: from, index } = await openNew();
  for (const [number] of places.entries())
    await index.addSource(
      `Guide ${String(number)}`,
      { kind: 'text' },
      input(`Harmless words ${String(number)}.`),
    );
  return changed(await exported(from), (lines) => {
    const sources = lines.filter(({ type }) => type === 'source');
    const documents = lines.filter(({ type }) => type === 'document');
    for (const [number, place] of places.entries()) {
      sources[number]!.origin = place;
      if (place.kind === 'folder') documents[number]!.key = 'plan.md';
    }
  });
}

/** Creates a workspace with secrets, and links to them and out of it. */
function makeWorkspace(): string {
  const home = makeFolder();
  const root = join(home, 'workspace');
  const files = {
    'outside/key': 'Outside.',
    'workspace/.gitignore': '.env\nout/\n',
    'workspace/.env': 'KEY=1',
    'workspace/.git/config': '[core]',
    'workspace/docs/plan.md': 'The plan.',
    'workspace/docs/.git/config': '[core]',
    'workspace/out/made.txt': 'Made.',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  symlinkSync('../../outside/key', join(root, 'docs', 'guide.md'));
  symlinkSync('../outside', join(root, 'linked'));
  symlinkSync('../.env', join(root, 'docs', 'settings.md'));
  symlinkSync('plan.md', join(root, 'docs', 'same.md'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'docs', 'pipe.md')]);
  return root;
}

const hostile = [
  { kind: 'file', path: '.env' },
  { kind: 'selection', path: '.env' },
  { kind: 'file', path: '.git/config' },
  { kind: 'file', path: '.GIT/config' },
  { kind: 'file', path: 'docs/.git/config' },
  { kind: 'folder', path: '.git' },
  { kind: 'folder', path: 'docs/.git' },
  { kind: 'folder', path: 'out' },
  { kind: 'file', path: 'out/made.txt' },
  { kind: 'file', path: 'docs/guide.md' },
  { kind: 'selection', path: 'docs/guide.md' },
  { kind: 'file', path: 'docs/settings.md' },
  { kind: 'file', path: 'docs/same.md' },
  { kind: 'file', path: 'docs/pipe.md' },
  { kind: 'folder', path: 'linked' },
  { kind: 'file', path: 'linked/key' },
  { kind: 'file', path: '../outside/key' },
  { kind: 'file', path: 'docs/../../outside/key' },
  { kind: 'file', path: '..\\outside\\key' },
  { kind: 'file', path: 'docs\\..\\.env' },
  { kind: 'file', path: '/etc/passwd' },
  { kind: 'file', path: './.env' },
  { kind: 'file', path: 'docs//plan.md' },
  { kind: 'file', path: 'docs/plan.md\0' },
  { kind: 'file', path: '%2e%2e/outside/key' },
  { kind: 'file', path: 'docs' },
  { kind: 'folder', path: 'docs/plan.md' },
  { kind: 'file', path: 'gone.md' },
];

test('keeps every imported source a copy until the user consents to follow it', async () => {
  const places = [...hostile, { kind: 'file', path: 'docs/plan.md' }, { kind: 'folder', path: 'docs' }];
  const path = await naming(places);
  const target = await imported(path, [pathToFileURL(makeWorkspace()).href]);
  assert.deepEqual(
    target.store.sources().map(({ origin }) => origin),
    places.map(({ kind }) => ({ kind: 'copy', of: kind })),
  );
});

test('follows only files in the workspace that no ignore file excludes', async () => {
  const named = [
    { kind: 'file', path: 'docs/plan.md' },
    { kind: 'selection', path: 'docs/plan.md' },
    { kind: 'folder', path: 'docs' },
    { kind: 'folder', path: '.' },
  ];
  const path = await naming([...hostile, ...named]);
  const within = pathToFileURL(makeWorkspace()).href;
  const requests: string[] = [];
  const leavesOut = (uri: string): Promise<boolean> => {
    requests.push(uri);
    return Promise.resolve(/\/(?:\.env|out(?:\/.*)?)$/.test(uri));
  };
  const places = await followable(path, [within], leavesOut);
  assert.deepEqual(
    places,
    named.map(({ kind, path: one }) => ({ kind, path: one, uri: uriBelow(within, one), within })),
  );
  assert.ok(requests.includes(uriBelow(within, '.env')) && requests.includes(uriBelow(within, 'out')));

  // A path is followed as the kind of source that the user allowed, whatever else names the same path.
  const [file] = places;
  assert.ok(file);
  const target = await imported(path, [within], [file]);
  const followed = target.store.sources().filter(({ origin }) => origin.kind !== 'copy');
  assert.deepEqual(
    followed.map(({ origin }) => origin),
    [{ kind: 'file', uri: uriBelow(within, 'docs/plan.md'), within }],
  );
});

test('resolves a path to what really exists there', async () => {
  const root = makeWorkspace();
  const below = async (path: string): Promise<string | undefined> =>
    (await resolveInsideRoot(root, path))?.below;
  assert.equal(await below('docs/plan.md'), 'docs/plan.md');
  assert.equal(await below('docs'), 'docs');
  assert.equal(await below('.'), '');
  // The workspace itself may be opened through a link.
  const link = join(dirname(root), 'opened');
  symlinkSync(root, link);
  assert.equal((await resolveInsideRoot(link, 'docs/plan.md'))?.below, 'docs/plan.md');
  for (const { path } of hostile.filter(
    ({ path: one }) => !/^(?:\.\/)?\.env$|^out|^docs(?:\/+plan\.md)?$/.test(one),
  ))
    assert.equal(await below(path), undefined, path);
  rmSync(join(root, 'docs', 'plan.md'));
  symlinkSync('../.env', join(root, 'docs', 'plan.md'));
  assert.equal(await below('docs/plan.md'), undefined);
  rmSync(join(root, 'docs'), { recursive: true });
  symlinkSync('../outside', join(root, 'docs'));
  assert.equal(await below('docs/key'), undefined);
  assert.equal(await below('docs'), undefined);
});
