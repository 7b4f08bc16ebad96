import { expect, test } from '../fixtures.ts';
import { addFile, answered, chatPanel, findTurn, garden, startOver } from '../notebook.ts';
import { excerptsWindow } from '../shared-windows.ts';

test.use({ ...excerptsWindow, files: { 'garden.md': garden } });
test.describe.configure({ mode: 'default' });

test.describe('Conversations', () => {
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await addFile(workbench, 'garden.md');
    await answered(workbench, 'When is the compost turned?');
  });

  test('are found by the words of an answer, renamed, and reopened after a reload', async ({ workbench }) => {
    const rows = workbench.quickInput.locator('.monaco-list-row');
    await workbench.run('Open Notebook: New Conversation');
    await expect((await chatPanel(workbench)).locator('article.turn')).toHaveCount(0);
    await answered(workbench, 'How often are tomatoes watered?');
    await workbench.reload();
    const panel = await chatPanel(workbench);
    await expect(findTurn(panel, 'How often are tomatoes')).toBeVisible();

    await workbench.run('Open Notebook: Show Conversations');
    await expect(rows).toHaveCount(2);
    await workbench.page.keyboard.type('volcano');
    await expect(rows).toHaveText([/No matching conversations/]);
    await workbench.page.keyboard.press('ControlOrMeta+a');
    await workbench.page.keyboard.type('October');
    await expect(rows).toHaveText([/compost/]);
    await rows.first().hover();
    await rows.first().getByRole('button', { name: 'Rename' }).click();
    // The list takes a moment to close, and has its own input box.
    await expect(workbench.quickInput.getByText('Rename Conversation')).toBeVisible();
    await workbench.fill('All about compost');
    await rows.filter({ hasText: 'All about compost' }).click();
    await expect(findTurn(panel, 'When is the compost')).toBeVisible();
    await expect(findTurn(panel, 'How often are tomatoes')).toHaveCount(0);
  });

  test('are exported to Markdown', { tag: '@all' }, async ({ workbench }) => {
    await workbench.run('Open Notebook: Export Conversation…');
    await workbench.pick('Markdown');
    await expect(
      workbench.editorLines.filter({ hasText: '# When is the compost turned?' }).first(),
    ).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: '[^1]: garden.md' })).toBeVisible();
    await workbench.run('View: Revert and Close Editor');
  });

  test('restore a deleted question on undo', { tag: '@all' }, async ({ workbench }) => {
    const turn = findTurn(await chatPanel(workbench), 'When is the compost');
    await turn.hover();
    await turn.getByRole('button', { name: 'Delete question and answer' }).click();
    await expect(turn).toHaveCount(0);
    await workbench.answerNotification('Question and answer deleted', 'Undo');
    await expect(turn).toBeVisible();
  });

  test('are deleted one by one', { tag: '@all' }, async ({ workbench }) => {
    await workbench.run('Open Notebook: New Conversation');
    await answered(workbench, 'How often are tomatoes watered?');
    await workbench.run('Open Notebook: Show Conversations');
    const rows = workbench.quickInput.locator('.monaco-list-row');
    const compost = rows.filter({ hasText: 'compost' });
    await compost.hover();
    await compost.getByRole('button', { name: 'Delete' }).click();
    await workbench.dialog('Delete the conversation').getByRole('button', { name: 'Delete' }).click();
    await expect(rows).toHaveCount(1);
    await workbench.page.keyboard.press('Escape');
    await expect(findTurn(await chatPanel(workbench), 'How often are tomatoes')).toBeVisible();
  });
});
