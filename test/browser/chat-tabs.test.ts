import type { FrameLocator, Page } from '@playwright/test';
import { makeGate } from '../support/gate.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addFile, chatPanel, inEachTheme, findTurn } from './notebook.ts';

const TITLE = 'Notebook Chat';

const facts = [
  'Tomatoes are watered every second morning with rainwater from the barrel behind the shed.',
  'Basil is planted between the tomatoes because it keeps the white fly away from their leaves.',
  'The compost is turned in March and in October, and never in the frost that follows.',
];
const garden = `# The garden\n\n${facts.join('\n\n')}\n`;

test.use({ files: { 'garden.md': garden } });

const pages = 'iframe.webview.ready[src*="extensionId=open-notebook.open-notebook"]';

/** The page of the chat in the tab that is in front. */
function tabPage(page: Page): FrameLocator {
  const outer = page.locator(`${pages}:not([src*="purpose=webviewView"]):visible`);
  return outer.contentFrame().frameLocator('#active-frame');
}

/** The page of the chat in its view. */
function viewPage(page: Page): FrameLocator {
  return page.locator(`${pages}[src*="purpose=webviewView"]`).contentFrame().frameLocator('#active-frame');
}

function input(page: FrameLocator): ReturnType<FrameLocator['getByLabel']> {
  return page.getByLabel('Question', { exact: true });
}

