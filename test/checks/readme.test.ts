import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/paths.mjs';
import { currentReadme, foldersIn, readmes, sourceReadmes } from '../support/readme.mjs';
import { folders, modules, whyClosed } from '../support/import-order.mjs';

const read = (name: string): string => readFileSync(join(root, name), 'utf8');

for (const name of readmes)
  test(`${name} has current generated parts`, async () => {
    assert.equal(read(name), await currentReadme(name), 'Run `node test/support/readme.mjs`.');
  });

test('README.md shows only PNG pictures, as the Marketplace requires', () => {
  const pictures = [...read('README.md').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  assert.ok(pictures.length >= 5);
  for (const picture of pictures) assert.match(picture, /\.png$/);
});

test('the import order names every folder of src/', () => {
  assert.deepEqual(Object.keys(modules).toSorted(), foldersIn('src'));
  for (const [folder, order] of Object.entries(folders))
    assert.deepEqual(order.filter((name) => name !== '.').toSorted(), foldersIn(folder), folder);
});

test('a module imports only earlier modules', () => {
  const earlier: string[] = [];
  for (const [module, imported] of Object.entries(modules)) {
    for (const other of imported) assert.ok(earlier.includes(other), `${module} imports ${other}`);
    earlier.push(module);
  }
});

test('a page imports no other page, and shared folders import only earlier ones', () => {
  assert.match(whyClosed('webview/chat/app.tsx', 'webview/pdf/find.ts') ?? '', /can’t import another page/);
  assert.match(whyClosed('webview/shared/render.tsx', 'webview/cited/words.ts') ?? '', /comes before cited/);
  assert.equal(whyClosed('webview/chat/app.tsx', 'webview/cited/words.ts'), undefined);
  assert.equal(whyClosed('webview/cited/words.ts', 'webview/shared/words.ts'), undefined);
});

test('READMEs below src/ name and link to existing files', () => {
  for (const file of sourceReadmes) {
    const text = read(file);
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|json|md|mjs))`/g)];
    const paths = named.map(([, path = '']) => path).filter((path) => !/\b(?:NAME|CODE)\b/.test(path));
    assert.ok(paths.length > 1, file);
    const missing = paths.filter(
      (path) =>
        ![...listPlaces(path), join(dirname(file), path)].some((place) => existsSync(join(root, place))),
    );
    const links = [...text.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
    const broken = links.filter((path) => !existsSync(join(root, dirname(file), path)));
    assert.deepEqual([missing, broken], [[], []], file);
  }
});

test('src/core/language/README.md names each file with words of other languages than English', () => {
  const way = read('src/core/language/README.md');
  const files = globSync('src/core/language/**/*.ts', { cwd: root }).filter((file) => {
    const code = read(file).replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    return /(?![a-zµ])\p{L}{2}/iu.test(code);
  });
  assert.ok(files.length > 10);
  assert.deepEqual(
    files.filter(
      (file) => !file.includes('/packs/') && !way.includes(`${relative('src/core/language', file)}\``),
    ),
    [],
  );
});

test('src/README.md links to all READMEs below src/', () => {
  const page = read('src/README.md');
  for (const file of sourceReadmes)
    if (file !== 'src/README.md') assert.ok(page.includes(`](${file.slice('src/'.length)})`), file);
});

test('webview/README.md names every folder, and existing files', () => {
  const page = read('webview/README.md');
  for (const folder of foldersIn('webview')) assert.ok(page.includes(`\`${folder}/\``), folder);
  const existingFiles = globSync('webview/**/*.{ts,tsx}', { cwd: root }).map((path) => basename(path));
  const named = [...page.matchAll(/`([\w-]+\.tsx?)`/g)].map(([, name = '']) => name);
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !existingFiles.includes(name)),
    [],
  );
});

/** Returns where a path may be: in the project, in src/, or in the folders that src/README.md describes. Tables have all parts of a feature. */
function listPlaces(path: string): string[] {
  return [
    path,
    ...['', 'features/sources/editor/', 'features/tables/', 'index/worker/'].map(
      (folder) => `src/${folder}${path}`,
    ),
  ];
}
