import type { Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { expect, test, themes } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

test('the walkthrough leads from a sample over a question to its source, and the sample is taken away', async ({
  workbench,
}) => {
  const walkthrough = await openWalkthrough(workbench);
  const isDone = async (step: string): Promise<void> => {
    await expect(walkthrough.locator(`[data-done-step-id$="#${step}"]`)).toHaveClass(/complete/);
  };
  await workbench.screenshot('first-steps-begin');

  await walkthrough.getByText('Try a Sample').click();
  for (const title of ['Adding.md', 'Asking.md', 'Viewing.pdf', 'Writing.md'])
    await readySource(workbench, title);
  await isDone('add');

  const panel = await chatPanel(workbench);
  const suggestions = panel.locator('.suggestions button');
  await expect(suggestions).toHaveCount(3);
  await workbench.screenshot('first-steps-sample');
  const question = (await suggestions.first().textContent()) ?? '';
  await suggestions.first().click();
  const suggested = panel.locator('article.turn', { hasText: question });
  await expect(suggested.locator('.chip').first()).toBeVisible();
  const turn = await answered(workbench, 'What does an encrypted PDF ask for?');
  await expect(turn).toContainText('asks for its password once');
  await isDone('ask');
  await workbench.screenshot('first-steps-asked');

  await turn.locator('.chip').first().click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  await expect(pdf.locator('.textLayer').first()).toBeVisible();
  await workbench.screenshot('first-steps-followed');
  await workbench.tab('Walkthrough').click();
  await isDone('follow');

  await workbench.run('Open Notebook: Remove Sample');
  await expect(workbench.rows('Sources')).toHaveCount(0);
  await expect(workbench.view('Sources').getByText('Try a Sample')).toBeVisible();
});

test('keys ask, ask about a selection, and open and close the chat', async ({ vscode, workspace }) => {
  workspace.write('garden.md', 'Tomatoes are watered every second morning with rainwater from the barrel.\n');
  const workbench = await vscode.open(workspace.folder);
  const { keyboard } = workbench.page;
  const chord = async (second: string): Promise<void> => {
    await keyboard.press('ControlOrMeta+k');
    await keyboard.press(second);
  };
  const box = (title: string): ReturnType<typeof workbench.quickInput.getByText> =>
    workbench.quickInput.getByText(title, { exact: true });

  await chatPanel(workbench);
  await workbench.selectLines('garden.md', 1, 1);
  await chord('Shift+A');
  await expect(box('Ask')).toBeVisible();
  await expect(workbench.quickInput.getByText('Ask about the selection')).toBeVisible();
  await keyboard.press('Escape');
  await chord('a');
  await expect(workbench.quickInput.getByText('Ask the whole notebook')).toBeVisible();
  await keyboard.press('Escape');

  const sideBar = workbench.page.locator('[id="workbench.parts.sidebar"]');
  await expect(sideBar).toBeVisible();
  await chord('b');
  await expect(sideBar).toBeHidden();
  await chord('b');
  await expect(sideBar).toBeVisible();
  await expect(workbench.view('Chat')).toBeVisible();
});

for (const [name, theme] of Object.entries(themes))
  test(`the walkthrough looks right: ${name}`, async ({ vscode, workspace }) => {
    vscode.set({ 'workbench.colorTheme': theme });
    const workbench = await vscode.open(workspace.folder);
    const walkthrough = await openWalkthrough(workbench);
    for (const step of ['add', 'ask', 'follow', 'model']) {
      await walkthrough.locator(`[data-step-id$="#${step}"] .step-title`).click();
      const picture = workbench.page.locator('.gettingStartedContainer iframe.webview.ready').contentFrame();
      await expect(picture.frameLocator('#active-frame').locator(`svg#${step}`)).toBeVisible();
      await workbench.screenshot(`walkthrough-${name}-${step}`);
    }
  });

/** Opens the walkthrough, which VS Code knows of some seconds after a window was opened. */
async function openWalkthrough(workbench: Workbench): Promise<Locator> {
  const walkthrough = workbench.page.locator('.gettingStartedContainer');
  await expect(async () => {
    await workbench.run('Open Notebook: First Steps');
    await expect(walkthrough.getByText('First steps with Open Notebook').first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  return walkthrough;
}
