import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Span } from '../../src/core/language/span.ts';
import { Narrowing, type NarrowingSource, type ScoredPassage } from '../../src/index/search/narrowing.ts';

const filler = 'Nothing of note happened on the other days of that long and quiet week. '.repeat(8);
const text = `${filler}The heron waited by the weir at dawn. ${filler}The otter came at noon. ${filler}`;
const weights = new Map([
  ['heron', 3],
  ['otter', 3],
  ['weir', 2],
]);

function passage(
  start: number,
  end: number,
  score: number,
  more: Partial<ScoredPassage> = {},
): ScoredPassage {
  return { documentId: 1, passageId: start + 1, start, end, score, ...more };
}

function narrow(
  found: readonly ScoredPassage[],
  source: NarrowingSource,
  size = 500,
  limit = 5,
): ScoredPassage[] {
  const sourceAt = (_documentId: number, { start, end }: Span): NarrowingSource => ({
    ...source,
    text: source.text.slice(start, end),
  });
  return new Narrowing().narrow(found, weights, sourceAt, { size, limit });
}

test('narrows a long passage to the sentences that answer the question', () => {
  const [best] = narrow([passage(0, text.length, 5)], { text, format: 'prose' });
  assert.ok(best);
  assert.match(text.slice(best.start, best.end), /The heron waited by the weir at dawn\./);
  assert.ok(best.end - best.start <= 400);
});

test('extends excerpts across neighboring passages', () => {
  const border = text.indexOf('by the weir');
  const [best] = narrow([passage(0, border, 4), passage(border, text.length, 4)], { text, format: 'prose' });
  assert.ok(best && best.start < border && best.end > border);
});

test('keeps a passage of code whole', () => {
  const code = `const heron = 1;\n${'call();\n'.repeat(200)}`;
  const [best] = narrow([passage(0, code.length, 5)], { text: code, format: 'code' });
  assert.deepEqual([best?.start, best?.end], [0, code.length]);
});

test('keeps a passage that only its headings match', () => {
  const [best] = narrow([passage(0, filler.length, 5)], { text: filler, format: 'prose' });
  assert.deepEqual([best?.start, best?.end], [0, filler.length]);
});

test('skips a passage of a deleted document', () => {
  assert.deepEqual(
    new Narrowing().narrow([passage(0, 10, 5)], weights, () => undefined, { size: 500, limit: 5 }),
    [],
  );
});

test('returns excerpts within the matches, without overlap, best first, up to the maximum', () => {
  const words = fc.constantFrom('heron', 'otter', 'weir', 'quiet', 'week', 'stone', 'at', 'the');
  const sentences = fc.array(
    fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => `${list.join(' ')}. `),
    { minLength: 4, maxLength: 60 },
  );
  fc.assert(
    fc.property(
      sentences,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 60, max: 600 }),
      (list, limit, size) => {
        const source = list.join('');
        const third = Math.floor(source.length / 3);
        const passages = [passage(0, third, 3), passage(2 * third, source.length, 2)].filter(
          ({ start, end }) => start < end,
        );
        const windows = narrow(passages, { text: source, format: 'prose' }, size, limit);
        assert.ok(windows.length <= limit);
        for (const [i, window] of windows.entries()) {
          assert.ok(window.start < window.end);
          assert.ok(passages.some(({ start, end }) => window.start >= start && window.end <= end));
          assert.ok(i === 0 || window.score <= (windows[i - 1]?.score ?? 0));
          for (const other of windows.slice(0, i))
            assert.ok(other.end <= window.start || window.end <= other.start);
        }
      },
    ),
  );
});

test('keeps a weaker passage if it alone covers a part of the question', () => {
  const texts = new Map([
    [1, 'The heron waited by the weir at dawn. The heron left the weir.'],
    [2, 'The otter came at noon.'],
    [3, 'A heron is grey.'],
  ]);
  const passages = [...texts].map(([documentId, { length }]) => {
    const score = documentId === 1 ? 6 : 2;
    return passage(0, length, score, { documentId, passageId: documentId });
  });
  const source = (documentId: number): NarrowingSource => ({
    text: texts.get(documentId) ?? '',
    format: 'prose',
  });
  const narrowed = new Narrowing().narrow(passages, weights, source, { size: 500, limit: 5 });
  assert.deepEqual(
    narrowed.map(({ documentId }) => documentId),
    [1, 2],
  );
});
