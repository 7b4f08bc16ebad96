import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer, Citation, Verdict } from '../../src/core/domain/answer.ts';
import { citationLinks } from '../../src/core/domain/citation-links.ts';
import { decidingText, verdictMarkAt } from '../../src/core/domain/note-evidence.ts';
import { answerAsNote } from '../../src/core/domain/note-markdown.ts';
import { VERDICT_MARK_STYLES } from '../../src/core/domain/verdict-marks.ts';
import { noteAsAnswer } from '../../src/features/research/model/note-answer.ts';
import { testCitation } from '../support/test-citation.ts';

const quotes = ['Tomatoes are watered every second morning.', 'Hens eat slugs at night.'];
const statements: readonly [text: string, verdict: Verdict, citations: number[], deciding?: string][] = [
  ['**Tomatoes** are watered daily.', 'contradicted', [1, 0], 'every second morning'],
  ['Hens eat slugs.', 'supported', [1], 'Hens eat slugs'],
  ['Hens eat.', 'partly', [1]],
];

function makeAnswer(): Answer {
  let text = '';
  const checked = statements.map(([words, verdict, citations, deciding]) => {
    const start = text.length;
    text += `${words} `;
    const end = start + words.length;
    return {
      start,
      end,
      verdict,
      citations,
      checkedBy: 'judge-1',
      ...(deciding !== undefined && { deciding }),
    };
  });
  const citations = quotes.map((quote, index) =>
    testCitation({ number: index + 1, quote, span: { start: 0, end: quote.length } }),
  );
  return { kind: 'written', model: 'm', text, statements: checked, citations };
}

for (const style of VERDICT_MARK_STYLES)
  describe(`evidence in a note (${style})`, () => {
    const note = answerAsNote('What is watered?', makeAnswer(), style);
    const { text } = note;
    const citationsOf = (ids: readonly string[]): Citation[] =>
      note.citations.filter(({ id }) => ids.includes(id)).map(({ citation }) => citation);
    const [contradicted, partly] =
      style === 'inline' ? [' [contradicted]', ' [partly'] : ['[^contr', '[^partly'];

    it('is found at the mark of its statement, with the explanation', () => {
      const mark = verdictMarkAt(text, text.indexOf(contradicted) + 2);
      assert.equal(mark?.explanation, 'Fact check: the sources contradict this statement.');
      assert.equal(mark.citationIds.length, 2);
      assert.equal(decidingText(text, mark.start, citationsOf(mark.citationIds)), 'every second morning');
    });

    it('isn’t shown for other statements', () => {
      const mark = verdictMarkAt(text, text.indexOf(partly) + 2);
      assert.ok(mark);
      assert.equal(decidingText(text, mark.start, citationsOf(mark.citationIds)), undefined);
    });

    it('is found at the link of its statement', () => {
      const shownWords = citationLinks(text).map(({ start, id }) =>
        decidingText(text, start, citationsOf([id])),
      );
      assert.deepEqual(shownWords, [undefined, 'every second morning', 'Hens eat slugs', undefined]);
    });

    it('isn’t shown after the user edited the statement', () => {
      const edited = text.replace('daily', 'weekly');
      const mark = verdictMarkAt(edited, edited.indexOf(contradicted) + 2);
      assert.ok(mark);
      assert.equal(decidingText(edited, mark.start, citationsOf(mark.citationIds)), undefined);
    });

    it('returns to the statements of an answer', () => {
      assert.deepEqual(
        noteAsAnswer(text, note.citations).statements.map(({ deciding }) => deciding),
        ['every second morning', 'Hens eat slugs', undefined],
      );
    });
  });
