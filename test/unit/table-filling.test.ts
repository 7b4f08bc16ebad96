// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../src/core/rpc/rpc.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { TableBoard } from '../../src/features/tables/model/extraction-table.ts';
import { cellText } from '../../src/features/tables/model/cells.ts';
import type { Filling } from '../../src/features/tables/service/fill-table.ts';
import { checkIntegrity } from '../support/durability-checks.ts';
import type { FillerParameters } from '../support/durability-tables.ts';
import { runScript } from '../support/durability-process.ts';
import {
  addSources,
  allCells,
  fill,
  makeExtractionTable,
  openTables,
  wantColumns,
  writtenAnswer,
  type OpenedTables,
} from '../support/extraction-tables.ts';
import { startOpenAIServer } from '../support/openai-server.ts';
import { makeFolder } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `The keeper of house ${String(n)} is Ada Berg.`);

async function storeMatrix(rows: number, questions: readonly string[]) {
  const folder = makeFolder();
  const opened = await openTables(folder);
  addSources(opened, texts(rows));
  return { folder, opened, ...makeExtractionTable(opened, questions) };
}

/** Returns a board on which some methods fail while the disk is full. */
function onDisk(
  { board }: OpenedTables,
  isFull: (method: keyof TableBoard) => boolean,
): Pick<Client<TableBoard>, 'call'> {
  return {
    call: (method, params) =>
      isFull(method)
        ? Promise.reject(new NotebookError('disk-full', 'The disk is full.'))
        : board.call(method, params),
  };
}

test('asks all waiting cells once, several at a time, and saves the answers', async () => {
  const { opened, tableId } = await storeMatrix(12, ['Who?', 'When?']);
  const requests: string[] = [];
  let [now, most] = [0, 0];
  const stopped = await fill(opened, tableId, {
    answer: async ({ id, sourceId }, question) => {
      most = Math.max(most, ++now);
      requests.push(`${id} ${question}`);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return writtenAnswer(sourceId, question);
    },
  });
  assert.equal(stopped, undefined);
  assert.deepEqual([requests.length, new Set(requests).size, most], [24, 24, 4]);
  const cells = allCells(opened.extractionTables, tableId);
  assert.ok(cells.every(({ state, answer, question }) => state === 'resting' && answer?.text === question));
  opened.sql.close();
});

test('fills only an added column, and asks a single cell again', async () => {
  const { opened, tableId, rows } = await storeMatrix(5, ['Who?']);
  await fill(opened, tableId);
  const requests: string[] = [];
  const answer: Filling['answer'] = ({ sourceId, title }, question) => {
    requests.push(`${title} ${question}`);
    return Promise.resolve(writtenAnswer(sourceId, `again ${question}`));
  };
  const added = opened.extractionTables.addColumn(tableId, 'When?');
  wantColumns(opened.extractionTables, tableId, [added], rows);
  await fill(opened, tableId, { answer });
  assert.deepEqual(
    requests,
    rows.map(({ title }) => `${title} When?`),
  );
  requests.length = 0;
  wantColumns(opened.extractionTables, tableId, [added], rows.slice(2, 3));
  await fill(opened, tableId, { answer });
  assert.deepEqual(requests, ['Source 2 When?']);
  opened.sql.close();
});

test('saves an answer later if it couldn’t be saved, and asks nothing twice', async () => {
  const { opened, tableId } = await storeMatrix(10, ['Who?']);
  let isFull = false;
  const requests: string[] = [];
  const options: Partial<Filling> = {
    board: onDisk(opened, (method) => isFull && !method.startsWith('matrix')),
    held: new Map(),
    answer: ({ id, sourceId }) => {
      requests.push(id);
      // The disk gets full while the fifth cell is answered.
      if (requests.length === 5) isFull = true;
      return Promise.resolve(writtenAnswer(sourceId, `of ${id}`));
    },
  };
  const stopped = await fill(opened, tableId, options);
  assert.equal(stopped?.message, 'The disk is full.');
  // While the disk is full, no cell is asked.
  const before = requests.length;
  assert.equal((await fill(opened, tableId, options))?.message, 'The disk is full.');
  assert.equal(requests.length, before);
  isFull = false;
  assert.equal(await fill(opened, tableId, options), undefined);
  assert.deepEqual([requests.length, new Set(requests).size, options.held?.size], [10, 10, 0]);
  assert.ok(
    allCells(opened.extractionTables, tableId).every(({ rowId, answer }) => answer?.text === `of ${rowId}`),
  );
  opened.sql.close();
});

