import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedTitle, movedUri, titlesApart } from '../../src/features/sources/editor/moved-uris.ts';

test('moves everything below a renamed path along, but nothing next to it', () => {
  const moved = (uri: string): string | undefined => movedUri(uri, 'file:///a/notes', 'file:///b/papers');
  assert.equal(moved('file:///a/notes'), 'file:///b/papers');
  assert.equal(moved('file:///a/notes/x/y.md'), 'file:///b/papers/x/y.md');
  assert.equal(moved('file:///a/notes-2/y.md'), undefined);
  assert.equal(moved('file:///a'), undefined);
});

test('updates a title that was the file name, but not the user’s own', () => {
  const title = (before: string): string =>
    movedTitle(before, '/papers/alpha/lamp.md', '/papers/beta/lantern.md');
  assert.equal(title('lamp.md'), 'lantern.md');
  assert.equal(title('alpha/lamp.md'), 'beta/lantern.md');
  assert.equal(title('lamp.md L3'), 'lantern.md L3');
  assert.equal(title('lamp.md L3–12'), 'lantern.md L3–12');
  for (const own of ['Lamps', 'my lamp.md', 'p.md', '']) assert.equal(title(own), own);
});

test('distinguishes files of the same name by as many folders as necessary', () => {
  assert.deepEqual(titlesApart(['/papers/alpha/README.md']), ['README.md']);
  assert.deepEqual(titlesApart(['/papers/alpha/README.md', '/papers/beta/README.md']), [
    'alpha/README.md',
    'beta/README.md',
  ]);
  assert.deepEqual(
    titlesApart([
      '/papers/alpha/docs/README.md',
      '/papers/beta/docs/README.md',
      '/papers/README.md',
      '/README.md',
    ]),
    ['alpha/docs/README.md', 'beta/docs/README.md', 'papers/README.md', 'README.md'],
  );
});
