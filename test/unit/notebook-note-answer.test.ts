import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Answer, Verdict } from '../../src/core/domain/answer.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { noteAsAnswer } from '../../src/features/research/model/note-answer.ts';
import { answerAsNote, citationId } from '../../src/core/domain/note-markdown.ts';
import type { StoredCitation } from '../../src/core/domain/note.ts';
import { VERDICT_MARK_STYLES } from '../../src/core/domain/verdict-marks.ts';
import { rounds } from '../support/test-size.mjs';
import { testCitation } from '../support/test-citation.ts';

function store(number: number): StoredCitation {
  const citation = testCitation({
    number: 90 + number,
    place: `L${String(number)}`,
    quote: `q${String(number)}`,
  });
  return { id: citationId(citation), citation };
}
const [first, second] = [store(1), store(2)];
const link = (label: string, { id, citation }: StoredCitation): string => citationLink(label, id, citation);

/** Returns each statement's text with its verdict and the numbers of its citations. */
function statementsOf(note: string, stored: readonly StoredCitation[] = [first, second]): unknown[] {
  const { text, statements, citations } = noteAsAnswer(note, stored);
  return statements.map(({ start, end, verdict, citations: cited }) => [
    text.slice(start, end),
    verdict,
    ...cited.map((index) => citations[index]?.number),
  ]);
}

describe('noteAsAnswer', () => {
  test('gives each sentence its citations, with the numbers of the note', () => {
    const note = `# Garden\n\n- Hens eat. Tomatoes are watered. ${link('3', second)} ${link('4', first)} More.\n`;
    assert.deepEqual(statementsOf(note), [['Tomatoes are watered.', 'supported', 3, 4]]);
    assert.equal(
      noteAsAnswer(note, [first, second]).text,
      '# Garden\n\n- Hens eat. Tomatoes are watered. More.\n',
    );
  });

  test('turns marks of the fact check into verdicts', () => {
    const note = [
      `Hens fly. ${link('1', first)}[^partly-supported]`,
      `Bees swim. [unsupported]`,
      `[^partly-supported]: Fact check: the sources support only part of this statement.`,
    ].join('\n\n');
    assert.deepEqual(statementsOf(note), [
      ['Hens fly.', 'partly', 1],
      ['Bees swim.', 'not-found'],
    ]);
    assert.doesNotMatch(noteAsAnswer(note, [first, second]).text, /partly|unsupported/);
  });

  test('keeps the citations of each cell of a table', () => {
    const note = `| A | B |\n| - | - |\n| 4 \\| 5 ${link('1', first)} | x ${link('2', second)} |\n| ${link('1', first)} | |`;
    assert.deepEqual(statementsOf(note), [
      ['4 \\| 5', 'supported', 1],
      ['x', 'supported', 2],
      ['[1]', 'supported', 1],
    ]);
  });

  test('leaves links to unknown citations', () => {
    const note = `Hens eat. ${link('1', first)}`;
    assert.deepEqual(noteAsAnswer(note, []), { text: note, statements: [], citations: [] });
  });

  test('loses no citation and no verdict of an answer saved as a note', () => {
    const cell = fc.record({
      words: fc.constantFrom(
        'Hens eat corn.',
        'The *bees* live in a log.',
        'On 3.5 m² grow 4 plants.',
        '`a | b` is code.',
      ),
      cited: fc.subarray([0, 1, 2, 3]),
      verdict: fc.constantFrom<Verdict>('supported', 'partly', 'contradicted', 'not-found', 'unchecked'),
      before: fc.constantFrom('', ' ', '\n', '\n\n', '\n- ', '\n\n> ', '\n\n1. '),
    });
    const citations = [1, 2, 3, 4].map((number) => ({ ...store(number).citation, number }));
    const stored = citations.map((citation) => ({ id: citationId(citation), citation }));
    fc.assert(
      fc.property(
        fc.array(cell, { maxLength: 12 }),
        fc.constantFrom(...VERDICT_MARK_STYLES),
        (cells, style) => {
          let text = '';
          const statements = cells.map(({ words, cited, verdict, before }, i) => {
            text += i > 0 && before === '' ? ' ' : before;
            const start = text.length;
            text += words;
            return { start, end: text.length, verdict, citations: cited };
          });
          const answer: Answer = { kind: 'written', model: 'm', text, statements, citations };
          const note = answerAsNote('Garden', answer, style);
          const back = noteAsAnswer(note.text, stored);
          const shown = statements.filter(
            ({ verdict, citations: cited }) => cited.length > 0 || verdict !== 'supported',
          );
          assert.deepEqual(
            back.statements.map(({ verdict, citations: cited }) => [verdict, [...cited].sort()]),
            shown.map(({ verdict, citations: cited }) => [verdict, cited]),
          );
          for (const { start, end } of back.statements) assert.ok(back.text.slice(start, end).trim() !== '');
        },
      ),
      { numRuns: rounds(200, 20_000) },
    );
  });
});
