import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TeamCells } from '../../src/features/tables/editor/team-cells.ts';
import { tableHandlers, extractionRows } from '../../src/features/tables/store/rows.ts';
import type { Filling } from '../../src/features/tables/service/fill-table.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { ExtractionRow } from '../../src/features/tables/model/extraction-table.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { makeGate } from '../support/gate.ts';
import { allCells, fill, wantColumns, writtenAnswer } from '../support/extraction-tables.ts';
import { rawly, type Machine } from '../support/team.ts';
import { garden } from '../support/team-garden.ts';
import { context } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

type Claims = ConstructorParameters<typeof TeamCells>[0];

/** Returns the requests of a window to the team for a notebook. */
function makeClaims(machine: Machine, notebookId: string): Claims {
  const { connection } = machine;
  return {
    claimStep: async ({ hold, ...step }) => {
      const seconds = hold / 1_000;
      const member = await teamHandlers.claimStep({ ...step, connection, notebookId, seconds }, context);
      return member === undefined ? { kind: 'taken' } : { kind: 'elsewhere', member };
    },
    releaseStep: async (token) => teamHandlers.releaseStep({ connection, notebookId, token }, context),
  };
}

function makeBoard({ index }: Machine): Filling['board'] {
  const handlers = tableHandlers(() => index);
  return {
    call: async (method, params) => {
      await new Promise((resolve) => setImmediate(resolve));
      return (handlers[method] as (params: unknown) => unknown)(params) as never;
    },
  };
}

type AnswerRow = (row: ExtractionRow, question: string) => Promise<Answer>;

/** Fills a table as a member's window does, and returns the error that stopped it. */
function tryFilling(
  machine: Machine,
  tableId: string,
  claims: Claims,
  answer: AnswerRow,
): ReturnType<typeof fill> {
  const { signal } = new AbortController();
  const board = new TeamCells(claims).board(makeBoard(machine), signal);
  return fill({ board }, tableId, { signal, holder: machine.connection, answer });
}

/** Fills a table as a member's window does, and expects no error. */
async function fillAsMember(...filling: Parameters<typeof tryFilling>): Promise<void> {
  assert.equal(await tryFilling(...filling), undefined);
}

async function sharedMatrix(prefix: string) {
  const { one, two, notebookId, strings } = await garden(server, prefix);
  one.goOnline();
  two.goOnline();
  const { extractionTables } = one.index.features;
  const tableId = extractionTables.add({ title: 'Works', rowKind: 'documents' });
  const columnIds = ['What?', 'When?', 'Where?'].map((question) =>
    extractionTables.addColumn(tableId, question),
  );
  await two.until('the sources are there', () => two.index.store.counts().documents === 2);
  await two.until(
    'the matrix is there',
    () => two.index.features.extractionTables.find(tableId)?.columns.length === 3,
  );
  const want = (machine: Machine): void => {
    const { rows } = extractionRows(machine.index.sql, machine.index.features.extractionTables.open(tableId));
    wantColumns(machine.index.features.extractionTables, tableId, columnIds, rows);
  };
  return { one, two, notebookId, strings, tableId, columnIds, want };
}

const states = ({ index }: Machine, tableId: string): string[] =>
  allCells(index.features.extractionTables, tableId).map(
    ({ state, answer }) => `${state} ${answer?.text ?? ''}`,
  );

