import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { isClaim } from '../../src/answers/checking/claim.ts';
import { computeFrom } from '../../src/answers/checking/computed-numbers.ts';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { assertLinear } from '../support/growth.ts';
import { rounds } from '../support/test-size.mjs';
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

describe('rules', () => {
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
    assert.deepEqual(check('It was dug over 12 miles in the year 1910.', text), ['unchecked', ['miles']]);
    const money = 'The harbour cost 1,958 pounds.';
    assert.deepEqual(check('The harbour cost about 2,000 pounds.', money), ['unchecked', []]);
    assert.deepEqual(check('The harbour cost about 3,000 pounds.', money), ['unchecked', ['3,000']]);
    assert.deepEqual(check('It was dug by Ada Berg in 1910 with spades.', text), ['unchecked', []]);
  });

  it('recognize a number in any form of a source', () => {
    for (const [sentence, text] of [
      ['The museum received 11,000 euros.', 'The museum received about eleven thousand euros in all.'],
      ['The museum received 11.000 Euro.', 'The museum received 11 thousand euros.'],
      ['It cost 3.1 million euros.', 'It cost 3,100,000 euros.'],
      ['It cost 3,100,000 euros.', 'Es kostete 3,1 Mio. Euro, und das ist viel.'],
      ['The share is 12 %.', 'The share is 0.12 of the whole.'],
      ['Half of it, 50 %, is gone.', 'La moitié est partie, et le reste aussi.'],
      ['There are 97 houses.', 'Il y a quatre-vingt-dix-sept maisons dans le village.'],
      ['There are 22,000 people.', 'Es gibt zweiundzwanzigtausend Einwohner in der Stadt.'],
      ['There are 2,987 visitors.', 'There are 2 987 visitors.'],
      ['Two thirds, or 66.7 %, agreed.', 'Two thirds of them agreed.'],
    ] as const)
      assert.deepEqual(check(sentence, text)[1], [], sentence);
    assert.deepEqual(check('It cost 3.2 million euros.', 'It cost 3,100,000 euros.')[1], ['3.2']);
  });

  it('recognize a day in any form of a source', () => {
    for (const [sentence, text] of [
      ['The kiln arrived on 4 June 2021.', 'Lieferung des Ofens: 04.06.2021, morgens um acht.'],
      ['Der Ofen kam am 04.06.2021.', 'The kiln arrived on June 4, 2021, in the morning.'],
      ['Le four est arrivé le 04/06/2021.', 'Le four est arrivé vendredi 4 juin, à huit heures.'],
      ['Am 5. Juni 2021 lag Schnee.', 'Schnee | 2021-06-05'],
      ['It ran from 7 to 9 June.', 'Der Lauf dauerte vom 7. bis 9. Juni und war lang.'],
      ['It ran from 7 to 9 June.', 'Course pour tous, les 7 à 9 juin, à huit heures.'],
      ['The kiln arrived in June.', 'Der Ofen kam am 4.6. an, und er war heiß.'],
      ['All 12 may vote.', 'There are 12 members.'],
    ] as const)
      assert.deepEqual(check(sentence, text)[1], [], sentence);
    assert.deepEqual(check('The kiln came on 4 July.', 'The kiln came on 4 June 2021.')[1], ['4 July']);
    assert.deepEqual(check('Er kam am 4. Juni 2022 an.', 'Der Ofen kam am 4.6.2021 an.')[1], [
      '4. Juni 2022',
    ]);
  });

  it('recognize a unit by its sign, its word, or its word in another language', () => {
    for (const [sentence, text] of [
      ['Fire it for 40 min.', 'The pots are fired for 40 minutes.'],
      ['Fire it for 40 minutes.', 'Der Ofen brennt 40 Minuten, und dann kühlt er ab.'],
      ['Il pèse 12 kilogrammes.', 'The kiln weighs 12 kg.'],
      ['2023 lag er bei 12 kg.', 'Im Jahr 2023 war das Gewicht 12 kg.'],
      ['The walk begins at 3:15 pm.', 'The walk begins at 15:15.'],
    ] as const)
      assert.deepEqual(check(sentence, text)[1], [], sentence);
    assert.deepEqual(check('Der Ofen brennt 40 Stunden.', 'The pots are fired for 40 minutes.')[1], [
      'Stunden',
    ]);
  });

  it('recognize a duration in any words and units', () => {
    for (const [sentence, text] of [
      ['The break takes 30 minutes.', 'The break takes half an hour.'],
      ['The break takes half an hour.', 'The break takes 30 minutes.'],
      ['The break takes 15 min.', 'It is a quarter of an hour for the break.'],
      ['The talk takes 90 minutes.', 'The talk takes 1.5 hours.'],
      ['Die Pause dauert 30 Minuten.', 'Die Pause dauert eine halbe Stunde.'],
      ['Die Pause dauert 45 Minuten.', 'Die Pause dauert eine Dreiviertelstunde.'],
      ['La pause dure 30 minutes.', 'La pause dure une demi-heure.'],
      ['La pause dure 45 minutes.', 'La pause dure trois quarts d’heure.'],
      ['Die Pause dauert 30 Minuten.', 'The break takes half an hour.'],
      ['The break takes 60 minutes.', 'The break takes an hour.'],
      ['The backup is kept for 24 hours.', 'The backup is kept for one day.'],
      ['Die Pause dauert 60 Minuten.', 'Die Pause dauert eine Stunde.'],
      ['La pause dure 60 minutes.', 'La pause dure une heure.'],
    ] as const)
      assert.deepEqual(check(sentence, text)[1], [], sentence);
    assert.deepEqual(check('The break takes 30 minutes.', 'The break takes half a day.')[1], [
      '30',
      'minutes',
    ]);
    assert.deepEqual(check('The talk takes 60 minutes.', 'The talk takes an hour and a half.')[1], [
      '60',
      'minutes',
    ]);
    assert.deepEqual(check('It rings every 24 hours.', 'It rings twice a day.')[1], ['24', 'hours']);
    assert.deepEqual(check('The talk takes 30 minutes.', 'The talk takes two and a half hours.')[1], [
      '30',
      'minutes',
    ]);
  });

  it('don’t take a German noun for a name if the sources are in English', () => {
    assert.deepEqual(check('Der Ofen kostete 900 Euro.', 'The kiln cost 900 euros in all.')[1], []);
  });

  it('don’t contradict a number that only has another form', () => {
    assert.equal(
      verdictOn('A query takes 3,000 ms on average.', 'A query takes 3000 ms on average.'),
      'supported',
    );
    assert.equal(verdictOn('It weighs 3,000 g in all.', 'It weighs 3 g in all.'), 'unchecked');
    const table = '| Year (in thousands) | Spending |\n| --- | --- |\n| 2022 | 2,987 |';
    assert.equal(verdictOn('Spending in 2022 was 2,987,000.', table), 'unchecked');
    assert.equal(verdictOn('Spending in 2022 was 3,987.', table), 'contradicted');
  });

  it('don’t support words whose sign or place changes the meaning', () => {
    const text = `Never do this:\n\n- Turn off the pump at night.\n\nIs the gate open on Mondays?\n\nIn winter it has 5 degrees. The price rose by 12 %.`;
    const source = prepareEvidence([makePassage({ id: 1, title: 'a.md', text, format: 'markdown' })]);
    for (const sentence of [
      'Turn off the pump at night.',
      'Is the gate open on Mondays.',
      'In winter it has -5 degrees.',
      'In winter it has > 5 degrees.',
      'The price rose by 12 €.',
      'Because in winter it has 5 degrees.',
    ])
      assert.equal(checkByRules(sentence, [0], source).verdict, 'unchecked', sentence);
    for (const sentence of ['In winter it has 5 degrees.', 'But the price rose by 12%.'])
      assert.equal(checkByRules(sentence, [0], source).verdict, 'supported', sentence);
  });

  it('compute from numbers in the form of any language', () => {
    for (const [sentence, text, computation] of [
      [
        'Es sind 2.300 Euro mehr.',
        'Es waren 41.200 Euro, und es sind 43.500 Euro.',
        '43,500 − 41,200 = 2,300',
      ],
      ['Au total, 21 400 euros.', 'On a payé 18 300 euros et 3 100 euros.', '18,300 + 3,100 = 21,400'],
      ['Il coûte 0,35 € de plus.', 'Le prix passe de 2,40 € à 2,75 €.', '2.75 − 2.4 = 0.35'],
      ['It lasted 33 minutes.', 'It began at 10:05 and ended at 10:38.', '10:38 − 10:05 = 0:33'],
      ['The break takes 30 minutes.', 'There is a break from 9:45 to 10:15.', '10:15 − 9:45 = 0:30'],
      ['The break takes 1.5 hours.', 'The break is from 11:45 am to 1:15 pm.', '13:15 − 11:45 = 1:30'],
      ['La pause dure 30 minutes.', 'La pause dure de 9 h 45 à 10 h 15.', '10:15 − 9:45 = 0:30'],
      [
        'Glaze and clay cost 310 euros.',
        '| Item | No. | Euros |\n| --- | --- | --- |\n| Glaze | 4 | 120 |\n| Clay | 17 | 190 |\n| Wood | 9 | 75 |',
        '190 + 120 = 310',
      ],
    ] as const) {
      const format = text.startsWith('|') ? 'markdown' : 'prose';
      const { computed, missing } = checkByRules(
        sentence,
        [0],
        prepareEvidence([makePassage({ id: 1, title: 'a', text, format })]),
      );
      assert.deepEqual([computed, missing], [computation, undefined], sentence);
    }
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
        'Until 2022 spending was 2,987.',
        'Since 2021 spending was 2,540.',
        'Spending in 2022 was up to 2,987.',
        'Spending in 2022 should be 2,987.',
        'Spending in 2022 may have been 2,987.',
        'Every year from 2022 spending was 2,987.',
        'Spending in 2022 was -2,987.',
        'Spending in 2022 was 2,987 %.',
        'All but 2022 had spending of 2,987.',
        'Spending after 2020 was 2,540.',
      ])
        assert.equal(verdictOn(sentence, table), 'unchecked', sentence);
    });

    it('use the heading above the table, and no words of a title but names and years', () => {
      const years = [2021, 2022].map(
        (year, i) =>
          `## Report of ${String(year)}\n\n| City | Visitors |\n| --- | --- |\n| Carrow | ${String(1_200 + i)} |\n| Glenby | 900 |`,
      );
      const passage = makePassage({
        ...{ id: 1, title: 'Lost days.md', text: years.join('\n\n'), format: 'markdown' },
        headings: ['Report of 2021'],
      });
      const verdict = (sentence: string): string =>
        checkByRules(sentence, [0], prepareEvidence([passage])).verdict;
      assert.equal(verdict('Carrow had 1,201 visitors in 2022.'), 'supported');
      assert.equal(verdict('Carrow had 1,201 visitors in 2021.'), 'unchecked');
      assert.equal(verdict('Carrow lost 1,200 visitors in 2021.'), 'unchecked');
      assert.equal(verdict('The visitors of Carrow were there for 1,200 days.'), 'unchecked');
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

describe('a computed number', () => {
  it('is a sum, difference, or ratio of few numbers', () => {
    assert.equal(computeFrom('447', [['2987', '2540']]), '2,987 − 2,540 = 447');
    assert.equal(computeFrom('17.6', [['2987', '2540']]), '(2,987 − 2,540) / 2,540 × 100 = 17.6');
    assert.equal(computeFrom('5', [['2', '3']]), undefined);
    assert.equal(computeFrom('500', [['2987', '2540']]), undefined);
    assert.equal(computeFrom('11', [['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']]), undefined);
  });

  it('is a small share only of two numbers', () => {
    assert.equal(computeFrom('4', [['9,250', '370']]), '370 / 9,250 × 100 = 4');
    assert.equal(computeFrom('4', [['9,250', '370']], false), undefined);
    assert.equal(computeFrom('4', [['9,250', '370', '12']]), undefined);
  });

  it('can be in words', () => {
    const text = 'The museum got 10,000 euros from the city and 1,000 euros from its members.';
    const evidence = prepareEvidence([makePassage({ id: 1, title: 'gifts.md', text })]);
    const check = checkByRules('The museum got about eleven thousand euros.', [0], evidence);
    assert.equal(check.computed, '10,000 + 1,000 = 11,000');
    const other = checkByRules('The museum got about twelve thousand euros.', [0], evidence);
    assert.deepEqual([other.computed, other.missing], [undefined, undefined]);
  });

  it('is not a year, a day, or a rank', () => {
    const text = 'In 2021, 16 bands played on 2 stages, and 1 prize went to each of 19 guests from 12 towns.';
    const evidence = prepareEvidence([makePassage({ id: 1, title: 'festival.md', text })]);
    for (const statement of [
      'In 2022, 16 bands played on 2 stages.',
      'On 31 October 2021, 19 guests came from 12 towns.',
      'In 2021, 16 bands on 2 stages reached No. 18.',
    ])
      assert.equal(checkByRules(statement, [0], evidence).computed, undefined, statement);
  });

  it('can have the scale that the header of its table states', () => {
    const text =
      'Costs in thousand euros\n\n| Part | 2021 |\n| --- | --- |\n| Sails | 1,250 |\n| Ropes | 980 |';
    const evidence = prepareEvidence([makePassage({ id: 1, title: 'costs.md', text, format: 'markdown' })]);
    const { computed } = checkByRules('Sails and ropes cost 2,230 thousand euros in 2021.', [0], evidence);
    assert.equal(computed, '1,250 + 980 = 2,230');
  });
});

const ORAMA =
  'Orama keeps its postings in typed arrays. A query takes 7 ms on average, against 74 ms before.';
const orama = prepareEvidence([makePassage({ id: 1, title: 'Orama', text: ORAMA })]);

test('ignores headings, questions, code, and remarks about the notebook', () => {
  for (const sentence of [
    '## How it works',
    'Which of the two do you mean?',
    'Here is what the notebook says:',
    '```ts\nretry(task);\n```',
    '~~~\nretry(task);\n~~~',
    'The passages do not say how long it takes.',
    'Nothing in this notebook answers that.',
    'Sure!',
    'I could not find anything about penguins.',
    'I hope this helps!',
    'In summary, there are several ways.',
    'If you have further questions, feel free to ask.',
    'Here are the steps to follow.',
  ]) {
    assert.equal(isClaim(sentence), false, sentence);
    assert.equal(checkByRules(sentence, [0], orama).verdict, 'none', sentence);
  }
  for (const sentence of [
    'Orama is fast.',
    'It takes 7 ms.',
    'Do not write the index as one string.',
    'There is no telemetry.',
    'In summary, Orama takes 7 ms a query.',
    'Here is the lens that came from Paris in 1840.',
    'No additional packages are needed.',
    'The source does not load at once.',
    '```npm i x``` installs the package `x`.',
    '#5 was closed in 1998 by Orama.',
  ])
    assert.equal(isClaim(sentence), true, sentence);
});

test('takes linear time for a long statement', () => {
  for (const unit of ['a not ', '<?\u200d not ', 'A b, c; ', '`a` '])
    assertLinear((times) => isClaim(unit.repeat(times)), 200);
});

test('takes linear time for many passages', () => {
  const prepareMany = (count: number): ReturnType<typeof prepareEvidence> =>
    prepareEvidence(
      Array.from({ length: count }, (_, id) =>
        makePassage({
          id: id + 10,
          title: 'Long',
          text: `${ORAMA}\n`.repeat(8).replaceAll('7', String(id)),
        }),
      ),
    );
  const sentences = [
    'A query takes 7 ms on average.',
    'Stemming depends on the language of the passage.',
    'Penguins swim.',
  ];
  assertLinear((count) => {
    const prepared = prepareMany(count);
    for (const sentence of sentences) checkByRules(sentence, [0], prepared);
  }, 2);
});

test('lets single words claim something with a citation or in a table', () => {
  const evidence = prepareEvidence([
    makePassage({ id: 1, title: 'a.txt', text: 'Chidi prepares the release.' }),
  ]);
  for (const words of ['Ana', 'We accept it.', 'Release, in short:']) {
    assert.equal(checkByRules(words, [0], evidence).verdict, 'unchecked', words);
    assert.equal(checkByRules(words, [], evidence).verdict, 'none', words);
  }
  assert.equal(checkByRules('Ana', [], evidence, { isInTable: true }).verdict, 'unchecked');
  for (const words of ['n/a', 'Not stated in this source.', '## Ana', 'Who?'])
    assert.equal(checkByRules(words, [0], evidence, { isInTable: true }).verdict, 'none', words);
});

test('lets single words claim something without a citation in a list or with an end mark', () => {
  const evidence = prepareEvidence([
    makePassage({ id: 1, title: 'a.txt', text: 'Chidi prepares the release.' }),
  ]);
  for (const words of ['Ana.', 'Yes.', 'No.', 'They differ.', '**Pumps.**', '水。'])
    assert.equal(checkByRules(words, [], evidence).verdict, 'unchecked', words);
  for (const words of ['Pumps', '**Pumps**'])
    assert.equal(checkByRules(words, [], evidence, { isItem: true }).verdict, 'unchecked', words);
  for (const words of ['Pumps:', 'Sure!', 'Who?', 'not in the sources'])
    assert.equal(checkByRules(words, [], evidence, { isItem: true }).verdict, 'none', words);
  for (const words of ['Overview', '**Repairs**', 'Thanks!', 'Of course.', 'See also.'])
    assert.equal(checkByRules(words, [], evidence).verdict, 'none', words);
});

test('finds supporting text within its passages', () => {
  const words =
    `${ORAMA} The commit-\ntee approved the eﬃcient proposal in March 2019. for (let i = 0;`.split(/\s+/);
  const format = fc.constantFrom('markdown', 'prose', 'code');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words, '\n', '\n\n', '- ', '| a |', '```', '1.', '中文。', '😀'), {
        minLength: 1,
        maxLength: 60,
      }),
      format,
      fc.nat(20),
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }),
      (text, asFormat, offset, sentence) => {
        const document = {
          id: 1,
          title: 'T',
          format: asFormat,
          text: `${' '.repeat(offset)}${text.join(' ')}`,
        } as const;
        const passage = makePassage(document, { start: offset, end: document.text.length });
        for (const { span } of checkByRules(sentence.join(' '), [0], prepareEvidence([passage])).supports) {
          assert.ok(span.start >= passage.start && span.end <= passage.end && span.end > span.start);
        }
      },
    ),
    { numRuns: rounds(40, 200) },
  );
});
