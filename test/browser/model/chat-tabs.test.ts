import type { FrameLocator } from '@playwright/test';
import { makeGate } from '../../support/gate.ts';
import { expect, test } from '../fixtures.ts';
import { addFile, chatPanel, findTurn, garden, startOver } from '../notebook.ts';
import { tabPage, viewPage } from '../../support/workbench.ts';
import { modelWindow } from '../shared-windows.ts';

const TITLE = 'Notebook Chat';

test.use({ ...modelWindow, files: { 'garden.md': garden } });
test.describe.configure({ mode: 'default' });

function input(page: FrameLocator): ReturnType<FrameLocator['getByLabel']> {
  return page.getByLabel('Question', { exact: true });
}

test.describe('Chat tab', () => {
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await addFile(workbench, 'garden.md');
    await expect((await chatPanel(workbench)).getByText('scripted-1')).toBeVisible();
  });

  test('follows the view, and comes back after a reload', { tag: '@all' }, async ({ workbench, model }) => {
    const { page } = workbench;
    const [view, tab] = [viewPage(page), tabPage(page)];
    await test.step('a button of the view opens it with the focus', async () => {
      const header = workbench.view('Chat').locator('.pane-header');
      await header.getByRole('button', { name: 'Open Chat in Editor' }).click();
      await expect(workbench.tab(TITLE)).toBeVisible();
      await expect(input(tab)).toBeFocused();
    });

    await test.step('both show the draft and the streamed answer', async () => {
      const gate = makeGate();
      model.reply(() => ['Tomatoes are watered ', 'every second morning [1].', gate, ' The rest is rain.']);
      await input(tab).fill('How often are tomatoes watered?');
      await expect(input(view)).toHaveValue('How often are tomatoes watered?');
      await input(tab).press('Enter');
      await gate.reached;
      for (const chat of [tab, view]) {
        const turn = findTurn(chat, 'How often are tomatoes watered?');
        await expect(turn.locator('.answer')).toContainText('every second morning');
        await expect(turn.locator('p.progress')).toBeVisible();
        await expect(input(chat)).toHaveValue('');
      }
      gate.open();
      for (const chat of [tab, view]) await expect(chat.locator('footer')).toBeVisible();
    });

    await test.step('its citations open beside the tab', async () => {
      model.reply('Basil keeps the white fly away [1].');
      await input(view).fill('What does basil keep away?');
      await input(view).press('Enter');
      const second = findTurn(tab, 'What does basil keep away?');
      await expect(second.locator('footer')).toBeVisible();
      await second.locator('.chip').first().click();
      await expect(workbench.editorLines.filter({ hasText: 'Basil is planted' }).first()).toBeVisible();
      await expect(page.locator('.editor-group-container')).toHaveCount(2);
      await expect(second.locator('.chip').first()).toBeVisible();
      await workbench.screenshot('chat-tab-citation');
    });

    await workbench.reloadWindow();
    await expect(workbench.tab(TITLE)).toBeVisible();
    const restored = findTurn(tabPage(page), 'What does basil keep away?').locator('.answer');
    await expect(restored).toContainText('Basil keeps');
  });

  test(
    'gets the question of a command if it had the focus last',
    { tag: '@all' },
    async ({ workbench, model }) => {
      const [view, tab] = [viewPage(workbench.page), tabPage(workbench.page)];
      await workbench.run('Open Notebook: Open Chat in Editor');
      model.reply('In March and in October [1].');
      const questions = [
        [tab, 'When is the compost turned?'],
        [view, 'In which months is the compost turned?'],
      ] as const;
      for (const [one, question] of questions) {
        await input(one).click();
        await expect(input(one)).toBeFocused();
        await workbench.run('Open Notebook: Ask Question…');
        await workbench.fill(question);
        await expect(findTurn(one, question).locator('footer')).toBeVisible();
        await expect(input(one)).toBeFocused();
      }
    },
  );

  test(
    'shows the same conversation in a window of its own',
    { tag: '@all' },
    async ({ context, workbench, model }) => {
      const opening = context.waitForEvent('page');
      await workbench.run('Open Notebook: Open Chat in New Window');
      const window = await opening;
      model.reply('Every second morning, with rainwater [1].');
      await input(tabPage(window)).fill('With what are tomatoes watered?');
      await input(tabPage(window)).press('Enter');
      for (const shownPage of [window, workbench.page]) {
        await shownPage.bringToFront();
        const page = shownPage === window ? tabPage(shownPage) : viewPage(shownPage);
        await expect(findTurn(page, 'With what are tomatoes').locator('.answer')).toContainText(
          'with rainwater',
        );
      }
      await window.close();
    },
  );
});
