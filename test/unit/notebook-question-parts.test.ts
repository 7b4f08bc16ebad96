import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selectedPart, splitQuestion } from '../../src/core/domain/question-parts.ts';

const describeParts = (question: string): string[] =>
  splitQuestion(question).map(({ kind, text }) => `${kind}: ${text}`);

describe('splitQuestion', () => {
  test('returns plain text unchanged', () => {
    assert.deepEqual(describeParts('Why?\n\nAnd how?'), ['words: Why?\n\nAnd how?']);
  });

  test('separates code and quotations from plain text', () => {
    const question = 'Why?\n\n```ts\nlet a;\n\n> 1;\n```\nAnd this?\n> Beans are\n> sown.';
    assert.deepEqual(describeParts(question), [
      'words: Why?',
      'code: let a;\n\n> 1;',
      'words: And this?',
      'quotation: Beans are\nsown.',
    ]);
    const [, code] = splitQuestion(question);
    assert.equal(code?.kind === 'code' && code.languageId, 'ts');
    assert.equal(question.slice(code!.start, code!.start + 5), '```ts');
  });

  test('accepts code that contains a fence, and a block that is never closed', () => {
    assert.deepEqual(describeParts('Why?\n\n````md\n```\nx\n```\n````'), [
      'words: Why?',
      'code: ```\nx\n```',
    ]);
    assert.deepEqual(describeParts('Why?\n```\nx'), ['words: Why?', 'code: x']);
  });
});

test('selectedPart returns the selected text at the end of a question', () => {
  assert.equal(selectedPart('Why?\n\n> Beans\n> and peas')?.text, 'Beans\nand peas');
  assert.equal(selectedPart('```\nx\n```\nWhy?'), undefined);
});
