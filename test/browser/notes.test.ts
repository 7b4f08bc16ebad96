import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { readDocx } from '../../src/reading/office/docx.ts';
import { expect, test } from './fixtures.ts';
import {
  addFile,
  answered,
  chatPanel,
  exportNote,
  findTurn,
  markdownPreview,
  openLink,
  readySource,
} from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

test.use({ files: { 'garden.md': garden }, settings: { 'files.autoSave': 'off' } });

test.describe('a note of an answer', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const question = 'When is the compost turned?';
  const second = 'How often are tomatoes watered?';
  let page: Page;
  let editorLines: Locator;
  /** The note's tab and its row. */
  let tab: Locator;
  let row: Locator;
  test.beforeEach(({ workbench }) => {
    ({ page, editorLines } = workbench);
    tab = workbench.tab(`${question}.md`);
    row = workbench.rows('Notes', question);
  });

  test('the question is its title, and what is typed into it is saved', async ({ workbench }) => {
    await addFile(workbench, 'garden.md');
    await workbench.unfold('Notes');
    await expect(workbench.view('Notes').getByRole('button', { name: 'New Note' }).last()).toBeVisible();
    await workbench.screenshot('notes-none');
    const turn = await answered(workbench, question);
    await turn.hover();
    await turn.getByRole('button', { name: 'Save as Note…' }).click();
    await expect(editorLines.filter({ hasText: `# ${question}` })).toBeVisible();
    await expect(workbench.statusBarItem('Ln 9, Col 1')).toBeVisible();
    await page.keyboard.type('So I turn it in spring.');
    await expect(tab).toHaveClass(/dirty/);
    await page.keyboard.press('ControlOrMeta+s');
    await expect(tab).not.toHaveClass(/dirty/);
    await expect(row).toBeVisible();
  });

  test('its citation opens from the editor', async ({ workbench }) => {
    const before = '> The compost is turned in March and in October, and never in the frost. [';
    await workbench.goTo(7, before.length + 1);
    await workbench.run('Show or Focus Hover');
    await expect(page.locator('.monaco-hover', { hasText: 'garden.md, L5' })).toContainText(
      'never in the frost',
    );
    await workbench.screenshot('note-hover');
    await page.keyboard.press('Escape');
    await openLink(workbench, 'garden.md');
    await expect(workbench.statusBarItem('Ln 5, Col 1')).toBeVisible();
  });

  test('its citation opens from the preview, where the words stand now', async ({ workbench, workspace }) => {
    workspace.write('garden.md', `Of my own.\n\n\n${garden}`);
    await page.keyboard.press('ControlOrMeta+w');
    await row.click();
    await workbench.run('Markdown: Open Preview to the Side');
    const chip = markdownPreview(workbench).locator('a[href^="citation/"]').first();
    await expect(chip).toHaveText('1');
    await workbench.screenshot('note-preview');
    await chip.click();
    await expect(editorLines.filter({ hasText: '# The garden' })).toBeVisible();
    await expect(workbench.statusBarItem('Ln 8, Col 1')).toBeVisible();
    await expect(page.locator('.tabs-container .tab').filter({ hasText: /^[\da-f]{16}$/ })).toHaveCount(0);
    await workbench.screenshot('note-followed');
    await workbench.run('View: Close All Editors');
  });

  test('another answer goes below it', async ({ workbench }) => {
    const next = await answered(workbench, second);
    await next.hover();
    await next.getByRole('button', { name: 'Save as Note…' }).click();
    await expect(workbench.quickInput).toContainText('New Note');
    await workbench.screenshot('note-choice');
    await workbench.pick(question);
    await expect(editorLines.filter({ hasText: `## ${second}` })).toBeVisible();
    await expect(editorLines.filter({ hasText: '[2]' })).toBeVisible();
    await expect(tab).not.toHaveClass(/dirty/);
  });

  test('it is exported to HTML, Word and Markdown', async ({ workbench, workspace }) => {
    await exportNote(workbench, 'HTML', 'html');
    await exportNote(workbench, 'Word', 'docx');
    const files = readdirSync(workspace.folder);
    const html = readFileSync(
      join(workspace.folder, files.find((name) => name.endsWith('.html')) ?? ''),
      'utf8',
    );
    expect(html).toContain('href="#source-2"');
    const name = files.find((one) => one.endsWith('.docx')) ?? '';
    expect(readDocx(readFileSync(join(workspace.folder, name)), name).text).toMatch(
      /never in the frost\.\[1\]/,
    );
    await row.click();
    await workbench.run('Open Notebook: Export Note…');
    await workbench.pick('Markdown');
    await expect(editorLines.filter({ hasText: '[^2]: garden.md, L' })).toBeVisible();
    await expect(editorLines.filter({ hasText: 'never in the frost.[^1]' })).toBeVisible();
    await workbench.screenshot('note-exported');
  });

  test('an answer and the note of another become sources', async ({ workbench }) => {
    // A source is made of an answer.
    const next = findTurn(await chatPanel(workbench), second);
    await next.hover();
    await next.getByRole('button', { name: 'Add to notebook' }).click();
    await readySource(workbench, second);

    // A source is made of the note that goes with its title; deleted, it comes back.
    await workbench.menu(row, 'Add Note to Sources');
    await readySource(workbench, `${question}.md`);
    await row.click();
    await expect(tab).toHaveClass(/active/);
  });

  test('it is renamed, and deleted until that is undone', async ({ workbench }) => {
    await row.click();
    await page.keyboard.press('F2');
    await workbench.fill('My garden');
    await expect(workbench.tab('My garden.md')).toBeVisible();
    await expect(tab).toHaveCount(0);
    await readySource(workbench, 'My garden.md');
    await workbench.screenshot('note-as-source');
    const renamed = workbench.rows('Notes', 'My garden');
    await renamed.click();
    await page.keyboard.press('Delete');
    await expect(renamed).toHaveCount(0);
    await expect(workbench.tab('My garden.md')).toHaveCount(0);
    await workbench.answerNotification('was deleted', 'Undo');
    await expect(renamed).toBeVisible();
    await readySource(workbench, 'My garden.md');
  });
});

