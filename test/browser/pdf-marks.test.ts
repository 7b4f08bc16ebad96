import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotationsIn } from '../support/annotated-pdf.ts';
import { annotatedByPdfium, assertSound, readByPdfium } from '../support/other-readers.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import type { Workbench } from '../support/workbench.ts';
import { setPdfResources } from '../../src/reading/pdf/engine.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { exportNote, inEachTheme, markdownPreview, readySource } from './notebook.ts';

setPdfResources(join(import.meta.dirname, '../../node_modules/pdfjs-dist'));

const report = tinyPdf({
  pages: [
    {
      lines: column(72, 700, [
        'Memory fades within a day unless it is called up again.',
        'Sleep keeps what was learned before it.',
      ]),
      drawing: '100 300 300 200 re S',
    },
    { lines: column(72, 700, ['Nothing else is known of it.']) },
  ],
});

test.describe('a PDF is marked', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({
    shared: true,
    files: { 'report.pdf': report },
    settings: { 'files.autoSave': 'off', 'workbench.editorAssociations': { '*.pdf': 'openNotebook.pdf' } },
  });
  /** What is marked in the viewer that is in front. */
  const viewer = async (workbench: Workbench) => {
    const pdf = await workbench.webview('[aria-label="PDF"]');
    return {
      pdf,
      dirty: workbench.page.locator('.tab.dirty', { hasText: 'report.pdf' }),
      line: (words: string) => pdf.locator('.textLayer span', { hasText: words }).first(),
      annotation: (name: string | RegExp) => pdf.getByRole('button', { name }),
    };
  };

  test('selected words are highlighted in a colour', async ({ workbench }) => {
    await workbench.explorerMenu('report.pdf', 'Add to Notebook');
    await readySource(workbench, 'report.pdf');
    await workbench.openFile('report.pdf');
    const { pdf, dirty, line, annotation } = await viewer(workbench);
    await line('Memory fades').click({ clickCount: 3 });
    const bar = pdf.getByRole('toolbar', { name: 'Selection' });
    await bar.getByRole('radio', { name: 'Green' }).click();
    await expect(annotation(/^Highlight: Memory fades within a day/)).toBeVisible();
    await expect(dirty).toBeVisible();
  });

  test('other words are underlined, undone and done again by keys', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { line, annotation } = await viewer(workbench);
    await line('Sleep keeps').click({ clickCount: 3 });
    await keyboard.press('u');
    await expect(annotation(/^Underline: Sleep keeps/)).toBeVisible();
    await keyboard.press('ControlOrMeta+z');
    await expect(annotation(/^Underline/)).toHaveCount(0);
    await keyboard.press('ControlOrMeta+Shift+z');
    await expect(annotation(/^Underline: Sleep keeps/)).toBeVisible();
  });

  test('a remark is written, and a box drawn by keys', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, line, annotation } = await viewer(workbench);
    await line('Memory fades').click();
    const card = pdf.getByRole('dialog', { name: 'Highlight' });
    await card.getByRole('textbox', { name: 'Remark' }).fill('Ask Ünal about this');
    await workbench.screenshot('pdf-marks-card');
    await keyboard.press('Enter');
    await expect(card).toHaveCount(0);
    await pdf.locator('.container').focus();
    await keyboard.press('b');
    await keyboard.press('Shift+ArrowRight');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(annotation(/^Box$/)).toBeVisible();
  });

  test('what is marked is saved in the file, and read by other programs', async ({
    workbench,
    workspace,
  }) => {
    const path = workspace.path('report.pdf');
    const { keyboard } = workbench.page;
    const { dirty } = await viewer(workbench);
    await keyboard.press('ControlOrMeta+s');
    await expect(dirty).toHaveCount(0);
    const bytes = readFileSync(path);
    expect(bytes.subarray(0, report.length).equals(report)).toBe(true);
    const found = await annotationsIn(bytes);
    expect(found.map(({ annotation: { kind, colour, remark } }) => ({ kind, colour, remark }))).toEqual([
      { kind: 'highlight', colour: '#a3e58f', remark: 'Ask Ünal about this' },
      { kind: 'underline', colour: '#a3e58f', remark: '' },
      { kind: 'box', colour: '#a3e58f', remark: '' },
    ]);
    await assertSound(bytes, ['Memory fades within a day']);
    const [page] = (await readByPdfium(bytes)).pages;
    expect(page?.annotations.map(({ kind, colour, remark }) => ({ kind, colour, remark }))).toEqual(
      found.map(({ annotation: { kind, colour, remark } }) => ({ kind, colour, remark })),
    );
  });

  test('a box is added to a note as a picture, which the preview and an export show', async ({
    workbench,
    workspace,
  }) => {
    const { pdf, annotation } = await viewer(workbench);
    await annotation(/^Box$/).press('Enter');
    const card = pdf.getByRole('dialog', { name: 'Box' });
    await workbench.screenshot('pdf-box-card');
    await card.getByRole('button', { name: 'Add Picture to Note…' }).click();
    const note = workbench.tab('report.pdf, p. 1.md');
    await expect(note).toHaveClass(/active/);
    await expect(workbench.editorLines.filter({ hasText: '![report.pdf, p. 1](picture/' })).toBeVisible();
    await exportNote(workbench, 'HTML', 'html');
    const name = readdirSync(workspace.folder).find((one) => one.endsWith('.html')) ?? '';
    expect(readFileSync(join(workspace.folder, name), 'utf8')).toContain('src="data:image/png;base64,');
    await workbench.run('Markdown: Open Preview to the Side');
    const drawn = markdownPreview(workbench).locator('img');
    await expect
      .poll(() => drawn.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
      .toBeGreaterThan(100);
    await workbench.screenshot('note-picture');
    await workbench.tabMenu('Preview', 'Close');
    await workbench.tabMenu('report.pdf, p. 1.md', 'Close');
    await expect(pdf.getByRole('toolbar', { name: 'PDF' })).toBeVisible();
    await pdf.locator('.container').focus();
  });

  test('a highlight is added to a note as a quotation with its remark, and its citation leads back', async ({
    workbench,
  }) => {
    const { pdf, annotation } = await viewer(workbench);
    await annotation(/^Highlight: Memory/).press('Enter');
    const card = pdf.getByRole('dialog', { name: 'Highlight' });
    await card.getByRole('button', { name: 'Add to Note…' }).click();
    await workbench.pick('New Note');
    const title = 'Memory fades within a day unless it is called up again.md';
    await expect(workbench.tab(title)).toHaveClass(/active/);
    const quotation = workbench.editorLines.filter({ hasText: '> Memory fades within a day' });
    await expect(quotation).toContainText(/again\.\s\[1\]\(citation\/[\da-f]{16}\s"report\./);
    await expect(workbench.editorLines.filter({ hasText: 'Ask Ünal about this' })).toBeVisible();
    await workbench.screenshot('note-highlight');
    await workbench.tabMenu(title, 'Close');
    await expect(pdf.getByRole('toolbar', { name: 'PDF' })).toBeVisible();
    await pdf.locator('.container').focus();
  });

  test('what was saved is undone, and saved anew', async ({ workbench, workspace }) => {
    const path = workspace.path('report.pdf');
    const { keyboard } = workbench.page;
    const { dirty, annotation } = await viewer(workbench);
    await keyboard.press('ControlOrMeta+z');
    await expect(annotation(/^Box$/)).toHaveCount(0);
    await expect(dirty).toBeVisible();
    await keyboard.press('ControlOrMeta+s');
    await expect(dirty).toHaveCount(0);
    expect((await annotationsIn(readFileSync(path))).length).toBe(2);
  });

  test('highlights stand in a list, which is searched, and leads to each', async ({
    workbench,
    workspace,
  }) => {
    const { keyboard } = workbench.page;
    const { pdf, annotation } = await viewer(workbench);
    await keyboard.press('l');
    const list = pdf.getByRole('listbox', { name: 'Highlights' });
    await expect(list.getByRole('option')).toHaveCount(2);
    await pdf.getByRole('textbox', { name: 'Search highlights' }).fill('ünal');
    await expect(list.getByRole('option')).toHaveCount(1);
    await inEachTheme(workbench, workspace, [pdf], async (name) => {
      await workbench.screenshot(`pdf-marks-${name}`);
      expect.soft(await seriousProblems(pdf.locator('body'), 'editor')).toEqual([]);
    });
    await workbench.resize(620, 700);
    await workbench.screenshot('pdf-marks-narrow');
    await workbench.resize(1400, 900);
    await pdf.getByRole('textbox', { name: 'Search highlights' }).focus();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(annotation(/^Highlight: Memory/)).toBeFocused();
  });

  test('several are selected in the list by keys, and added to a note by its menu', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, annotation } = await viewer(workbench);
    await pdf.getByRole('textbox', { name: 'Search highlights' }).fill('');
    await keyboard.press('ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    const rows = pdf.getByRole('listbox', { name: 'Highlights' }).getByRole('option', { selected: true });
    await expect(rows).toHaveCount(2);
    await workbench.screenshot('pdf-marks-selected');
    await workbench.menu(rows.last(), 'Add to Note…');
    await workbench.pick('New Note');
    await expect(workbench.tab('Highlights in report.pdf.md')).toHaveClass(/active/);
    await expect(workbench.editorLines.filter({ hasText: '> Sleep keeps what was learned' })).toContainText(
      '[2](citation/',
    );
    await workbench.tabMenu('Highlights in report.pdf.md', 'Close');
    await expect(pdf.getByRole('toolbar', { name: 'PDF' })).toBeVisible();
    await annotation(/^Highlight: Memory/).focus();
  });

  test('the colour of one is changed from the list, and saved', async ({ workbench, workspace }) => {
    const path = workspace.path('report.pdf');
    const { keyboard } = workbench.page;
    const { pdf, dirty, annotation } = await viewer(workbench);
    await pdf.getByRole('textbox', { name: 'Search highlights' }).fill('ünal');
    await pdf.getByRole('textbox', { name: 'Search highlights' }).focus();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(annotation(/^Highlight: Memory/)).toBeFocused();
    await keyboard.press('3');
    await expect(dirty).toBeVisible();
    await keyboard.press('ControlOrMeta+s');
    await expect(dirty).toHaveCount(0);
    const [first] = await annotationsIn(readFileSync(path));
    expect(first?.annotation.colour).toBe('#9dd0ff');
  });

  test('a file that changed outside keeps its changes and takes what is unsaved', async ({
    workbench,
    workspace,
  }) => {
    const path = workspace.path('report.pdf');
    const { keyboard } = workbench.page;
    const { pdf, dirty, annotation } = await viewer(workbench);
    await annotation(/^Underline/).focus();
    await keyboard.press('Delete');
    await expect(dirty).toBeVisible();
    const other = await annotatedByPdfium(readFileSync(path), [
      { kind: 'freeText', page: 1, rect: [320, 690, 470, 715], remark: 'Compare with Ebbinghaus' },
    ]);
    await pdf.locator('body').evaluate((body) => body.classList.add('before'));
    workspace.write('report.pdf', other);
    await expect(pdf.locator('body.before')).toHaveCount(0);
    await pdf.locator('.textLayer').first().waitFor();
    await expect(annotation(/^Highlight: Memory/)).toBeVisible();
    await expect(annotation(/^Underline/)).toHaveCount(0);
    // What the other program wrote is shown and found, and left to it.
    await annotation('Text: Compare with Ebbinghaus').press('Enter');
    const card = pdf.getByRole('dialog', { name: 'Text' });
    await expect(card).toContainText('It is changed in the program that made it.');
    await expect(card.getByRole('textbox')).toHaveCount(0);
    await workbench.screenshot('pdf-text-of-others');
    await keyboard.press('Escape');
    await pdf.locator('.container').focus();
    await keyboard.press('ControlOrMeta+s');
    await expect(dirty).toHaveCount(0);
    const bytes = readFileSync(path);
    expect((await annotationsIn(bytes)).map(({ annotation: { kind } }) => kind).toSorted()).toEqual([
      'highlight',
      'text',
    ]);
    await assertSound(bytes, ['Compare with Ebbinghaus']);
  });

  test('what is unsaved outlives its window', async ({ vscode, workbench }) => {
    const { keyboard } = workbench.page;
    const { dirty, line } = await viewer(workbench);
    await line('Sleep keeps').click({ clickCount: 3 });
    await keyboard.press('1');
    await expect(dirty).toBeVisible();
    const kept = (): boolean =>
      readdirSync(vscode.server.userData, { recursive: true }).some((file) =>
        /unsaved-annotations.+\.json$/.test(String(file)),
      );
    await expect.poll(kept).toBe(true);
    await workbench.reload();
    const again = await workbench.webview('[aria-label="PDF"]');
    await expect(again.getByRole('button', { name: /^Highlight: Sleep keeps/ })).toBeVisible();
    await expect(dirty).toBeVisible();
    await workbench.run('File: Revert File');
    await expect(dirty).toHaveCount(0);
    await expect(again.getByRole('button', { name: /^Highlight: Sleep keeps/ })).toHaveCount(0);
  });
});
