import type { FrameLocator, Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource, findTurn } from './notebook.ts';

const bees =
  '# Bees\n\nBees gather in a tight cluster when winter comes.\n\n## Feeding\n\nFondant feeds the hive in January.\n';
const herons =
  '# Herons\n\nHerons leave the frozen lake when winter comes.\n\n## Nests\n\nNests stand in high trees.\n';

test.use({
  files: { 'bees.md': bees, 'Field notes.md': herons, 'other.md': '# Other\n\nNothing of winter.\n' },
});

test.describe('what a question is asked of', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  /** The chat's page, its input, a question that it suggests and one that was asked. */
  let panel: FrameLocator;
  let input: Locator;
  let suggested: Locator;
  let mentioned: Locator;

  test('questions to begin with are suggested of all sources', async ({ workbench }) => {
    await workbench.explorerMenu('bees.md', 'Add to Notebook');
    await workbench.explorerMenu('Field notes.md', 'Add to Notebook');
    await readySource(workbench, 'bees.md');
    await readySource(workbench, 'Field notes.md');
    panel = await chatPanel(workbench);
    input = panel.getByLabel('Question', { exact: true });
    await expect(panel.locator('button.scope')).toHaveText('All sources');
    suggested = panel.getByRole('button', { name: 'What does bees.md say about Feeding?' });
    await expect(suggested).toBeVisible();
    await expect(
      panel.getByRole('button', { name: 'What does Field notes.md say about Nests?' }),
    ).toBeVisible();
    await workbench.screenshot('scope-welcome');
  });

  test('a question is asked of the ticked sources', async ({ workbench }) => {
    const notes = await readySource(workbench, 'Field notes.md');
    await notes.locator('.custom-view-tree-node-item-checkbox').click();
    await expect(panel.locator('button.scope')).toHaveText('1 of 2 sources');
    await expect(input).toHaveAttribute('placeholder', 'Ask about 1 of 2 sources');
    const ticked = await answered(workbench, 'What happens when winter comes?');
    await expect(ticked).toContainText('tight cluster');
    await expect(ticked).not.toContainText('frozen lake');
    await expect(suggested).toBeVisible();
    await workbench.screenshot('scope-ticked');
    await suggested.click();
    await expect(findTurn(panel, 'say about Feeding?').locator('footer')).toBeVisible();
  });

  test('sources to mention are offered, also in a narrow view', async ({ workbench }) => {
    await input.fill('What does ');
    await input.pressSequentially('@not');
    await expect(panel.getByRole('option')).toHaveText(['Field notes.md']);
    await workbench.screenshot('scope-mention');
    await input.press('Escape');
    await expect(panel.getByRole('option')).toHaveCount(0);
    await input.fill('What does ');
    await input.pressSequentially('@');
    await expect(panel.getByRole('option')).toHaveCount(2);
    const { mouse } = workbench.page;
    await mouse.move(350, 450);
    await mouse.down();
    await mouse.move(240, 450, { steps: 4 });
    await mouse.up();
    await expect.poll(async () => (await input.boundingBox())?.width).toBeLessThan(190);
    await workbench.screenshot('scope-narrow');
    await input.click();
    await input.press('ArrowDown');
    await input.press('Enter');
    await expect(input).toHaveValue(/^What does @(bees\.md|"Field notes\.md") $/);
  });

  test('a question is asked of a source that it mentions', async () => {
    await input.fill('What happens when winter comes, says @"Field notes.md"?');
    await input.press('Enter');
    mentioned = findTurn(panel, 'says @"Field notes.md"?');
    await expect(mentioned).toContainText('frozen lake');
    await expect(mentioned).not.toContainText('tight cluster');
    await mentioned.getByRole('button', { name: 'Ask again' }).click();
    await expect(mentioned.locator('footer')).toContainText('asked of 1 source');
  });

  test('what was read for an answer is shown', async ({ workbench }) => {
    await mentioned.getByRole('button', { name: 'More actions' }).click();
    await mentioned.getByRole('button', { name: 'Show what was read' }).click();
    await expect(workbench.tab('What was read.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'Found by its words' }).first()).toBeVisible();
    await workbench.screenshot('scope-read');
  });

  test('a question is asked of the open file', async ({ workbench }) => {
    await workbench.openFile('other.md');
    await panel.locator('button.scope').click();
    await workbench.pick('Open File');
    await expect(panel.locator('button.scope')).toHaveText('Open file');
    const open = await answered(workbench, 'Is there anything of winter?');
    await expect(open).toContainText('other.md is not in this notebook.');
    await open.getByText('Add to Notebook').click();
    await readySource(workbench, 'other.md');
    await open.getByText('Try again', { exact: true }).click();
    await expect(open).toContainText('Nothing of winter');
  });

  test('a question that a source has no words of leads to the whole notebook', async ({ workbench }) => {
    const nothing = await answered(workbench, 'Which volcano erupted in Iceland, says @bees.md?');
    await expect(nothing).toContainText('No word of your question stands in bees.md.');
    await expect(nothing.getByText('Add Files')).toBeVisible();
    await expect(nothing.getByText('Ask the model anyway')).toHaveCount(0);
    await nothing.getByText('Ask the whole notebook').click();
    await expect(nothing).toContainText('No word of your question stands in this notebook.');
    await workbench.screenshot('scope-nothing');
  });
});
