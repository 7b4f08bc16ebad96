import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCell, estimateCell } from '../../src/features/tables/service/answer-cell.ts';
import { NOT_IN_SOURCES } from '../../src/core/language/no-evidence-statements.ts';
import type { ChatMessage, LanguageModel } from '../../src/answers/models/language-model.ts';
import type { NotebookError } from '../../src/core/domain/errors.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { cellPieces, cellText } from '../../src/features/tables/model/cells.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import { checkCells, uncheckedFailure } from '../../src/features/tables/service/check-cells.ts';
import type { ExtractionCell } from '../../src/features/tables/model/extraction-table.ts';
import { addSources, allCells, fill, makeExtractionTable, openTables } from '../support/extraction-tables.ts';
import { makeFolder } from '../support/opened-notebooks.ts';
import { documents, scripted } from './answering-asking.ts';
import { makeNotebook } from './answering-fixtures.ts';

async function answered(
  model: LanguageModel | undefined,
  question = 'What is the record of rain?',
  checker?: LanguageModel,
  onCheckFailed: (failure: NotebookError) => void = () => undefined,
): Promise<Answer> {
  const row = makeNotebook(documents.slice(0, 1));
  return await answerCell({
    question,
    row: { title: 'rain.txt', length: documents[0]!.text.length },
    passages: {
      ...row,
      gather: async () => ({ passages: await row.overview('', 100), isAll: true }),
    },
    model,
    checker,
    onCheckFailed,
    signal: new AbortController().signal,
  });
}

test('answers a cell from its row in a few words, with citations', async () => {
  const model = scripted('The record is 305 mm in one hour [1].');
  const answer = await answered(model);
  assert.equal(cellText(answer), 'The record is 305 mm in one hour.');
  assert.deepEqual(cellPieces(answer), [{ text: cellText(answer), verdict: 'supported', citations: [0] }]);
  assert.equal(answer.citations[0]?.title, 'rain.txt');
  assert.equal(model.requests.length, 1);
  assert.equal(answer.read, undefined);
});

test('reports that a model found nothing, and marks what the row contradicts', async () => {
  assert.deepEqual(await answered(scripted('Not stated in this source.')), {
    ...{ kind: 'nothing', text: 'Not stated in this source.', citations: [] },
  });
  const words = documents[0]!.text.split(/[.!]/)[1]!.trim();
  const checker = scripted(JSON.stringify([{ n: 1, verdict: 'contradicted', words }]));
  const answer = await answered(scripted('The record is 999 mm [1].'), undefined, checker);
  assert.deepEqual(
    cellPieces(answer).map(({ verdict }) => verdict),
    ['contradicted'],
  );
});

test('checks a single word as an answer to the question', async () => {
  for (const reply of ['Rain [1].', 'Rain.']) {
    const checker = scripted(JSON.stringify([{ n: 1, verdict: 'not in the evidence', words: '' }]));
    const unchecked = await answered(scripted(reply), 'Which is it?');
    assert.deepEqual(cellPieces(unchecked)[0]?.verdict, 'unchecked', reply);
    const answer = await answered(scripted(reply), 'Which is it?', checker);
    assert.match(checker.requests.flat().at(-1)?.content ?? '', /question="Which is it\?">\nRain\./);
    assert.deepEqual(cellPieces(answer)[0]?.verdict, 'not-found', reply);
  }
});

test('reports why the fact check of a cell failed', async () => {
  const failures: NotebookError[] = [];
  const answer = await answered(
    scripted('The record of all years is 305 mm [1].'),
    undefined,
    scripted('I can’t.'),
    (failure) => {
      failures.push(failure);
    },
  );
  assert.deepEqual(
    cellPieces(answer).map(({ verdict }) => verdict),
    ['unchecked'],
  );
  assert.equal(failures.length, 1);
  assert.equal(
    uncheckedFailure(3, failures[0]!).message,
    'The fact check of 3 cells failed: scripted-1 didn’t return usable verdicts, so the answer isn’t fact-checked. Pick another fact-check model.',
  );
  assert.equal(uncheckedFailure(3, failures[0]!).action, 'pickModel');
});

