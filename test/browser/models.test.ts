import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

test.use({ files: { 'garden.md': garden }, editorModel: true });

test('a model is picked from what is there: the editor’s own, an endpoint’s, or quotes only', async ({
  vscode,
  workspace,
  model,
}) => {
  vscode.set({ 'openNotebook.endpoints': { 'Garden server': model.baseUrl } });
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  const panel = await chatPanel(workbench);
  const button = panel.locator('button.model');
  await expect(button).toHaveText('Quotes only');

  await button.click();
  const rows = workbench.quickInput.locator('.monaco-list-row');
  await expect(rows.filter({ hasText: 'Scripted One' })).toBeVisible();
  await expect(rows.filter({ hasText: 'scripted-1' })).toBeVisible();
  await workbench.screenshot('models');
  await rows.filter({ hasText: 'Scripted One' }).click();
  await expect(button).toHaveText('Scripted One');
  model.reply('Tomatoes are watered every second morning [1].');
  const turn = await answered(workbench, 'How often are tomatoes watered?');
  await expect(turn.locator('.answer')).toContainText('every second morning');
  await expect(turn.locator('.chip')).toHaveCount(1);
  await expect(turn.locator('footer')).toContainText('Scripted One');

  await button.click();
  await expect(rows.filter({ hasText: 'scripted-1' })).toBeVisible();
  // The list no longer grows under the mouse.
  await expect(workbench.quickInput.locator('.monaco-progress-container.done')).toBeAttached();
  await expect(workbench.quickInput.locator('.monaco-list-row.focused')).toContainText('Scripted One');
  await rows.filter({ hasText: 'scripted-1' }).click();
  await expect(button).toHaveText('scripted-1');
  await answered(workbench, 'Are tomatoes watered with rainwater?');
  expect(model.chats.at(-1)?.model).toBe('scripted-1');

  // Where nothing is found, the model is asked only if the user says so.
  const before = model.chats.length;
  const nothing = await answered(workbench, 'Which volcano erupted?');
  await expect(nothing).toContainText('Nothing in this notebook answers that.');
  expect(model.chats.length).toBe(before);
  await workbench.screenshot('nothing-found');
  model.reply('As far as I know, Hekla erupted in 2000.');
  await nothing.getByText('Ask the model anyway').click();
  await expect(nothing.locator('.answer')).toContainText('Hekla');
  expect(model.chats.length).toBe(before + 1);

  // What was picked outlives the window; quotes need no model.
  await workbench.reload();
  const again = await chatPanel(workbench);
  await expect(again.locator('button.model')).toHaveText('scripted-1');
  await again.locator('button.model').click();
  await rows.filter({ hasText: 'Quotes only' }).click();
  const chats = model.chats.length;
  await answered(workbench, 'What about the barrel behind the shed?');
  expect(model.chats.length).toBe(chats);
});
