import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from '../../support/workbench.ts';
import { expect, test, themes } from '../fixtures.ts';
import { addFile, pickTyped, readySource, startOver } from '../notebook.ts';
import { excerptsWindow, modelSettings } from '../shared-windows.ts';

const harbor = `# Harbor

A tide table is a list of the times at which the water is highest.

## Ships

Ballast refers to heavy material that keeps a ship upright.

A keel is a beam that runs along the bottom of a ship.

A quay is a wall that ships are tied to.

### Sails

Sails are repaired in winter.

## Trade

In 1883, the grain trade began.
`;
/** A glossary needs five terms. */
const terms = `${harbor}\nA bollard is a post that holds a rope.\n`;
const places = {
  'places/garden.md': '# Garden\n\nThe garden was planted in 1950. Its manager is Ida Lind.\n',
  'places/mill.md': '# Mill\n\nThe mill was built in 1821. Its manager is Tom Reed.\n',
};

/** Generates an artifact of one source. */
async function generate(workbench: Workbench, artifact: string, source: string): Promise<void> {
  await workbench.menu(workbench.rows('Sources', source), 'Generate from Sources…');
  await pickTyped(workbench, artifact);
}

/** Fills a table of the documents of `places` with the answers to a question, and waits for them. */
async function fillTable(workbench: Workbench): Promise<void> {
  await workbench.explorerMenu('places', 'Add to Notebook');
  await readySource(workbench, 'places');
  await generate(workbench, 'Extraction Table', 'places');
  const table = await workbench.webview('.extraction-table');
  await table.getByLabel('New question').fill('Who is the manager?');
  await table.getByLabel('New question').press('Enter');
  await expect(table.getByText('2 of 2 cells')).toBeVisible();
}

