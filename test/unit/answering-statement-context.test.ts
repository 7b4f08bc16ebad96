import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contextOfStatements, type StatementContext } from '../../src/answers/checking/statement-context.ts';

/** Returns the context of a part of a text. Each line and each sentence is a statement. */
function contextOf(text: string, part: string): StatementContext {
  const statements = [...text.matchAll(/[^\n.!]+[.!]?/g)].map(({ 0: sentence, index }) => ({
    start: index + sentence.length - sentence.trimStart().length,
    end: index + sentence.length,
  }));
  const index = statements.findIndex(({ start, end }) => text.slice(start, end).includes(part));
  assert.notEqual(index, -1, part);
  return contextOfStatements(text, statements)(index);
}

const report = `# Harbour

The museum opened in 1931.

## Opening hours

The museum is closed on:

- Monday
- Tuesday
  - in the morning

It is open otherwise.

**Costs**

Spending was 2,540.

### In other years

| Year | Spending |
| --- | --- |
| 2020 | 2,188 |`;

describe('Context of a statement', () => {
  const cases: readonly (readonly [what: string, part: string, under: readonly string[]])[] = [
    ['the headings above it', 'opened in', ['Harbour']],
    ['the line above a list', 'Monday', ['Harbour', 'Opening hours', 'The museum is closed on:']],
    [
      'the item around an item',
      'in the morning',
      ['Harbour', 'Opening hours', 'The museum is closed on:', 'Tuesday'],
    ],
    ['no lead-in of a list before it', 'It is open', ['Harbour', 'Opening hours']],
    ['a bold line in place of a heading', 'Spending was', ['Harbour', 'Opening hours', 'Costs']],
    ['the headings above a table', '2020', ['Harbour', 'Opening hours', 'In other years']],
  ];
  for (const [what, part, under] of cases)
    it(`is ${what}`, () => {
      assert.deepEqual(contextOf(report, part).under, under);
    });

  it('is the statement before one with a pronoun', () => {
    const text =
      'Spending was 2,000 euros in the year before the fire. It fell by half in the year after it.';
    assert.equal(
      contextOf(text, 'fell by half').after,
      'Spending was 2,000 euros in the year before the fire.',
    );
    assert.equal(contextOf(text, 'Spending was').after, undefined);
  });

  it('is the statement before a short one in the same line', () => {
    const text = 'Ana is away from 20 March. Back in April.\nSecond line.';
    assert.equal(contextOf(text, 'Back').after, 'Ana is away from 20 March.');
    assert.equal(contextOf(text, 'Second').after, undefined);
  });

  it('is the statement before in languages whose pronouns aren’t known', () => {
    const text =
      'Башня была построена в 1823 году на берегу моря. Она осталась закрытой для всех гостей города.';
    assert.equal(contextOf(text, 'Она').after, 'Башня была построена в 1823 году на берегу моря.');
  });
});
