import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClaim, prepareClaim } from '../../src/answers/checking/claim.ts';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { matchClaim } from '../../src/answers/checking/matching.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { wordFinder } from '../../src/answers/retrieving/provenance.ts';
import { WordTokenizer } from '../../src/core/language/words/tokenizer.ts';
import { makePassage } from './answering-fixtures.ts';

/** A text, a question with other forms of its words, those that it holds, and a sentence in yet other forms. */
const ways = [
  {
    language: 'German',
    text: 'Die Verbindungen werden von dem Server nicht angenommen, wenn die Zertifikate abgelaufen sind.',
    question: 'Wann wird eine Verbindung mit einem abgelaufenen Zertifikat angenommen?',
    held: ['Verbindung', 'abgelaufenen', 'Zertifikat', 'angenommen'],
    sentence: 'Eine Verbindung wird nicht angenommen, wenn das Zertifikat abgelaufen ist.',
    denied: 'Eine Verbindung wird angenommen, wenn das Zertifikat abgelaufen ist.',
  },
  {
    language: 'Turkish',
    text: 'Bu kitaplar daha çok öğrenciler için yazıldı ama öğretmenler de onları okudu.',
    question: 'Bu kitap daha çok hangi öğrenci için yazıldı?',
    held: ['kitap', 'öğrenci', 'yazıldı'],
    sentence: 'Kitap daha çok öğrenciler için yazıldı.',
  },
  {
    language: 'French',
    text: 'Les fichiers ne sont pas ouverts par le serveur quand les certificats ont expiré.',
    question: "Qu'est-ce que le serveur fait du fichier avec un certificat ?",
    held: ['serveur', 'fichier', 'certificat'],
    sentence: "Le fichier n'est pas ouvert par le serveur quand les certificats ont expiré.",
    denied: 'Le fichier est ouvert par le serveur quand les certificats ont expiré.',
  },
  {
    language: 'Russian',
    text: 'Он не знал, что новые настройки были сохранены в файлах, и что для них не нужны пароли.',
    question: 'Где была сохранена новая настройка и нужен ли пароль?',
    held: ['сохранена', 'новая', 'настройка', 'пароль'],
    sentence: 'Новая настройка была сохранена в файле.',
  },
  {
    language: 'Chinese',
    text: '证书过期后，服务器不接受连接。管理员必须更新证书。',
    question: '证书过期后服务器接受连接吗？',
    held: ['证书过期后服务器接受连接吗'],
    sentence: '证书过期后，服务器不接受连接。',
    denied: '证书过期后，服务器接受连接。',
  },
];

for (const { language, text, question, held, sentence, denied } of ways)
  test(`uses the same rules for question, shown words, and checks: ${language}`, () => {
    const tokenizer = new WordTokenizer();
    const terms = new Set(tokenizer.termsOfPassage(text));
    const matchingTerms = tokenizer.termsOfQuestion(question).filter((term) => terms.has(term));
    assert.ok(matchingTerms.length >= held.length, `found by ${matchingTerms.join(', ')}`);
    assert.deepEqual(wordFinder(question)(text), held);
    const evidence = prepareEvidence([makePassage({ id: 1, title: 'x', text })]);
    const { claim, credits } = matchClaim(prepareClaim(sentence, evidence), evidence);
    const missing = claim.terms.filter((_, i) => ![...credits.values()].some((credit) => credit[i] === 1));
    assert.deepEqual(missing, [], 'every term of the sentence stands there as it is');
    const check = checkByRules(sentence, [0], evidence);
    assert.deepEqual([check.verdict === 'contradicted', check.missing], [false, undefined]);
    if (denied !== undefined) assert.equal(checkByRules(denied, [0], evidence).verdict, 'unchecked');
  });

test('ignores a sentence of only stop words', () => {
  assert.ok(!isClaim('Und das ist so.'));
});

test('compares a sentence with sources in another language by their names and numbers', () => {
  const text = 'The Kubernetes scheduler of the cluster is restarted after 30 seconds, and that is all.';
  const evidence = prepareEvidence([makePassage({ id: 1, title: 'x', text })]);
  const sentence = 'Der Kubernetes-Scheduler wird nach 30 Sekunden von dem Cluster neu gestartet.';
  const terms = new Set(evidence.units.flatMap((unit) => [...unit.terms]));
  const shared = prepareClaim(sentence, evidence).terms.filter(({ term }) => terms.has(term));
  assert.deepEqual(
    shared.map(({ term }) => term),
    ['kubernet', 'schedul', '30', 'cluster'],
  );
  const both = prepareEvidence([
    makePassage({ id: 1, title: 'x', text }),
    makePassage({
      id: 2,
      title: 'y',
      text: 'Die Zertifikate sind nicht mehr gültig, und das ist ein Fehler.',
    }),
  ]);
  assert.equal(both.languages.size, 2);
});

test('doesn’t take capitalized German words for names', () => {
  const text = 'Der Leuchtturm ist 27 Meter hoch. Der Wärter wohnte mit seiner Familie bis 1962 im Turm.';
  const evidence = prepareEvidence([makePassage({ id: 1, title: 'x', text })]);
  assert.deepEqual(prepareClaim('Der Wärter wohnte mit seiner Familie im Turm.', evidence).names, []);
});