test.describe('a conversation in a tab and in the view', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  let page: Page;
  let view: FrameLocator;
  let tab: FrameLocator;
  test.beforeEach(({ workbench }) => {
    ({ page } = workbench);
    view = viewPage(page);
    tab = tabPage(page);
  });

  test('a button of the view opens the tab, which has the focus', async ({ vscode, model, workbench }) => {
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    await addFile(workbench, 'garden.md');
    const panel = await chatPanel(workbench);
    // The window stands already: it learns of the settings when it sees their file, and asks no model before.
    await expect(panel.getByText('scripted-1')).toBeVisible();
    const header = workbench.view('Chat').locator('.pane-header');
    await header.getByRole('button', { name: 'Open Chat in Editor' }).click();
    await expect(workbench.tab(TITLE)).toBeVisible();
    await expect(input(tab)).toBeFocused();
  });

  test('what is typed and written in the tab is seen in the view', async ({ workbench, model }) => {
    const gate = makeGate();
    model.reply(() => ['Tomatoes are watered ', 'every second morning [1].', gate, ' The rest is rain.']);
    await input(tab).fill('How often are tomatoes');
    await expect(input(view)).toHaveValue('How often are tomatoes');
    await input(tab).pressSequentially(' watered?');
    await expect(input(view)).toHaveValue('How often are tomatoes watered?');
    await input(tab).press('Enter');
    await gate.reached;
    for (const one of [tab, view]) {
      const turn = findTurn(one, 'How often are tomatoes watered?');
      await expect(turn.locator('.answer')).toContainText('every second morning');
      await expect(turn.locator('p.progress')).toBeVisible();
      await expect(input(one)).toHaveValue('');
    }
    await workbench.screenshot('chat-tab-streams');
    gate.open();
    for (const one of [tab, view]) await expect(one.locator('footer')).toBeVisible();
  });

  test('what is asked in the view arrives in the tab, whose citation opens beside it', async ({
    workbench,
    model,
  }) => {
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

  test('what is asked by the command goes to the page that had the focus last', async ({
    workbench,
    model,
  }) => {
    await input(tab).click();
    await expect(input(tab)).toBeFocused();
    await workbench.run('Open Notebook: Ask…');
    model.reply('In March and in October [1].');
    await workbench.fill('When is the compost turned?');
    await expect(findTurn(tab, 'When is the compost').locator('footer')).toBeVisible();
    await expect(input(tab)).toBeFocused();
    await input(view).click();
    await expect(input(view)).toBeFocused();
    await workbench.run('Open Notebook: Ask…');
    await workbench.fill('In which months is the compost turned?');
    await expect(findTurn(view, 'In which months').locator('footer')).toBeVisible();
    await expect(input(view)).toBeFocused();
  });

  test('the tab outlives a reload of the window', async ({ workbench }) => {
    await workbench.reloadWindow();
    await expect(workbench.tab(TITLE)).toBeVisible();
    const restored = findTurn(tabPage(page), 'When is the compost').locator('.answer');
    await expect(restored).toContainText('In March');
  });

  test('each group of editors has one tab of it', async ({ workbench }) => {
    await workbench.tab(TITLE).click();
    await workbench.run('Open Notebook: Open Chat in Editor');
    await expect(workbench.tab(TITLE)).toHaveCount(1);
    // A reload may come before VS Code has kept the group that a citation opened.
    await findTurn(tabPage(page), 'When is the compost').locator('.chip').first().click();
    await workbench.tab('garden.md').click();
    await workbench.run('Open Notebook: Open Chat in Editor');
    await expect(workbench.tab(TITLE)).toHaveCount(2);
    await workbench
      .tab(TITLE)
      .last()
      .getByRole('button', { name: /^Close/ })
      .click();
    await expect(workbench.tab(TITLE)).toHaveCount(1);
  });

  test('in a window of its own it is the same conversation', async ({ context, workbench, model }) => {
    const opening = context.waitForEvent('page');
    await workbench.run('Open Notebook: Open Chat in New Window');
    const window = await opening;
    await expect(findTurn(tabPage(window), 'When is the compost').locator('.answer')).toContainText(
      'In March',
    );
    model.reply('Every second morning, with rainwater [1].');
    await input(tabPage(window)).fill('With what are tomatoes watered?');
    await input(tabPage(window)).press('Enter');
    for (const one of [tabPage(window), viewPage(page)])
      await expect(findTurn(one, 'With what are tomatoes').locator('.answer')).toContainText(
        'with rainwater',
      );
    await window.setViewportSize({ width: 900, height: 700 });
    await window.screenshot({ path: 'test-results/screenshots/chat-window.png' });
  });
});

test('a tab that was hidden shows the place where it was read', async ({ vscode, workbench, model }) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  await addFile(workbench, 'garden.md');
  await chatPanel(workbench);
  const { page } = workbench;
  await workbench.resize(1400, 600);
  await workbench.run('Open Notebook: Open Chat in Editor');
  const tab = tabPage(page);
  model.reply(() => `${facts.map((fact) => `${fact} [1]`).join('\n\n')}\n\n`.repeat(2));
  for (const question of ['What grows here?', 'What else grows here?', 'What is done with compost?']) {
    await input(tab).fill(question);
    await input(tab).press('Enter');
    await expect(findTurn(tab, question).locator('footer')).toBeVisible();
  }
  const first = findTurn(tab, 'What grows here?').locator('.question');
  await first.scrollIntoViewIfNeeded();
  const before = await first.boundingBox();
  await workbench.openFile('garden.md');
  await expect(workbench.editorLines.first()).toBeVisible();
  await workbench.tab(TITLE).click();
  await expect(first).toBeInViewport();
  await expect(async () => {
    expect(Math.abs(((await first.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4);
  }).toPass();
});

test('a chat in a tab looks right in every theme, wide and narrow', async ({ vscode, workspace, model }) => {
  vscode.set({
    'openNotebook.model.baseUrl': model.baseUrl,
    'openNotebook.model.name': 'scripted-1',
  });
  const workbench = await vscode.open(workspace.folder);
  await addFile(workbench, 'garden.md');
  await workbench.run('Open Notebook: Open Chat in Editor');
  const tab = tabPage(workbench.page);
  await expect(tab.locator('.welcome')).toBeVisible();
  await inEachTheme(workbench, workspace, [tab], (name) => workbench.screenshot(`chat-tab-empty-${name}`));
  model.reply(() => [
    '## Watering\n\nTomatoes are watered every second morning [1]. ',
    'Roses are pruned in winter. ',
    'Basil keeps the **white fly** away from their leaves, which nobody has looked at for longer than a line [1].\n\n',
    '```ts\nconst need = litres(6, true);\n```\n',
  ]);
  await input(tab).fill(
    'How often are tomatoes watered, and what keeps the white fly away from their leaves?',
  );
  await input(tab).press('Enter');
  const turn = tab.locator('article.turn');
  await expect(turn.locator('footer')).toBeVisible();
  const columns = await turn.locator('.answer').evaluate((answer) => {
    const zero = document.createElement('span');
    zero.textContent = '0'.repeat(10);
    answer.append(zero);
    const width = (answer.getBoundingClientRect().width * 10) / zero.getBoundingClientRect().width;
    zero.remove();
    return width;
  });
  expect(columns).toBeLessThanOrEqual(72.1);
  expect(columns).toBeGreaterThan(60);
  await inEachTheme(workbench, workspace, [tab], async (name) => {
    await workbench.screenshot(`chat-tab-wide-${name}`);
    expect.soft(await seriousProblems(tab.locator('body'), 'editor')).toEqual([]);
  });
  await workbench.run('View: Split Editor Right');
  await workbench.resize(900, 700);
  await inEachTheme(workbench, workspace, [], (name) => workbench.screenshot(`chat-tab-narrow-${name}`));
});
