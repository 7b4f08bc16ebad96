import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSentence, isClaim } from '../../src/answering/checking/checker.ts';
import { prepareEvidence } from '../../src/answering/checking/evidence.ts';
import { checkMadeSet, readMadeSets } from '../bench/made-sentences.ts';
import { assertLinear } from '../support/growth.ts';
import { makePassage, type TestDocument } from './answering-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

const orama: TestDocument = {
  id: 1,
  title: 'Orama',
  format: 'markdown',
  text: [
    '# The index',
    '',
    'Orama keeps its postings in typed arrays. A query takes 7 ms on average, against 74 ms before.',
    'The index is never written to disk as one JSON string, because V8 cannot hold more than 512 MB.',
    '',
    '- **Stemming** is done by language.',
    '- Stop words are dropped.',
  ].join('\n'),
};
const pdf: TestDocument = {
  id: 2,
  title: 'report.pdf',
  text: 'The commit-\ntee approved the eﬃcient proposal in March 2019. Its budget was 1,500 euros.\nNobody objected to the new timetable.',
};
const code: TestDocument = {
  id: 3,
  title: 'retry.ts',
  format: 'code',
  text: [
    'import { sleep } from "./sleep";',
    '',
    '/** Tries again after a failure, three times at most. */',
    'export async function retry(task: () => Promise<void>) {',
    '  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {',
    '    if (await succeeds(task)) return;',
    '    await sleep(1000 * attempt);',
    '  }',
    '}',
  ].join('\n'),
};
const documents = [orama, pdf, code];
const evidence = prepareEvidence(documents.map((document) => makePassage(document)));

function check(
  sentence: string,
  ...cited: number[]
): { verdict: string; quotes: string[]; documents: number[] } {
  const { verdict, supports } = checkSentence(sentence, cited, evidence);
  const quotes = supports.map(({ passage, span }) =>
    passage.text.slice(span.start - passage.start, span.end - passage.start),
  );
  return { verdict, quotes, documents: supports.map(({ passage }) => passage.documentId) };
}

test('a sentence that stands there word for word is supported by exactly those words', () => {
  const { verdict, quotes } = check('The committee approved the efficient proposal in March 2019.', 1);
  assert.equal(verdict, 'supported');
  assert.deepEqual(quotes, ['The commit-\ntee approved the eﬃcient proposal in March 2019']);
});

test('a paraphrase is supported by the sentence that says it', () => {
  const { verdict, quotes } = check('Postings are kept in **typed arrays** by Orama.', 0);
  assert.equal(verdict, 'supported');
  assert.deepEqual(quotes, ['Orama keeps its postings in typed arrays.']);
});

test('a list item supports what is said of it', () => {
  assert.deepEqual(check('Stemming depends on the language.', 0).quotes, [
    '- **Stemming** is done by language.',
  ]);
});

test('a number that the passage lacks makes a sentence partly supported at most', () => {
  assert.equal(check('A query takes 9 ms on average.', 0).verdict, 'contradicted');
  assert.notEqual(check('A query takes 7 ms in 30 of the indexes.', 0).verdict, 'supported');
  assert.equal(check('A query takes 7 ms on average.', 0).verdict, 'supported');
  assert.equal(check('Its budget was 1500 euros.', 1).verdict, 'supported');
  assert.equal(check('Retrying happens 3 times at most after a failure.', 2).verdict, 'supported');
});

test('a number counts only beside what it counts', () => {
  const text =
    'The first plan had one basin of 4 hectares. Six years later the fleet had grown. 41.3% of it was new.';
  const passage = prepareEvidence([makePassage({ id: 1, title: 'Harbour', text })]);
  const verdict = (sentence: string): string => checkSentence(sentence, [0], passage).verdict;
  assert.equal(verdict('The first plan had a basin of four hectares.'), 'supported');
  assert.notEqual(verdict('The first plan had a basin of 6 hectares.'), 'supported');
  assert.equal(verdict('About 41% of the fleet was new.'), 'supported');
});

test('which one in a row is a number, too', () => {
  const text =
    'The beds are watered every fourth morning. The 3rd plan was signed in May, the fifth never was.';
  const passage = prepareEvidence([makePassage({ id: 7, title: 'Garden', text })]);
  const verdict = (sentence: string): string => checkSentence(sentence, [0], passage).verdict;
  assert.equal(verdict('The beds are watered every fourth morning.'), 'supported');
  assert.equal(verdict('In May the third plan was signed.'), 'supported');
  assert.notEqual(verdict('The beds are watered every third morning.'), 'supported');
  assert.notEqual(verdict('The sixth plan was signed in May.'), 'supported');
});

