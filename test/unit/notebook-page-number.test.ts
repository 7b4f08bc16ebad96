import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  pageIndexOf,
  pageNumberOf,
  type PageIndex,
  type PageNumber,
} from '../../src/core/domain/page-number.ts';

test('converts page indexes and page numbers, which the compiler keeps apart', () => {
  const index: PageIndex = 3;
  const page: PageNumber = pageNumberOf(index);
  assert.deepEqual([page, pageIndexOf(page)], [4, 3]);
  // @ts-expect-error An index isn't a number of a page.
  const wrongPage: PageNumber = index;
  // @ts-expect-error A number of a page isn't an index.
  const wrongIndex: PageIndex = page;
  assert.deepEqual([wrongPage, wrongIndex], [3, 4]);
});
