import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inverseDocumentFrequency } from '../../src/core/language/words/bm25.ts';
import { fold, plainWords, withoutAccents } from '../../src/core/language/words/folding.ts';
import { LANGUAGES } from '../../src/core/language/words/languages.ts';
import { wordsInRole } from '../../src/core/language/words/role-words.ts';
import * as lists from '../../src/core/language/words/word-lists.ts';
import { normalizeQuestion, isSameQuestion } from '../../src/core/language/same-question.ts';
import {
  comparedLanguage,
  comparedTermSet,
  languageOfText,
  splitWords,
  termsIn,
  weighTerms,
} from '../../src/core/language/words/words.ts';
import { isOfTheWhole } from '../../src/core/language/section-headings.ts';
import { monthNames } from '../../src/core/language/months.ts';
import { citeKey } from '../../src/core/domain/bibliography.ts';
import { alignToSource } from '../../src/parsers/html.ts';
import { cutSentences } from '../../src/core/language/sentences.ts';
import { isEverything } from '../support/test-size.mjs';
import { nameKey, productName } from '../../src/features/research/service/plan/names.ts';

const languageIn = (text: string): string | undefined => LANGUAGES[languageOfText(text)]?.name;

test('gives every word its location, letters, and terms', () => {
  const text = 'Ada’s readFileSync takes 1,500 ms, and 1.5GB of the Größe.';
  const words = splitWords(text);
  for (const { start, end, raw } of words) assert.equal(text.slice(start, end), raw);
  assert.deepEqual(
    words.map(({ folded }) => folded),
    ["ada's", 'readfilesync', 'takes', '1,500', 'ms', 'and', '1.5gb', 'of', 'the', 'grosse'],
  );
  assert.deepEqual(
    words.map(({ terms }) => terms),
    [
      ['ada'],
      ['readfilesync', 'read', 'file', 'sync'],
      ['take'],
      ['1500'],
      ['ms'],
      [],
      ['1.5gb', '1.5', 'gb'],
      [],
      [],
      ['gross'],
    ],
  );
});

test('compares no parts of numbers and no single Chinese characters', () => {
  assert.deepEqual(termsIn('version 3.1.18'), ['version', '3.1.18']);
  assert.deepEqual(termsIn('北京市 猫 3.5米'), ['北京', '京市', '猫', '3.5', '米']);
  assert.deepEqual(termsIn('5mg'), ['5mg', '5', 'mg']);
});

test('compares numbers beside Chinese, Japanese, and Korean letters without thousands separators', () => {
  assert.deepEqual(termsIn('年金额为9,100元'), termsIn('年金额为9100元'));
  assert.deepEqual(termsIn('共1,234,567.5人'), ['共', '1234567.5', '人']);
  assert.deepEqual(termsIn('約12,000円'), ['約', '12000', '円']);
  assert.deepEqual(termsIn('총5,400명'), termsIn('총5400명'));
  // Separate numbers stay separate.
  assert.deepEqual(termsIn('为1,23456元'), ['为', '1', '23456', '元']);
});

test('compares texts in one language even if one of them is too short to detect it', () => {
  const of = (text: string, other: string): readonly string[] => [
    ...comparedTermSet(text, comparedLanguage(text, other)),
  ];
  assert.deepEqual(of('Buğday verimi', 'Buğday verimi için ne var?'), ['bugday', 'ver']);
  assert.deepEqual(of('Ernten', 'Wann sind die Ernten?'), ['ernt']);
  assert.deepEqual(of('Ernten', 'Harvests'), ['ernten']);
  const turkish = LANGUAGES.findIndex(({ name }) => name === 'turkish');
  assert.deepEqual([...comparedTermSet('Was it in the harbour?', turkish)], ['harbour']);
  const ask = (question: string, other: string): boolean =>
    isSameQuestion(normalizeQuestion(question, '1890'), normalizeQuestion(other, '1890'));
  assert.ok(ask('Ernten wann?', 'Wann sind die Ernten?'));
  assert.ok(ask('¿Qué cosechas?', '¿Qué son las cosechas?'));
  assert.ok(!ask('¿Qué cosechas?', '¿Qué son los puertos?'));
});

test('reads English number words, and ignores small talk', () => {
  assert.deepEqual(termsIn('Three of the seventh, however, happen to be known.'), ['3', '7th', 'know']);
  assert.deepEqual(termsIn('a com-\nmittee'), ['committe', 'com', 'mitte']);
});

test('detects the language of a text by its stop words, or uses the default', () => {
  assert.equal(languageIn('Die Linse ist nicht aus Glas.'), 'german');
  assert.equal(languageIn('Bu kitap daha çok onlar için.'), 'turkish');
  assert.equal(languageIn('Zertifikate'), 'english');
  const german = LANGUAGES.findIndex(({ name }) => name === 'german');
  assert.equal(languageOfText('Zertifikate', german), german);
  assert.equal(LANGUAGES[languageOfText('It is in the file.', german)]?.name, 'english');
  assert.deepEqual(termsIn('Die Zertifikate'), ['die', 'zertifik']);
  assert.deepEqual(termsIn('Die Zertifikate', german), ['zertifikat']);
});

test('locates words correctly in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      let last = 0;
      for (const { start, end, raw } of splitWords(text)) {
        assert.ok(last <= start && start < end);
        assert.equal(text.slice(start, end), raw);
        last = end;
      }
    }),
  );
});

