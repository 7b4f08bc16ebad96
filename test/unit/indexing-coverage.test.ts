import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Coverage } from '../../src/features/research/store/coverage.ts';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { Conversations } from '../../src/features/chat/store/conversations.ts';
import { Store } from '../../src/index/store/store.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Citation, Turn } from '../../src/core/domain/answer.ts';
import { MAX_SECTIONS } from '../../src/features/research/model/coverage.ts';
import { makeInput } from '../support/durability-notes.ts';
import { planWith, makeProduct, runResearch, makeStep, takeStep } from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';
import { makeFolder, openWithEvents, origin, passageSettings } from '../support/opened-notebooks.ts';

const heading = (title: string, offset: number) => ({ title, offset, level: 1 });

async function open(): Promise<NotebookIndex> {
  return (await openWithEvents(makeFolder())).index;
}

/** Adds a text with a section of one passage for each title. */
async function addText(index: NotebookIndex, title: string, sections: readonly string[]): Promise<number> {
  const parts = sections.map((name) => `# ${name}\n\nWhat ${name} is: ${'it is told here. '.repeat(28)}\n\n`);
  const offsets = parts.map((_, i) => parts.slice(0, i).join('').length);
  const input = makeInput(parts.join(''), '');
  const headings = sections.map((name, i) => heading(name, offsets[i] ?? 0));
  const source = await index.addSource(title, origin, {
    ...input,
    document: { ...input.document, format: 'markdown', headings },
  });
  return index.store.documents.ofSource(source.id)[0]?.id ?? 0;
}

function cite(documentId: number, start: number, end = start + 5): Citation {
  const span = { start, end };
  return {
    ...{ number: 1, sourceId: 's', sourceKind: 'folder', documentId, title: 'a.md', place: 'L1' },
    ...{ uri: 'file:///a.md', mediaType: 'text/markdown', passage: span, span, quote: 'words' },
    locator: { kind: 'saved', span },
  };
}

function turn(id: string, askedAt: number, more: Partial<Turn>): Turn {
  return {
    ...{ id, question: `Question ${id}?`, askedAt, answer: undefined },
    state: { kind: 'done', milliseconds: 1 },
    ...more,
  };
}

test('counts citations of answers, notes, and results per section', async () => {
  const index = await open();
  const bees = await addText(index, 'Bees', ['Hives', 'Honey', 'Stings', 'Wax']);
  const boats = await addText(index, 'Boats', ['Oars']);
  const { sections: before, documents } = await new Coverage(index.sql).counts(undefined);
  assert.deepEqual(
    before.map(({ documentId, headings, passages, cited }) => [documentId, headings.join(), passages, cited]),
    [
      [bees, 'Hives', 1, 0],
      [bees, 'Honey', 1, 0],
      [bees, 'Stings', 1, 0],
      [bees, 'Wax', 1, 0],
      [boats, 'Oars', 1, 0],
    ],
  );
  assert.deepEqual(
    documents.map(({ sourceTitle, passages, cited }) => [sourceTitle, passages, cited]),
    [
      ['Bees', 4, 0],
      ['Boats', 1, 0],
    ],
  );
  const [, honey, stings, wax] = before.map(({ start }) => start + 20);
  const conversation = index.features.conversations.begin();
  const text = 'It is.';
  const put = (id: string, askedAt: number, more: Partial<Turn>): void => {
    index.features.conversations.putTurn(conversation, turn(id, askedAt, more));
  };
  const answer = { kind: 'quotes' as const, text, quotes: [] };
  put('t1', 1, { answer: { ...answer, citations: [cite(bees, honey ?? 0), cite(bees, (honey ?? 0) + 2)] } });
  put('t2', 2, { answer: { kind: 'nothing', text, citations: [cite(boats, 10)] } });
  index.features.notes.add({
    title: 'N',
    text,
    citations: [{ id: '0123456789abcdef', citation: cite(bees, stings ?? 0) }],
  });
  const { board } = index.features.researches;
  const researchId = runResearch(board, planWith(makeStep('a')));
  const { token = '' } = takeStep(board, researchId) ?? {};
  board.submitStep({ token, product: { ...makeProduct(text), citations: [cite(bees, wax ?? 0)] } });
  const { sections, documents: now, omitted } = await new Coverage(index.sql).counts(undefined);
  assert.deepEqual(
    sections.map(({ headings, cited }) => [headings.join(), cited]),
    [
      ['Hives', 0],
      ['Honey', 1],
      ['Stings', 1],
      ['Wax', 1],
      ['Oars', 0],
    ],
  );
  assert.deepEqual(
    now.map(({ cited }) => cited),
    [3, 0],
  );
  assert.equal(omitted, 0);
  const boatsId = index.store.sources()[1]?.id ?? '';
  const only = await new Coverage(index.sql).counts([boatsId]);
  assert.deepEqual(
    only.documents.map(({ documentId }) => documentId),
    [boats],
  );
});

test('keeps sections of the least cited documents, and counts the others', async () => {
  const { sql } = await openBoard();
  const store = new Store(sql);
  const half = MAX_SECTIONS / 2;
  for (const title of ['A', 'B', 'C', 'D', 'E'])
    store.addSource(title, origin, makeInput('Words.', ''), splitForWindows, passageSettings);
  sql.run('DELETE FROM passages');
  sql.run(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
     INSERT INTO passages (document_id, start, "end", headings)
     SELECT d.id, i * 10, i * 10 + 10, json_array('S' || i) FROM documents d, n`,
    half,
  );
  const conversations = new Conversations(sql);
  const id = conversations.begin();
  const citations = [2, 4, 5].map((documentId) => cite(documentId, 30));
  conversations.putTurn(
    id,
    turn('t', 1, { answer: { kind: 'quotes', text: 'It is.', quotes: [], citations } }),
  );
  const { sections, documents, omitted } = await new Coverage(sql).counts(undefined);
  assert.deepEqual(
    documents.map(({ documentId, passages, cited }) => [documentId, passages, cited]),
    [1, 2, 3, 4, 5].map((documentId) => [documentId, half, Number(documentId !== 1 && documentId !== 3)]),
  );
  assert.deepEqual(new Set(sections.map(({ documentId }) => documentId)), new Set([1, 3]));
  assert.equal(omitted, 3 * half);
});

test('lists questions with their outcome, most recent first', async () => {
  const index = await open();
  const id = index.features.conversations.begin();
  const answer = { kind: 'quotes' as const, text: 'It is.', quotes: [], citations: [cite(1, 0)] };
  const failure = { message: 'No.', action: undefined };
  for (const storedTurn of [
    turn('answered', 1, { answer }),
    turn('bad', 2, { answer, rating: 'bad' }),
    turn('nothing', 3, { answer: { kind: 'nothing', text: 'No.', citations: [cite(1, 0)] } }),
    turn('failed', 4, { state: { kind: 'failed', failure } }),
    turn('answering', 5, { state: { kind: 'answering' } }),
  ])
    index.features.conversations.putTurn(id, storedTurn);
  const past = new Coverage(index.sql).pastQuestions(10);
  assert.deepEqual(
    past.map(({ turnId, outcome }) => [turnId, outcome]),
    [
      ['failed', 'failed'],
      ['nothing', 'nothing'],
      ['bad', 'bad'],
      ['answered', 'answered'],
    ],
  );
  assert.equal(new Coverage(index.sql).pastQuestions(2).length, 2);
});