test('asks cells at once after a resume if a stop couldn’t release them', async () => {
  const { opened, tableId } = await storeMatrix(6, ['Who?']);
  let isFull = false;
  const heldCells: Filling['held'] = new Map();
  const board = onDisk(opened, (method) => isFull && !method.startsWith('matrix'));
  const stopped = await fill(opened, tableId, {
    ...{ board, held: heldCells },
    answer: () => {
      isFull = true;
      return Promise.reject(new NotebookError('connection', 'No connection.'));
    },
  });
  assert.match(stopped?.message ?? '', /No connection|The disk is full/);
  assert.ok(heldCells.size > 0);
  isFull = false;
  assert.equal(await fill(opened, tableId, { board, held: heldCells }), undefined);
  assert.equal(heldCells.size, 0);
  assert.ok(allCells(opened.extractionTables, tableId).every(({ answer }) => answer !== undefined));
  opened.sql.close();
});

test('counts the usage of cells that a stop releases', async () => {
  const { opened, tableId } = await storeMatrix(6, ['Who?']);
  const stopping = new AbortController();
  const signals: AbortSignal[] = [];
  await fill(opened, tableId, {
    signal: stopping.signal,
    answer: (_row, _question, signal, onUsage) => {
      onUsage({ input: 100, output: 7, estimated: 0 });
      if (signals.push(signal) === 4) stopping.abort();
      return Promise.reject(new NotebookError('cancelled', 'Stopped.'));
    },
  });
  const usage = opened.extractionTables.open(tableId).usage;
  assert.deepEqual([usage?.input, usage?.output], [100 * signals.length, 7 * signals.length]);
  assert.ok(allCells(opened.extractionTables, tableId).every(({ answer }) => answer === undefined));
  opened.sql.close();
});

test('stops at a failure of the endpoint, or after five failed cells in a row', async () => {
  const { opened, tableId, columnIds, rows } = await storeMatrix(9, ['Who?']);
  const stopped = await fill(opened, tableId, {
    answer: () =>
      Promise.reject(new NotebookError('unauthorized', 'The key is wrong.', { action: 'setApiKey' })),
  });
  assert.deepEqual(stopped, { message: 'The key is wrong.', action: 'setApiKey' });
  assert.ok(
    allCells(opened.extractionTables, tableId).every(({ state, failure }) => state === 'waiting' && !failure),
  );

  assert.equal(
    await fill(opened, tableId, {
      answer: ({ sourceId, title }) =>
        /[147]/.test(title)
          ? Promise.reject(new NotebookError('too-large', `${title} is too long.`))
          : Promise.resolve(writtenAnswer(sourceId, 'Yes.')),
    }),
    undefined,
  );
  const failed = allCells(opened.extractionTables, tableId).filter(({ failure }) => failure !== undefined);
  assert.deepEqual(
    failed.map(({ failure }) => failure?.message),
    ['Source 1 is too long.', 'Source 4 is too long.', 'Source 7 is too long.'],
  );

  // A cell keeps its answer if asking it again fails.
  wantColumns(opened.extractionTables, tableId, columnIds, rows);
  let count = 0;
  const again = await fill(opened, tableId, {
    answer: () => {
      count++;
      return Promise.reject(new NotebookError('stream-cut', 'Cut off.'));
    },
  });
  assert.equal(again?.message, 'Cut off.');
  assert.ok(count >= 5 && count < 9, String(count));
  assert.equal(allCells(opened.extractionTables, tableId)[0]?.answer?.text, 'Yes.');
  opened.sql.close();
});

test('pauses if cells cost much more than estimated, until the user continues', async () => {
  const { opened, tableId } = await storeMatrix(40, ['Who?']);
  let requestCount = 0;
  const answer: Filling['answer'] = ({ sourceId }, _, __, onUsage) => {
    requestCount++;
    onUsage({ input: 5_000, output: 500, estimated: 0, cost: undefined });
    return Promise.resolve(writtenAnswer(sourceId, 'Yes.'));
  };
  const stopped = await fill(opened, tableId, { answer });
  assert.match(stopped?.message ?? '', /used 44,000 tokens instead of the estimated/);
  assert.ok(requestCount < 16, String(requestCount));
  const { usage } = opened.extractionTables.open(tableId);
  assert.deepEqual([usage?.input, usage?.output], [requestCount * 5_000, requestCount * 500]);
  const before = requestCount;
  await fill(opened, tableId, { answer });
  assert.ok(requestCount > before);
  opened.sql.close();
});