test.describe('Artifacts without a model', () => {
  test.describe.configure({ mode: 'default' });
  test.use({
    ...excerptsWindow,
    files: {
      ...places,
      'deck.md': harbor,
      'quiz.md': harbor,
      'terms.md': terms,
      'map.md': harbor,
      'picture.md': harbor,
    },
  });

  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

  test('a deck keeps its reviews after a reload, and its cards open the cited text', async ({
    workbench,
  }) => {
    await addFile(workbench, 'deck.md');
    await generate(workbench, 'Flashcards', 'deck.md');
    const deck = await workbench.webview('.deck');
    const counts = deck.locator('header p').first();
    await expect(counts).toHaveText('0 due · 4 new today · 4 cards');
    await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
    await deck.locator('.grade').nth(2).press('3');
    await expect(counts).toHaveText('0 due · 3 new today · 4 cards');
    await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
    await deck.locator('.source').click();
    await expect(workbench.tab('deck.md')).toHaveClass(/active/);
    await expect(workbench.statusBarItem('Ln 7, Col 1')).toBeVisible();
    await workbench.reloadWindow();
    await workbench.showViews();
    await workbench.unfold('Study');
    await expect(workbench.rows('Study', 'Flashcards – deck')).toContainText('3 new');
    await workbench.tab('Flashcards – deck').click();
    const again = await workbench.webview('.deck');
    await expect(again.locator('header p').first()).toHaveText('0 due · 3 new today · 4 cards');
  });

  test('a quiz shows its score', { tag: '@all' }, async ({ workbench }) => {
    await addFile(workbench, 'quiz.md');
    await generate(workbench, 'Quiz', 'quiz.md');
    await workbench.fill('3');
    const quiz = await workbench.webview('.quiz');
    for (let answered = 1; answered <= 3; answered++) {
      await quiz.locator('.choices').press('1');
      await expect(quiz.getByRole('status')).toContainText(`${String(answered)} of 3 answered`);
      await quiz.locator('.grade.show').click();
    }
    await expect(quiz.getByRole('heading', { name: 'of 3 correct' })).toBeVisible();
    await workbench.unfold('Study');
    await expect(workbench.rows('Study', 'Quiz – quiz')).toContainText('of 3 correct');
  });

  test(
    'a glossary shows a diff before it is updated, and keeps the user’s edits',
    { tag: '@all' },
    async ({ workbench, workspace }) => {
      const { page, editorLines } = workbench;
      await addFile(workbench, 'terms.md');
      await generate(workbench, 'Glossary', 'terms.md');
      await expect(workbench.tab('Glossary – terms.md')).toBeVisible();
      await expect(editorLines.filter({ hasText: '**Ballast**' })).toBeVisible();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type('\nMy own line.\n');
      await page.keyboard.press('ControlOrMeta+s');
      workspace.write('terms.md', `${terms}\nA mast is a pole that carries the sails.\n`);
      const lens = page.locator('.codelens-decoration a', { hasText: 'Update from Sources' });
      await lens.click();
      await expect(page.locator('.diff-editor, .monaco-diff-editor').first()).toBeVisible();
      await page.getByRole('button', { name: 'Keep Change' }).click();
      await expect(editorLines.filter({ hasText: '**mast**' })).toBeVisible();
      // For a moment lines of before are drawn, too.
      await expect(editorLines.filter({ hasText: 'My own line.' })).toHaveCount(1);
      await expect(lens).toHaveCount(0);
    },
  );

  test('a heading of a mind map opens its section', { tag: '@all' }, async ({ workbench }) => {
    await addFile(workbench, 'map.md');
    await generate(workbench, 'Mind Map', 'map.md');
    const map = await workbench.webview('.map');
    await map.getByRole('treeitem', { name: 'Trade' }).click();
    await expect(workbench.tab('map.md')).toHaveClass(/active/);
    await expect(workbench.statusBarItem('Ln 17, Col 1')).toBeVisible();
  });

  test(
    'a table keeps its cells after a reload, and their citations open',
    { tag: '@all' },
    async ({ workbench }) => {
      await fillTable(workbench);
      const table = await workbench.webview('.extraction-table');
      await table.getByRole('row').filter({ hasText: 'Tom Reed' }).locator('.chip').first().click();
      await expect(workbench.tab('mill.md')).toHaveClass(/active/);
      await workbench.reloadWindow();
      await workbench.tab('Extraction Table – places').click();
      const again = await workbench.webview('.extraction-table');
      await expect(again.getByText('2 of 2 cells')).toBeVisible();
      await expect(again.getByRole('row').filter({ hasText: 'Tom Reed' })).toBeVisible();
    },
  );

  test(
    'a mind map is saved as SVG and opens as Markdown',
    { tag: '@all' },
    async ({ workbench, workspace }) => {
      await addFile(workbench, 'picture.md');
      await generate(workbench, 'Mind Map', 'picture.md');
      const map = await workbench.webview('.map');
      await map.getByRole('button', { name: 'Export as SVG' }).click();
      const box = workbench.quickInput.locator('input').first();
      await expect(box).toHaveValue(/\.svg$/);
      await box.press('Enter');
      await expect(workbench.notification('.svg.')).toBeVisible();
      const svg = readdirSync(workspace.folder).find((name) => name.endsWith('.svg')) ?? '';
      expect(readFileSync(join(workspace.folder, svg), 'utf8')).toContain('Sails</text>');
      await map.getByRole('button', { name: 'Open as Markdown' }).click();
      await expect(workbench.editorLines.filter({ hasText: '- Sails' }).first()).toBeVisible();
      await workbench.run('View: Revert and Close Editor');
    },
  );
});

