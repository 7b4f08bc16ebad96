import { expect, test } from '../fixtures.ts';
import {
  addFile,
  answered,
  chatPanel,
  garden,
  openPicker,
  pickModel,
  pickTyped,
  startOver,
} from '../notebook.ts';
import { editorModelsWindow } from '../shared-windows.ts';

test.use({ ...editorModelsWindow, files: { 'garden.md': garden } });
test.describe.configure({ mode: 'default' });

test.describe('Model', () => {
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await addFile(workbench, 'garden.md');
  });

  // This test comes first, because later notebooks use the model that was selected last.
  test(
    'is offered below excerpts, and answers the same question',
    { tag: '@all' },
    async ({ workbench, model }) => {
      const turn = await answered(workbench, 'What are tomatoes watered with?');
      const offer = turn.locator('.model-offer');
      const button = offer.getByRole('button', { name: 'Write an answer with a model…' });
      const chats = model.chats.length;
      await openPicker(workbench, button);
      await workbench.page.keyboard.press('Escape');
      await expect(workbench.quickInput).toBeHidden();
      await expect(turn.locator('.quote').first()).toBeVisible();
      expect(model.chats).toHaveLength(chats);
      model.reply('Tomatoes are watered with rainwater [1].');
      await pickModel(workbench, button, 'Scripted One');
      await expect(turn.locator('.answer')).toContainText('Tomatoes are watered with rainwater.');
      await expect(turn.locator('footer')).toContainText('Scripted One');
      await expect(offer).toHaveCount(0);
      expect(model.chats).toHaveLength(chats + 1);
    },
  );

  test('is selected from the list, and stays selected after a reload', async ({ workbench, model }) => {
    let panel = await chatPanel(workbench);
    await test.step('a model of the editor answers', async () => {
      await openPicker(workbench, panel.locator('button.model'));
      const rows = workbench.quickInput.locator('.monaco-list-row');
      await expect(rows.filter({ hasText: 'Scripted One' })).toBeVisible();
      await expect(rows.filter({ hasText: 'scripted-1' })).toBeVisible();
      // The README shows a part of this picture.
      await workbench.screenshot('models');
      await pickTyped(workbench, 'Scripted One');
      await expect(panel.locator('button.model')).toHaveText('Scripted One');
      model.reply('Tomatoes are watered every second morning [1].');
      const turn = await answered(workbench, 'How often are tomatoes watered?');
      await expect(turn.locator('.answer')).toContainText('every second morning');
      await expect(turn.locator('.chip')).toHaveCount(1);
      await expect(turn.locator('footer')).toContainText('Scripted One');
    });

    await test.step('a model of an endpoint answers, also after a reload', async () => {
      await pickModel(workbench, panel.locator('button.model'), 'scripted-1');
      await expect(panel.locator('button.model')).toHaveText('scripted-1');
      await workbench.reload();
      panel = await chatPanel(workbench);
      await expect(panel.locator('button.model')).toHaveText('scripted-1');
      await answered(workbench, 'Are tomatoes watered with rainwater?');
      expect(model.chats.at(-1)?.model).toBe('scripted-1');
    });

    await test.step('no model is asked when excerpts only is selected', async () => {
      await pickModel(workbench, panel.locator('button.model'), 'Excerpts only');
      await expect(panel.locator('button.model')).toHaveText('Excerpts only');
      const chats = model.chats.length;
      await answered(workbench, 'What about the barrel behind the shed?');
      expect(model.chats.length).toBe(chats);
    });
  });

  test(
    'is selected by its name for one conversation or the notebook',
    { tag: '@all' },
    async ({ workbench, model }) => {
      const button = (await chatPanel(workbench)).locator('button.model');
      await pickModel(workbench, button, 'Another model from Garden server');
      await expect(workbench.quickInput).toContainText('Enter the name of the model on Garden server');
      await workbench.fill('scripted-typed');
      await expect(button).toHaveText('scripted-typed');
      await answered(workbench, 'When are tomatoes watered with rainwater?');
      expect(model.chats.at(-1)?.model).toBe('scripted-typed');
      await openPicker(workbench, button);
      const current = workbench.quickInput.locator('.monaco-list-row.focused');
      await expect(current).toContainText('scripted-typed');
      await expect(current.locator('.codicon-check')).toBeVisible();
      await pickTyped(workbench, 'Pick Model for This Conversation');
      await expect(workbench.quickInput).toContainText('Pick Model for This Conversation');
      await expect(workbench.quickInput.locator('.monaco-progress-container.done')).toBeAttached();
      await expect(current).toContainText('Same as the notebook');
      await expect(current.locator('.codicon-check')).toBeVisible();
      await expect(workbench.quickInput.locator('.codicon-check:visible')).toHaveCount(1);
      await pickTyped(workbench, 'Pick Model for This Notebook');
      await expect(workbench.quickInput).toContainText('Pick Model for This Notebook');
      await pickTyped(workbench, 'Scripted Small');
      await expect(button).toHaveText('Scripted Small');
    },
  );
});
