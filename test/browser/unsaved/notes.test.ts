import type { Workbench } from '../../support/workbench.ts';
import { expect, test } from '../fixtures.ts';
import {
  addFile,
  answered,
  chatPanel,
  markdownPreview,
  openLink,
  readySource,
  startOver,
} from '../notebook.ts';
import { unsavedWindow } from '../shared-windows.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

const library = `@article{wang2023, author = {Wang, Guanzhi}, title = {Voyager: an open-ended agent}, year = {2023}}

@book{knuth, author = {Knuth, Donald E.}, title = {The TeXbook}, publisher = {Addison-Wesley}, year = 1984}
`;

test.use({
  ...unsavedWindow,
  files: { 'garden.md': garden, 'works.bib': library },
});

/** Begins a note; the cursor is below its title. */
async function addNote(workbench: Workbench, title: string): Promise<void> {
  await workbench.showViews();
  await workbench.unfold('Notes');
  await workbench.viewAction('Notes', 'New Note');
  await workbench.fill(title);
  await expect(workbench.tab(`${title}.md`)).toHaveClass(/active/);
  // The status bar shows the line in the previous editor until this one is drawn.
  await expect(workbench.editorLines.filter({ hasText: `# ${title}` })).toBeVisible();
  await expect(workbench.statusBarItem('Ln 3, Col 1')).toBeVisible();
}

test.describe('notes', () => {
  test.describe.configure({ mode: 'default' });
  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

  test('saves an answer, whose citation opens its source', async ({ workbench }) => {
    const { page, editorLines } = workbench;
    const question = 'When is the compost turned?';
    await addFile(workbench, 'garden.md');
    await workbench.unfold('Notes');
    await workbench.screenshot('notes-none');
    const turn = await answered(workbench, question);
    await turn.hover();
    await turn.getByRole('button', { name: 'Save as note…' }).click();
    await expect(editorLines.filter({ hasText: `# ${question}` })).toBeVisible();
    await expect(workbench.statusBarItem('Ln 9, Col 1')).toBeVisible();
    await page.keyboard.type('So I turn it in spring.');
    await page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.tab(`${question}.md`)).not.toHaveClass(/dirty/);
    await expect(workbench.rows('Notes', question)).toBeVisible();

    await workbench.goTo(
      7,
      '> The compost is turned in March and in October, and never in the frost. ['.length + 1,
    );
    await workbench.run('Show or Focus Hover');
    await expect(page.locator('.monaco-hover', { hasText: 'garden.md, L5' })).toContainText(
      'never in the frost',
    );
    await workbench.screenshot('note-hover');
    await page.keyboard.press('Escape');
    await openLink(workbench, 'garden.md');
    await expect(workbench.statusBarItem('Ln 5, Col 1')).toBeVisible();
  });

  test('keeps unsaved text and the draft of a question after a reload', async ({ workbench }) => {
    const { page, editorLines } = workbench;
    const draft = 'A thought that is not finished';
    await (await chatPanel(workbench)).getByLabel('Question', { exact: true }).fill(draft);
    await addNote(workbench, 'Beans');
    await page.keyboard.type('Sown in May.');
    const tab = workbench.tab('Beans.md');
    await expect(tab).toHaveClass(/dirty/);
    // The editor can be closed once it has a copy of the unsaved text.
    await expect
      .poll(() => page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))))
      .toBe(true);
    await workbench.reload();
    await expect(tab).toHaveClass(/dirty/);
    await expect(editorLines.filter({ hasText: 'Sown in May.' })).toBeVisible();
    const panel = await chatPanel(workbench);
    await expect(panel.getByLabel('Question', { exact: true })).toHaveValue(draft);
    await editorLines.filter({ hasText: 'Sown in May.' }).click();
    await page.keyboard.press('ControlOrMeta+s');
    await expect(tab).not.toHaveClass(/dirty/);
  });

  test(
    'completes a link, which opens from the editor and the preview',
    { tag: '@all' },
    async ({ workbench }) => {
      const { page, editorLines } = workbench;
      await addFile(workbench, 'garden.md');
      for (const title of ['Compost', 'March']) await addNote(workbench, title);
      await page.keyboard.type('[[garden.md]] and [[Com');
      const offered = page.locator('.suggest-widget .monaco-list-row', { hasText: 'Compost' });
      await expect(offered.first()).toBeVisible();
      await workbench.screenshot('note-link-completed');
      // While the list still loads, Enter breaks the line instead.
      await offered.first().click();
      await expect(editorLines.filter({ hasText: '[[garden.md]] and [[Compost]]' })).toBeVisible();
      await page.keyboard.press('ControlOrMeta+s');
      await expect(workbench.tab('March.md')).not.toHaveClass(/dirty/);
      await workbench.goTo(3, 22);
      await openLink(workbench, 'Compost.md');

      await workbench.tab('March.md').click();
      await workbench.run('Markdown: Open Preview to the Side');
      const preview = markdownPreview(workbench);
      await expect(preview.getByRole('link', { name: 'Compost' })).toBeVisible();
      await workbench.screenshot('note-links-in-preview');
      await preview.getByRole('link', { name: 'garden.md' }).click();
      await expect(editorLines.filter({ hasText: '# The garden' })).toBeVisible();
    },
  );

  test('completes a citation key, which opens its entry', { tag: '@all' }, async ({ workbench }) => {
    const { page } = workbench;
    await workbench.explorerMenu('works.bib', 'Add to Notebook');
    await readySource(workbench, 'works.bib');
    await addNote(workbench, 'Agents');
    await page.keyboard.type('They explore [see @knu');
    const offered = page.locator('.suggest-widget .monaco-list-row', { hasText: 'knuth' });
    await expect(offered.first()).toBeVisible();
    await workbench.screenshot('citation-key-completed');
    await page.keyboard.press('Enter');
    await page.keyboard.type('].');
    await page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.tab('Agents.md')).not.toHaveClass(/dirty/);
    await workbench.goTo(3, 20);
    await openLink(workbench, 'works.bib');
    await expect(workbench.statusBarItem('Ln 3, Col 1')).toBeVisible();
  });
});
