import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paginate } from '../../src/answers/places/places.ts';
import type { FoundPlace } from '../../src/core/domain/passage.ts';
import { makePassage } from './answering-fixtures.ts';

/** Returns an excerpt of a given length from a section of a document. */
function excerpt(section: number, length: number, document = 1): FoundPlace {
  const text = 'x'.repeat(length);
  return {
    passage: makePassage({ id: document, title: `${String(document)}.md`, text }),
    section: { start: section, end: section + 10_000 },
    marks: [],
  };
}

const lengths = (found: readonly FoundPlace[]): number[][][] =>
  paginate(found).map((page) => page.map((place) => place.map(({ passage }) => passage.text.length)));

test('groups excerpts of one section at the rank of the best', () => {
  assert.deepEqual(lengths([excerpt(1, 900), excerpt(2, 100), excerpt(1, 200), excerpt(1, 300, 2)]), [
    [[900, 200], [100], [300]],
  ]);
});

test('limits a page to twelve sections and 4,000 characters', () => {
  const many = Array.from({ length: 20 }, (_, i) => excerpt(i, 100));
  assert.deepEqual(
    paginate(many).map((page) => page.length),
    [12, 8],
  );
  assert.deepEqual(lengths([excerpt(1, 3_000), excerpt(2, 1_500), excerpt(3, 900)]), [
    [[3_000], [900]],
    [[1_500]],
  ]);
});

test('gives a long excerpt a page of its own, up to three pages', () => {
  assert.deepEqual(lengths([excerpt(1, 9_000), excerpt(2, 10)]), [[[9_000]], [[10]]]);
  assert.equal(paginate(Array.from({ length: 100 }, (_, i) => excerpt(i, 100))).length, 3);
  assert.deepEqual(paginate([]), []);
});
