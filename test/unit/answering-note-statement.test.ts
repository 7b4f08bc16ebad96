import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { correctableMark, correctedNote, markedStatement } from '../../src/answers/writing/note-statement.ts';
import { correctStatement } from '../../src/answers/writing/correct-statement.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { citationId } from '../../src/core/domain/note-markdown.ts';
import type { StoredCitation } from '../../src/core/domain/note.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring. Snow falls in winter.' };
const finder = makeNotebook([rain]);
const { signal } = new AbortController();

async function storeCitation(): Promise<StoredCitation> {
  const [citation] = await finder.cite([
    { number: 1, passage: makePassage(rain), span: { start: 0, end: 21 } },
  ]);
  assert.ok(citation);
  return { id: citationId(citation), citation };
}

/** A model that replies in turn. */
function replying(...replies: string[]): LanguageModel {
  return {
    name: 'corrector-1',
    async *stream() {
      await Promise.resolve();
      yield replies.shift() ?? '';
    },
  };
}

async function correct(text: string, stored: StoredCitation, ...replies: string[]): Promise<string> {
  const mark = correctableMark(text, { start: 0, end: text.length });
  const statement = mark && markedStatement(text, mark, [stored]);
  assert.ok(statement);
  const { answer, index, span } = statement;
  const model = replying(...replies);
  const corrected = await correctStatement({ answer, index, model, passages: finder, signal });
  return correctedNote(text, span, corrected, 'footnote').text;
}

const SUPPORTED = '[{"n": 1, "verdict": "supported", "words": "falls in spring"}]';
const FOOTNOTE = '[^contradicted]: Fact check: the sources contradict this statement.';

describe('a marked statement of a note', () => {
  it('is replaced by its correction, without its mark', async () => {
    const stored = await storeCitation();
    const link = citationLink('1', stored.id, stored.citation);
    const note = `# Rain\n\n- Snow falls in winter ${link}. Rain falls in autumn. ${link}[^contradicted]\n- More.\n\n${FOOTNOTE}\n`;
    const reply = '{"statement": "Rain falls in spring."}';
    assert.equal(
      await correct(note, stored, reply, SUPPORTED),
      `# Rain\n\n- Snow falls in winter ${link}. Rain falls in spring. ${link}\n- More.\n`,
    );
  });

  it('is corrected from the other citations of the note if it has none', async () => {
    const stored = await storeCitation();
    const link = citationLink('1', stored.id, stored.citation);
    const note = `Snow falls ${link}.\n\nRain falls in autumn.[^unsupported]\n`;
    const reply = '{"statement": "Rain falls in spring."}';
    assert.equal(
      await correct(note, stored, reply, SUPPORTED),
      `Snow falls ${link}.\n\nRain falls in spring. ${link}\n`,
    );
  });

  it('keeps a mark, with its footnote, if the check marks the correction', async () => {
    const stored = await storeCitation();
    const link = citationLink('1', stored.id, stored.citation);
    const note = `Snow falls ${link}.\n\nRain falls in autumn. [unsupported]\n`;
    const reply = '{"statement": "Rain falls in May."}';
    const verdict = '[{"n": 1, "verdict": "not in the evidence", "words": ""}]';
    assert.match(
      await correct(note, stored, reply, verdict),
      /Rain falls in May\.\[\^unsupported\]\n\n\[\^unsupported\]: /,
    );
  });

  it('is removed with its line if the sources don’t support any of it', async () => {
    const stored = await storeCitation();
    const link = citationLink('1', stored.id, stored.citation);
    const note = `- Snow falls ${link}.\n- Rain is blue.[^unsupported]\n- More.\n`;
    assert.equal(await correct(note, stored, '{"statement": ""}'), `- Snow falls ${link}.\n- More.\n`);
  });

  it('is removed with the space that separates it from the next', async () => {
    const stored = await storeCitation();
    const link = citationLink('1', stored.id, stored.citation);
    const note = `Rain is blue.[^unsupported] Snow falls ${link}.\n`;
    assert.equal(await correct(note, stored, '{"statement": ""}'), `Snow falls ${link}.\n`);
  });

  it('is a cell in a table', async () => {
    const stored = await storeCitation();
    const link = citationLink('1', stored.id, stored.citation);
    const note = `| What | When |\n| --- | --- |\n| Rain | autumn ${link}[^contradicted] |\n\nEnd.\n`;
    assert.equal(
      await correct(note, stored, '{"statement": "spring"}', SUPPORTED),
      `| What | When |\n| --- | --- |\n| Rain | spring ${link} |\n\nEnd.\n`,
    );
  });

  it('is not one that no model has checked', () => {
    const text = 'Rain falls in autumn.[^not-fact-checked]';
    assert.equal(correctableMark(text, { start: 0, end: text.length }), undefined);
  });
});
