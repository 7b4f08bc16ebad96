import { expect, test } from '../fixtures.ts';
import { answered, chatPanel, findTurn, readySource, startOver } from '../notebook.ts';
import { excerptsWindow } from '../shared-windows.ts';

const bees =
  '# Bees\n\nBees gather in a tight cluster when winter comes.\n\n## Feeding the hive\n\nFondant feeds the hive in January.\n';
const herons =
  '# Herons\n\nHerons leave the frozen lake when winter comes.\n\n## Nests of herons\n\nNests stand in high trees.\n';

test.use({
  ...excerptsWindow,
  files: { 'bees.md': bees, 'Field notes.md': herons, 'other.md': '# Other\n\nNothing of winter.\n' },
});
test.describe.configure({ mode: 'default' });

test.describe('Question without a model', () => {
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await workbench.explorerMenu(['bees.md', 'Field notes.md'], 'Add to Notebook');
    for (const name of ['bees.md', 'Field notes.md']) await readySource(workbench, name);
  });

  test('shows top excerpts whose citations open', async ({ workbench }) => {
    const turn = await answered(workbench, 'What feeds the hive in January?');
    const excerpt = turn.locator('section.quoted').first();
    await expect(excerpt.locator('h3')).toContainText('bees.md');
    await expect(excerpt.locator('mark')).toHaveText('Fondant feeds the hive in January.');
    await workbench.screenshot('places');
    await excerpt.locator('.chip').first().click();
    await expect(workbench.tab('bees.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'Fondant feeds' }).first()).toBeVisible();
  });

  test('searches only the included sources', async ({ workbench }) => {
    const panel = await chatPanel(workbench);
    await expect(panel.locator('button.scope')).toHaveText('All sources');
    const suggested = panel.getByRole('button', { name: 'What do the sources say about nests of herons?' });
    await expect(suggested).toBeVisible();
    const notes = await readySource(workbench, 'Field notes.md');
    await notes.locator('.custom-view-tree-node-item-checkbox').click();
    await expect(panel.locator('button.scope')).toHaveText('1 of 2 sources');
    const turn = await answered(workbench, 'What happens when winter comes?');
    await expect(turn).toContainText('tight cluster');
    await expect(turn).not.toContainText('frozen lake');
    await panel.getByRole('button', { name: 'What do the sources say about feeding the hive?' }).click();
    await expect(findTurn(panel, 'say about feeding the hive?').locator('footer')).toBeVisible();
    await expect(suggested).toHaveCount(0);
  });

  test('searches the open file, which is then added', async ({ workbench }) => {
    const panel = await chatPanel(workbench);
    await workbench.openFile('other.md');
    await panel.locator('button.scope').click();
    await workbench.pick('Open File');
    await expect(panel.locator('button.scope')).toHaveText('Open file');
    const turn = await answered(workbench, 'Is there anything of winter?');
    await expect(turn).toContainText('other.md isn’t in this notebook.');
    await turn.getByText('Add to Notebook').click();
    await readySource(workbench, 'other.md');
    await turn.getByText('Try Again', { exact: true }).click();
    await expect(turn).toContainText('Nothing of winter');
    // The other tests of the window ask the whole notebook.
    await panel.locator('button.scope').click();
    await workbench.pick('Whole Notebook');
  });

  test('searches the mentioned source, also when asked again', { tag: '@all' }, async ({ workbench }) => {
    const turn = await answered(workbench, 'What happens when winter comes, says @"Field notes.md"?');
    await expect(turn).toContainText('frozen lake');
    await expect(turn).not.toContainText('tight cluster');
    await turn.getByRole('button', { name: 'Ask again' }).click();
    await expect(turn.locator('footer')).toContainText('search scope: 1 source');
    await turn.getByRole('button', { name: 'Show retrieved passages' }).click();
    await expect(workbench.tab('Retrieval Report.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'Matched by words' }).first()).toBeVisible();
  });
});
