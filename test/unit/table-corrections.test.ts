import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import type { TokenUsage } from '../../src/core/domain/usage.ts';
import { CellCorrections } from '../../src/features/tables/editor/cell-corrections.ts';
import { cellPieces, cellText } from '../../src/features/tables/model/cells.ts';
import { cellKey, type ExtractionCell } from '../../src/features/tables/model/extraction-table.ts';
import { addSources, allCells, fill, makeExtractionTable, openTables } from '../support/extraction-tables.ts';
import { makeFolder } from '../support/opened-notebooks.ts';
import { makeNotebook, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring. Its record is 305 mm.' };
const { signal } = new AbortController();

/** Answer with a statement that the check marked, and that cites nothing. */
const marked: Answer = {
  ...{ kind: 'written', model: 'scripted-1', text: 'The record is 999 mm.', citations: [] },
  statements: [{ start: 0, end: 21, verdict: 'not-found', citations: [], checkedBy: 'checker-1' }],
};

interface CorrectedTable {
  readonly corrections: CellCorrections;
  readonly key: string;
  readonly cell: () => ExtractionCell;
  readonly usage: () => TokenUsage | undefined;
  /** Saves the user's own text in the cell. */
  readonly edit: () => void;
  /** Asks the cell again, also if it has the user's own text. */
  readonly ask: () => Promise<void>;
  /** Returns the corrections of another window. */
  readonly reopen: () => CellCorrections;
}

/** Opens a table with a marked cell, and a model with these replies. */
async function openTable(...replies: string[]): Promise<CorrectedTable> {
  const opened = await openTables(makeFolder());
  addSources(opened, [rain.text]);
  const { tableId, columnIds, rows } = makeExtractionTable(opened, ['What is the record?']);
  await fill(opened, tableId, { answer: () => Promise.resolve(marked) });
  const place = { columnId: columnIds[0]!, rowId: rows[0]!.id };
  const model: LanguageModel = {
    name: 'corrector-1',
    async *stream() {
      await Promise.resolve();
      yield replies.shift() ?? '';
    },
  };
  const reopen = (): CellCorrections =>
    new CellCorrections({
      ...{ board: opened.board, tableId, passagesOf: () => makeNotebook([rain]) },
      checker: (onUsage) => {
        onUsage({ input: 100, output: 10, estimated: 0 });
        return Promise.resolve({ model, server: 'here', isAllowed: true });
      },
    });
  return {
    key: cellKey(place),
    cell: () => allCells(opened.extractionTables, tableId)[0]!,
    usage: () => opened.extractionTables.find(tableId)?.usage,
    edit: () =>
      opened.extractionTables.edit({ tableId, ...place, rowTitle: 'rain.txt', text: 'My own text' }),
    ask: async () => {
      opened.extractionTables.want({
        tableId,
        cells: [{ ...place, rowTitle: 'rain.txt' }],
        replacesEdited: true,
      });
      await fill(opened, tableId, { answer: () => Promise.resolve(marked) });
    },
    corrections: reopen(),
    reopen,
  };
}

const CORRECTED = '{"statement": "The record is 305 mm."}';
const SUPPORTED = '[{"n": 1, "verdict": "supported", "words": "record is 305 mm"}]';

describe('The correction of a cell', () => {
  it('is written from the row, checked, applied, and undone', async () => {
    const { corrections, key, cell, usage } = await openTable(CORRECTED, SUPPORTED);
    assert.deepEqual(await corrections.propose(key, 0, signal), {
      ...{ before: 'The record is 999 mm.', after: 'The record is 305 mm.' },
      ...{ verdict: 'supported', deciding: 'record is 305 mm' },
    });
    assert.deepEqual(cell().answer, marked);
    assert.equal(usage()?.input, 100);
    await corrections.apply(key);
    const { answer } = cell();
    assert.equal(answer && cellText(answer), 'The record is 305 mm.');
    assert.deepEqual(answer && cellPieces(answer).map(({ verdict, citations }) => [verdict, citations]), [
      ['supported', [0]],
    ]);
    assert.equal(answer?.citations[0]?.quote, 'Its record is 305 mm.');
    await corrections.undo(key);
    assert.deepEqual(cell().answer, marked);
  });

  it('is undone in another window', async () => {
    const { corrections, key, cell, reopen } = await openTable(CORRECTED, SUPPORTED);
    await corrections.propose(key, 0, signal);
    await corrections.apply(key);
    await reopen().undo(key);
    assert.deepEqual(cell().answer, marked);
    await assert.rejects(reopen().undo(key), { code: 'conflict' });
  });

  it('can’t be undone while the user’s own text replaces it, or after a new answer', async () => {
    const { corrections, key, cell, edit, ask } = await openTable(CORRECTED, SUPPORTED);
    await corrections.propose(key, 0, signal);
    await corrections.apply(key);
    edit();
    await assert.rejects(corrections.undo(key), { code: 'conflict' });
    await ask();
    await assert.rejects(corrections.undo(key), { code: 'conflict' });
    assert.deepEqual([cell().edited, cell().answer], [undefined, marked]);
  });

  it('leaves a cell that isn’t stated in the row if the row supports none of it', async () => {
    const { corrections, key, cell } = await openTable('{"statement": ""}');
    await corrections.propose(key, 0, signal);
    await corrections.apply(key);
    assert.equal(cell().answer?.kind, 'nothing');
    await corrections.undo(key);
    assert.deepEqual(cell().answer, marked);
  });

  it('doesn’t replace the user’s own text', async () => {
    const { corrections, key, cell, edit } = await openTable(CORRECTED, SUPPORTED);
    await corrections.propose(key, 0, signal);
    edit();
    await assert.rejects(corrections.apply(key), { code: 'conflict' });
    await assert.rejects(corrections.propose(key, 0, signal), { code: 'conflict' });
    assert.equal(cell().edited, 'My own text');
  });
});