test('lists no word twice, nor in two lists of stop words', () => {
  for (const several of [
    [...LANGUAGES[0].stopWords, ...lists.TALKING_WORDS],
    [...wordsInRole('contrasts'), ...wordsInRole('reasons'), ...wordsInRole('additions')],
    wordsInRole('aspects'),
  ]) {
    assert.deepEqual(
      several.filter((word, i) => several.indexOf(word) !== i),
      [],
    );
    for (const word of several) assert.equal(word, word.toLowerCase());
  }
  assert.ok(LANGUAGES[0].stopWords.includes('also'));
});

test('recognizes question words, names, and numbers', () => {
  const { NAME_PARTICLES, NUMBER_WORDS, ORDINAL_WORDS, SMALL_TITLE_WORDS } = lists;
  const questionWords = wordsInRole('questions');
  for (const question of [
    'Warum ist das so?',
    'Pourquoi ?',
    '¿Dónde está?',
    'Perché?',
    'Waarom?',
    'Почему так?',
  ])
    assert.ok(
      splitWords(question).some(({ raw }) => questionWords.includes(raw.toLowerCase())),
      question,
    );
  for (const word of ['library', 'bibliothek', 'when']) assert.ok(!questionWords.includes(word), word);
  assert.equal(
    lists.withoutAskingWords('Which ships, mentioned in the article, are Listed?').replace(/ +/g, ' '),
    'Which ships, in the article, are ?',
  );
  assert.ok(lists.speaksOfPassage('What does the text say of tea?'));
  assert.ok(!lists.speaksOfPassage('What is said of the texts on tea?'));
  assert.equal(lists.withoutAskingWords('Who noticed the outline?'), 'Who noticed the outline?');
  assert.deepEqual(
    ['zero', 'nineteen', 'twenty', 'ninety', 'hundred', 'third', 'twelfth', 'dozen'].map((word) =>
      NUMBER_WORDS.get(word),
    ),
    ['0', '19', '20', '90', '100', '3rd', '12th', '12'],
  );
  for (const word of ['first', 'second', 'one hundred']) assert.equal(NUMBER_WORDS.get(word), undefined);
  assert.deepEqual([ORDINAL_WORDS.length, ORDINAL_WORDS.indexOf('sixth')], [12, 5]);
  assert.ok(NAME_PARTICLES.has('zum') && !NAME_PARTICLES.has('beethoven'));
  assert.ok(SMALL_TITLE_WORDS.has('the') && !SMALL_TITLE_WORDS.has('voyager'));
});

test('recognizes headings of abstracts', () => {
  for (const heading of ['Abstract', '1. Introduction', 'Fazit und Ausblick', 'Résumé', '结论与展望', 'Özet'])
    assert.ok(isOfTheWhole(heading), heading);
  for (const heading of ['Summaries', 'Methods', 'Overviewed', 'The introduction of tea', ''])
    assert.ok(!isOfTheWhole(heading), heading);
});

test('names months in the supported languages', () => {
  assert.deepEqual(
    monthNames('de', 'long').find(([name]) => name === 'märz'),
    ['märz', 3],
  );
  assert.ok(monthNames('de-AT', 'long').some(([name, month]) => name === 'jänner' && month === 1));
  assert.ok(monthNames('ru', 'long').some(([name]) => name === 'мая'));
  const cut = (text: string): number => cutSentences(text).length;
  assert.equal(cut('Es war der Tag 3. Jänner des Jahres.'), 1);
  assert.equal(cut('Es begann mit Seite 3. Danach kam mehr.'), 2);
});

test('weights a term by its rarity, never below zero', () => {
  const weights = [0, 1, 5, 10].map((holding) => inverseDocumentFrequency(holding, 10));
  assert.deepEqual(
    weights,
    weights.toSorted((a, b) => b - a),
  );
  assert.equal(inverseDocumentFrequency(12, 10), 0);
  const weight = weighTerms([new Set(['a']), new Set(['a', 'b'])]);
  assert.equal(weight('b'), inverseDocumentFrequency(1, 2));
  assert.equal(weight('c'), inverseDocumentFrequency(0, 2));
});

test('recognizes headings of front and back matter', () => {
  for (const heading of ['References', '7. Acknowledgments', 'Table of Contents:', 'License'])
    assert.ok(lists.isBeside(heading), heading);
  for (const heading of ['3. Results', 'Summary', '2024', '**Notes**'])
    assert.ok(lists.isUsual(heading) && !lists.isBeside(heading), heading);
  for (const heading of ['Results of the survey', 'Index files', '结果'])
    assert.ok(!lists.isUsual(heading) && !lists.isBeside(heading), heading);
});

test('folds words in the same way in all comparisons, in any script', () => {
  assert.deepEqual(plainWords('Größe, “naïve” ŁÓDŹ – œuvre_2, Kø\u00adbenhavn ıkı'), [
    'grosse',
    'naive',
    'lodz',
    'oeuvre',
    '2',
    'kobenhavn',
    'iki',
  ]);
  assert.deepEqual(plainWords('ёлка हिन्दी 数据 \u00ad'), ['елка', 'हिन्दी', '数据']);
  for (const word of ['größe', 'ﬁle', 'straße', 'çağrı'])
    assert.equal(splitWords(word)[0]?.folded, plainWords(word)[0]);
  assert.equal(fold('grosse'), 'grosse');
  assert.equal(nameKey('Straßen_Liste'), nameKey('strassen liste'));
});

if (isEverything)
  test('reads a word of millions of letters, which overflows the stack if a pattern takes them at once', () => {
    const word = 'ж'.repeat(5_500_000);
    assert.equal(plainWords(word).join(''), word);
    assert.equal(withoutAccents('\u0301'.repeat(5_500_000)), '');
    assert.ok(citeKey({ title: word, authors: [], year: 2026 }).length <= 60);
    assert.ok(productName(word).length < 200);
    assert.equal(alignToSource(`${word} a`, `${word} a`).starts.length, 1);
  });
