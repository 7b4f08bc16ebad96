import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

test.use({
  files: {
    'garden.md':
      '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n',
    'kitchen.md': '# The kitchen\n\nBread is baked on Saturdays in the old stone oven behind the house.\n',
  },
});

test('a notebook of a name has its own sources, notes and conversation, and every window opens it', async ({
  vscode,
  workbench,
  workspace,
}) => {
  test.setTimeout(240_000);
  const { page } = workbench;
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  await answered(workbench, 'How often are tomatoes watered?');
  const panel = await chatPanel(workbench);
  await panel.getByLabel('Question', { exact: true }).fill('A draft about gardens');

  // A new one begins empty.
  await workbench.run('Open Notebook: New Notebook…');
  await workbench.fill('Baking');
  const sources = workbench.view('Sources');
  await expect(workbench.rows('Sources')).toHaveCount(0);
  await expect(sources.getByRole('button', { name: 'Add Files or Folders' }).last()).toBeVisible();
  await expect(workbench.statusBarItem('Baking')).toBeVisible();
  await expect(sources).toContainText('Baking');
  const other = await chatPanel(workbench);
  await expect(other.getByLabel('Question', { exact: true })).toHaveValue('');
  await expect(other.locator('article.turn')).toHaveCount(0);
  await workbench.screenshot('notebook-new');
  await workbench.explorerMenu('kitchen.md', 'Add to Notebook');
  await readySource(workbench, 'kitchen.md');
  await answered(workbench, 'When is bread baked?');

  // A note stays with its notebook while the window shows another one.
  await workbench.run('Open Notebook: New Note…');
  await workbench.fill('Loaves');
  const tab = workbench.tab('Loaves.md');
  await expect(tab).toHaveClass(/active/);

  await workbench.statusBarItem('Baking').click();
  await workbench.pick('Notebook of this workspace');
  await readySource(workbench, 'garden.md');
  await expect(workbench.rows('Sources')).toHaveCount(1);
  const back = await chatPanel(workbench);
  await expect(back.getByLabel('Question', { exact: true })).toHaveValue('A draft about gardens');
  await expect(back.locator('article.turn')).toContainText('rainwater');
  await tab.click();
  await page.keyboard.type('Rye and wheat.');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(tab).not.toHaveClass(/dirty/);

  // Another window opens the same notebook and sees what the first one adds.
  const second = await vscode.open(workspace.folder);
  await second.showViews();
  await second.run('Open Notebook: Switch Notebook…');
  await expect(second.quickInput).toContainText('Baking');
  await second.screenshot('notebook-switch');
  await second.pick('Baking');
  await readySource(second, 'kitchen.md');
  await second.unfold('Notes');
  await expect(second.rows('Notes', 'Loaves')).toBeVisible();

  // Deleted there, it is left here, and comes back.
  await second.run('Open Notebook: Delete Notebook…');
  await second.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await readySource(second, 'garden.md');
  await second.answerNotification('was deleted', 'Undo');
  await readySource(second, 'kitchen.md');
});
