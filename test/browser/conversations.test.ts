import type { FrameLocator, Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel, findTurn } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

test.use({ files: { 'garden.md': garden } });

test.describe('conversations', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  let panel: FrameLocator;
  /** The conversations that are listed. */
  let rows: Locator;
  test.beforeEach(({ workbench }) => {
    rows = workbench.quickInput.locator('.monaco-list-row');
  });

  test('a new one begins empty', async ({ workbench }) => {
    await addFile(workbench, 'garden.md');
    await answered(workbench, 'When is the compost turned?');
    await workbench.run('Open Notebook: New Conversation');
    panel = await chatPanel(workbench);
    await expect(panel.locator('article.turn')).toHaveCount(0);
  });

  test('a question that is edited takes the place of the one before', async ({ workbench }) => {
    const turn = await answered(workbench, 'How often is basil watered?');
    await turn.hover();
    await turn.getByRole('button', { name: 'Edit question' }).click();
    await workbench.screenshot('question-edited');
    await panel.getByLabel('Edited question').fill('How often are tomatoes watered?');
    await panel.getByLabel('Edited question').press('Enter');
    const edited = findTurn(panel, 'How often are tomatoes');
    await expect(edited.locator('.answer')).toContainText('every second morning');
    await expect(panel.locator('article.turn')).toHaveCount(1);
  });

  test('an answer is rated', async ({ workbench }) => {
    const edited = findTurn(panel, 'How often are tomatoes');
    await expect(edited.locator('footer')).toBeVisible();
    await edited.hover();
    await edited.getByRole('button', { name: 'Good answer' }).click();
    await expect(edited.getByRole('button', { name: 'Good answer (chosen)' })).toBeVisible();
    await workbench.screenshot('answer-rated');
  });

  test('they are listed, searched and renamed', async ({ workbench }) => {
    // Search finds words of an answer; Enter opens the conversation.
    await workbench.run('Open Notebook: Show Conversations');
    await expect(rows).toHaveCount(2);
    await workbench.screenshot('conversations');
    await workbench.page.keyboard.type('volcano');
    await expect(rows).toHaveText([/No conversation has these words/]);
    await workbench.page.keyboard.press('ControlOrMeta+a');
    await workbench.page.keyboard.type('October');
    await expect(rows).toHaveText([/compost/]);
    await expect(rows).toHaveCount(1);
    await rows.first().hover();
    await rows.first().getByRole('button', { name: 'Rename' }).click();
    // The list takes a moment to go, and has a box to type into of its own.
    await expect(workbench.quickInput.getByText('Rename Conversation')).toBeVisible();
    await workbench.fill('All about compost');
    await expect(rows.filter({ hasText: 'All about compost' })).toBeVisible();
    await rows.filter({ hasText: 'All about compost' }).click();
    await expect(findTurn(panel, 'When is the compost')).toBeVisible();
    await expect(findTurn(panel, 'How often are tomatoes')).toHaveCount(0);
  });

  test('one is exported to Markdown', async ({ workbench }) => {
    await workbench.run('Open Notebook: Export Conversation…');
    await workbench.pick('Markdown');
    await expect(workbench.editorLines.filter({ hasText: '# All about compost' })).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: '[^1]: garden.md' })).toBeVisible();
  });

  test('a question is deleted until that is undone', async ({ workbench }) => {
    const kept = findTurn(await chatPanel(workbench), 'When is the compost');
    await kept.hover();
    await kept.getByRole('button', { name: 'Delete question and answer' }).click();
    await expect(kept).toHaveCount(0);
    await workbench.answerNotification('were deleted', 'Undo');
    await expect(kept).toBeVisible();
  });

  test('one is deleted', async ({ workbench }) => {
    await workbench.run('Open Notebook: Show Conversations');
    await rows.filter({ hasText: 'All about compost' }).hover();
    await rows.filter({ hasText: 'All about compost' }).getByRole('button', { name: 'Delete' }).click();
    await workbench.dialog('Delete the conversation').getByRole('button', { name: 'Delete' }).click();
    await expect(rows).toHaveCount(1);
    await workbench.page.keyboard.press('Escape');
    await expect(findTurn(panel, 'How often are tomatoes')).toBeVisible();
  });
});
