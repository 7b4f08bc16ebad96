import { expect, test } from './fixtures.ts';
import { addFile, garden } from './notebook.ts';

test.use({
  settings: { 'chat.disableAIFeatures': false },
  files: { 'garden.md': garden },
});

test(
  '@notebook answers with excerpts when the editor has no model',
  { tag: '@all' },
  async ({ workbench }) => {
    const { page } = workbench;
    await addFile(workbench, 'garden.md');
    await workbench.run('Chat: Open Chat');
    const chat = page.locator('.interactive-session');
    await expect(chat.getByText('Open Notebook')).toBeVisible();
    await chat.locator('.chat-input-container .monaco-editor').first().click();
    await page.keyboard.type('@notebook How often are tomatoes watered?', { delay: 15 });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect(chat.locator('.interactive-response').last()).toContainText('every second morning');
    await workbench.screenshot('chat-without-models');
  },
);