test('asks each cell once when two members fill the same table', async () => {
  const { one, two, notebookId, strings, tableId, want } = await sharedMatrix('cells');
  const prompts: string[] = [];
  const bothAsk = [makeGate(), makeGate()] as const;
  const answerAs =
    (name: string, own: number) =>
    async ({ sourceId, title }: ExtractionRow, question: string): Promise<Answer> => {
      prompts.push(`${title} ${question}`);
      // Both members have begun before either is done.
      bothAsk[own]?.open();
      await Promise.all(bothAsk.map((gate) => gate.pass()));
      return writtenAnswer(sourceId, `${title}: ${question} by ${name}`);
    };
  want(one);
  want(two);
  await Promise.all([
    fillAsMember(one, tableId, makeClaims(one, notebookId), answerAs('ada', 0)),
    fillAsMember(two, tableId, makeClaims(two, notebookId), answerAs('ben', 1)),
  ]);
  assert.equal(new Set(prompts).size, 6);
  assert.equal(prompts.length, 6, prompts.sort().join(', '));
  const done = (machine: Machine): boolean =>
    states(machine, tableId).filter((state) => state.startsWith('resting ') && /by (?:ada|ben)/.test(state))
      .length === 6;
  for (const machine of [one, two]) await machine.until('all is answered', () => done(machine));
  const cellStates = states(one, tableId).sort();
  assert.deepEqual(states(two, tableId).sort(), cellStates);
  assert.ok(
    cellStates.some((state) => state.endsWith('by ada')) &&
      cellStates.some((state) => state.endsWith('by ben')),
  );

  // A cell that its own member asks again isn't waited for.
  want(one);
  await fillAsMember(two, tableId, makeClaims(two, notebookId), () => assert.fail('Nothing waits here.'));
  await rawly(server.administratorOf(strings.mona), async (client) => {
    const { rows } = await client.query('SELECT DISTINCT member FROM open_notebook.claims ORDER BY 1');
    assert.deepEqual(rows, [{ member: 'cellsada' }, { member: 'cellsben' }]);
  });
});

test('waits for a failed cell until another member answers it', async () => {
  const { one, two, notebookId, tableId, want } = await sharedMatrix('back');
  want(one);
  want(two);
  const gate = makeGate();
  // It stops if the other member leaves it more cells than can fail in a row.
  const failing = tryFilling(one, tableId, makeClaims(one, notebookId), async () => {
    await gate.pass();
    throw new NotebookError('empty', 'Nothing is said.');
  });
  await gate.reached;
  await fillAsMember(two, tableId, makeClaims(two, notebookId), ({ sourceId, title }) => {
    gate.open();
    return Promise.resolve(writtenAnswer(sourceId, `${title} by ben`));
  });
  await failing;
  for (const machine of [one, two])
    await machine.until('all is answered by who could', () =>
      states(machine, tableId).every((state) => state.startsWith('resting ') && state.endsWith('by ben')),
    );
});

test('asks all cells of each member while offline, and skips cells answered meanwhile', async () => {
  const { one, two, tableId, columnIds, want } = await sharedMatrix('alone');
  await two.goOffline();
  want(one);
  want(two);
  let tries = 0;
  const failingClaims: Claims = {
    claimStep: () => {
      tries++;
      return Promise.reject(new NotebookError('connection', 'The team’s database can’t be reached.'));
    },
    releaseStep: () => Promise.reject(new NotebookError('connection', 'It can’t be reached.')),
  };
  await fillAsMember(one, tableId, failingClaims, ({ sourceId, title }, question) =>
    Promise.resolve(writtenAnswer(sourceId, `${title}: ${question} by ada`)),
  );
  assert.ok(states(one, tableId).every((state) => state.endsWith('by ada')));
  // A database that doesn't respond isn't requested for each cell.
  assert.ok(tries <= 4, String(tries));
  await one.settled();

  // One cell has another question on this machine, and one is being asked.
  const { extractionTables } = two.index.features;
  extractionTables.renameColumn(tableId, columnIds[2] ?? '', 'Where else?');
  extractionTables.claim({ tableId, holder: 'here', hold: 600_000 });
  two.goOnline();
  await two.until(
    'the answers are there',
    () => states(two, tableId).filter((state) => state.endsWith('by ada')).length === 6,
  );
  assert.deepEqual(
    allCells(extractionTables, tableId)
      .map(({ columnId, state }) => `${String(columnIds.indexOf(columnId))} ${state}`)
      .sort(),
    ['0 resting', '0 resting', '1 resting', '1 resting', '2 waiting', '2 waiting'],
  );
});
