import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WordTokenizer } from '../../src/core/language/words/tokenizer.ts';
import { Vocabulary } from '../../src/core/language/words/vocabulary.ts';
import { MAX_WORDS, WordCache } from '../../src/core/language/words/word-cache.ts';
import { ANY_WORD } from '../../src/core/language/words/word-pattern.ts';
import { rounds } from '../support/test-size.mjs';

const newCache = (): WordCache<string> => new WordCache((raw) => raw);
const pieces = fc.constantFrom(
  ...["'", '’', '-', '‐', '\n', '\r\n', ' ', '.', ',', '#', '++', '$', '_', '\u00ad', '\0'],
  ...['a', 'C', 'é', 'ß', '1', '23', '½', 'word', 'Überall'],
  ...['е', 'слово', 'λόγος', '漢字', 'かな', 'ไทย', 'e\u0301', '𝐱', '😀', '。', '\ud83d', '٣'],
);
const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 40 });

test('finds the words of any text that the pattern finds', () => {
  const cache = newCache();
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      assert.deepEqual(cache.words(text), text.match(ANY_WORD) ?? []);
    }),
    { numRuns: rounds(400, 2_000) },
  );
});

test('returns the same number for a word each time, and the word for a number', () => {
  const cache = newCache();
  const first = Array.from(cache.wordNumbers('one two one'));
  assert.deepEqual(first, [0, 1, 0]);
  assert.deepEqual(Array.from(cache.wordNumbers('two three')), [1, 2]);
  assert.equal(cache.word(2), 'three');
  assert.throws(() => cache.word(3), RangeError);
});

test('tells words with the same hash apart, short and long ones', () => {
  const cache = newCache();
  // "Aa" and "BB" have the same hash, and so has any text in which one replaces the other.
  const pairs = ['Aa', 'BB'];
  const all = [1, 2, 3, 4, 5, 6].flatMap((count) =>
    Array.from({ length: 2 ** count }, (_, bits) =>
      Array.from({ length: count }, (_, i) => pairs[(bits >> i) & 1] ?? '').join(''),
    ),
  );
  const others = all.map((word) => `ł${word}`);
  const text = [...all, ...others].join(' ');
  assert.deepEqual(cache.words(text), [...all, ...others]);
  assert.deepEqual(cache.words(text), [...all, ...others]);
  assert.equal(new Set(cache.wordNumbers(text)).size, all.length + others.length);
});

test('finds words beyond the cache size or its maximum length', () => {
  const cache = newCache();
  const text = Array.from({ length: MAX_WORDS + 10 }, (_, i) => `w${String(i)}`).join(' ');
  assert.equal(cache.words(text).join(' '), text);
  const { edition } = cache;
  cache.makeRoom();
  const long = 'x'.repeat(5_000);
  assert.deepEqual(cache.words(`w1 ${long} w2`), ['w1', long, 'w2']);
  assert.notEqual(cache.edition, edition);
});

test('gives a passage the same terms by name and by number in any language', () => {
  const vocabulary = new Vocabulary();
  const tokenizer = new WordTokenizer();
  const languages = [
    'The parser reads the file and it is not in the cache. class FileReader { has(key) {\n } }',
    'La lectura de los archivos es lenta en el sistema, y no se guarda en la memoria.',
    'Der Leser liest die Datei und das ist nicht in dem Speicher, parseHTTPResponse 1.2.3',
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...languages), pieces), { maxLength: 8 }), (parts) => {
      const text = parts.join(' ');
      const { numbers, length } = tokenizer.numbersOfPassage(text, vocabulary);
      const names = [...vocabulary.terms()];
      const terms = tokenizer.termsOfPassage(text);
      assert.deepEqual(
        Array.from(numbers, (number) => names[number]),
        terms,
      );
      // Numbers reveal the length of a table, but nothing about its topic. Other spellings don't lengthen a text.
      const counted = terms.filter((term) => !term.startsWith('~')).length;
      assert.ok(length <= counted && (/[^\p{L}\s]/u.test(text) || length === counted));
    }),
  );
  vocabulary.keep((number) => number % 2 === 1);
  const { numbers } = tokenizer.numbersOfPassage(languages.join(' '), vocabulary);
  const names = [...vocabulary.terms()];
  assert.deepEqual(
    Array.from(numbers, (number) => names[number]),
    tokenizer.termsOfPassage(languages.join(' ')),
  );
});

test('gives words beyond the cache size their own terms', () => {
  const vocabulary = new Vocabulary();
  const tokenizer = new WordTokenizer();
  for (let first = 0; first < 1.2 * MAX_WORDS; first += 1_000) {
    const text = Array.from({ length: 1_000 }, (_, i) => `w${String(first + i)}`).join(' ');
    const { numbers } = tokenizer.numbersOfPassage(text, vocabulary);
    const expected = tokenizer.termsOfPassage(text).map((term) => vocabulary.find(term));
    assert.deepEqual(Array.from(numbers), expected);
  }
});