test('a name that the passage lacks makes a sentence partly supported at most', () => {
  const text =
    'The museum was founded by Ada Quill. Set `retryLimit` to stop early. It stores jobs in PostgreSQL.';
  const passage = prepareEvidence([makePassage({ id: 1, title: 'Museum', text })]);
  const verdict = (sentence: string): string => checkSentence(sentence, [0], passage).verdict;
  assert.equal(verdict('The museum was founded by Ada Quill.'), 'supported');
  assert.equal(verdict('The museum was founded by Ada Marsh.'), 'partly');
  assert.equal(verdict('You can set `retryLimit` to stop early.'), 'supported');
  assert.notEqual(verdict('You can set `retryCount` to stop early.'), 'supported');
  assert.notEqual(verdict('It stores jobs in MySQL.'), 'supported');
});

test('a name that no passage has in the place of another one is told, however much else is the same', () => {
  const text =
    'Birch Mill sold 57 carts for its machines in the spring of 1981. Physicians prescribed less of it in the spring of 1981. In all their years at Larkham the carpenters of the mill were paid by Otto Grell.';
  const mills = prepareEvidence([makePassage({ id: 1, title: 'Mills', text })]);
  const check = (sentence: string): unknown => {
    const { verdict, missing } = checkSentence(sentence, [0], mills);
    return missing === undefined ? verdict : missing.map(({ start, end }) => sentence.slice(start, end));
  };
  assert.equal(check('Birch Mill sold 57 carts for its machines in the spring of 1981.'), 'supported');
  assert.equal(
    check('In the spring of 1981 57 carts were sold by Birch Mill for its machines.'),
    'supported',
  );
  assert.equal(check('Doctors prescribed less of it in the spring of 1981.'), 'supported', 'no name');
  assert.deepEqual(check('Willow Mill sold 57 carts for its machines in the spring of 1981.'), ['Willow']);
  assert.deepEqual(
    check('In all their years at Larkham the carpenters of the mill were paid by Ada Quist Marsh.'),
    ['Ada Quist Marsh'],
  );
  const founded = prepareEvidence([
    makePassage({ id: 1, title: 'Alder', text: 'Alder Mill was founded in 1792. It employs 54 people.' }),
    makePassage({ id: 2, title: 'Larch', text: 'Larch Mill was founded in 1781.' }),
  ]);
  const verdict = (sentence: string): string => checkSentence(sentence, [0, 1], founded).verdict;
  assert.equal(verdict('Alder Mill was founded in 1792 and Larch Mill in 1781.'), 'supported');
  assert.equal(verdict('Alder Mill employs 54 people.'), 'supported');
  assert.notEqual(
    verdict('Alder Mill was founded in 1781.'),
    'supported',
    'in the place of another known one',
  );
});

test('what is denied, turned round or swapped is contradicted', () => {
  const text =
    'Warming reduces the growth of seagrass. Jobs are never run twice at once. Logs are cleaned before the backup begins. ' +
    'Remove filters are overridden by the keep filters. The delay is not only long but grows. ' +
    'Every user has to log in with a password. Tomatoes are watered every morning.';
  const passage = prepareEvidence([makePassage({ id: 1, title: 'Facts', text })]);
  const verdict = (sentence: string): string => checkSentence(sentence, [0], passage).verdict;
  for (const [right, wrong] of [
    ['Warming decreases seagrass growth.', 'Warming increases seagrass growth.'],
    ['Jobs never run twice at once.', 'Jobs run twice at once.'],
    ['Every user has to log in with a password.', 'No user has to log in with a password.'],
    ['Tomatoes are watered every morning.', 'Tomatoes are never watered in the morning.'],
    ['The logs are cleaned before the backup begins.', 'The logs are cleaned after the backup begins.'],
    ['Remove filters are overridden by keep filters.', 'Keep filters are overridden by remove filters.'],
  ] as const) {
    assert.equal(verdict(right), 'supported', right);
    assert.equal(verdict(wrong), 'contradicted', wrong);
  }
  assert.notEqual(verdict('The delay is long and grows.'), 'contradicted');
});

