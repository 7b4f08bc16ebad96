import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedTerms } from '../../src/answering/asked-terms.ts';
import { asSpelled } from '../../src/answering/near-terms.ts';
import { kindOf } from '../../src/answering/question-kinds.ts';
import { selectQuotes } from '../../src/answering/quotes.ts';
import { passageOf, type TestDocument } from './answering-fixtures.ts';

/** The best quote, or that there is none which answers. */
function answer(question: string, ...documents: readonly TestDocument[]): string {
  const { quotes, isEnough } = selectQuotes(
    { question, carried: '' },
    documents.map((document) => passageOf(document)),
  );
  const [best] = quotes;
  if (best === undefined || !isEnough) return 'nothing';
  return best.passage.text.slice(best.span.start, best.span.end);
}

const ferry: TestDocument = {
  id: 1,
  title: 'Fährordnung',
  text: 'Die Überfahrt kostet acht Euro. Hunde fahren umsonst mit. Fahrräder gehören auf das Unterdeck. Die letzte Fähre legt um 22 Uhr ab.',
};
const kiln: TestDocument = {
  id: 2,
  title: '陶窑',
  text: '素烧的温度约为九百度。釉烧需要一千二百度。陶器冷却需要两天。',
};
const dock: TestDocument = {
  id: 3,
  title: 'Quai',
  text: 'Le bateau part à midi. La pression du moteur est de trois bars. Les cordages sont rangés à bâbord.',
};

test('a question is asked without the words that only ask, in its own language', () => {
  assert.deepEqual(askedTerms('Wie hoch ist die Kaution?'), ['kaution']);
  assert.deepEqual(askedTerms('Quelle est la pression du moteur ?'), ['pression', 'moteur']);
  assert.deepEqual(askedTerms('怎样保存绿茶？'), ['保存', '绿茶']);
  assert.deepEqual(askedTerms('선장은 누구인가?').includes('선장'), true);
  assert.deepEqual(askedTerms('Did she die in the war?'), ['die', 'war'], 'German words within English');
  assert.deepEqual(askedTerms('was ist das?').length > 0, true, 'nothing but asking');
});

test('a short question in another language is answered, and one of something else is not', () => {
  assert.equal(answer('Was kostet die Überfahrt?', ferry), 'Die Überfahrt kostet acht Euro.');
  assert.equal(answer('Wo gehören die Fahrräder hin?', ferry), 'Fahrräder gehören auf das Unterdeck.');
  assert.equal(answer('Wie repariere ich ein Radio?', ferry), 'nothing');
  assert.equal(
    answer('Quelle est la pression du moteur ?', dock),
    'La pression du moteur est de trois bars.',
  );
  assert.equal(answer('Où est la gare ?', dock), 'nothing');
  assert.equal(answer('陶器冷却需要多久？', kiln), '陶器冷却需要两天。');
  assert.equal(answer('量子力学是什么？', kiln), 'nothing');
});

test('a word in another form is found where no stemmer knows the language', () => {
  assert.equal(answer('Darf ein Hund mit?', ferry), 'Hunde fahren umsonst mit.');
  assert.deepEqual(asSpelled(['katze'], new Set(['katzen', 'karte'])), ['katzen']);
});

test('a misspelt word is taken for the one that is there', () => {
  const bread: TestDocument = {
    id: 4,
    title: 'Loaves',
    text: 'The bread keeps for six days. Salt is cheap.',
  };
  assert.equal(answer('How long does the bred keep?', bread), 'The bread keeps for six days.');
  assert.equal(answer('Who sings the bass?', bread), 'nothing');
  const vocabulary = new Set(['bread', 'cake', 'concurr', 'note1']);
  assert.deepEqual(asSpelled(['bred', 'consurr'], vocabulary), ['bread', 'concurr']);
  assert.deepEqual(asSpelled(['bake', 'note2', 'cat'], vocabulary), ['bake', 'note2', 'cat']);
  assert.deepEqual(asSpelled(['cake'], vocabulary), ['cake']);
});

test('what kind of answer is wanted is told in other languages', () => {
  for (const [question, kind] of [
    ['Wie hoch ist die Miete?', 'amount'],
    ['Warum fährt die Fähre nicht?', 'reason'],
    ['Perché è chiuso?', 'reason'],
    ['Wann legt sie ab?', 'time'],
    ['когда открыто?', 'time'],
    ['Qui est là ?', 'person'],
    ['Est-ce que le quai est ouvert ?', 'other'],
    ['如何保存绿茶？', 'way'],
    ['红茶用多少度的水？', 'amount'],
  ] as const)
    assert.equal(kindOf(question), kind, question);
  assert.equal(answer('釉烧需要多少度？', kiln), '釉烧需要一千二百度。');
});

test('what changed is answered by the whole list of changes', () => {
  for (const question of ["What's new in 3.8.0?", 'What changed in version 2?', 'What was added in May?'])
    assert.equal(kindOf(question), 'list', question);
});
