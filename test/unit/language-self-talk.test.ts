import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSelfTalk } from '../../src/language/self-talk.ts';

test('what models say of themselves is told in the languages of most answers', () => {
  for (const sentence of [
    'I have searched the notebook.',
    'As an AI, that is hard.',
    'Here is the table:',
    'Ich habe die Quellen durchsucht.',
    'Hier ist die Zusammenfassung:',
    'Natuurlijk, dat kan.',
    'Ik heb de bronnen gelezen.',
    'Bien sûr, je m’en occupe.',
    'Voici le tableau :',
    'Como asistente no lo sé.',
    'A continuación, la tabla:',
    'Espero que isso ajude.',
    'Ecco la tabella:',
    'Конечно, вот ответ.',
    'Я нашёл три источника.',
    '作为语言模型，做不到。',
    '以下是结果：',
    'もちろんです。',
    '以下に結果を示します：',
  ])
    assert.ok(isSelfTalk(sentence), sentence);
});

test('what is said of the sources is not', () => {
  for (const sentence of [
    'Rain fell in 1947.',
    'Here lies the problem of the method',
    'Ichthyology is the study of fish.',
    'Als Ursache gilt der Regen.',
    'Natürliche Quellen sind selten.',
    'Je mehr es regnet, desto besser.',
    'Certo numero di casi resta aperto.',
    'Claros rayos caen.',
    'Как правило, дождь идёт весной.',
    '以下三种方法有效。',
    'もちろん以外の語。',
  ])
    assert.ok(!isSelfTalk(sentence), sentence);
});
