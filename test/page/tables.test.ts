import type { Locator, Page } from '@playwright/test';
import type { CellView } from '../../src/features/tables/protocol.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { answeredCell, tableHead, tableHost, type TableView } from './table-host.ts';

const keeper = { id: 'keeper', question: 'Who is the keeper?' };
const grain = { id: 'grain', question: 'What is ground in winter?' };

const keepers = [
  answeredCell({ columnId: 'keeper', rowId: 'harbor' }, keeper.question, 'Its keeper is Ada Berg.'),
  answeredCell({ columnId: 'keeper', rowId: 'mill' }, keeper.question, 'Its keeper is Tom Reed.'),
  answeredCell({ columnId: 'keeper', rowId: 'garden' }, keeper.question, 'Its keeper is Ida Lind.'),
] as const;
const [harborKeeper, millKeeper, gardenKeeper] = keepers;

const rows = ['harbor', 'mill', 'garden'].map((id) => ({
  ...{ id, title: `${id}.md`, version: '1', input: 900, output: 100 },
}));

function table(cells: readonly CellView[] = keepers, head: Partial<TableView['head']> = {}): TableView {
  return { head: tableHead({ columns: [keeper], ...head }), rows, cells };
}

/** Returns a cell of the grid by its row and column, counted from 0. The titles are column 0. */
function cellAt(page: Page, row: number, column: number): Locator {
  return page.locator(`#cell-${String(row)}-${String(column)}`);
}

const button = (page: Page, name: string): Locator => page.locator('vscode-button', { hasText: name });
const rowHeaders = (page: Page): Locator => page.getByRole('rowheader');