test('checks an answer that a cell already has', async () => {
  const folder = makeFolder();
  const opened = await openTables(folder);
  addSources(opened, [documents[0]!.text, documents[0]!.text]);
  const { tableId } = makeExtractionTable(opened, ['What is the record of rain?']);
  const unchecked = await answered(scripted('The record is nearly a foot [1].'));
  await fill(opened, tableId, { answer: () => Promise.resolve(unchecked) });
  const [first, second] = allCells(opened.extractionTables, tableId);
  const checker = scripted(JSON.stringify([{ n: 1, verdict: 'supported', words: '305 mm' }]));
  const check = async (cells: readonly ExtractionCell[]): Promise<void> => {
    await checkCells({
      ...{ board: opened.board, tableId, cells, signal: new AbortController().signal },
      passagesOf: () => makeNotebook(documents.slice(0, 1)),
      checker: (onUsage) => {
        onUsage({ input: 100, output: 10, estimated: 0 });
        return Promise.resolve(checker);
      },
      onProgress: () => undefined,
    });
  };
  await check([first!, second!]);
  const verdicts = allCells(opened.extractionTables, tableId).map(({ answer }) =>
    cellPieces(answer!).map(({ verdict }) => verdict),
  );
  assert.deepEqual(verdicts, [['supported'], ['supported']]);
  assert.equal(opened.extractionTables.find(tableId)?.usage?.input, 200);
  // Checked cells aren't checked again, and another answer isn't replaced.
  await check(allCells(opened.extractionTables, tableId));
  assert.equal(checker.requests.length, 2);
  const { columnId, rowId } = second!;
  const replaced = { tableId, columnId, rowId, before: unchecked, answer: unchecked };
  assert.equal(opened.extractionTables.putVerdicts(replaced), false);
});

test('takes each agreed form of a missing fact for nothing found', async () => {
  for (const reply of [
    'Not stated in this source.',
    NOT_IN_SOURCES,
    `**${NOT_IN_SOURCES}**.`,
    'Nicht angegeben',
  ]) {
    const answer = await answered(scripted(reply));
    assert.deepEqual([answer.kind, cellText(answer)], ['nothing', 'Not stated in this source.'], reply);
  }
});

test('asks the model about a short row that has no word of the question', async () => {
  const model = scripted('It is wet [1].');
  assert.equal(cellText(await answered(model, 'Most common mistake?')), 'It is wet.');
  assert.match(model.requests.flat().at(-1)?.content ?? '', /305 mm/);
});

test('searches a long row with the model’s queries, or else uses its overview', async () => {
  const finder = makeNotebook(documents.slice(0, 1));
  const requests: (readonly ChatMessage[])[] = [];
  const model: LanguageModel = {
    name: 'scripted-1',
    async *stream(messages) {
      await Promise.resolve();
      yield requests.push(messages) === 1 ? 'zebra crossing\nzebra stripes' : 'Not stated.';
    },
  };
  const answer = await answerCell({
    question: 'Most common mistake?',
    row: { title: 'rain.txt', length: 1_000_000 },
    passages: finder,
    model,
    signal: new AbortController().signal,
  });
  assert.equal(answer.kind, 'nothing');
  assert.ok(finder.searches.includes('zebra crossing'));
  assert.match(requests.at(-1)?.at(-1)?.content ?? '', /305 mm/);
});

test('fills a cell with the best excerpt, or with nothing, if there is no model', async () => {
  const answer = await answered(undefined);
  assert.deepEqual(
    [answer.kind, cellText(answer), answer.citations.length],
    ['quotes', documents[0]!.text, 1],
  );
  assert.equal((await answered(undefined, 'Zebras?')).kind, 'nothing');
});

test('removes the marks of headings and items, and numbers that aren’t citations, from a cell', async () => {
  const answer = await answered(undefined);
  const text = '## Rain\n1) Issue #5 is closed.\n• The record is 305 mm.\n#5 is not.';
  assert.equal(
    cellText({ ...answer, kind: 'written', text, statements: [] } as Answer),
    'Rain Issue #5 is closed. The record is 305 mm. #5 is not.',
  );
});

test('estimates the cost of a cell close to the request', async () => {
  const model = scripted('The record is 305 mm in one hour [1].');
  await answered(model);
  const sent = model.requests.flat().reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const { input } = estimateCell({ length: documents[0]!.text.length }, false);
  assert.ok(input > sent / 1.5 && input < sent * 1.5, `${String(input)} told, ${String(sent)} sent`);
  assert.ok(estimateCell({ length: 500 }, true).input > estimateCell({ length: 500 }, false).input + 500);
  // The input is limited, however long a row is.
  assert.ok(estimateCell({ length: 10_000_000 }, false).input < 5_000);
});