test('a note’s unsaved words outlive a reload and overwrite nothing that another window saved', async ({
  vscode,
  workbench,
  workspace,
}) => {
  const { page, editorLines } = workbench;
  await workbench.showViews();
  await workbench.run('Open Notebook: New Note');
  await workbench.fill('Beans');
  const tab = workbench.tab('Beans.md');
  await expect(tab).toHaveClass(/active/);
  await editorLines.first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('Sown in May.');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(tab).not.toHaveClass(/dirty/);
  await page.keyboard.type(' Mine.');
  await expect(tab).toHaveClass(/dirty/);

  // The editor lets itself be closed once it has a copy of what is not saved.
  await expect
    .poll(() => page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))))
    .toBe(true);
  await workbench.reload();
  await expect(tab).toHaveClass(/dirty/);
  await expect(editorLines.filter({ hasText: 'Sown in May. Mine.' })).toBeVisible();

  const other = await vscode.open(workspace.folder);
  await other.showViews();
  await other.unfold('Notes');
  await other.rows('Notes', 'Beans').click();
  await expect(other.editorLines.filter({ hasText: 'Sown in May.' })).toBeVisible();
  await other.editorLines.filter({ hasText: 'Sown in May.' }).click();
  await other.page.keyboard.press('ControlOrMeta+End');
  await other.page.keyboard.type(' Theirs.');
  await other.page.keyboard.press('ControlOrMeta+s');
  await expect(other.tab('Beans.md')).not.toHaveClass(/dirty/);

  // Neither is lost: the first window is told, and compares.
  await page.bringToFront();
  await editorLines.filter({ hasText: 'Sown in May. Mine.' }).click();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(workbench.notification('The content of the file is newer')).toBeVisible();
  await expect(tab).toHaveClass(/dirty/);
  await workbench.screenshot('note-conflict');
  await workbench.answerNotification('The content of the file is newer', 'Overwrite');
  await expect(tab).not.toHaveClass(/dirty/);
  await expect(other.editorLines.filter({ hasText: 'Sown in May. Mine.' })).toBeVisible();
});
