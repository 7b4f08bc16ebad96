// Actions of a user in the notebook.
import type { FrameLocator, Locator } from '@playwright/test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root } from '../support/paths.mjs';
import type { Workbench } from '../support/workbench.ts';
import type { Workspace } from '../support/workspace.ts';
import { expect, test, themes } from './fixtures.ts';

/** Content of `garden.md` in most tests. */
export const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

Basil is planted between the tomatoes because it keeps the white fly away from their leaves.

The compost is turned in March and in October, and never in the frost.
`;

/** Returns a file of test/fixtures/reading. */
export function fixture(name: string): string {
  return join(root, 'test', 'fixtures', 'reading', name);
}

/** Opens the database of the first notebook, while its window is open. */
export function openDatabase(globalStorage: string): DatabaseSync {
  const names = readdirSync(globalStorage, { recursive: true, encoding: 'utf8' });
  return new DatabaseSync(
    join(
      globalStorage,
      names.find((name) => name.endsWith('notebook.sqlite'))!,
    ),
  );
}

/** Creates a notebook in the window of the previous test, with no editors open and no questions. */
export async function startOver(workbench: Workbench, name: string): Promise<void> {
  // Commands that have nothing to do cost as much as a short test.
  if ((await workbench.tab('').count()) > 0) await workbench.run('View: Close All Editors');
  if ((await workbench.notification('').count()) > 0)
    await workbench.run('Notifications: Clear All Notifications');
  await workbench.run('Open Notebook: New Notebook');
  await workbench.fill(name);
  await expect(workbench.rows('Sources')).toHaveCount(0);
}

/** Shows the extension's views and waits until a source is ready; resolves to its row. */
export async function readySource(workbench: Workbench, title: string | RegExp): Promise<Locator> {
  await workbench.showViews();
  const row = workbench.rows('Sources', title).first();
  await expect(row).toContainText(/passage/);
  await expect(row).not.toContainText(/Reading|Waiting/);
  return row;
}

/** Adds a file of the workspace, and waits until it is ready; resolves to its row. */
export async function addFile(workbench: Workbench, name: string): Promise<Locator> {
  await workbench.explorerMenu(name, 'Add to Notebook');
  return readySource(workbench, name);
}

/** Page of the chat view. */
export async function chatPanel(workbench: Workbench): Promise<FrameLocator> {
  await workbench.showViews();
  return workbench.webview('textarea[aria-label="Question"]');
}

/** Asks in the panel's input; resolves to the panel at once. */
export async function ask(workbench: Workbench, question: string): Promise<FrameLocator> {
  const panel = await chatPanel(workbench);
  await panel.getByLabel('Question', { exact: true }).fill(question);
  await panel.getByLabel('Question', { exact: true }).press('Enter');
  return panel;
}

/** Turn of a question. */
export function findTurn(panel: FrameLocator, question: string): Locator {
  return panel.locator('article.turn', { has: panel.locator('.question', { hasText: question }) });
}

/** Asks and waits until the answer has ended; resolves to its turn. */
export async function answered(workbench: Workbench, question: string): Promise<Locator> {
  const turn = findTurn(await ask(workbench, question), question);
  await expect(turn.locator('footer')).toBeVisible();
  return turn;
}

/** Opens the list of models by the panel's button, and waits until it no longer grows under the mouse. */
export async function openPicker({ quickInput }: Workbench, button: Locator): Promise<void> {
  await expect(async () => {
    await button.click();
    await expect(quickInput).toContainText('Pick Model for', { timeout: 3_000 });
  }).toPass();
  await expect(quickInput.locator('.monaco-progress-container.done')).toBeAttached();
}

/** Chooses an entry by typing its words, which no row that comes or goes meanwhile can change. */
export async function pickTyped({ page, quickInput }: Workbench, words: string, timeout = 0): Promise<void> {
  const box = quickInput.locator('.quick-input-box input');
  await box.fill(words);
  const row = quickInput.locator('.monaco-list-row.focused', { hasText: words });
  await expect(async () => {
    await expect(row).toBeVisible({ timeout: 5_000 });
    await page.keyboard.press('Enter');
    // A list that is growing loses the key, and its rows disappear for a moment.
    const isAsked = async (): Promise<boolean> =>
      (await quickInput.isVisible()) && (await box.inputValue()) === words;
    await expect.poll(isAsked, { timeout: 2_000 }).toBe(false);
  }).toPass({ timeout });
}

/** Opens the list of models by a button and chooses from it; a list that the window closed meanwhile is opened again. */
export async function pickModel(workbench: Workbench, button: Locator, words: string): Promise<void> {
  await expect(async () => {
    await openPicker(workbench, button);
    await pickTyped(workbench, words, 15_000);
  }).toPass();
}

/** Adds a web page of this machine through the command palette, and agrees to have its host read. */
export async function addPage(workbench: Workbench, url: string): Promise<void> {
  // A window that is still loading takes the focus back, which closes the input box.
  await chatPanel(workbench);
  await workbench.run('Open Notebook: Add Web Page');
  await workbench.fill(url);
  if (URL.parse(url)?.hostname === '127.0.0.1') await agreeToHost(workbench);
}

/** Agrees to have a host of this machine read. */
export async function agreeToHost(workbench: Workbench): Promise<void> {
  await workbench.dialog('private network').getByRole('button', { name: 'Read' }).click();
}

/**
 * Opens the link at the cursor, or at a text, until its target is in front. A new editor requests its links a moment
 * later, and renders them several times.
 */
export async function openLink(workbench: Workbench, title: string, words?: string): Promise<void> {
  const { page } = workbench;
  const group = page.locator('.editor-group-container.active');
  const opened = group.locator('.tabs-container .tab.active', { hasText: title });
  await expect(async () => {
    // The target may have opened slowly after the previous attempt.
    if (await opened.isVisible()) return;
    if (words !== undefined) {
      await workbench.run('View: Focus Active Editor Group');
      await page.keyboard.press('ControlOrMeta+f');
      const find = group.locator('.find-widget.visible');
      await find.locator('.find-part textarea').fill(words, { timeout: 5_000 });
      await expect(find.locator('.matchesCount')).toContainText(/\d of \d/, { timeout: 5_000 });
      await page.keyboard.press('Escape');
    }
    await workbench.run('Open Link');
    await expect(opened).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

/** Page of VS Code's Markdown preview. */
export function markdownPreview({ page }: Workbench): FrameLocator {
  return page
    .frameLocator('iframe.webview.ready[src*="extensionId=vscode.markdown-language-features"]')
    .frameLocator('#active-frame');
}

type Theme = keyof typeof themes;

/** CSS classes of VS Code's window and of its pages in each theme. */
const marks: Readonly<Record<Theme, readonly [window: RegExp, page: string]>> = {
  dark: [/\bvs-dark\b/, 'vscode-dark'],
  light: [/\bvs(?![\w-])/, 'vscode-light'],
  highContrast: [/\bhc-black\b/, 'vscode-high-contrast'],
  highContrastLight: [/\bhc-light\b/, 'vscode-high-contrast-light'],
};

/**
 * Checks a window in each color theme. The failing step has the theme's name.
 * @param pages the pages to check, which change their theme a moment after the window
 */
export async function inEachTheme(
  workbench: Workbench,
  workspace: Workspace,
  pages: readonly FrameLocator[],
  look: (name: string) => Promise<void>,
): Promise<void> {
  for (const name of Object.keys(themes) as Theme[])
    await test.step(name, async () => {
      await setTheme(workbench, workspace, name);
      for (const page of pages)
        await expect(page.locator('body')).toHaveAttribute('data-vscode-theme-kind', marks[name][1]);
      await look(name);
    });
}

/** Gives a window that is open another color theme, and waits until it has it. */
export async function setTheme({ page }: Workbench, workspace: Workspace, name: Theme): Promise<void> {
  setInWorkspace(workspace, { 'workbench.colorTheme': themes[name] });
  await expect(page.locator('.monaco-workbench')).toHaveClass(marks[name][0]);
}

/** Adds settings of a workspace. */
function setInWorkspace(workspace: Workspace, settings: Readonly<Record<string, unknown>>): void {
  const file = '.vscode/settings.json';
  const before = existsSync(workspace.path(file)) ? (JSON.parse(workspace.read(file)) as object) : {};
  workspace.write(file, JSON.stringify({ ...before, ...settings }));
}

/** Exports the note that is shown to a file; its name is the one that is proposed. */
export async function exportNote(workbench: Workbench, format: string, ending: string): Promise<void> {
  await workbench.run('Open Notebook: Export Note…');
  await workbench.pick(format);
  const box = workbench.quickInput.locator('input').first();
  await expect(box).toHaveValue(new RegExp(`\\.${ending}$`));
  await box.press('Enter');
  await expect(workbench.notification(`.${ending}.`)).toBeVisible();
}
