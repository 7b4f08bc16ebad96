import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIndex } from '../../src/core/language/first-index.ts';
import { negationsIn } from '../../src/core/language/negations.ts';
import { directionsIn, oppositeFamily } from '../../src/core/language/opposites.ts';
import { pointsBack, tellsPurpose } from '../../src/core/language/statement-words.ts';
import { stripNoEvidenceStatements } from '../../src/core/language/no-evidence-statements.ts';
import { similarTerms } from '../../src/core/language/words/similar-terms.ts';
import { LANGUAGES } from '../../src/core/language/words/languages.ts';
import { ENGLISH } from '../../src/core/language/words/word-terms.ts';
import { languageOfText, splitWords, termsIn } from '../../src/core/language/words/words.ts';

const negations = (text: string): ReturnType<typeof negationsIn> =>
  negationsIn(splitWords(text), text, languageOfText(text));
const scopes = (text: string): string[][] => negations(text).map(({ scope }) => [...scope]);

test('limits a negation to the words close after it in its clause', () => {
  assert.deepEqual(scopes('The gate does not open on Sundays.'), [termsIn('open sundays')]);
  assert.deepEqual(scopes('The gate does not open, but the door is free.'), [termsIn('open')]);
  assert.deepEqual(scopes('Das Tor öffnet sonntags nicht.').length, 1);
  assert.deepEqual(scopes('大门不开放').length, 1);
  assert.deepEqual(scopes('Not only the gate but also the door opens.'), []);
  assert.deepEqual(scopes('A non-linear gate opens.'), []);
});

test('finds words of direction', () => {
  const ways = (text: string): number => directionsIn(splitWords(text), languageOfText(text)).length;
  assert.ok(ways('The price of tea rises.') > 0);
  assert.equal(ways('The price of tea is known.'), 0);
  assert.equal(oppositeFamily('rise', ENGLISH), oppositeFamily('increas', ENGLISH));
  assert.notEqual(oppositeFamily('rise', ENGLISH), oppositeFamily('fall', ENGLISH));
  assert.equal(oppositeFamily('harbour', ENGLISH), undefined);
});

test('ignores words of other languages that are spelled like English ones', () => {
  for (const text of [
    'Falls der Hafen geschlossen ist, gilt das auch im Falle des Sturms.',
    'Das Schiff war fast hundert Meter lang und kam über die See.',
    'La rose est la fleur de la ville, et le pain y est plus fin.',
  ]) {
    const language = languageOfText(text);
    const words = splitWords(text, language);
    assert.notEqual(language, ENGLISH, text);
    assert.deepEqual(directionsIn(words, language), [], text);
    for (const { terms } of words)
      for (const term of terms) assert.equal(oppositeFamily(term, language), undefined, term);
  }
  const german = 'Es kam vor dem Sturm by und after, this war Mist.';
  const language = languageOfText(german);
  assert.ok(!tellsPurpose(german, language));
});

test('takes code with letters as names for English', () => {
  for (const code of [
    'export const add = (x: Vector, y: Vector): Vector => ({ x: x.x + y.x, y: x.y + y.y, z: x.z + y.z });',
    'function e(t,n){var r=t.length,o=n||0,u=0;while(u<r){if(f(t[u]))return i(t,u);u++}return o}',
  ])
    for (const text of [code, `${code}\n`.repeat(8)]) assert.equal(languageOfText(text), ENGLISH, text);
  const spanish = '// Devuelve la suma de los números de la lista, o cero si no hay ninguno.\n';
  assert.notEqual(languageOfText(spanish + 'export const suma = (x, y) => x + y;'), ENGLISH);
});

test('finds negations by endings, prefixes, and later words', () => {
  assert.deepEqual(scopes('Bu müze daha çok kitap ödünç vermez.').length, 1);
  assert.deepEqual(scopes('Bu film daha çok bir komedi gibi.'), []);
  assert.deepEqual(scopes('Laivas žiemą neveža keleivių, nes yra ledas ir vėjas.'), [['vez']]);
  assert.deepEqual(scopes('Het is niet alleen een museum maar ook een haven.'), []);
  assert.deepEqual(scopes('Ob das Tor offen oder nicht offen ist, weiß der Wirt.'), []);
});

test('removes statements that the sources lack something, and keeps offsets', () => {
  for (const [sentence, stated] of [
    ['The sources do not say when it opens; it is closed on Sundays.', 'it is closed on Sundays.'],
    ['Die Quellen sagen nicht, wann es öffnet, aber es ist sonntags zu.', 'aber es ist sonntags zu.'],
    ['It is closed on Sundays.', 'It is closed on Sundays.'],
  ] as const) {
    const without = stripNoEvidenceStatements(sentence);
    assert.equal(without.length, sentence.length);
    assert.equal(without.trim(), stated);
  }
});

test('recognizes entries and table cells that only say that the sources lack something', () => {
  for (const lack of [
    'not in the sources',
    'Not told.',
    '*not stated*',
    'n/a',
    '(nicht angegeben)',
    'Non indiqué',
    '未提及',
  ])
    assert.equal(stripNoEvidenceStatements(lack).trim(), '', lack);
  assert.equal(
    stripNoEvidenceStatements('| hen | not in the sources | 4 °C |'),
    '| hen |                    | 4 °C |',
  );
  for (const claim of ['Not stated in 1947', 'It is not available on Sundays'])
    assert.equal(stripNoEvidenceStatements(claim), claim);
});

test('scores terms by the letters that they share', () => {
  const similar = similarTerms(['phosphorylation', 'phosphate', 'harbour', 'harbours']);
  const similarWords = similar('phosphorylated');
  assert.deepEqual([...similarWords.keys()], ['phosphorylation']);
  assert.ok((similarWords.get('phosphorylation') ?? 0) > 0.6);
  assert.equal(similarTerms(['cat'])('cats').size, 0);
});

test('detects the language of a text by its function words', () => {
  const detectLanguage = (text: string): string | undefined => LANGUAGES[languageOfText(text)]?.code;
  assert.equal(detectLanguage('The gate of the harbour is open on every day of the week.'), 'en');
  assert.equal(detectLanguage('Das Tor des Hafens ist an jedem Tag der Woche offen.'), 'de');
  assert.equal(detectLanguage('La porte du port est ouverte tous les jours de la semaine.'), 'fr');
});

test('finds the first index that satisfies a condition, or returns the length', () => {
  for (const length of [0, 1, 2, 9])
    for (let first = 0; first <= length; first++)
      assert.equal(
        firstIndex(length, (index) => index >= first),
        first,
      );
});

test('distinguishes aims of a study from findings, and dependent sentences from standalone ones', () => {
  assert.ok(tellsPurpose('OBJECTIVE To determine whether tea helps.', ENGLISH));
  assert.ok(tellsPurpose('We investigated the effect of tea.', ENGLISH));
  assert.ok(!tellsPurpose('Tea helps.', ENGLISH));
  for (const [sentence, code] of [
    ['However, it helps.', 'en'],
    ['Sie halbierten sich.', 'de'],
    ['Elle a baissé de moitié.', 'fr'],
  ] as const)
    assert.ok(
      pointsBack(
        sentence,
        LANGUAGES.findIndex((each) => each.code === code),
      ),
      sentence,
    );
  assert.ok(!pointsBack('Tea helps those who drink it.', ENGLISH));
});