test('a short sentence about what no passage speaks of is not supported', () => {
  const text = 'A dry week doubles what the plants of tomatoes drink.';
  const passage = prepareEvidence([makePassage({ id: 1, title: 'Water', text })]);
  assert.notEqual(checkSentence('Basil is planted between the tomatoes.', [0], passage).verdict, 'supported');
});

test('an abbreviation stands for its long form', () => {
  const text =
    'Chronic kidney disease (CKD) is common in this country. Treatment slows the progression of CKD in most adults.';
  const passage = prepareEvidence([makePassage({ id: 1, title: 'Kidneys', text })]);
  const { verdict, supports } = checkSentence(
    'The progression of chronic kidney disease is slowed by treatment.',
    [0],
    passage,
  );
  assert.equal(verdict, 'supported');
  assert.equal(supports[0]?.span.start, text.indexOf('Treatment'));
});

test('the rows of a table do not bear each other out', () => {
  const text = '| Setting | Default |\n|---|---|\n| `retention` | 14 days |\n| `drain` | 90 s |\n';
  const table = prepareEvidence([makePassage({ id: 1, title: 'Settings', format: 'markdown', text })]);
  assert.equal(checkSentence('The default of `drain` is 90 s.', [0], table).verdict, 'supported');
  assert.notEqual(checkSentence('The default of `retention` is 90 s.', [0], table).verdict, 'supported');
});

test('a sentence that says the opposite is not supported', () => {
  assert.notEqual(check('The index is written to disk as one JSON string.', 0).verdict, 'supported');
  assert.equal(check('The index is never written to disk as one JSON string.', 0).verdict, 'supported');
});

test('words in quotation marks must stand there', () => {
  assert.equal(check('The report says "nobody objected to the new timetable".', 1).verdict, 'supported');
  assert.notEqual(check('The report says "nobody agreed to the new timetable".', 1).verdict, 'supported');
});

test('code is cited by its lines', () => {
  const { quotes } = check('It sleeps `1000 * attempt` between attempts.', 2);
  assert.match(quotes.join('\n'), /sleep\(1000 \* attempt\)/);
  assert.ok(!quotes.join('\n').includes('import'));
});

test('what no passage says is not found', () => {
  const { verdict, quotes } = check('Penguins live in the southern hemisphere.', 0);
  assert.equal(verdict, 'not-found');
  assert.deepEqual(quotes, []);
});

test('a wrong number is put right', () => {
  const { verdict, documents } = check('The committee approved the proposal in March 2019.', 0);
  assert.equal(verdict, 'supported');
  assert.deepEqual(documents, [2]);
  const moved = (...cited: number[]): boolean | undefined =>
    checkSentence('The committee approved the proposal in March 2019.', cited, evidence).moved;
  assert.deepEqual([moved(0), moved(1), moved()], [true, undefined, undefined]);
});

test('a sentence without a mark is cited where it is well supported', () => {
  assert.deepEqual(check('The committee approved the proposal in March 2019.').documents, [2]);
  assert.equal(check('The committee likes long timetables and coffee.').verdict, 'not-found');
});

test('a sentence that rests on two passages is supported by both', () => {
  const { verdict, documents } = check(
    'Orama keeps postings in typed arrays, and the committee approved the efficient proposal.',
    0,
    1,
  );
  assert.equal(verdict, 'supported');
  assert.deepEqual(documents.toSorted(), [1, 2]);
});

