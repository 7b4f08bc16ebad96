import type { FrameLocator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { answered, readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

test.use({ files: { 'garden.md': garden }, settings: { 'files.autoSave': 'off' } });

/** The page of VS Code's own Markdown preview. */
function preview({ page }: Workbench): FrameLocator {
  return page
    .frameLocator('iframe.webview.ready[src*="extensionId=vscode.markdown-language-features"]')
    .frameLocator('#active-frame');
}

test('an answer becomes a note, is edited, and its citation opens from the editor and the preview', async ({
  workbench,
}) => {
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  const question = 'When is the compost turned?';
  const turn = await answered(workbench, question);
  await turn.hover();
  await turn.getByRole('button', { name: 'Save as Note…' }).click();

  // The question is the note's title; what is typed is kept.
  const tab = workbench.tab('When is the compost turned?.md');
  await expect(tab).toBeVisible();
  await expect(workbench.editorLines.filter({ hasText: '# When is the compost turned?' })).toBeVisible();
  const citation = workbench.editorLines.filter({ hasText: '(citation/' });
  await expect(citation.first()).toBeVisible();
  await workbench.page.keyboard.type('So I turn it in spring.');
  await expect(tab).toHaveClass(/dirty/);
  await workbench.page.keyboard.press('ControlOrMeta+s');
  await expect(tab).not.toHaveClass(/dirty/);
  await workbench.unfold('Notes');
  const row = workbench.rows('Notes', question);
  await expect(row).toBeVisible();
  await workbench.screenshot('note');

  // The link of the citation in the editor, by the keyboard's way of following one.
  await workbench.page.keyboard.press('F1');
  await workbench.page.keyboard.press('Escape');
  const label = citation.first().locator('.detected-link').first();
  await label.hover();
  await expect(workbench.page.locator('.monaco-hover', { hasText: 'garden.md, ' })).toBeVisible();
  await workbench.screenshot('note-hover');
  await label.click({ modifiers: ['ControlOrMeta'] });
  await expect(workbench.tab('garden.md')).toHaveClass(/active/);
  await workbench.screenshot('note-followed');

  await workbench.rows('Notes', question).click();
  await workbench.run('Markdown: Open Preview');
  const link = preview(workbench).locator('a[href^="citation/"]').first();
  await link.click();
  await expect(workbench.tab('garden.md')).toHaveClass(/active/);
  await workbench.screenshot('note-previewed');
});
