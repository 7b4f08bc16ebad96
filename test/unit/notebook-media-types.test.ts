import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOwnEnding, isOpenedAsReading } from '../../src/core/domain/media-types.ts';
import { formats } from '../../src/parsers/formats.ts';

test('lets the system open only files with the extension of their format', () => {
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

test('lets the system open every format except those with macros or scripts', () => {
  for (const { mediaType, endings } of formats) {
    if (!isOpenedAsReading(mediaType)) continue;
    for (const ending of endings)
      assert.equal(
        hasOwnEnding(mediaType, `a.${ending}`),
        !/^(?:docm|pptm|xlsm|mhtml|mht|webarchive)$/.test(ending),
        ending,
      );
  }
});
