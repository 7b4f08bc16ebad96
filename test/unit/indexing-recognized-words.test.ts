import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OffsetMap } from '../../src/core/domain/document.ts';
import {
  doubtfulWords,
  recognizedPages,
  recognizedWords,
} from '../../src/index/documents/recognized-words.ts';

const text = 'The lamp\nburns oil.';
/** “The lamp” is written on page 1; “burns oil.” was recognized on page 2, its second word with doubt. */
const map: OffsetMap = {
  kind: 'pdf',
  pages: [
    { width: 612, height: 792, label: undefined, start: 0 },
    { width: 612, height: 792, label: undefined, start: 9 },
  ],
  starts: Uint32Array.of(0, 4, 9, 15),
  ends: Uint32Array.of(3, 8, 14, 19),
  pageOf: Uint16Array.of(0, 0, 1, 1),
  boxes: Float32Array.of(72, 700, 20, 12, 96, 700, 30, 12, 72, 600, 30, 12, 106, 600, 20, 12),
  directions: Uint8Array.of(0, 0, 0, 0),
  confidences: Uint8Array.of(100, 100, 96, 41),
};

test('lists uncertain words of text recognition within the shown part of a document', () => {
  assert.deepEqual(doubtfulWords(map, { start: 0, end: text.length }), [{ start: 15, end: 19 }]);
  assert.deepEqual(doubtfulWords(map, { start: 0, end: 17 }), [{ start: 15, end: 17 }]);
  assert.deepEqual(doubtfulWords(map, { start: 0, end: 15 }), []);
  const { confidences, ...written } = map;
  assert.equal(confidences?.length, 4);
  assert.deepEqual(doubtfulWords(written, { start: 0, end: text.length }), []);
  assert.deepEqual(doubtfulWords({ kind: 'saved' }, { start: 0, end: text.length }), []);
});

test('returns the words of a scanned page with their locations and separators', () => {
  assert.deepEqual(recognizedPages(map), [2]);
  assert.deepEqual(recognizedWords(text, map, 2), [
    {
      text: 'burns',
      separator: ' ',
      rectangle: { page: 2, x: 72, y: 600, width: 30, height: 12 },
      direction: 0,
    },
    {
      text: 'oil.',
      separator: '',
      rectangle: { page: 2, x: 106, y: 600, width: 20, height: 12 },
      direction: 0,
    },
  ]);
  assert.deepEqual(recognizedWords(text, map, 3), []);
});
