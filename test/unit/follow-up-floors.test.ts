// Tests that follow-ups in twelve languages are understood at least as well as measured.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemPlaceIn, isFollowUp } from '../../src/core/language/follow-ups.ts';
import { summaryRequestIn } from '../../src/core/language/summary-requests.ts';
import { floorFollowUps, type FloorFollowUp } from '../support/floor-texts.ts';

/** Measured misunderstandings per language. More fail the test; after an improvement, lower them here. */
const measured: Readonly<Record<string, number>> = {
  ...{ en: 0, de: 0, fr: 0, es: 0, it: 1, pt: 0 },
  ...{ nl: 0, ru: 0, zh: 1, ja: 0, tr: 0, ar: 0 },
};

function isUnderstood({ kind, what, typed }: FloorFollowUp): boolean {
  const summary = summaryRequestIn(typed);
  switch (kind) {
    case 'leans':
      return isFollowUp(typed) && summary === undefined;
    case 'item':
      return isFollowUp(typed) && itemPlaceIn(typed) === Number(what);
    case 'stands':
      return !isFollowUp(typed) && itemPlaceIn(typed) === undefined && summary === undefined;
    case 'all':
      return summary?.subject === '';
    case 'of':
      return summary?.subject.toLowerCase() === what.toLowerCase();
    case 'none':
      return summary === undefined;
  }
}

const all = Map.groupBy(floorFollowUps(), ({ language }) => language);

test('include questions in every language', () => {
  assert.deepEqual([...all.keys()], Object.keys(measured));
});

for (const [language, own] of all) {
  const most = measured[language] ?? 0;
  test(`${language}: of ${String(own.length)} questions, misunderstands at most ${String(most)}`, () => {
    const wrong = own.filter((each) => !isUnderstood(each));
    assert.ok(wrong.length <= most, wrong.map(({ kind, typed }) => `${kind}: ${typed}`).join('\n'));
  });
}
