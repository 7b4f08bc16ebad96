import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource, findTurn } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

test.use({ files: { 'garden.md': garden } });

test('conversations are listed, searched, renamed, exported and deleted; questions edited, rated and deleted', async ({
  workbench,
}) => {
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  await answered(workbench, 'When is the compost turned?');
  await workbench.run('Open Notebook: New Conversation');
  const panel = await chatPanel(workbench);
  await expect(panel.locator('article.turn')).toHaveCount(0);
  const turn = await answered(workbench, 'How often is basil watered?');

  const edited = await test.step('a question is edited', async () => {
    // Edit: the new question takes the old one's place.
    await turn.hover();
    await turn.getByRole('button', { name: 'Edit question' }).click();
    await workbench.screenshot('question-edited');
    await panel.getByLabel('Edited question').fill('How often are tomatoes watered?');
    await panel.getByLabel('Edited question').press('Enter');
    const edited = findTurn(panel, 'How often are tomatoes');
    await expect(edited.locator('.answer')).toContainText('every second morning');
    await expect(panel.locator('article.turn')).toHaveCount(1);
    return edited;
  });

  await test.step('an answer is rated', async () => {
    await expect(edited.locator('footer')).toBeVisible();
    await edited.hover();
    await edited.getByRole('button', { name: 'Good answer' }).click();
    await expect(edited.getByRole('button', { name: 'Good answer (chosen)' })).toBeVisible();
    await workbench.screenshot('answer-rated');
  });

  const rows = await test.step('conversations are listed, searched and renamed', async () => {
    // Search finds words of an answer; Enter opens the conversation.
    await workbench.run('Open Notebook: Show Conversations');
    const rows = workbench.quickInput.locator('.monaco-list-row');
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
    return rows;
  });

  await test.step('a conversation is exported', async () => {
    await workbench.run('Open Notebook: Export Conversation…');
    await workbench.pick('Markdown');
    await expect(workbench.editorLines.filter({ hasText: '# All about compost' })).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: '[^1]: garden.md' })).toBeVisible();
  });

  await test.step('a question is deleted until that is undone', async () => {
    // What was deleted comes back.
    const kept = findTurn(await chatPanel(workbench), 'When is the compost');
    await kept.hover();
    await kept.getByRole('button', { name: 'Delete question and answer' }).click();
    await expect(kept).toHaveCount(0);
    await workbench.answerNotification('were deleted', 'Undo');
    await expect(kept).toBeVisible();
  });

  await test.step('a conversation is deleted', async () => {
    await workbench.run('Open Notebook: Show Conversations');
    await rows.filter({ hasText: 'All about compost' }).hover();
    await rows.filter({ hasText: 'All about compost' }).getByRole('button', { name: 'Delete' }).click();
    await workbench.dialog('Delete the conversation').getByRole('button', { name: 'Delete' }).click();
    await expect(rows).toHaveCount(1);
    await workbench.page.keyboard.press('Escape');
    await expect(findTurn(panel, 'How often are tomatoes')).toBeVisible();
  });
});
