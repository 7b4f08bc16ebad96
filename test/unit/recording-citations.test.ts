import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writeHtml } from '../../src/features/export/service/html.ts';
import { writeWord } from '../../src/features/export/service/word.ts';
import { generationHandlers } from '../../src/features/flashcards/store/generation.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { locationOfFootnote } from '../../src/core/domain/answer-markdown.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { readCaptions } from '../../src/parsers/subtitles.ts';
import { exported, imported } from '../support/exported-notebooks.ts';
import { cardsOf } from '../support/flashcards.ts';
import { makeProduct, makeStep, planWith, runResearch, takeStep } from '../support/made-boards.ts';
import {
  addSources,
  allCells,
  fill,
  makeExtractionTable,
  openTables,
  writtenAnswer,
} from '../support/extraction-tables.ts';
import { openBoard } from '../support/opened-boards.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

const TIME = { from: 754, to: 759 };
const URI = 'file:///notes/talk.wav';
const captions = `WEBVTT

00:00:01.000 --> 00:00:05.000
<v Ada>The meeting begins with the weather.

00:12:34.000 --> 00:12:39.000
<v Ben>The ferry leaves the harbor at nine.
`;

/** Opens a notebook with a recording, and one with text about the same subject. */
async function openTalk(
  folder = makeFolder(),
): Promise<{ index: NotebookIndex; talk: string; other: string }> {
  const index = await open(folder);
  const { text, spoken } = readCaptions(new TextEncoder().encode(captions));
  const document = { ...readPlainText(text, 'audio/wav'), map: { kind: 'saved', spoken } } as const;
  const { id: talk } = await index.addSource('Harbor talk', origin, {
    ...{ ...input(text, 'talk.wav'), uri: URI, document },
  });
  const { id: other } = await index.addSource('Notes', origin, input('The ferry is white.', 'notes.txt'));
  return { index, talk, other };
}

async function citationIn({ index, talk }: Awaited<ReturnType<typeof openTalk>>): Promise<Citation> {
  const scope = { kind: 'sources', sourceIds: [talk] } as const;
  const [found] = await index.passageSearch.search('When does the ferry leave?', 1, undefined, scope);
  assert.ok(found);
  const quote = 'The ferry leaves the harbor at nine.';
  const start = found.start + found.text.indexOf(quote);
  const span = { start, end: start + quote.length };
  const { documentId } = found;
  const [citation] = index.cited.cite([{ number: 1, documentId, passage: span, span, quote }]);
  assert.ok(citation);
  return citation;
}

function expectTime(citation: Citation | undefined): void {
  assert.ok(citation?.locator.kind === 'saved');
  assert.deepEqual(citation.locator.time, TIME);
  assert.equal(citation.place, '12:34');
}

describe('the time of a citation of a transcript', () => {
  test('is found within the search scope', async () => {
    const opened = await openTalk();
    expectTime(await citationIn(opened));
    const { index, other } = opened;
    const scope = { kind: 'sources', sourceIds: [other] } as const;
    const passages = await index.passageSearch.search('When does the ferry leave?', 3, undefined, scope);
    assert.ok(passages.every(({ sourceId }) => sourceId === other));
  });

  test('is in the cells of an extraction table', async () => {
    const citation = await citationIn(await openTalk());
    const opened = await openTables(makeFolder());
    addSources(opened, ['Harbor talk']);
    const { tableId } = makeExtractionTable(opened, ['When?']);
    await fill(opened, tableId, {
      answer: ({ sourceId }) =>
        Promise.resolve({ ...writtenAnswer(sourceId, 'At nine.'), citations: [citation] }),
    });
    const [cell] = allCells(opened.extractionTables, tableId);
    expectTime(cell?.answer?.citations[0]);
  });

  test('is on flashcards', async () => {
    const { index } = await openTalk();
    const handlers = generationHandlers(() => index);
    const asking = { signal: new AbortController().signal, report: () => undefined };
    const words = 'leaves the harbor at nine';
    const citation = await handlers.citeWords({ uri: URI, words, near: 0 }, asking);
    assert.ok(citation);
    const { ids } = cardsOf(index).addAll({
      title: 'Harbor',
      cards: [{ key: 'a', kind: 'question', maker: 'model', front: 'When?', back: 'At nine', citation }],
    });
    expectTime(cardsOf(index).card(ids[0] ?? '').citation);
  });

  test('is in the results of a research project', async () => {
    const citation = await citationIn(await openTalk());
    const opened = await openBoard();
    const researchId = runResearch(opened.board, planWith(makeStep('a')));
    const { token = '' } = takeStep(opened.board, researchId, { stepId: 'a' }) ?? {};
    opened.board.submitStep({
      token,
      product: {
        ...makeProduct('At nine.'),
        citations: [citation],
        statements: [{ start: 0, end: 8, verdict: 'supported', citations: [0] }],
      },
    });
    const reopened = await openBoard({ folder: opened.folder });
    expectTime(reopened.board.product({ researchId, productId: 'a product' })?.citations[0]);
  });

  test('is in notes, in exported notes, and in exported notebooks', async () => {
    const folder = makeFolder();
    const opened = await openTalk(folder);
    const citation = await citationIn(opened);
    const stored = { id: 'a'.repeat(16), citation };
    const text = `At nine ${citationLink('1', stored.id, citation)}.`;
    const note = { title: 'Note', text, citations: [stored], figures: [] };
    assert.match(new TextDecoder().decode(writeHtml({ ...note, format: 'html' })), /talk\.wav \[12:34\]/);
    const word = openContainer(await writeWord({ ...note, format: 'docx' }), 'note.docx');
    assert.match(new TextDecoder().decode(word.part('word/footnotes.xml')), /talk\.wav \[12:34\]/);
    assert.equal(locationOfFootnote(citation), `talk.wav [12:34], ${URI}`);
    opened.index.features.notes.add({ title: 'Note', text, citations: [stored] });
    await close(opened.index);
    const other = await imported(await exported(folder));
    expectTime(other.features.notes.citations([stored.id])[0]?.citation);
  });
});