test('headings, questions, code and words about the notebook claim nothing', () => {
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
    'Yes.',
    'I hope this helps!',
    'In summary, there are several ways.',
    'If you have further questions, feel free to ask.',
    'Here are the steps to follow.',
  ]) {
    assert.equal(isClaim(sentence), false, sentence);
    assert.equal(check(sentence, 0).verdict, 'none', sentence);
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

test('takes time in proportion to a statement, however long it is', () => {
  for (const unit of ['a not ', '<?\u200d not ', 'A b, c; ', '`a` '])
    assertLinear((times) => isClaim(unit.repeat(times)), 200);
});

/** The words of a sentence that are told to be missing. */
function missingIn(sentence: string, ...cited: number[]): string[] | undefined {
  return checkSentence(sentence, cited, evidence).missing?.map(({ start, end }) =>
    sentence.slice(start, end),
  );
}

test('of what is partly supported the words that were not found are named', () => {
  assert.deepEqual(missingIn('The committee approved the efficient proposal in Lisbon.', 1), ['Lisbon']);
  assert.deepEqual(
    missingIn(
      '- The committee approved the **proposal** in March 2019, while penguins swam around icebergs.',
      1,
    ),
    ['while penguins swam around icebergs'],
  );
  assert.equal(missingIn('The committee approved the proposal in March 2019.', 1), undefined);
});

test('other passages bear out only what the cited ones do not say', () => {
  const both = 'Orama keeps postings in typed arrays, and the committee approved the efficient proposal.';
  const { verdict, documents: cited } = check(both, 0);
  assert.equal(verdict, 'supported');
  assert.deepEqual(cited.toSorted(), [1, 2]);
  assert.equal(checkSentence(both, [0], evidence).moved, undefined);
  assert.deepEqual(check('Orama keeps its postings in typed arrays.', 0).documents, [1]);
});

test('what a sentence says of the sources themselves is left out, the rest keeps its citation', () => {
  const sentence =
    'The passages do not explain how penguins swim, but Orama keeps its postings in typed arrays.';
  const { verdict, quotes } = check(sentence, 0);
  assert.equal(verdict, 'supported');
  assert.deepEqual(quotes, ['Orama keeps its postings in typed arrays.']);
  assert.notEqual(
    check('The passages do not explain how penguins swim, but a query takes 9 ms on average.', 0).verdict,
    'supported',
  );
  assert.equal(
    check('The passages do not say when, and nothing in the sources explains why.', 0).verdict,
    'none',
  );
});

test('only what differs of the same thing is contradicted', () => {
  const text =
    'The mole was damaged by the storm of 1953. The harbour has 4 basins. Three cranes stand on the eastern quay. ' +
    'The lighthouse does not work in summer. Visitors rose by 12% in May.';
  const passage = prepareEvidence([makePassage({ id: 1, title: 'Merrow', text })]);
  const verdict = (sentence: string): string => checkSentence(sentence, [0], passage).verdict;
  assert.equal(verdict('The harbour has 6 basins.'), 'contradicted');
  assert.equal(verdict('Visitors fell by 12% in May.'), 'contradicted');
  assert.notEqual(verdict('The harbour has 9 restaurants near the eastern quay.'), 'contradicted');
  assert.notEqual(verdict('The harbour works in summer.'), 'contradicted');
});

for (const set of readMadeSets())
  test(`numbers, dates and negations are told apart, and true sentences never contradicted: ${set.language}`, () => {
    const checks = checkMadeSet(set);
    for (const [i, { kind, sentence }] of set.sentences.entries()) {
      const { verdict } = checks[i]!;
      if (kind === 'lacks') assert.equal(verdict, 'supported', sentence);
      else if (kind === 'negation') assert.equal(verdict, 'contradicted', sentence);
      else if (kind === 'true') assert.notEqual(verdict, 'contradicted', sentence);
      else if (kind !== 'name') assert.notEqual(verdict, 'supported', sentence);
    }
    const isTrue = (i: number): boolean => set.sentences[i]?.kind === 'true';
    const supported = checks.filter(({ verdict }, i) => isTrue(i) && verdict === 'supported').length;
    assert.ok(supported >= 0.6 * checks.filter((_, i) => isTrue(i)).length, `${String(supported)} supported`);
  });

test('a sentence is checked against many passages in proportion to them', () => {
  const prepareMany = (count: number): ReturnType<typeof prepareEvidence> =>
    prepareEvidence(
      Array.from({ length: count }, (_, id) =>
        makePassage({
          id: id + 10,
          title: 'Long',
          text: `${orama.text}\n${pdf.text}\n`.repeat(4).replaceAll('7', String(id)),
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
    for (const sentence of sentences) checkSentence(sentence, [0], prepared);
  }, 2);
});

test('every support lies within its passage', () => {
  const words = documents.flatMap(({ text }) => text.split(/\s+/));
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
        for (const { span } of checkSentence(sentence.join(' '), [0], prepareEvidence([passage])).supports) {
          assert.ok(span.start >= passage.start && span.end <= passage.end && span.end > span.start);
          const quote = document.text.slice(span.start, span.end);
          assert.equal(quote, quote.trim());
        }
      },
    ),
    { numRuns: rounds(40, 200) },
  );
});
