import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PageViewport } from 'pdfjs-dist';
import { RunDirection } from '../../src/core/domain/document.ts';
import { fragmentsOfRecognized, type RecognizedPage } from '../../src/parsers/scans/recognized-page.ts';
import { RecognizedPages, readRecognized } from '../../src/parsers/scans/recognized-pages.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = (text: string): RecognizedPage => ({
  toSeen: [1, 0, 0, 1, 0, 0],
  lines: [
    { baseline: 100, ascent: 9, descent: 3, words: [{ text, confidence: 91, box: [72, 91, 132, 103] }] },
  ],
});

test('stores recognized text by page image, whichever document shows it', async (t) => {
  const pages = await opened(t);
  assert.equal(pages.has('one', 1, 'eng'), false);
  pages.put('picture', 'eng', page('windmill'), 'one', 1);
  assert.equal(pages.has('one', 1, 'eng'), true);
  assert.equal(pages.has('one', 1, 'deu+eng'), false, 'in other languages it may say something else');
  assert.equal(pages.adopt('picture', 'eng', 'two', 7), true);
  assert.equal(pages.adopt('another', 'eng', 'two', 8), false);
  assert.deepEqual(pages.ofDocument('two', 'eng'), new Map([[7, page('windmill')]]));
});

test('lets one process claim a page until it is released', async (t) => {
  const first = await opened(t);
  assert.equal(first.claim('document', 1), true);
  assert.equal(first.claim('document', 1), false);
  assert.equal(first.claim('document', 2), true);
  first.release('document', 1);
  assert.equal(first.claim('document', 1), true);
});

test('replaces a damaged file, and reads nothing from an invalid one', async (t) => {
  const path = join(folderFor(t), 'recognised.sqlite');
  assert.deepEqual(await readRecognized(path, 'one', 'eng'), new Map());
  writeFileSync(path, 'This is no database, whatever its name says.'.repeat(200));
  const pages = await RecognizedPages.open(path);
  t.after(() => {
    pages.close();
  });
  pages.put('picture', 'eng', page('windmill'), 'one', 1);
  assert.deepEqual(await readRecognized(path, 'one', 'eng'), new Map([[1, page('windmill')]]));
});

test('recognizes a page again if its stored text is invalid', async (t) => {
  const pages = await opened(t);
  const mill = page('windmill');
  const damaged: unknown[] = ['no page', { ...mill, lines: 'windmill' }, { ...mill, toSeen: [1, 0, 0] }];
  for (const [i, one] of damaged.entries())
    pages.put(`picture ${String(i)}`, 'eng', one as RecognizedPage, 'one', i + 1);
  const empty: RecognizedPage = { lines: [], toSeen: mill.toSeen, problem: 'It is too large.' };
  pages.put('picture', 'eng', empty, 'one', 7);
  assert.deepEqual(pages.ofDocument('one', 'eng'), new Map([[7, empty]]));
});

test('reports a full disk in one sentence and keeps earlier pages', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const pages = await RecognizedPages.open(join(disk, 'recognised.sqlite'));
  try {
    pages.put('first', 'eng', page('windmill'), 'one', 1);
    const large = page(randomBytes(2 ** 20).toString('base64'));
    assert.throws(
      () => {
        for (let i = 2; i < 20; i++) pages.put(`picture ${String(i)}`, 'eng', large, 'one', i);
      },
      { code: 'disk-full', message: /^Text recognition is paused because the disk is full\./ },
    );
    assert.deepEqual(pages.ofDocument('one', 'eng').get(1), page('windmill'));
  } finally {
    pages.close();
  }
});

test('locates recognized words, also on a sideways page', () => {
  const upright = fragmentsOfRecognized(page('mill'), viewport(0));
  assert.deepEqual(
    upright[0]?.words.map(({ text, box, direction, confidence }) => ({ text, box, direction, confidence })),
    [{ text: 'mill', box: [72, 792 - 103, 60, 12], direction: RunDirection.leftToRight, confidence: 91 }],
  );
  // The page was rotated clockwise by a quarter turn, so the left edge of the text is at the bottom of the page.
  const onSide: RecognizedPage = { ...page('mill'), toSeen: [0, -1, 1, 0, 0, 792] };
  const [word] = fragmentsOfRecognized(onSide, viewport(0))[0]?.words ?? [];
  assert.deepEqual(word?.box, [91, 72, 12, 60]);
  assert.equal(word.direction, RunDirection.bottomToTop);
});

/** Returns the viewport of a page of 612 by 792 points; `rotation` is in degrees. */
function viewport(rotation: number): PageViewport {
  return { rotation, convertToPdfPoint: (x: number, y: number) => [x, 792 - y] } as unknown as PageViewport;
}

function folderFor(t: TestContext): string {
  const folder = temporaryFolder('recognised-', t);
  return folder;
}

async function opened(t: TestContext): Promise<RecognizedPages> {
  const pages = await RecognizedPages.open(join(folderFor(t), 'recognised.sqlite'));
  t.after(() => {
    pages.close();
  });
  return pages;
}
