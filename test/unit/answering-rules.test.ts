import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeFrom } from '../../src/answering/checking/computed-numbers.ts';
import { prepareEvidence } from '../../src/answering/checking/evidence.ts';
import { checkByRules } from '../../src/answering/checking/rules.ts';
import { makePassage } from './answering-fixtures.ts';

/** Returns the rules' verdict on a sentence that cites a text, and the words that no source has. */
function check(sentence: string, ...texts: string[]): [string, string[]] {
  const passages = texts.map((text, i) =>
    makePassage({
      id: i + 1,
      title: `text-${String(i)}.md`,
      text,
      format: text.includes('|') ? 'markdown' : 'prose',
    }),
  );
  const { verdict, missing = [] } = checkByRules(sentence, [0], prepareEvidence(passages));
  return [verdict, missing.map(({ start, end }) => sentence.slice(start, end))];
}

const verdictOn = (sentence: string, ...texts: string[]): string => check(sentence, ...texts)[0];

describe('Rules', () => {
  const minutes = 'Ana is away from 20 March. Chidi takes over the release. The booth money is spent in May.';

  it('support the same words in the same order', () => {
    assert.equal(verdictOn('Chidi takes over the release.', minutes), 'supported');
    assert.equal(verdictOn('But chidi takes **over** the release.', minutes), 'supported');
    assert.equal(
      verdictOn('Chidi takes over the release.', 'But Chidi takes over the release.'),
      'supported',
    );
  });

  const changed: Record<string, [sentence: string, text: string]> = {
    'a part of a sentence': ['The port is closed.', 'The port is closed if the tide is high.'],
    'a denied sentence': ['All birds can fly.', 'Not all birds can fly.'],
    'a swapped subject': ['Birch Mill sells carts to Willow Mill.', 'Willow Mill sells carts to Birch Mill.'],
    'a reversed direction': ['Spending rose from 9 to 4 euros.', 'Spending fell from 9 to 4 euros.'],
    'an invented fact of a known person': ['Chidi will be on holiday in May.', minutes],
    'an invented second reason': [
      'The lamp is bulky and easy to pack.',
      'The lamp is too bulky to really travel with.',
    ],
    'a passive sentence': [
      'Maintainer scripts may not change a conffile.',
      'A conffile must not be modified by the maintainer scripts.',
    ],
  };
  for (const [what, [sentence, text]] of Object.entries(changed))
    it(`leave ${what} to the model`, () => {
      assert.equal(verdictOn(sentence, text), 'unchecked');
    });

  it('contradict the same words with another number', () => {
    const text = 'A query takes 4 ms on average. The museum has 12 rooms.';
    assert.equal(verdictOn('A query takes 9 ms on average.', text), 'contradicted');
    assert.equal(verdictOn('A query takes 9 ms on average.', text, 'It took 9 ms.'), 'unchecked');
    assert.equal(verdictOn('Most queries take 9 ms on average.', text), 'unchecked');
  });

  it('mark numbers, names, and units that no source has', () => {
    const text = 'The harbour was dug by Ada Berg in 1910, over 12 km.';
    assert.deepEqual(check('The harbour was dug by Ada Berg and Bo Lund in 1920.', text), [
      'unchecked',
      ['Bo', 'Lund', '1920'],
    ]);
    assert.deepEqual(check('It was dug over 12 mi in the year 1910.', text), ['unchecked', ['mi']]);
    assert.deepEqual(check('It was dug by Ada Berg in 1910 with spades.', text), ['unchecked', []]);
  });

  describe('in tables', () => {
    const table = [
      'Spending per year, in millions.',
      '',
      '| Year | Budget | Spending |',
      '| --- | --- | --- |',
      '| 2022 | 3,100 | 2,987 |',
      '| 2021 | 2,600 | 2,540 |',
      '| 2020 | 2,300 | 2,188 |',
    ].join('\n');

    it('support a cell of the right row and column', () => {
      assert.equal(verdictOn('Spending in 2022 was 2,987.', table), 'supported');
      assert.equal(verdictOn('The budget of 2021 was 2,600.', table), 'supported');
    });

    it('contradict another number in the same row and column', () => {
      assert.equal(verdictOn('Spending in 2022 was 4,100.', table), 'contradicted');
    });

    it('leave the rest to the model', () => {
      for (const sentence of [
        'Spending fell in 2022 compared with 2021.',
        'Spending in 2022 was about 3,000.',
        'Spending in 2022 was over 2,500.',
        'Spending in 2022 was 2,540.',
        'Spending in Berlin in 2022 was 4,100.',
        'Spending in 2022 was 447 higher than in 2021.',
      ])
        assert.equal(verdictOn(sentence, table), 'unchecked', sentence);
    });

    it('compute what follows from cited numbers', () => {
      const { computed } = checkByRules(
        'Both gifts make 11,000 euros.',
        [0],
        prepareEvidence([
          makePassage({ id: 1, title: 'gifts.txt', text: 'The gifts were 10,000 euros and 1,000 euros.' }),
        ]),
      );
      assert.equal(computed, '10,000 + 1,000 = 11,000');
    });
  });
});

describe('A computed number', () => {
  it('is a sum, difference, or ratio of few numbers', () => {
    assert.equal(computeFrom('447', ['2987', '2540']), '2,987 − 2,540 = 447');
    assert.equal(computeFrom('17.6', ['2987', '2540']), '(2,987 − 2,540) / 2,540 × 100 = 17.6');
    assert.equal(computeFrom('5', ['2', '3']), undefined);
    assert.equal(computeFrom('500', ['2987', '2540']), undefined);
    assert.equal(computeFrom('11', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']), undefined);
  });
});
