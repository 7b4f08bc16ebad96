import type { Locator } from '@playwright/test';
import type { Workbench } from '../../support/workbench.ts';
import { expect, test } from '../fixtures.ts';
import { addFile, garden, startOver } from '../notebook.ts';
import { editorModelsWindow } from '../shared-windows.ts';

test.use({ ...editorModelsWindow, files: { 'garden.md': garden } });
test.describe.configure({ mode: 'default' });

function chatOf(workbench: Workbench): Locator {
  return workbench.page.locator('.interactive-session');
}

/** Sends a question in the editor's own chat; resolves to the response, which may still grow. */
async function send({ page }: Workbench, chat: Locator, text: string): Promise<Locator> {
  await chat.locator('.chat-input-container .monaco-editor').first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text, { delay: 15 });
  await page.keyboard.press('Escape');
  await expect(page.locator('.suggest-widget.visible')).toHaveCount(0);
  await page.keyboard.press('Enter');
  return chat.locator('.interactive-response').last();
}

test.describe('@notebook in the editor’s own chat', () => {
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await addFile(workbench, 'garden.md');
    await workbench.run('Chat: Open Chat');
    await expect(chatOf(workbench).getByText('Scripted One')).toBeVisible();
  });

  test('answers from the sources with citations that open', async ({ workbench, model }) => {
    model.reply('Tomatoes are watered every second morning [1]. They are painted blue [1].');
    const answer = await send(workbench, chatOf(workbench), '@notebook How often are tomatoes watered?');
    await expect(answer).toContainText('every second morning');
    await expect(answer).toContainText('not fact-checked');
    await workbench.screenshot('chat-participant');
    await answer.getByRole('link', { name: '[1]' }).first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();
  });

  test('quotes and lists sources without a model', { tag: '@all' }, async ({ workbench, model }) => {
    const chat = chatOf(workbench);
    const chats = model.chats.length;
    await expect(
      await send(workbench, chat, '@notebook /quote Where does the rainwater come from?'),
    ).toContainText('the barrel behind the shed');
    await expect(await send(workbench, chat, '@notebook /sources')).toContainText('garden.md · 1 passage');
    expect(model.chats.length).toBe(chats);
  });

  test('is offered as a tool', { tag: '@all' }, async ({ workbench }) => {
    const { page } = workbench;
    // Tools are suggested once the chat knows of them, and only while one types.
    await expect(async () => {
      await chatOf(workbench).locator('.chat-input-container .monaco-editor').first().click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('#searchNo', { delay: 15 });
      await expect(page.locator('.suggest-widget.visible')).toContainText('#searchNotebook', {
        timeout: 4_000,
      });
    }).toPass();
    await workbench.screenshot('chat-tool');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
  });
});