test.describe('Extraction table', () => {
  test('asks for a first question when it is empty', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    remote.notify('changed', table([], { columns: [] }));
    await expect(page.getByText('Enter a question above to add a column.')).toBeVisible();
    await expect(rowHeaders(page)).toHaveCount(3);
    const field = page.getByLabel('New question');
    await field.fill(' Who is the keeper? ');
    await field.press('Enter');
    await expect.poll(() => callsOf('addColumn')).toEqual([{ question: 'Who is the keeper?' }]);
    await expect(field).toHaveValue('');
  });

  test('keeps a question that could not be added', async ({ page, show }) => {
    const { remote } = await show('tables', { ...tableHost, addColumn: () => false });
    remote.notify('changed', table());
    const field = page.getByLabel('New question');
    await field.fill('Who?');
    await field.press('Enter');
    await expect(field).toHaveValue('Who?');
  });

  test('shows the content of its cells', async ({ page, show }) => {
    const shown = await show('tables', tableHost);
    const barley = answeredCell({ columnId: 'grain', rowId: 'mill' }, grain.question, 'Barley is ground.');
    shown.remote.notify('changed', table([...keepers, barley], { columns: [keeper, grain] }));
    await expect(cellAt(page, 0, 1)).toContainText('Ada Berg');
    await expect(cellAt(page, 1, 2)).toContainText('Barley');
    await expect(page.getByText('4 of 6 cells filled')).toBeVisible();
    await lookInEachTheme(page, shown, 'table');
    await page.setViewportSize({ width: 320, height: 700 });
    await expect(cellAt(page, 0, 1)).toBeInViewport();
    await screenshot(page, 'table-narrow');
  });

  test('opens the source of a citation and of a row', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    remote.notify('changed', table());
    await cellAt(page, 1, 1).locator('.chip').click();
    await cellAt(page, 2, 1)
      .locator('.chip')
      .click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('grid').press('1');
    await cellAt(page, 0, 0).getByRole('button', { name: 'harbor.md' }).click();
    const cited = { columnId: 'keeper', citation: 0 };
    await expect
      .poll(() => callsOf('openCitation'))
      .toEqual([
        { ...cited, rowId: 'mill', beside: false },
        { ...cited, rowId: 'garden', beside: true },
        { ...cited, rowId: 'garden', beside: false },
      ]);
    await expect.poll(() => callsOf('openRow')).toEqual([{ rowId: 'harbor' }]);
  });

  test('edits a cell by keys', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    remote.notify('changed', table());
    const grid = page.getByRole('grid');
    await grid.press('ControlOrMeta+Home');
    await grid.press('ArrowDown');
    await grid.press('ArrowRight');
    await grid.press('Enter');
    await page.getByLabel('Cell text').fill('=My own words');
    await page.keyboard.press('Enter');
    const edited = { columnId: 'keeper', rowId: 'harbor', text: '=My own words' };
    await expect.poll(() => callsOf('edit')).toEqual([edited]);
    await expect(grid).toBeFocused();
    remote.notify('changed', { ...table([{ ...harborKeeper, edited: '=My own words' }]), rows: undefined });
    await expect(cellAt(page, 0, 1)).toContainText('=My own words');
    await expect(cellAt(page, 0, 1).getByRole('img', { name: 'Edited by you' })).toBeVisible();
    await expect(cellAt(page, 0, 1).locator('.chip')).toHaveCount(harborKeeper.citations.length);
    await grid.press('Delete');
    await expect.poll(() => callsOf('edit')).toEqual([edited, { ...edited, text: undefined }]);
  });

  test('discards an edit with Escape', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    remote.notify('changed', table());
    await cellAt(page, 1, 1).click();
    await page.keyboard.press('F2');
    await page.getByLabel('Cell text').fill('Discarded');
    await page.keyboard.press('Escape');
    await expect(cellAt(page, 1, 1)).toContainText('Tom Reed');
    await expect(page.getByRole('grid')).toBeFocused();
    expect(callsOf('edit')).toEqual([]);
  });

  test('sorts, searches, and filters its rows', async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    const edited = { ...gardenKeeper, edited: 'Mine' };
    remote.notify('changed', table([harborKeeper, millKeeper, edited]));
    const grid = page.getByRole('grid');
    await cellAt(page, 0, 1).click();
    await grid.press('ControlOrMeta+ArrowUp');
    for (const order of [
      ['harbor.md', 'mill.md', 'garden.md'],
      ['garden.md', 'mill.md', 'harbor.md'],
      ['harbor.md', 'mill.md', 'garden.md'],
    ]) {
      await grid.press('Space');
      await expect(rowHeaders(page)).toHaveText(order);
    }
    await page.getByRole('searchbox').fill('reed');
    await expect(rowHeaders(page)).toHaveText(['mill.md']);
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Filter rows').selectOption('edited');
    await expect(rowHeaders(page)).toHaveText(['garden.md']);
  });

  test('sorts by one click on a column header, and exports the shown order', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    remote.notify('changed', table());
    const header = page.getByRole('columnheader', { name: keeper.question });
    await expect(header).toHaveAttribute('aria-sort', 'none');
    await expect(header.locator('.codicon-arrow-swap')).toBeVisible();
    await header.click();
    const sorted = ['harbor.md', 'garden.md', 'mill.md'];
    await expect(rowHeaders(page)).toHaveText(sorted);
    await expect(header).toHaveAttribute('aria-sort', 'ascending');
    await page.locator('vscode-button[aria-label="Export Extraction Table…"]').click();
    const rowIds = sorted.map((title) => title.replace('.md', ''));
    await expect.poll(() => callsOf('export')).toEqual([{ rowIds }]);
    await header.click();
    await expect(header).toHaveAttribute('aria-sort', 'descending');
  });

  test('renders the table that a cell contains below the grid', async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    const text = '| Year | Sales |\n| --- | ---: |\n| 2020 | 1,137 |';
    const sales = answeredCell({ columnId: 'keeper', rowId: 'harbor' }, keeper.question, text);
    remote.notify('changed', table([sales]));
    await cellAt(page, 0, 1).click();
    await expect(page.locator('.details').getByRole('cell')).toHaveText(['2020', /^1,137/]);
    await expect(cellAt(page, 0, 1)).not.toContainText('|');
  });

  test('asks again for the cells whose source changed', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    const changed = rows.map((row) => (row.id === 'mill' ? { ...row, version: '2' } : row));
    remote.notify('changed', { ...table(), rows: changed });
    await expect(cellAt(page, 1, 1).getByRole('img', { name: 'Out of date' })).toBeVisible();
    await button(page, 'Update Changed Cells (1)').click();
    await expect.poll(() => callsOf('ask')).toEqual([{ cells: [{ columnId: 'keeper', rowId: 'mill' }] }]);
  });

  test('shows the previous answer of a cell until it is marked as seen', async ({ page, show }) => {
    const shown = await show('tables', tableHost);
    const reworded = {
      ...answeredCell(millKeeper, keeper.question, 'Its keeper is Eva Holt.'),
      was: 'Its keeper is Tom Reed.',
    };
    shown.remote.notify('changed', table([harborKeeper, reworded, gardenKeeper]));
    await page.getByLabel('Filter rows').selectOption('reworded');
    await expect(rowHeaders(page)).toHaveText(['mill.md']);
    await page.getByLabel('Filter rows').selectOption('');
    await expect(
      cellAt(page, 1, 1).getByRole('img', { name: /New answer. Previous answer: “.*Tom Reed/ }),
    ).toBeVisible();
    await cellAt(page, 1, 1).click();
    await expect(page.locator('.details .was')).toContainText('Tom Reed');
    expect(await seriousProblems(page.locator('body'))).toEqual([]);
    await button(page, 'Mark as Seen').click();
    const seen = { columnId: 'keeper', rowId: 'mill' };
    await expect.poll(() => shown.callsOf('see')).toEqual([{ cell: seen }]);
    shown.remote.notify('changed', { ...table([{ ...reworded, was: undefined }]), rows: undefined });
    await expect(page.locator('.details .was')).toHaveCount(0);
    await expect(cellAt(page, 1, 1).getByRole('img')).toHaveCount(0);
  });

  test('stops and resumes filling its cells', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    const model = { name: 'scripted-1', prices: undefined };
    const asking = {
      ...gardenKeeper,
      pieces: [],
      citations: [],
      question: undefined,
      state: 'asking' as const,
    };
    remote.notify('changed', table([harborKeeper, millKeeper, asking], { model, isFilling: true }));
    await expect(page.getByText('Answered by scripted-1')).toBeVisible();
    await expect(page.getByText('2 of 3 cells filled')).toBeVisible();
    await expect(cellAt(page, 2, 1).getByRole('img', { name: 'Answering' })).toBeVisible();
    await button(page, 'Stop').click();
    await expect.poll(() => callsOf('stop')).toHaveLength(1);
    const waiting = { ...asking, state: 'waiting' as const };
    remote.notify('changed', { ...table([waiting], { model }), rows: undefined });
    await button(page, 'Resume (1)').click();
    await expect.poll(() => callsOf('goOn')).toHaveLength(1);
    await button(page, 'Cancel Pending Cells').click();
    await expect.poll(() => callsOf('letBe')).toHaveLength(1);
  });

  test('offers once to check cells that may cost money to check', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', { ...tableHost, decideFactCheck: () => undefined });
    const prices = { input: 3, output: 15 };
    const factCheckRequest = { model: 'judge-1', server: 'api.example.org', prices };
    const pieces = [{ text: 'Its keeper is Ada Berg.', verdict: 'unchecked', citations: [0] }] as const;
    const cells = [{ ...harborKeeper, pieces }, millKeeper];
    remote.notify('changed', table(cells, { factCheckRequest }));
    await expect(page.locator('.fact-check-line')).toContainText('Not fact-checked.');
    await expect(page.locator('.fact-check-line')).toContainText('About 1,180 tokens. ($0.0045)');
    await page.getByRole('button', { name: 'Fact-check with judge-1' }).click();
    await expect.poll(() => callsOf('decideFactCheck')).toEqual([{ agrees: true }]);
    remote.notify('changed', table(keepers));
    await expect(page.locator('.fact-check-line')).toHaveCount(0);
  });

  test('marks a cell that no model has checked, and has it checked', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    const pieces = [{ text: 'Its keeper is Ada Berg.', verdict: 'unchecked', citations: [0] }] as const;
    const model = { name: 'scripted-1', prices: undefined };
    remote.notify('changed', table([{ ...harborKeeper, pieces }, millKeeper], { model }));
    await expect(page.locator('.grid .chip.unchecked')).toHaveCount(1);
    await expect(page.locator('.grid .chip.unchecked')).toHaveAttribute('title', /Not fact-checked$/);
    await cellAt(page, 1, 1).click();
    await expect(page.locator('.details .words')).toContainText('Tom Reed');
    const factCheck = page.locator('.details vscode-button', { hasText: 'Fact-Check' });
    await expect(factCheck).toHaveCount(0);
    await cellAt(page, 0, 1).click();
    await expect(page.locator('.details')).toContainText('Not fact-checked');
    await factCheck.click();
    await expect.poll(() => callsOf('checkCell')).toEqual([{ columnId: 'keeper', rowId: 'harbor' }]);
    await screenshot(page, 'table-not-fact-checked');
  });

  test('corrects a marked cell, and undoes the correction', async ({ page, show }) => {
    const shown = await show('tables', {
      ...tableHost,
      correctStatement: () => ({
        ...{ before: 'Its keeper is Ada Berg.', after: 'Its keeper is Eva Holt.' },
        ...{ verdict: 'supported', deciding: 'kept by Eva Holt' },
      }),
    });
    const text = 'Its keeper is Ada Berg.';
    const checked = { verdict: 'contradicted', citations: [0] } as const;
    const contradicted: CellView = {
      ...harborKeeper,
      pieces: [{ text, ...checked }],
      written: {
        text,
        statements: [
          {
            ...{ start: 0, end: text.length, ...checked },
            ...{ checkedBy: 'checker-1', deciding: 'kept by Eva Holt' },
          },
        ],
      },
    };
    const model = { name: 'scripted-1', prices: undefined };
    shown.remote.notify('changed', table([contradicted, millKeeper], { model }));
    await cellAt(page, 1, 1).click();
    await expect(page.locator('.details .words')).toContainText('Tom Reed');
    const wand = page.getByRole('button', { name: 'Correct from sources' });
    await expect(wand).toHaveCount(0);
    await cellAt(page, 0, 1).click();
    await expect(page.locator('.details .statement.contradicted')).toHaveAttribute(
      'title',
      'Contradicted, according to checker-1 · “kept by Eva Holt”',
    );
    await wand.click();
    const correction = page.getByRole('region', { name: 'Correction' });
    await expect(correction.locator('ins')).toHaveText('Eva Holt.');
    await expect(correction).toContainText('Supported · “kept by Eva Holt”');
    await lookInEachTheme(page, shown, 'table-correction');
    await page.setViewportSize({ width: 260, height: 700 });
    await expect(correction).toBeVisible();
    await screenshot(page, 'table-correction-narrow');
    await correction.getByRole('button', { name: 'Apply' }).click();
    // Undo needs no model.
    const right = 'Its keeper is Eva Holt.';
    const corrected: CellView = {
      ...harborKeeper,
      ...{ pieces: [{ text: right, verdict: 'supported', citations: [0] }], isCorrected: true },
      written: {
        text: right,
        statements: [{ start: 0, end: right.length, verdict: 'supported', citations: [0] }],
      },
    };
    shown.remote.notify('changed', table([corrected, millKeeper], { model: undefined }));
    await expect(page.locator('.details .words')).toContainText(right);
    await correction.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => shown.callsOf('undoCorrection')).toHaveLength(1);
    shown.remote.notify('changed', table([contradicted, millKeeper], { model }));
    await expect(correction).toHaveCount(0);
    const turnId = 'keeper harbor';
    expect(shown.callsOf('correctStatement')).toEqual([{ turnId, statement: 0 }]);
    expect(shown.callsOf('applyCorrection')).toEqual([{ turnId }]);
    expect(shown.callsOf('undoCorrection')).toEqual([{ turnId }]);
  });

  test('marks the words of an unchecked cell that the row doesn’t have', async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    const text = 'Its keeper is Ada Berg since 1998.';
    const unchecked = { verdict: 'unchecked', citations: [0], missing: [{ start: 29, end: 33 }] } as const;
    const statements = [{ start: 0, end: text.length, ...unchecked }];
    const cell = { ...harborKeeper, pieces: [{ text, ...unchecked }], written: { text, statements } };
    remote.notify('changed', table([cell]));
    await expect(cellAt(page, 0, 1).locator('.doubt')).toHaveText('1998.');
    await expect(cellAt(page, 0, 1).locator('.doubt')).toHaveAttribute('title', 'Not in the cited text');
    await cellAt(page, 0, 1).click();
    await expect(page.locator('.details .statement.unknown')).toHaveText('1998.');
  });

  test('shows why cells aren’t fact-checked, and checks them all', async ({ page, show }) => {
    const shown = await show('tables', { ...tableHost, checkCells: () => undefined });
    const unchecked = (cell: CellView): CellView => ({
      ...cell,
      pieces: cell.pieces.map((piece) => ({ ...piece, verdict: 'unchecked' })),
      written: cell.written && {
        ...cell.written,
        statements: cell.written.statements.map((statement) => ({ ...statement, verdict: 'unchecked' })),
      },
    });
    const stopped = {
      message:
        'The fact check of 2 cells failed: small-1 didn’t return usable verdicts, so the answer isn’t fact-checked. Pick another fact-check model.',
      action: 'pickModel',
    } as const;
    const model = { name: 'scripted-1', prices: undefined };
    const cells = [unchecked(harborKeeper), unchecked(millKeeper), gardenKeeper];
    shown.remote.notify('changed', table(cells, { model, stopped }));
    await expect(page.getByRole('alert')).toContainText('The fact check of 2 cells failed');
    await lookInEachTheme(page, shown, 'table-check-failed');
    await page.setViewportSize({ width: 260, height: 700 });
    await screenshot(page, 'table-check-failed-narrow');
    await page.getByRole('alert').getByRole('button').click();
    await expect.poll(() => shown.callsOf('run')).toEqual([{ action: 'pickModel' }]);
    await button(page, 'Fact-Check Cells (2)').click();
    await expect.poll(() => shown.callsOf('checkCells')).toEqual([{}]);
    shown.remote.notify('changed', table([...keepers], { model }));
    await expect(button(page, 'Fact-Check Cells')).toHaveCount(0);
  });

  test('shows why filling stopped and what to do', async ({ page, show }) => {
    const { remote, callsOf } = await show('tables', tableHost);
    const stopped = { message: 'The key is wrong.', action: 'setApiKey' } as const;
    remote.notify('changed', table(keepers, { stopped }));
    await expect(page.getByRole('alert')).toContainText('The key is wrong.');
    await page.getByRole('button', { name: 'Set API Key' }).click();
    await expect.poll(() => callsOf('run')).toEqual([{ action: 'setApiKey' }]);
    await page.locator('vscode-button[aria-label="Export Extraction Table…"]').click();
    await expect.poll(() => callsOf('export')).toEqual([{}]);
  });
});
