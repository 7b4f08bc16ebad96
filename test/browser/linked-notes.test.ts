import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addFile, answered, inEachTheme, markdownPreview, openLink } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

test.use({
  files: { 'garden.md': garden },
  settings: {
    'files.autoSave': 'off',
    'editor.acceptSuggestionOnEnter': 'on',
    'editor.autoClosingBrackets': 'never',
  },
});

test.describe('notes that link', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  let page: Page;
  let editorLines: Locator;
  test.beforeEach(({ workbench }) => {
    ({ page, editorLines } = workbench);
  });

  test('a link is completed and a tag is kept', async ({ workbench }) => {
    await addFile(workbench, 'garden.md');
    await workbench.unfold('Notes');
    const newNote = async (title: string): Promise<void> => {
      await workbench.run('Open Notebook: New Note');
      await workbench.fill(title);
      await expect(workbench.tab(`${title}.md`)).toHaveClass(/active/);
      await expect(workbench.statusBarItem('Ln 3, Col 1')).toBeVisible();
    };
    const save = async (title: string): Promise<void> => {
      await page.keyboard.press('ControlOrMeta+s');
      await expect(workbench.tab(`${title}.md`)).not.toHaveClass(/dirty/);
    };
    await newNote('Compost');
    await page.keyboard.type('It is turned twice. #garden/work');
    await page.keyboard.press('Escape');
    await save('Compost');
    await newNote('March');
    await page.keyboard.type('See [[Com');
    await expect(
      page.locator('.suggest-widget .monaco-list-row', { hasText: 'Compost' }).first(),
    ).toBeVisible();
    await workbench.screenshot('note-link-completed');
    await page.keyboard.press('Enter');
    await expect(editorLines.filter({ hasText: 'See [[Compost]]' })).toBeVisible();
    await page.keyboard.type(' and [[garden.md]]. #gar');
    await page.keyboard.press('Escape');
    await page.keyboard.type('den');
    await page.keyboard.press('Escape');
    await save('March');
  });

  test('the note that is linked to lists what links to it', async ({ workbench, workspace }) => {
    const row = workbench.rows('Notes', /^Compost/);
    await expect(row).toContainText('1 link');
    await row.click();
    await page.keyboard.press('ArrowRight');
    await expect(workbench.rows('Notes', 'links here')).toContainText('March');
    await inEachTheme(workbench, workspace, [], (name) => workbench.screenshot(`linked-notes-${name}`));
  });

  test('a link is told of and opened, and follows the title', async ({ workbench }) => {
    await workbench
      .rows('Notes', /^March/)
      .last()
      .click();
    await workbench.goTo(3, 8);
    await workbench.run('Show or Focus Hover');
    await expect(page.locator('.monaco-hover', { hasText: 'It is turned twice' })).toBeVisible();
    await page.keyboard.press('Escape');
    await openLink(workbench, 'Compost.md');
    await workbench.run('Open Notebook: Rename Note');
    await workbench.fill('The heap');
    await expect(workbench.rows('Notes', /^The heap/)).toContainText('1 link');
    await workbench
      .rows('Notes', /^March/)
      .last()
      .click();
    await expect(editorLines.filter({ hasText: 'See [[The heap]]' })).toBeVisible();
  });

  test('links lead on in the Markdown preview', async ({ workbench }) => {
    await workbench.run('Markdown: Open Preview to the Side');
    const preview = markdownPreview(workbench);
    await expect(preview.getByRole('link', { name: 'garden.md' })).toBeVisible();
    await workbench.screenshot('note-links-in-preview');
    await preview.getByRole('link', { name: 'The heap' }).click();
    await expect(editorLines.filter({ hasText: 'It is turned twice.' })).toBeVisible();
    // VS Code's preview may stay with the note before when one goes back to the other.
    await workbench.run('View: Close All Editors');
    await workbench
      .rows('Notes', /^March/)
      .last()
      .click();
    await expect(editorLines.filter({ hasText: 'See [[The heap]]' })).toBeVisible();
    await workbench.run('Markdown: Open Preview to the Side');
    await preview.getByRole('link', { name: 'garden.md' }).click();
    // A preview of it may stand beside it.
    await expect(page.locator('.tabs-container .tab.active', { hasText: /^\s*garden\.md/ })).toBeVisible();
    await workbench.run('View: Close All Editors');
  });

  test('notes are narrowed to a tag', async ({ workbench }) => {
    await workbench.run('Open Notebook: Filter Notes by Tag');
    await workbench.pick('#garden/work');
    // Below the heap it stands as what links there.
    await expect(workbench.rows('Notes', /^March(?!.*links here)/)).toHaveCount(0);
    await expect(workbench.rows('Notes', /^The heap/)).toBeVisible();
    await workbench.run('Open Notebook: Filter Notes by Tag');
    await workbench.pick('All notes');
    await expect(workbench.rows('Notes', /^March/).last()).toBeVisible();
  });

  test('the note of today is begun by a command', async ({ workbench }) => {
    await workbench.run("Open Notebook: Today's Note");
    await expect(page.locator('.tab.active', { hasText: /^\d{4}-\d\d-\d\d\.md/ })).toBeVisible();
  });

  test('notes, answers and sources are found in one box', async ({ workbench, workspace }) => {
    await answered(workbench, 'When is the compost turned?');
    await workbench.run('Open Notebook: Search Everything');
    await workbench.quickInput.locator('.quick-input-box input').fill('turned');
    const hits = workbench.quickInput.locator('.monaco-list-row');
    await expect(hits.filter({ hasText: 'When is the compost turned?' })).toBeVisible();
    await expect(hits.filter({ hasText: 'The heap' })).toBeVisible();
    await inEachTheme(workbench, workspace, [], (name) => workbench.screenshot(`search-everything-${name}`));
    await workbench.resize(620, 700);
    await workbench.screenshot('search-everything-narrow');
    await workbench.resize(1400, 900);
    await workbench.pick('The heap');
    await expect(workbench.tab('The heap.md')).toHaveClass(/active/);
  });
});
