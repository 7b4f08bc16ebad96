import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerAsMarkdown, conversationAsMarkdown } from '../../src/core/domain/answer-markdown.ts';
import {
  withShownVerdicts,
  VERDICTS,
  type Answer,
  type Statement,
  type Turn,
  type Verdict,
} from '../../src/core/domain/answer.ts';
import { tableAsNote, asPlainTables } from '../../src/features/tables/model/export.ts';
import { removeCitations } from '../../src/core/domain/citation-links.ts';
import { answerAsNote, noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import {
  VERDICT_MARK_STYLES,
  verdictLabel,
  verdictMark,
  withoutVerdictMarks,
} from '../../src/core/domain/verdict-marks.ts';
import { writeHtml } from '../../src/features/export/service/html.ts';
import { searchNotebook } from '../../src/answers/notebook-tools.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { makeNotebook } from './answering-fixtures.ts';
import { testCitation } from '../support/test-citation.ts';

/** Verdicts of statements that a reader must not attribute to a source. */
const DOUBTFUL = VERDICTS.filter((verdict) => verdict !== 'supported' && verdict !== 'none');

const SENTENCES = ['Tomatoes are watered daily.', 'Cats water them.', 'Nobody weeds.', 'It never rains.'];

/** Returns an answer of four sentences: a supported, an unsupported, a partly supported, and a contradicted one. */
function makeAnswer(
  verdicts: readonly Verdict[] = ['supported', 'not-found', 'partly', 'contradicted'],
): Answer {
  let at = 0;
  const statements = SENTENCES.map((sentence, index): Statement => {
    const start = at;
    at += sentence.length + 1;
    const verdict = verdicts[index] ?? 'none';
    const citations = verdict === 'not-found' ? [] : [0];
    return { start, end: start + sentence.length, verdict, citations, checkedBy: 'judge' };
  });
  return { kind: 'written', model: 'm', text: SENTENCES.join(' '), statements, citations: [testCitation()] };
}

function makeTurn(id: string): Turn {
  return {
    id,
    question: 'Who waters?',
    askedAt: 0,
    state: { kind: 'done', milliseconds: 1 },
    answer: makeAnswer(),
  };
}

describe('marks of the fact check', () => {
  it('follow each statement of a copied answer', () => {
    assert.match(
      answerAsMarkdown(makeAnswer(), 'inline'),
      /^Tomatoes are watered daily\.\[\^1\] Cats water them\. \[unsupported\] Nobody weeds\.\[\^1\] \[partly supported\] It never rains\.\[\^1\] \[contradicted\]\n\n\[\^1\]: /,
    );
  });

  it('are footnotes of a copied answer if the setting says so', () => {
    const markdown = answerAsMarkdown(makeAnswer(), 'footnote');
    assert.match(markdown, /Cats water them\.\[\^unsupported\] Nobody weeds\.\[\^1\]\[\^partly-supported\] /);
    assert.match(markdown, /^\[\^unsupported\]: Fact check: the sources don’t support this statement\.$/m);
    assert.match(markdown, /^\[\^contradicted\]: Fact check: /m);
  });

  it('say that no model checked a statement, as the panel does', () => {
    const { answer } = makeTurn('a');
    assert.ok(answer?.kind === 'written');
    const statements = answer.statements.map(({ start, end, citations, verdict }) => ({
      start,
      end,
      citations,
      verdict,
    }));
    assert.match(
      answerAsMarkdown(withShownVerdicts({ ...answer, statements }), 'inline'),
      /^Tomatoes are watered daily\.\[\^1\] \[not fact-checked\] Cats water them\. \[not fact-checked\] /,
    );
  });

  it('are explained once in a conversation', () => {
    const markdown = conversationAsMarkdown('All', [makeTurn('a'), makeTurn('b')], 'footnote');
    assert.equal(markdown.match(/Cats water them\.\[\^unsupported\]/g)?.length, 2);
    assert.equal(markdown.match(/^\[\^unsupported\]: /gm)?.length, 1);
  });

  it('are explained once in a note to which another answer is added', () => {
    const first = answerAsNote('First?', makeAnswer(), 'footnote');
    const text =
      first.text + answerAsNote('Second?', makeAnswer(), 'footnote', { level: 2, above: first.text }).text;
    assert.equal(text.match(/Cats water them\.\[\^unsupported\]/g)?.length, 2);
    assert.equal(text.match(/^\[\^unsupported\]: /gm)?.length, 1);
  });

  for (const style of VERDICT_MARK_STYLES)
    it(`reach the Markdown and the HTML of a note (${style})`, () => {
      const { text, citations } = answerAsNote('Who waters?', makeAnswer(), style);
      const markdown = noteAsMarkdown(text, citations);
      for (const verdict of DOUBTFUL.filter((each) => each !== 'unchecked'))
        assert.ok(markdown.includes(verdictMark(verdict, style)), verdict);
      const html = Buffer.from(
        writeHtml({ format: 'html', title: 'N', text, citations, figures: [] }),
      ).toString();
      assert.match(html, style === 'inline' ? /\[unsupported\]/ : /the sources don’t support this statement/);
    });

  it('are included in the cells of a note, an Excel, and a CSV table', () => {
    const table = {
      header: { title: 'M', columns: [{ id: 'c', question: 'Who waters?' }] },
      rows: [{ id: 'r', title: 'garden.md' }],
      cells: [{ rowId: 'r', columnId: 'c', rowTitle: 'garden.md', answer: makeAnswer() }],
    } as unknown as Parameters<typeof asPlainTables>[0];
    const cell = asPlainTables(table, false)[0]?.rows[0]?.[1];
    assert.equal(
      cell,
      'Tomatoes are watered daily. Cats water them. [unsupported] Nobody weeds. [partly supported] It never rains. [contradicted]',
    );
    assert.match(tableAsNote(table, 'inline').text, /Cats water them\. \[unsupported\] Nobody/);
    assert.match(
      tableAsNote(table, 'footnote').text,
      /Cats water them\.\[\^unsupported\] [^]*\n\[\^unsupported\]: /,
    );
  });

  for (const style of VERDICT_MARK_STYLES)
    it(`reach language model tools with an answer that was added as a source (${style})`, async () => {
      const bytes = Buffer.from(answerAsMarkdown(makeAnswer(), style));
      const { text } = await readDocument({ bytes, name: 'answer.md', minimumLength: 1 }, {});
      const finder = makeNotebook([{ id: 1, title: 'answer.md', text }]);
      const notebook = { finder, sources: () => Promise.resolve([]) };
      const input = { queries: ['Cats water them'] };
      const output = await searchNotebook(notebook, input, new AbortController().signal);
      assert.ok(output.includes(`Cats water them.${verdictMark('not-found', style)}`), output);
    });

  it('follow every doubtful statement, whatever its verdict', () => {
    for (const verdict of DOUBTFUL)
      for (const style of VERDICT_MARK_STYLES) {
        const markdown = answerAsMarkdown(makeAnswer(['none', verdict]), style);
        assert.ok(
          markdown.includes(`them.${verdict === 'not-found' ? '' : '[^1]'}${verdictMark(verdict, style)}`),
        );
        assert.notEqual(verdictLabel(verdict), undefined);
      }
  });

  it('are removed if only the words count', () => {
    for (const style of VERDICT_MARK_STYLES) {
      const { text } = answerAsNote('Q', makeAnswer(), style);
      assert.equal(removeCitations(text).trim(), `# Q\n\n${SENTENCES.join(' ')}`);
    }
    assert.equal(withoutVerdictMarks('Plain [1] words.'), 'Plain [1] words.');
  });
});
