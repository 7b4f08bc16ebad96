import { expect, test, themes } from './fixtures.ts';
import { readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

test.use({ files: { 'garden.md': garden }, editorModel: true });

test('@notebook answers in the editor’s own chat, with citations that open the place', async ({
  vscode,
  workspace,
  model,
}) => {
  vscode.set({ 'chat.disableAIFeatures': false, 'workbench.colorTheme': themes.dark });
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');

  await workbench.run('Chat: Open Chat');
  const chat = workbench.page.locator('.interactive-session');
  await expect(chat.getByText('Scripted One')).toBeVisible();
  const responses = chat.locator('.interactive-response');
  const type = async (text: string): Promise<void> => {
    await chat.locator('.chat-input-container .monaco-editor').first().click();
    await workbench.page.keyboard.type(text, { delay: 15 });
  };
  const empty = async (): Promise<void> => {
    await chat.locator('.chat-input-container .monaco-editor').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+a');
    await workbench.page.keyboard.press('Delete');
  };
  const send = async (text: string): Promise<void> => {
    await type(text);
    await workbench.page.keyboard.press('Escape');
    await expect(workbench.page.locator('.suggest-widget.visible')).toHaveCount(0);
    await workbench.page.keyboard.press('Enter');
  };

  const suggested = workbench.page.locator('.suggest-widget.visible');
  // Tools are suggested once the chat knows of them, and only while one types.
  await expect(async () => {
    await empty();
    await type('#searchNo');
    await expect(suggested).toContainText('#searchNotebook', { timeout: 4_000 });
  }).toPass();
  await workbench.screenshot('chat-tool');
  await workbench.page.keyboard.press('Escape');
  await expect(suggested).toHaveCount(0);
  await empty();

  model.reply('Tomatoes are watered every second morning [1]. They are painted blue [1].');
  await send('@notebook How often are tomatoes watered?');
  const answer = responses.last();
  await expect(answer).toContainText('every second morning');
  await expect(answer).toContainText('not in the sources');
  await workbench.screenshot('chat-participant');
  await answer.getByRole('link', { name: '[1]' }).first().click();
  await expect(workbench.tab('garden.md')).toBeVisible();

  // The participant stays in the input.
  await send('/sources');
  await expect(responses.last()).toContainText('garden.md · 1 passage');
  const chats = model.chats.length;
  await send('/quote Where does the rainwater come from?');
  await expect(responses.last()).toContainText('the barrel behind the shed');
  expect(model.chats.length).toBe(chats);
  await workbench.screenshot('chat-participant-quotes');
});
