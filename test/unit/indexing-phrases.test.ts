import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { quotedPhrases } from '../../src/index/search/phrases.ts';
import { rounds } from '../support/test-size.mjs';

const findWords = (question: string): string[] => quotedPhrases(question).map(({ words }) => words);

test('finds phrases in any quotation marks, but not between inch marks', () => {
  assert.deepEqual(findWords('what is "exactly this" or “that one”?'), ['exactly this', 'that one']);
  assert.deepEqual(findWords('„Grüße aus“ «le monde» »und so« 「分散データ」'), [
    'Grüße aus',
    'le monde',
    'und so',
    '分散データ',
  ]);
  assert.deepEqual(findWords('a 5" pipe and 6" pipe, "" and "?!" and "'), []);
  assert.deepEqual(findWords(`"${'x'.repeat(301)}"`), []);
});

test('matches a phrase exactly except for case and spaces', () => {
  const stands = (phrase: string, text: string): boolean =>
    quotedPhrases(`"${phrase}"`)[0]!.pattern.test(text);
  assert.ok(stands('exactly this', 'And EXACTLY\n  This.'));
  assert.ok(stands("it's $5.00 (net)", 'It’s $5.00 (net)!'));
  assert.ok(!stands('this', 'thistle'));
  assert.ok(!stands('hers', 'feathers'));
  assert.ok(!stands('retries', 'max_retries'));
  assert.ok(!stands('exactly this', 'exactly, this'));
  assert.ok(stands('猫', '我的猫很大'));
  assert.ok(stands('โลก', 'สวัสดีชาวโลก'));
});

test('finds every passage that contains all words of a phrase', async () => {
  const word = fc.constantFrom(
    ...[
      'the',
      'Lamps',
      "Ada's",
      'readFile',
      'max_retries',
      '1.2.3',
      '1,500',
      'naïve',
      'and',
      'it’s',
      'C++',
      'E42',
    ],
    ...['分散データベース', '我们', '고양이는', 'สวัสดีชาวโลก', 'Grüße', 'verbunden', 'nicht', 'была', 'λόγος'],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(word, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      async (passages, one, from, length) => {
        const index = PassageIndex.create();
        await index.add(passages.map((words, i) => ({ id: i + 1, sourceId: 's', terms: words.join(' ') })));
        const chosen = one % passages.length;
        const words = passages[chosen]!;
        const start = from % words.length;
        const phrase = words.slice(start, start + 1 + (length % 4)).join(' ');
        const hits = await index.search(`"${phrase}"`, { limit: 256, phrases: [phrase] });
        assert.ok(
          hits.some(({ id }) => id === chosen + 1),
          phrase,
        );
      },
    ),
    { numRuns: rounds(60, 300) },
  );
});
