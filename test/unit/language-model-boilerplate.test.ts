import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isModelBoilerplate,
  isSelfTalk,
  isTransition,
  withoutLead,
} from '../../src/core/language/model-boilerplate.ts';

test('finds statements of models about themselves in the most common languages', () => {
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

test('ignores statements about the author, however long they are', () => {
  for (const sentence of [
    'As an AI, I was not there.',
    'Let me look that up.',
    'I can only tell what stands in the passages that you gave me, of which there are many.',
    'Als Sprachmodell habe ich keinen Zugriff auf den Kalender des Vereins.',
    'Ich habe in allen Quellen nach dem Kanal gesucht und dort drei Stellen gefunden.',
    'Je vais chercher dans les sources ce qui est dit du canal.',
    'He buscado en todas las fuentes lo que se dice del canal.',
    'Я постараюсь найти в источниках всё о канале.',
    '作为语言模型，我无法访问日历。',
    '私は検索しましたが、見つかりません。',
  ])
    assert.ok(isModelBoilerplate(sentence), sentence);
  for (const sentence of [
    'We measured the depth of the channel, which was twelve metres in the winter of 1947.',
    'Sure footing on the slope of the dam comes from its ribs, of which there are nine.',
    'Ichthyologie ist die Lehre von den Fischen.',
    'Natürlich, der Kanal ist zwölf Meter tief.',
    '我国的运河很长。',
  ])
    assert.ok(!isModelBoilerplate(sentence), sentence);
  assert.ok(isTransition('In summary, both work.'));
  assert.ok(!isTransition('Inns stood along the channel.'));
});

test('removes introductions of a result in the most common languages', () => {
  for (const lead of [
    'Sure! Here is the table:',
    'Final answer:',
    'I have found two foxes:',
    'Gerne, hier ist die Tabelle.',
    'Hier ist die Tabelle:',
    'Voici le tableau :',
    'Por supuesto, aquí tiene la tabla:',
    'Ecco la tabella:',
    'Конечно, вот таблица:',
    '以下是表格：',
    'もちろんです。',
  ])
    assert.equal(withoutLead(`${lead}\n\n| a |`), '| a |', lead);
  for (const product of [
    'Sure, the fox is red [1].\n\nSo is the squirrel [2].',
    'Hier steht der Fuchs.\n\nEr ist rot.',
    'Products\n\n- a',
    'Certo numero di volpi:\n- a',
  ])
    assert.equal(withoutLead(product), product);
});

test('ignores statements of the sources', () => {
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
