import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayAskForCode } from '../../src/core/language/code-questions.ts';

describe('mayAskForCode', () => {
  for (const question of [
    'what does readFile return?',
    'who calls fs.read?',
    'where is user_id set?',
    'why does x == NA never give TRUE?',
    'Which function cuts the text into words?',
    'Wo ist die Methode implementiert?',
    'Où est la fonction qui lit le fichier ?',
    '哪个函数读取文件？',
  ])
    test(`is true of “${question}”`, () => {
      assert.ok(mayAskForCode(question));
    });

  for (const question of [
    'How much of the booth money is left?',
    'When is the release now?',
    'How many people work for MGM?',
    'Does it hold e.g. in the U.S. or in Germany?',
    'Wie lange dauert die Codierung des Films; und warum?',
    'Combien de personnes travaillent ici ?',
  ])
    test(`is false of “${question}”`, () => {
      assert.ok(!mayAskForCode(question));
    });
});
