import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOwnEnding, isOpenedAsReading } from '../../src/notebook/media-types.ts';
import { formats } from '../../src/reading/formats.ts';

test('only what is called as files of its format are is opened by the system', () => {
  const zipped = 'application/epub+zip';
  assert.ok(hasOwnEnding(zipped, '/books/Garden.EPUB'));
  for (const name of [
    'setup.exe',
    'setup.epub.exe',
    'run.command',
    'book.app',
    'epub',
    'a.bat',
    'a.epub/b.sh',
  ])
    assert.ok(!hasOwnEnding(zipped, name), name);
  assert.ok(!hasOwnEnding('image/png', 'picture.lnk'));
  assert.ok(!hasOwnEnding('text/html', 'page.html'));
});

test('every format that is opened as its reading can be opened by the system, but none with macros', () => {
  for (const { mediaType, endings } of formats) {
    if (!isOpenedAsReading(mediaType)) continue;
    for (const ending of endings)
      assert.equal(hasOwnEnding(mediaType, `a.${ending}`), !/^(?:docm|pptm|xlsm)$/.test(ending), ending);
  }
});
