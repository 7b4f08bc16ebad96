import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { locate } from '../../src/core/domain/locator.ts';
import { RunDirection } from '../../src/core/domain/document.ts';
import { mapOfRuns } from '../../src/core/domain/pdf-map.ts';
import { markBox, markPlace } from '../../webview/pdf/mark-places.ts';
import { joinPieces, type Box, type SelectedPiece } from '../../webview/pdf/selected-runs.ts';

/** Returns a text item whose letters are 5 points wide. */
function piece(text: string, page: number, x: number, y: number): SelectedPiece {
  const box = (from: number, to: number): Box => ({ x: x + 5 * from, y, width: 5 * (to - from), height: 10 });
  const { length } = text;
  return { kind: 'text', text, page, box: box(0, length), first: box(0, 1), last: box(length - 1, length) };
}

const lineEnd: SelectedPiece = { kind: 'break' };

describe('selected text in a PDF', () => {
  const selected = joinPieces([
    lineEnd,
    piece(' The gate', 7, 95, 300),
    piece(' is green.', 7, 140, 300),
    lineEnd,
    lineEnd,
    piece('It is old.', 8, 100, 700),
    piece(' ', 8, 150, 700),
    lineEnd,
  ]);

  it('is one text, with an empty line between pages and no surrounding spaces', () => {
    assert.equal(selected.text, 'The gate is green.\n\nIt is old.');
    assert.deepEqual(
      selected.runs.map(({ start, end }) => selected.text.slice(start, end)),
      ['The gate', ' is green.', 'It is old.'],
    );
  });

  it('is found on its pages again, with one rectangle per line', () => {
    const map = mapOfRuns(selected.runs, { 8: 'viii' });
    const at = (words: string): object => {
      const start = selected.text.indexOf(words);
      return locate(selected.text, map, { start, end: start + words.length });
    };
    assert.deepEqual(at('is green'), {
      kind: 'pdf',
      page: 7,
      label: undefined,
      rectangles: [{ page: 7, x: 145, y: 300, width: 40, height: 10 }],
    });
    const { rectangles } = at('green.\n\nIt is') as { rectangles: readonly { page: number }[] };
    assert.deepEqual(
      rectangles.map(({ page }) => page),
      [7, 8],
    );
    assert.deepEqual(at('It'), {
      kind: 'pdf',
      page: 8,
      label: 'viii',
      rectangles: [{ page: 8, x: 100, y: 700, width: 10, height: 10 }],
    });
  });

  it('advances with the direction of its letters', () => {
    const box = (x: number, y: number): Box => ({ x, y, width: 5, height: 5 });
    const direction = (first: Box, last: Box): number | undefined =>
      joinPieces([{ kind: 'text', text: 'ab', page: 1, box: first, first, last }]).runs[0]?.direction;
    assert.equal(direction(box(0, 0), box(50, 2)), RunDirection.leftToRight);
    assert.equal(direction(box(50, 0), box(0, 0)), RunDirection.rightToLeft);
    assert.equal(direction(box(0, 0), box(0, 50)), RunDirection.bottomToTop);
    assert.equal(direction(box(0, 50), box(0, 0)), RunDirection.topToBottom);
  });

  it('is empty if nothing is selected', () => {
    assert.deepEqual(joinPieces([lineEnd]), { text: '', runs: [] });
    assert.deepEqual(mapOfRuns([], {}).pages, []);
  });
});

it('converts a location on a page to the screen and back unchanged', () => {
  // The page is shown at twice its size, from the upper left corner down.
  const page = {
    width: 1200,
    height: 1600,
    convertToViewportRectangle: ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[]) => [
      2 * x1,
      1600 - 2 * y1,
      2 * x2,
      1600 - 2 * y2,
    ],
    convertToPdfPoint: (x: number, y: number) => [x / 2, (1600 - y) / 2],
  };
  const place = markPlace({ page: 1, x: 60, y: 80, width: 300, height: 40 }, page);
  const [left, top] = [place.left * page.width + 10, place.top * page.height + 20];
  const window = {
    left,
    top,
    right: left + place.width * page.width,
    bottom: top + place.height * page.height,
  };
  assert.deepEqual(markBox(window, page, { left: 10, top: 20 }), { x: 60, y: 80, width: 300, height: 40 });
});
