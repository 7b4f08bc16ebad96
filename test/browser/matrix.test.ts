import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from '@playwright/test';
import { makeGate } from '../support/gate.ts';
import type { Workbench } from '../support/workbench.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { inEachTheme, readySource } from './notebook.ts';

const files = {
  'harbour.md':
    '# Harbour\n\nThe harbour was opened in 1998. Its keeper is Ada Berg.\n\n## Ships\n\nForty ships moor in the harbour each day.\n',
  'mill.md':
    '# Mill\n\nThe mill was built in 1821. Its keeper is Tom Reed.\n\n## Grain\n\nBarley is ground in the mill in winter.\n',
  'garden.md': '# Garden\n\nThe garden was planted in 1950. Its keeper is Ida Lind.\n',
};

test.use({ files, editorModel: false });

function matrixPage(workbench: Workbench): Promise<FrameLocator> {
  return workbench.webview('.matrix');
}

/** A cell of the grid, by its row and column counted from 0, with the titles as column 0. */
function cell(page: FrameLocator, row: number, column: number): Locator {
  return page.locator(`#cell-${String(row)}-${String(column)}`);
}

test.describe('a matrix', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  test('made of all sources, it says what to do first', async ({ workbench }) => {
    for (const name of Object.keys(files)) await workbench.explorerMenu(name, 'Add to Notebook');
    for (const name of Object.keys(files)) await readySource(workbench, name);
    await workbench.run('Open Notebook: Make…');
    await workbench.pick('Matrix');
    const matrix = await matrixPage(workbench);
    await expect(matrix.getByText('Ask a first question above')).toBeVisible();
    await expect(matrix.getByRole('rowheader')).toHaveCount(3);
    await workbench.screenshot('matrix-empty');
  });

  test('without a model each cell is the best place, which opens', async ({ workbench, workspace }) => {
    const matrix = await matrixPage(workbench);
    await matrix.getByLabel('New question').fill('Who is the keeper?');
    await matrix.getByLabel('New question').press('Enter');
    await expect(cell(matrix, 0, 1)).toContainText('Ada Berg');
    await expect(cell(matrix, 1, 1)).toContainText('Tom Reed');
    await expect(cell(matrix, 2, 1)).toContainText('Ida Lind');
    await expect(matrix.getByText('3 of 3 cells')).toBeVisible();
    await matrix.getByLabel('New question').fill('What is ground in winter?');
    await matrix.getByLabel('New question').press('Enter');
    await expect(cell(matrix, 1, 2)).toContainText('Barley');
    expect(await seriousProblems(matrix.locator('.matrix'), 'editor')).toEqual([]);
    await inEachTheme(workbench, workspace, [matrix], async (name) => {
      await workbench.screenshot(`matrix-${name}`);
    });
    await cell(matrix, 1, 1).locator('.chip').first().click();
    await expect(workbench.tab('mill.md')).toHaveClass(/active/);
    await workbench.tab('Matrix').click();
  });

  test('a cell is edited and taken back by keys alone', async ({ workbench }) => {
    const { page } = workbench;
    const matrix = await matrixPage(workbench);
    const grid = matrix.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await matrix.getByLabel('What the cell says').fill('=My own words');
    await page.keyboard.press('Enter');
    await expect(cell(matrix, 0, 1)).toContainText('=My own words');
    await expect(cell(matrix, 0, 1).getByRole('img', { name: 'Written by you' })).toBeVisible();
    await expect(grid).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await matrix.getByLabel('What the cell says').fill('Given up');
    await page.keyboard.press('Escape');
    await expect(cell(matrix, 1, 1)).toContainText('Tom Reed');
  });

  test('rows are sorted, searched and filtered', async ({ workbench }) => {
    const { page } = workbench;
    const matrix = await matrixPage(workbench);
    await page.keyboard.press('ControlOrMeta+ArrowUp');
    await page.keyboard.press('Space');
    await expect(cell(matrix, 1, 1)).toContainText('Ida Lind');
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    await matrix.getByRole('searchbox').fill('reed');
    await expect(matrix.getByRole('rowheader')).toHaveCount(1);
    await matrix.getByRole('searchbox').fill('');
    await matrix.getByLabel('Show rows').selectOption('edited');
    await expect(matrix.getByRole('rowheader')).toHaveCount(1);
    await matrix.getByLabel('Show rows').selectOption('');
  });

  test('what changed in a source is said, and asked again on demand', async ({ workbench, workspace }) => {
    workspace.write('mill.md', files['mill.md'].replace('Tom Reed', 'Eva Holt'));
    const matrix = await matrixPage(workbench);
    await expect(cell(matrix, 1, 1).getByRole('img', { name: 'Has changed since' })).toBeVisible();
    await workbench.screenshot('matrix-changed');
    await matrix.locator('vscode-button', { hasText: 'Ask What Changed Again' }).click();
    await expect(cell(matrix, 1, 1)).toContainText('Eva Holt');
    await expect(cell(matrix, 0, 1)).toContainText('=My own words');
    // What it said before is told until it was seen.
    await matrix.getByLabel('Show rows').selectOption('reworded');
    await expect(matrix.getByRole('rowheader')).toHaveCount(1);
    await matrix.getByLabel('Show rows').selectOption('');
    await expect(
      cell(matrix, 1, 1).getByRole('img', { name: /Says something else than before: “.*Tom Reed/ }),
    ).toBeVisible();
    await cell(matrix, 1, 1).click();
    await expect(matrix.locator('.details .was')).toContainText('Tom Reed');
    expect(await seriousProblems(matrix.locator('.matrix'), 'editor')).toEqual([]);
    await workbench.screenshot('matrix-reworded');
    await matrix.locator('vscode-button', { hasText: 'Mark as Seen' }).click();
    await expect(matrix.locator('.details .was')).toHaveCount(0);
    await expect(cell(matrix, 1, 1).getByRole('img')).toHaveCount(0);
  });

  test('it is exported to a note, CSV and Excel', async ({ workbench, workspace }) => {
    const matrix = await matrixPage(workbench);
    for (const [format, ending] of [
      ['CSV', '.csv'],
      ['Excel', '.xlsx'],
    ] as const) {
      await matrix.locator('vscode-button[aria-label="Export"]').click();
      await workbench.pick(format);
      const box = workbench.quickInput.locator('input').first();
      await expect(box).toHaveValue(new RegExp(`\\${ending}$`));
      await box.press('Enter');
      await expect
        .poll(() => readdirSync(workspace.folder).filter((name) => name.endsWith(ending)))
        .toHaveLength(1);
    }
    const csv = readdirSync(workspace.folder).find((name) => name.endsWith('.csv')) ?? '';
    const text = readFileSync(join(workspace.folder, csv), 'utf8');
    expect(text).toContain('"\'=My own words"');
    expect(text).toContain('Eva Holt');
    await matrix.locator('vscode-button[aria-label="Export"]').click();
    await workbench.pick('Note');
    await expect(workbench.editorLines.filter({ hasText: 'Eva Holt' }).first()).toBeVisible();
    await workbench.run('View: Close All Editors');
  });

  test('it stands under Notes, comes back after a reload, and stays readable in a narrow window', async ({
    vscode,
    workbench,
    model,
  }) => {
    await workbench.showViews();
    await workbench.unfold('Notes');
    await workbench
      .rows('Notes', /matrix/)
      .first()
      .click();
    const matrix = await matrixPage(workbench);
    await expect(cell(matrix, 0, 1)).toContainText('=My own words');
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    await workbench.reloadWindow();
    // The window may have kept other tabs, too, and shows one of them.
    await workbench.tab('Matrix').first().click();
    const again = await matrixPage(workbench);
    await expect(cell(again, 1, 1)).toContainText('Eva Holt');
    await workbench.resize(620, 700);
    await workbench.screenshot('matrix-narrow');
    await workbench.resize(1_400, 900);
  });

  test('with its tab closed it is filled on, told of in the status bar, and stopped by a click', async ({
    workbench,
    model,
  }) => {
    const matrix = await matrixPage(workbench);
    const gate = makeGate();
    model.reply(({ question }) => [
      gate,
      question.includes('Ida Lind') ? 'The keeper is Ida Lind [1].' : 'Nobody says.',
    ]);
    await expect(matrix.getByText('Answered by scripted-1')).toBeVisible();
    await matrix.getByLabel('New question').fill('Who keeps it?');
    await matrix.getByLabel('New question').press('Enter');
    await gate.reached;
    await expect(cell(matrix, 2, 3).getByRole('img', { name: 'Is asked now' })).toBeVisible();
    await workbench.screenshot('matrix-filling');
    await matrix.locator('vscode-button', { hasText: 'Stop' }).click();
    await expect(matrix.locator('vscode-button', { hasText: 'Go On (3)' })).toBeVisible();
    await expect(workbench.statusBarItem('Matrix')).toHaveCount(0);
    const second = makeGate();
    model.reply(({ messages }) => [
      second,
      messages.some(({ content }) => content.includes('Ida Lind'))
        ? 'The keeper is Ida Lind [1].'
        : 'Nobody says.',
    ]);
    await matrix.locator('vscode-button', { hasText: 'Go On (3)' }).click();
    await second.reached;
    await workbench.run('View: Close All Editors');
    await expect(workbench.statusBarItem('Matrix: 3 cells left')).toBeVisible();
    await workbench.screenshot('matrix-in-background');
    await workbench.statusBarItem('Matrix: 3 cells left').click();
    const again = await matrixPage(workbench);
    await expect(again.locator('vscode-button', { hasText: 'Stop' })).toBeVisible();
    await workbench.run('View: Close All Editors');
    second.open();
    await expect(workbench.statusBarItem('cells left')).toHaveCount(0);
    await workbench
      .rows('Notes', /matrix/)
      .first()
      .click();
    const filled = await matrixPage(workbench);
    await expect(cell(filled, 2, 3)).toContainText('The keeper is Ida Lind');
    await expect(filled.getByText('9 of 9 cells')).toBeVisible();
    await workbench.screenshot('matrix-by-model');
  });
});