test.describe('Extraction table', { tag: '@all' }, () => {
  test.use({ files: places });

  test('is exported to CSV, Excel, and a note', async ({ workbench, workspace }) => {
    await fillTable(workbench);
    const table = await workbench.webview('.extraction-table');
    for (const [format, ending] of [
      ['CSV', '.csv'],
      ['Excel', '.xlsx'],
    ] as const) {
      await table.locator('vscode-button[aria-label="Export Extraction Table…"]').click();
      await workbench.pick(format);
      const box = workbench.quickInput.locator('input').first();
      await expect(box).toHaveValue(new RegExp(`\\${ending}$`));
      await box.press('Enter');
      await expect
        .poll(() => readdirSync(workspace.folder).filter((name) => name.endsWith(ending)))
        .toHaveLength(1);
    }
    const csv = readdirSync(workspace.folder).find((name) => name.endsWith('.csv')) ?? '';
    expect(readFileSync(join(workspace.folder, csv), 'utf8')).toContain('Tom Reed');
    await table.locator('vscode-button[aria-label="Export Extraction Table…"]').click();
    await workbench.pick('Note');
    await expect(workbench.editorLines.filter({ hasText: 'Tom Reed' }).first()).toBeVisible();
  });

  test('is filled by a model while its tab is closed', async ({ vscode, workspace, model }) => {
    const answers = Promise.withResolvers<undefined>();
    model.reply(async () => {
      await answers.promise;
      return 'The manager is Ida Lind [1].';
    });
    vscode.set(modelSettings(model));
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('places', 'Add to Notebook');
    await readySource(workbench, 'places');
    await generate(workbench, 'Extraction Table', 'places');
    const table = await workbench.webview('.extraction-table');
    await expect(table.getByText('Answered by scripted-1')).toBeVisible();
    await table.getByLabel('New question').fill('Who manages it?');
    await table.getByLabel('New question').press('Enter');
    await table.locator('vscode-button', { hasText: 'Stop' }).click();
    await table.locator('vscode-button', { hasText: 'Resume (2)' }).click();
    await expect(table.locator('vscode-button', { hasText: 'Stop' })).toBeVisible();
    await workbench.run('View: Close All Editors');
    const progress = workbench.statusBarItem('2 cells left');
    await expect(progress).toBeVisible();
    answers.resolve(undefined);
    await expect(workbench.statusBarItem('left')).toHaveCount(0);
    await workbench.unfold('Notes');
    await workbench.rows('Notes', 'Extraction Table – places').click();
    const filled = await workbench.webview('.extraction-table');
    await expect(filled.getByText('2 of 2 cells')).toBeVisible();
    await expect(filled.getByRole('row').filter({ hasText: 'The manager is Ida Lind' })).toHaveCount(2);
  });
});

test.describe('Pictures of the README', { tag: '@all' }, () => {
  test.use({
    settings: { 'workbench.colorTheme': themes.light },
    files: {
      'garden.md':
        '# Garden\n\nThe garden was planted in 1950. Its manager is Ida Lind. The paths are repaired in winter.\n',
      'harbor.md': `${harbor}\nThe harbor was opened in 1998. Its manager is Ada Berg.\n`,
      'mill.md':
        '# Mill\n\nThe mill was built in 1821. Its manager is Tom Reed. Barley is ground in the mill in winter.\n',
    },
  });

  test('show a map, a deck, and a table', async ({ workbench }) => {
    for (const name of ['garden.md', 'harbor.md', 'mill.md']) await addFile(workbench, name);
    await test.step('map', async () => {
      await generate(workbench, 'Mind Map', 'harbor.md');
      const map = await workbench.webview('.map');
      await expect(map.getByRole('treeitem', { name: 'Sails' })).toBeVisible();
      await workbench.screenshot('studio-map-light');
    });
    await test.step('deck', async () => {
      await generate(workbench, 'Flashcards', 'harbor.md');
      const deck = await workbench.webview('.deck');
      await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
      await expect(deck.locator('.card')).toContainText('A tide table is a list of the times');
      await workbench.screenshot('cards-light');
    });
    await test.step('table', async () => {
      await workbench.run('Open Notebook: Generate from Sources…');
      await pickTyped(workbench, 'Extraction Table');
      const table = await workbench.webview('.extraction-table');
      for (const question of ['Who is the manager?', 'What work is done in winter?']) {
        await table.getByLabel('New question').fill(question);
        await table.getByLabel('New question').press('Enter');
      }
      await expect(table.getByText('6 of 6 cells')).toBeVisible();
      await workbench.screenshot('extraction-table-light');
    });
  });
});