test('keeps cells that the user edits, skips, or deletes while they are asked', async () => {
  const { opened, tableId, columnIds, rows } = await storeMatrix(4, ['Who?']);
  const { extractionTables } = opened;
  const [columnId = ''] = columnIds;
  await fill(opened, tableId, {
    answer: async ({ id, sourceId }) => {
      if (id === rows[0]?.id)
        extractionTables.edit({ tableId, columnId, rowId: id, rowTitle: 'Mine', text: 'My words' });
      if (id === rows[1]?.id) extractionTables.unwant({ tableId, cells: [{ columnId, rowId: id }] });
      await new Promise((resolve) => setImmediate(resolve));
      return writtenAnswer(sourceId, 'Yes.');
    },
  });
  const [mine, left, ...others] = allCells(extractionTables, tableId);
  assert.deepEqual(
    [mine?.edited, mine?.answer, left?.answer, left?.state],
    ['My words', undefined, undefined, 'resting'],
  );
  assert.ok(others.every(({ answer }) => answer?.text === 'Yes.'));

  wantColumns(extractionTables, tableId, columnIds, rows.slice(1));
  await fill(opened, tableId, {
    answer: ({ sourceId }) => {
      extractionTables.remove(tableId);
      return Promise.resolve(writtenAnswer(sourceId, 'Yes.'));
    },
  });
  assert.deepEqual(extractionTables.list(), []);
  opened.sql.close();
});

test('asks no cell twice when two windows fill a table', async () => {
  const { folder, opened, tableId } = await storeMatrix(30, ['Who?', 'When?']);
  const other = await openTables(folder);
  const requests: string[] = [];
  const answer: Filling['answer'] = async ({ id, sourceId }, question) => {
    requests.push(`${id} ${question}`);
    await new Promise((resolve) => setImmediate(resolve));
    return writtenAnswer(sourceId, question);
  };
  await Promise.all([
    fill(opened, tableId, { holder: 'one', answer }),
    fill(other, tableId, { holder: 'two', answer }),
  ]);
  assert.deepEqual([requests.length, new Set(requests).size], [60, 60]);
  for (const { sql } of [opened, other]) sql.close();
});

const SOURCES = rounds(12, 100);

test('asks only cells in flight again when two windows are killed and resume', async () => {
  const { folder, opened, tableId, rows } = await storeMatrix(
    SOURCES,
    Array.from({ length: 10 }, (_, n) => `Who keeps the house, asked for the time ${String(n)}?`),
  );
  const requestCounts = new Map<string, number>();
  const lives = 3;
  let heard = 0;
  let kill = (): void => undefined;
  const server = await startOpenAIServer({
    reply: ({ messages }) => {
      const request = messages.map(({ content }) => content).join('\n');
      const sentence = /The keeper of house \d+ is Ada Berg/.exec(request)?.[0] ?? '';
      const cell = `${sentence} ${/for the time \d/.exec(request)?.[0] ?? ''}`;
      requestCounts.set(cell, (requestCounts.get(cell) ?? 0) + 1);
      if (++heard % (3 * SOURCES) === 0) kill();
      return `${sentence} [1].`;
    },
  });
  try {
    for (let life = 0; life < lives; life++) {
      const isLast = life === lives - 1;
      // Later, the cells of killed windows are free again.
      const fillers = ['one', 'two'].map((holder) =>
        runScript('durability-tables.ts', {
          ...{ folder, tableId, holder: `${holder} ${String(life)}`, later: life * 61_000 },
          baseUrl: server.baseUrl,
        } satisfies FillerParameters),
      );
      kill = isLast
        ? () => undefined
        : () => {
            for (const filler of fillers) filler.kill();
          };
      for (const { code, complaint } of await Promise.all(fillers.map(({ ended }) => ended)))
        assert.ok(code === 0 || !isLast, complaint);
    }
  } finally {
    await server.close();
  }
  const cells = allCells(opened.extractionTables, tableId);
  assert.equal(cells.length, 10 * SOURCES);
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  for (const { rowId, answer, state } of cells) {
    assert.equal(state, 'resting');
    const number = titles.get(rowId)?.replace('Source ', '') ?? '';
    assert.equal(answer && cellText(answer), `The keeper of house ${number} is Ada Berg.`);
  }
  const twice = [...requestCounts.values()].reduce((sum, times) => sum + times - 1, 0);
  assert.equal(requestCounts.size, 10 * SOURCES);
  // Each of two windows asks four cells at once, and was killed twice.
  assert.ok(twice <= (lives - 1) * 2 * 4, String(twice));
  opened.sql.close();
  checkIntegrity(folder);
});
