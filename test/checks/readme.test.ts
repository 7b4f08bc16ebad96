import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/paths.mjs';
import { currentReadme, foldersIn, houseReadmes, readmes } from '../support/readme.mjs';
import { folders, rooms, whyClosed } from '../support/rooms.mjs';

const read = (name: string): string => readFileSync(join(root, name), 'utf8');

for (const name of readmes)
  test(`the made parts of ${name} are up to date`, async () => {
    assert.equal(read(name), await currentReadme(name), 'Run `node test/support/readme.mjs`.');
  });

test('README.md shows only PNG pictures, which the Marketplace accepts', () => {
  const pictures = [...read('README.md').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  assert.ok(pictures.length >= 5);
  for (const picture of pictures) assert.match(picture, /\.png$/);
});

test('every folder of src/ is a room, and rooms whose folders have an order have all of them in it', () => {
  assert.deepEqual(Object.keys(rooms).toSorted(), foldersIn('src'));
  for (const [folder, order] of Object.entries(folders))
    assert.deepEqual(order.filter((name) => name !== '.').toSorted(), foldersIn(folder), folder);
});

test('no room imports one that stands above it', () => {
  const standing: string[] = [];
  for (const [room, imported] of Object.entries(rooms)) {
    for (const other of imported) assert.ok(standing.includes(other), `${room} imports ${other}`);
    standing.push(room);
  }
});

test('a page imports no other page, and what pages are made of stands on what comes before it alone', () => {
  assert.match(whyClosed('webview/chat/app.tsx', 'webview/pdf/find.ts') ?? '', /imports no other page/);
  assert.match(whyClosed('webview/shared/render.tsx', 'webview/cited/words.ts') ?? '', /stands before cited/);
  assert.equal(whyClosed('webview/chat/app.tsx', 'webview/cited/words.ts'), undefined);
  assert.equal(whyClosed('webview/cited/words.ts', 'webview/shared/words.ts'), undefined);
});

test('the files that src/README.md and those beside the rooms name and link to are there', () => {
  for (const file of houseReadmes) {
    const text = read(file);
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|json|md|mjs))`/g)];
    const paths = named.map(([, path = '']) => path).filter((path) => !/\b(?:NAME|CODE)\b/.test(path));
    assert.ok(paths.length > 8, file);
    const missing = paths.filter(
      (path) =>
        ![...listPlaces(path), join(dirname(file), path)].some((place) => existsSync(join(root, place))),
    );
    const links = [...text.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
    const broken = links.filter((path) => !existsSync(join(root, dirname(file), path)));
    assert.deepEqual([missing, broken], [[], []], file);
  }
});

test('the way to add a language names each file with words of other languages than English', () => {
  const way = read('src/language/README.md');
  const files = globSync('src/language/**/*.ts', { cwd: root }).filter((file) => {
    const code = read(file).replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    return /(?![a-zµ])\p{L}{2}/iu.test(code);
  });
  assert.ok(files.length > 10);
  assert.deepEqual(
    files.filter((file) => !way.includes(file.slice('src/'.length))),
    [],
  );
});

test('src/README.md links to all READMEs below src/', () => {
  const page = read('src/README.md');
  for (const file of houseReadmes)
    if (file !== 'src/README.md') assert.ok(page.includes(`](${file.slice('src/'.length)})`), file);
});

test('a folder of more than a dozen files says what it holds', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map((path) => dirname(path).replaceAll('\\', '/'));
  const large = [...new Set(files)].filter((folder) => files.filter((one) => one === folder).length > 12);
  assert.ok(large.length > 20);
  assert.deepEqual(
    large.filter((folder) => !houseReadmes.includes(`${folder}/README.md`)),
    [],
  );
});

test('webview/README.md names every page and what they are made of, and files that are there', () => {
  const page = read('webview/README.md');
  for (const folder of foldersIn('webview')) assert.ok(page.includes(`\`${folder}/\``), folder);
  const there = globSync('webview/**/*.{ts,tsx}', { cwd: root }).map((path) => basename(path));
  const named = [...page.matchAll(/`([\w-]+\.tsx?)`/g)].map(([, name = '']) => name);
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !there.includes(name)),
    [],
  );
});

/** Where a path may stand: in the project, in src/, or in the folder that the way of a file goes through. */
function listPlaces(path: string): string[] {
  return [path, `src/${path}`, `src/editor/sources/${path}`, `src/indexing/worker/${path}`];
}
