import type { Locator } from '@playwright/test';
import { basename, dirname } from 'node:path';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, inEachTheme, readySource } from './notebook.ts';

const TITLE = 'Get Started with Open Notebook';

test.describe('walkthrough', () => {
  test.use({ installed: false });

  test('leads from the sample to a question and its source', async ({ workbench, extensions }) => {
    await install(workbench, extensions.packed);
    const walkthrough = await findWalkthrough(workbench);
    const isDone = async (step: string): Promise<void> => {
      await expect(walkthrough.locator(`[data-done-step-id$="#${step}"]`)).toHaveClass(/complete/);
    };
    await expect(walkthrough.getByRole('button', { name: 'Add Files or Folders' })).toBeVisible();
    await workbench.screenshot('first-steps-begin');

    await walkthrough.getByText('Add Sample Sources').click();
    for (const title of ['Adding.md', 'Asking.md', 'Viewing.pdf', 'Writing.md'])
      await readySource(workbench, title);
    await isDone('add');

    const panel = await chatPanel(workbench);
    const suggestions = panel.locator('.suggestions button');
    await expect(suggestions).toHaveCount(2);
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
    await findWalkthrough(workbench);
    await isDone('follow');

    await workbench.run('Open Notebook: Remove Sample Sources');
    await expect(workbench.rows('Sources')).toHaveCount(0);
    await expect(workbench.view('Sources').getByText('Add Sample Sources')).toBeVisible();
  });
});

test(
  'the walkthrough shows its pictures in each theme',
  { tag: '@all' },
  async ({ workbench, workspace }) => {
    const walkthrough = await openWalkthrough(workbench);
    for (const step of ['add', 'ask', 'follow', 'model']) {
      await walkthrough.locator(`[data-step-id$="#${step}"] .step-title`).click();
      const picture = workbench.page
        .locator('.gettingStartedContainer iframe.webview.ready')
        .contentFrame()
        .frameLocator('#active-frame');
      await expect(picture.locator(`svg#${step}`)).toBeVisible();
      await inEachTheme(workbench, workspace, [picture], (name) =>
        workbench.screenshot(`walkthrough-${name}-${step}`),
      );
    }
  },
);

/** Installs a packed extension as one does from a file. */
async function install(workbench: Workbench, file: string): Promise<void> {
  const path = workbench.quickInput.locator('.quick-input-box input');
  await expect(async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.run('Extensions: Install from VSIX...');
    // A moment after it opens, the dialog replaces the entered text with its initial folder.
    await expect(workbench.quickInput.locator('.monaco-list-row').first()).toBeVisible({ timeout: 3_000 });
    await path.fill(`${dirname(file)}/`);
    await expect(workbench.quickInput.locator('.monaco-list-row', { hasText: basename(file) })).toBeVisible({
      timeout: 3_000,
    });
    await path.fill(file);
    await workbench.quickInput.getByRole('button', { name: 'Install' }).click({ timeout: 3_000 });
    await expect(workbench.quickInput).toBeHidden({ timeout: 3_000 });
  }).toPass();
}

/** Opens the walkthrough from the editor's list of them. */
function findWalkthrough(workbench: Workbench): Promise<Locator> {
  return walkthroughAfter(workbench, async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.run('Welcome: Open Walkthrough...');
    const row = workbench.quickInput.locator('.monaco-list-row', { hasText: TITLE });
    await row.click({ timeout: 3_000 });
  });
}

/** Opens the walkthrough by our own command. */
function openWalkthrough(workbench: Workbench): Promise<Locator> {
  return walkthroughAfter(workbench, () => workbench.run('Open Notebook: Get Started'));
}

/** The walkthrough after it opens. VS Code finds it some seconds after a window opens. */
async function walkthroughAfter(workbench: Workbench, open: () => Promise<void>): Promise<Locator> {
  const walkthrough = workbench.page.locator('.gettingStartedContainer');
  await expect(async () => {
    await open();
    await expect(walkthrough.getByText(TITLE).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  return walkthrough;
}
