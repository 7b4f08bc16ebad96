import type { Locator } from '@playwright/test';
import { join } from 'node:path';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel, openPicker, pickModel, pickTyped, readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

const walls = Array.from(
  { length: 12 },
  (_, index) =>
    `## Field ${String(index + 1)}\n\n${`The wall of field ${String(index + 1)} has ${String(40 * index + 7)} stones, all of them grey. `.repeat(12)}\n`,
).join('\n');

test.use({ files: { 'garden.md': garden, 'walls.md': walls }, editorModel: true });

test.describe('a model is picked from what is there', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let workbench: Workbench;
  let button: Locator;

  test('the editor’s own model is picked', async ({ vscode, workspace, model }) => {
    vscode.set({ 'openNotebook.endpoints': { 'Garden server': model.baseUrl } });
    workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu(['garden.md', 'walls.md'], 'Add to Notebook');
    await readySource(workbench, 'garden.md');
    await readySource(workbench, 'walls.md');
    const panel = await chatPanel(workbench);
    button = panel.locator('button.model');
    await expect(button).toHaveText('Quotes only');

    await button.click();
    const rows = workbench.quickInput.locator('.monaco-list-row');
    await expect(rows.filter({ hasText: 'Scripted One' })).toBeVisible();
    await expect(rows.filter({ hasText: 'scripted-1' })).toBeVisible();
    await workbench.screenshot('models');
    await pickTyped(workbench, 'Scripted One');
    await expect(button).toHaveText('Scripted One');
    model.reply('Tomatoes are watered every second morning [1].');
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    await expect(turn.locator('.answer')).toContainText('every second morning');
    await expect(turn.locator('.chip')).toHaveCount(1);
    await expect(turn.locator('footer')).toContainText('Scripted One');
  });

  test('a model of an endpoint is picked', async ({ model }) => {
    await openPicker(workbench, button);
    await expect(workbench.quickInput.locator('.monaco-list-row.focused')).toContainText('Scripted One');
    await pickTyped(workbench, 'scripted-1');
    await expect(button).toHaveText('scripted-1');
    await answered(workbench, 'Are tomatoes watered with rainwater?');
    expect(model.chats.at(-1)?.model).toBe('scripted-1');
  });

  test('a model that is not listed is typed by its name', async ({ model }) => {
    // One that is not listed is typed by its name, and then stands in the list.
    await pickModel(workbench, button, 'Another model of Garden server');
    await expect(workbench.quickInput).toContainText('as Garden server calls it');
    await workbench.fill('scripted-typed');
    await expect(button).toHaveText('scripted-typed');
    await answered(workbench, 'When are tomatoes watered with rainwater?');
    expect(model.chats.at(-1)?.model).toBe('scripted-typed');
    await openPicker(workbench, button);
    const current = workbench.quickInput.locator('.monaco-list-row.focused');
    await expect(current).toContainText('scripted-typed');
    await expect(current.locator('.codicon-check')).toBeVisible();
    await workbench.screenshot('model-typed');
    await pickTyped(workbench, 'Only for this conversation');
    await expect(workbench.quickInput).toContainText('Pick Model for This Conversation');
    await expect(workbench.quickInput.locator('.monaco-progress-container.done')).toBeAttached();
    await expect(current).toContainText('The same as the notebook');
    await expect(current.locator('.codicon-check')).toBeVisible();
    await expect(workbench.quickInput.locator('.codicon-check:visible')).toHaveCount(1);
    await workbench.screenshot('model-of-the-notebook');
    await pickTyped(workbench, 'For the whole notebook');
    await expect(workbench.quickInput).toContainText('Pick Model for This Notebook');
    await pickTyped(workbench, 'Scripted Small');
    await expect(button).toHaveText('Scripted Small');
  });

  test('what is sent fits the model’s own count', async ({ model }) => {
    // What it counts itself has to fit: half of what would by the usual measure.
    model.reply('Each wall has its stones [1].');
    await answered(workbench, 'How many stones has the wall of each field?');
    const asked =
      model.chats
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join('') ?? '';
    expect(asked).toContain('The wall of field');
    expect(asked.length / 2).toBeLessThan(3_000);
    expect(asked.length / 2).toBeGreaterThan(1_500);
  });

  test('the model says whether the sources answer', async ({ model }) => {
    await pickModel(workbench, button, 'scripted-1');
    await expect(button).toHaveText('scripted-1');

    // Whether the sources answer a question is for the model to say.
    const before = model.chats.length;
    model.reply('The passages do not tell of volcanoes.');
    const nothing = await answered(workbench, 'Which volcano erupted?');
    await expect(nothing.locator('.answer')).toContainText('do not tell of volcanoes');
    expect(model.chats.length).toBe(before + 1);
  });

  test('what was picked outlives the window, and quotes need no model', async ({ model }) => {
    // What was picked outlives the window; quotes need no model.
    await workbench.reload();
    const again = await chatPanel(workbench);
    await expect(again.locator('button.model')).toHaveText('scripted-1');
    await pickModel(workbench, again.locator('button.model'), 'Quotes only');
    await expect(again.locator('button.model')).toHaveText('Quotes only');
    const chats = model.chats.length;
    await answered(workbench, 'What about the barrel behind the shed?');
    expect(model.chats.length).toBe(chats);
  });
});

