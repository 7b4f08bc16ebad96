import { readdirSync, rmSync } from 'node:fs';
import type { Workbench } from '../../support/workbench.ts';
import { expect, test } from '../fixtures.ts';
import { addFile, answered, chatPanel, readySource, startOver } from '../notebook.ts';
import { excerptsWindow } from '../shared-windows.ts';

/** Enters the name that a command asks for. */
async function enterName(workbench: Workbench, name: string): Promise<void> {
  // An earlier prompt may still be visible.
  await expect(workbench.quickInput).toContainText(
    'Enter a name. You can open the notebook by this name in any window.',
  );
  await workbench.fill(name);
}

/** Creates a notebook and shows it. */
async function createNotebook(workbench: Workbench, name: string): Promise<void> {
  await workbench.run('Open Notebook: New Notebook…');
  await enterName(workbench, name);
  await expect(workbench.statusBarItem(name)).toBeVisible();
}

test.use({
  ...excerptsWindow,
  files: {
    'barrel.md':
      '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n',
    'kitchen.md': '# The kitchen\n\nBread is baked on Saturdays in the old stone oven behind the house.\n',
  },
});

test.describe('notebooks in one window', () => {
  test.describe.configure({ mode: 'default' });
  test.beforeEach(async ({ workbench }, { title }) => startOver(workbench, title));

  test('have separate sources, drafts, and conversations', async ({ workbench }) => {
    await createNotebook(workbench, 'Gardening');
    await addFile(workbench, 'barrel.md');
    await answered(workbench, 'How often are tomatoes watered?');
    const draft = 'A draft about gardens';
    await (await chatPanel(workbench)).getByLabel('Question', { exact: true }).fill(draft);
    await createNotebook(workbench, 'Baking');
    await expect(workbench.rows('Sources')).toHaveCount(0);
    await expect(
      workbench.view('Sources').getByRole('button', { name: 'Add Files or Folders' }).last(),
    ).toBeVisible();
    const other = await chatPanel(workbench);
    await expect(other.getByLabel('Question', { exact: true })).toHaveValue('');
    await expect(other.locator('article.turn')).toHaveCount(0);
    await addFile(workbench, 'kitchen.md');

    await workbench.statusBarItem('Baking').click();
    await workbench.pick('Gardening');
    await readySource(workbench, 'barrel.md');
    await expect(workbench.rows('Sources')).toHaveCount(1);
    const back = await chatPanel(workbench);
    await expect(back.getByLabel('Question', { exact: true })).toHaveValue(draft);
    await expect(back.locator('article.turn')).toContainText('rainwater');
  });

  test('open in another window', { tag: '@all' }, async ({ vscode, workbench, workspace }) => {
    await createNotebook(workbench, 'Cooking');
    await addFile(workbench, 'kitchen.md');
    await createNotebook(workbench, 'Empty');
    const second = await vscode.open(workspace.folder);
    await second.showViews();
    await second.run('Open Notebook: Switch Notebook…');
    await second.pick('Cooking');
    await readySource(second, 'kitchen.md');
    await second.page.close();
  });

  test('are imported from an exported notebook', async ({ workbench, workspace }) => {
    await createNotebook(workbench, 'Outdoors');
    await addFile(workbench, 'barrel.md');
    await expect(await answered(workbench, 'How often are tomatoes watered?')).toContainText('rainwater');
    await workbench.run('Open Notebook: Export Notebook…');
    const box = workbench.quickInput.locator('input').first();
    await expect(box).toHaveValue(/Outdoors\.opennotebook$/);
    await box.press('Enter');
    await expect.poll(() => readdirSync(workspace.folder)).toContain('Outdoors.opennotebook');
    await workbench.explorerMenu('Outdoors.opennotebook', 'Import Notebook…');
    await workbench.pick('New Notebook…');
    await enterName(workbench, 'Imported');
    await expect(
      workbench.quickInput.getByPlaceholder('Select the sources to link to the files'),
    ).toBeVisible();
    await workbench.pickSeveral(['barrel.md']);
    await expect(workbench.statusBarItem('Imported')).toBeVisible();
    await readySource(workbench, 'barrel.md');
    const imported = await chatPanel(workbench);
    await imported.locator('article.turn .chip').first().click();
    await expect(workbench.tab('barrel.md')).toBeVisible();
  });

  test('offer the sources that the repository shares', { tag: '@all' }, async ({ workbench, workspace }) => {
    await createNotebook(workbench, 'Shared');
    await addFile(workbench, 'barrel.md');
    await workbench.run('Open Notebook: Share Notebook in Repository…');
    await workbench.dialog('isn’t in a Git repository').getByRole('button', { name: 'Share Anyway' }).click();
    await expect(workbench.quickInput).toContainText('barrel.md');
    await workbench.page.keyboard.press('Enter');
    await expect(workbench.notification('Items shared in .notebook: 1.')).toBeVisible();
    await createNotebook(workbench, 'Mine');
    const offer = workbench.view('Sources').getByRole('button', { name: 'Add Shared Sources' }).last();
    await expect(offer).toBeVisible();
    await offer.click();
    await expect(workbench.quickInput).toContainText('barrel.md');
    await workbench.page.keyboard.press('Enter');
    await readySource(workbench, 'barrel.md');
    // Other notebooks of this window would offer them, too.
    rmSync(workspace.path('.notebook'), { recursive: true });
  });
});
