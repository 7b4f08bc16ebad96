import type { Locator } from '@playwright/test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({
  files: {
    'harbour/.gitignore': 'made/\n',
    '.ignore': 'store/\n',
    'store/rope.md': prose('rope'),
    'harbour/.notebookignore': 'drafts/\n',
    'harbour/crane.md': prose('crane'),
    'harbour/package-lock.json': '{ "lockfileVersion": 3 }\n',
    'harbour/drafts/plan.md': prose('plan'),
    'harbour/made/ladder.md': prose('ladder'),
    'alpha/docs/keeper.md': '# Keeper\n\nThe lighthouse of the northern shore is kept by Ada Brandt.\n',
    'beta/docs/keeper.md': '# Keeper\n\nThe lighthouse of the southern shore is kept by Bo Lund.\n',
    'both.code-workspace': JSON.stringify({ folders: [{ path: 'alpha' }, { path: 'beta' }] }),
    'app/knowledge_base/json/lamps.json': JSON.stringify([
      { filename: 'lamps.pdf', content: prose('lamp') },
      { url: 'https://example.org/boats', content: prose('boat') },
      { title: 'Short', pasted_text: 'Too short.' },
    ]),
    'app/knowledge_base/json/broken.json': '{ "title": ',
    'app/knowledge_base/faiss/lamps.faiss': new Uint8Array([0, 1, 2, 3]),
  },
});

test.describe('folders', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let harbour: Locator;

  test('a folder is added without what its ignore files name', async ({ workbench }) => {
    await chatPanel(workbench);
    await workbench.explorerMenu('harbour', 'Add to Notebook');
    harbour = await readySource(workbench, 'harbour');
    await expect(harbour).toContainText('1 file ');
  });

  test('an ignored file is added where it is named itself', async ({ workbench, workspace }) => {
    await workbench.showExplorer();
    // Quick open lists no ignored files, but knows a whole path.
    await workbench.openFile(join(workspace.folder, 'harbour', 'made', 'ladder.md'));
    await workbench.tabMenu('ladder.md', 'Add to Notebook');
    await readySource(workbench, 'ladder.md');
    await expect(workbench.notification('left out by')).toHaveCount(0);
  });

  test('of an ignored folder it is asked first', async ({ workbench }) => {
    await workbench.explorerMenu('store', 'Add to Notebook');
    await workbench.answerNotification('store is left out by an ignore file', 'Add Anyway');
    await readySource(workbench, 'store');
  });

  test('a file that is renamed is followed', async ({ workbench, workspace }) => {
    renameSync(
      join(workspace.folder, 'harbour', 'crane.md'),
      join(workspace.folder, 'harbour', 'derrick.md'),
    );
    await harbour.click();
    await harbour.press('ArrowRight');
    await expect(workbench.rows('Sources', 'derrick.md')).toBeVisible();
    await expect(workbench.rows('Sources', 'crane.md')).toHaveCount(0);
  });

  for (const [name, counts] of [
    ['a knowledge base of the app is imported', /2 sources were imported, 2 could not be read/],
    ['what was imported before is not imported again', /0 sources.*2 were there already/],
  ] as const)
    test(name, async ({ workbench, workspace }) => {
      const folder = `${join(workspace.folder, 'app', 'knowledge_base')}/`;
      const path = workbench.quickInput.locator('.quick-input-box input');
      await expect(async () => {
        // The dialog puts in where it begins by itself, a moment after it has opened, over what was typed by then.
        await workbench.page.keyboard.press('Escape');
        await workbench.run('Open Notebook: Import Open Notebook Knowledge Base');
        await expect(path).toHaveValue(/\/$/, { timeout: 3_000 });
        await path.fill(folder);
        await expect(workbench.quickInput.locator('.monaco-list-row', { hasText: 'json' })).toBeVisible({
          timeout: 3_000,
        });
        await expect(path).toHaveValue(folder, { timeout: 1_000 });
      }).toPass();
      await workbench.quickInput.getByRole('button', { name: 'Import' }).click();
      await expect(workbench.notification(counts)).toBeVisible();
      await readySource(workbench, 'lamps.pdf');
      await readySource(workbench, 'https://example.org/boats');
      await workbench.screenshot('import');
    });

  test('a report tells what could not be imported, and why', async ({ workbench }) => {
    await workbench.answerNotification(/0 sources.*2 were there already/, 'Show Details');
    await expect(workbench.tab('Import report.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'broken.json is not valid JSON' })).toBeVisible();
    await workbench.screenshot('import-report');
  });

  test('what was imported is found', async ({ workbench }) => {
    const turn = await answered(workbench, 'When was the lamp painted?');
    await expect(turn.locator('figure.quote').first()).toContainText('The lamp was painted green in 1931');
  });
});

test('files of the same path in two folders of a workspace are told apart and cited where they are', async ({
  vscode,
  workspace,
}) => {
  const workbench = await vscode.open(join(workspace.folder, 'both.code-workspace'));
  await chatPanel(workbench);
  for (const folder of ['alpha', 'beta']) {
    await workbench.explorerMenu(folder, 'Add to Notebook');
    await readySource(workbench, folder);
  }
  for (const [folder, shore, keeper] of [
    ['alpha', 'northern', 'Ada Brandt'],
    ['beta', 'southern', 'Bo Lund'],
  ] as const) {
    const turn = await answered(workbench, `Who keeps the lighthouse of the ${shore} shore?`);
    await expect(turn).toContainText(`${folder}/docs/keeper.md`);
    await turn.locator('figure.quote', { hasText: keeper }).first().locator('.chip').first().click();
    await expect(workbench.editorLines.filter({ hasText: `kept by ${keeper}` }).first()).toBeVisible();
  }
  await workbench.screenshot('two-folders');
});
