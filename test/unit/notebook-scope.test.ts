import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { writeMention, readMentions } from '../../src/core/domain/scope.ts';

const sources = [
  { id: 'a', title: 'notes.md' },
  { id: 'b', title: 'My notes.md' },
  { id: 'c', title: 'notes.md.old' },
  { id: 'd', title: 'Twice' },
  { id: 'e', title: 'Twice' },
];

const questions: readonly (readonly [question: string, ids: readonly string[], rest: string])[] = [
  ['What is new?', [], 'What is new?'],
  ['What does @notes.md say?', ['a'], 'What does say?'],
  ['What does @"My notes.md" say of bees?', ['b'], 'What does say of bees?'],
  ['@My Notes.md: what is new?', ['b'], ': what is new?'],
  ['What is in @notes.md.old?', ['c'], 'What is in ?'],
  ['@notes.md and @"My notes.md", again @notes.md', ['a', 'b'], 'and , again'],
  ['@Twice?', ['d', 'e'], '?'],
  ['Who is me@notes.md?', [], 'Who is me@notes.md?'],
  ['What does  @Component do in @notes.mdx?', [], 'What does  @Component do in @notes.mdx?'],
];

for (const [question, ids, rest] of questions)
  test(`reads mentions in: ${question}`, () => {
    assert.deepEqual(readMentions(question, sources), { sourceIds: ids, rest });
  });

test('reads the mention of any title back', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), (title) => {
      const { sourceIds } = readMentions(`About ${writeMention(title)} what?`, [{ id: 'x', title }]);
      assert.deepEqual(sourceIds, ['x']);
    }),
  );
});

test('keeps every word of a question without mentions', () => {
  fc.assert(
    fc.property(fc.string(), (question) => {
      assert.equal(readMentions(question, []).rest, question);
    }),
  );
});