test.describe('one line offers the models that are there', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let second: Locator;
  let offer: Locator;
  let elsewhere: Workbench;

  test('under the last answer in quotes alone', async ({ workbench }) => {
    await addFile(workbench, 'garden.md');
    const first = await answered(workbench, 'How often are tomatoes watered?');
    await expect(first.locator('.model-offer')).toBeVisible();
    await workbench.screenshot('model-offer');
    second = await answered(workbench, 'What are tomatoes watered with?');
    await expect(second.locator('.model-offer')).toBeVisible();
    offer = (await chatPanel(workbench)).locator('.model-offer');
    await expect(offer).toHaveCount(1);
  });

  test('asks no model before one is picked', async ({ workbench, model }) => {
    await offer.getByRole('button', { name: 'Have it written by a model…' }).click();
    await expect(workbench.quickInput).toContainText('Pick Model for');
    await workbench.page.keyboard.press('Escape');
    await expect(workbench.quickInput).toBeHidden();
    await expect(second.locator('.quote').first()).toBeVisible();
    expect(model.chats).toEqual([]);
  });

  test('has the question answered by the model that is picked, and goes', async ({ workbench, model }) => {
    model.reply('Tomatoes are watered with rainwater [1].');
    const button = offer.getByRole('button', { name: 'Have it written by a model…' });
    await pickModel(workbench, button, 'Scripted One');
    await expect(second.locator('.answer')).toContainText('Tomatoes are watered with rainwater.');
    await expect(second.locator('footer')).toContainText('Scripted One');
    await expect(offer).toHaveCount(0);
    expect(model.chats).toHaveLength(1);
  });

  test('comes in another notebook, for which none was picked yet, until it is waved away', async ({
    vscode,
    workspace,
  }) => {
    workspace.write('elsewhere/garden.md', garden);
    elsewhere = await vscode.open(join(workspace.folder, 'elsewhere'));
    await addFile(elsewhere, 'garden.md');
    const third = await answered(elsewhere, 'How often are tomatoes watered?');
    await third.locator('.model-offer').getByRole('button', { name: 'Don’t offer this again' }).click();
    await expect(third.locator('.model-offer')).toHaveCount(0);
  });

  test('stays away from then on, over a reload, too', async () => {
    const fourth = await answered(elsewhere, 'What are tomatoes watered with?');
    await expect(fourth.locator('.quote').first()).toBeVisible();
    await elsewhere.reload();
    const panel = await chatPanel(elsewhere);
    await expect(panel.locator('.quote').first()).toBeVisible();
    await expect(panel.locator('.model-offer')).toHaveCount(0);
  });
});
