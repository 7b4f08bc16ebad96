import type { Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { expect, test, themes } from './fixtures.ts';
import { addFile } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

test.use({ files: { 'garden.md': garden }, editorModel: true });

test.describe('@notebook in the editor’s own chat', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let workbench: Workbench;
  let chat: Locator;
  let responses: Locator;

  const input = (): Locator => chat.locator('.chat-input-container .monaco-editor').first();
  const suggested = (): Locator => workbench.page.locator('.suggest-widget.visible');
  const type = async (text: string): Promise<void> => {
    await input().click();
    await workbench.page.keyboard.type(text, { delay: 15 });
  };
  const empty = async (): Promise<void> => {
    await input().click();
    await workbench.page.keyboard.press('ControlOrMeta+a');
    await workbench.page.keyboard.press('Delete');
  };
  const send = async (text: string): Promise<void> => {
    await type(text);
    await workbench.page.keyboard.press('Escape');
    await expect(suggested()).toHaveCount(0);
    await workbench.page.keyboard.press('Enter');
  };

  test('the notebook is suggested as a tool', async ({ vscode, workspace }) => {
    vscode.set({ 'chat.disableAIFeatures': false, 'workbench.colorTheme': themes.dark });
    workbench = await vscode.open(workspace.folder);
    await addFile(workbench, 'garden.md');
    await workbench.run('Chat: Open Chat');
    chat = workbench.page.locator('.interactive-session');
    responses = chat.locator('.interactive-response');
    await expect(chat.getByText('Scripted One')).toBeVisible();
    // Tools are suggested once the chat knows of them, and only while one types.
    await expect(async () => {
      await empty();
      await type('#searchNo');
      await expect(suggested()).toContainText('#searchNotebook', { timeout: 4_000 });
    }).toPass();
    await workbench.screenshot('chat-tool');
    await workbench.page.keyboard.press('Escape');
    await expect(suggested()).toHaveCount(0);
    await empty();
  });

  test('a question is answered, what is not in the sources is said, and a citation opens the place', async ({
    model,
  }) => {
    model.reply('Tomatoes are watered every second morning [1]. They are painted blue [1].');
    await send('@notebook How often are tomatoes watered?');
    const answer = responses.last();
    await expect(answer).toContainText('every second morning');
    await expect(answer).toContainText('not in the sources');
    await workbench.screenshot('chat-participant');
    await answer.getByRole('link', { name: '[1]' }).first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();
  });

  test('/sources lists the sources', async () => {
    // The participant stays in the input.
    await send('/sources');
    await expect(responses.last()).toContainText('garden.md · 1 passage');
  });

  test('/quote answers without a model', async ({ model }) => {
    const chats = model.chats.length;
    await send('/quote Where does the rainwater come from?');
    await expect(responses.last()).toContainText('the barrel behind the shed');
    expect(model.chats.length).toBe(chats);
    await workbench.screenshot('chat-participant-quotes');
  });
});
