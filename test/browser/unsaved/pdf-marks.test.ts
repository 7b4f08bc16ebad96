import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotationsIn } from '../../support/annotated-pdf.ts';
import { formPdf } from '../../support/form-pdf.ts';
import { assertSound, readByPdfium } from '../../support/other-readers.ts';
import { column, tinyPdf } from '../../support/tiny-pdf.ts';
import type { Workbench } from '../../support/workbench.ts';
import { setPdfResources } from '../../../src/parsers/pdf/engine.ts';
import { expect, test } from '../fixtures.ts';
import {
  answered,
  chatPanel,
  exportNote,
  findTurn,
  markdownPreview,
  readySource,
  setTheme,
  startOver,
} from '../notebook.ts';
import { unsavedWindow } from '../shared-windows.ts';

setPdfResources(join(import.meta.dirname, '../../../node_modules/pdfjs-dist'));

const report = tinyPdf({
  pages: [
    {
      lines: column(72, 700, [
        'Memory fades within a day unless it is reviewed.',
        'Sleep keeps new memories stable.',
      ]),
      drawing: '100 300 300 200 re S',
    },
    { lines: column(72, 700, ['Nothing else is known of it.']) },
  ],
});
const orchard = tinyPdf({
  pages: [
    'Apples are watered from May to August by the eastern channel.',
    'The gate of the orchard is painted green.',
    'Cherries are watered in June by the western channel.',
  ].map((fact) => ({ lines: column(72, 700, [fact, 'This page says nothing else of it.']) })),
});
const form = formPdf();

/** Opens a PDF of the workspace, and returns the locators of its viewer. */
async function openViewer(workbench: Workbench, name: string) {
  // The viewer is identified by its position among the pages of the window, which a later page would change.
  await chatPanel(workbench);
  await workbench.openPdf(name);
  const pdf = await workbench.webview('[aria-label="PDF"]');
  return {
    pdf,
    unsaved: workbench.page.locator('.tab.dirty', { hasText: name }),
    line: (words: string) => pdf.locator('.textLayer span', { hasText: words }).first(),
    annotation: (name: string | RegExp) => pdf.getByRole('button', { name }),
  };
}

/** Waits until the extension has backed up what is unsaved. */
async function expectBackup(userData: string): Promise<void> {
  const isBackedUp = (): boolean =>
    readdirSync(userData, { recursive: true }).some((file) =>
      /unsaved-annotations.+\.json$/.test(String(file)),
    );
  await expect.poll(isBackedUp).toBe(true);
}

test.describe('PDF in the editor', () => {
  test.describe.configure({ mode: 'default' });
  test.use({
    ...unsavedWindow,
    files: {
      'report.pdf': report,
      'marked.pdf': report,
      'noted.pdf': report,
      'form.pdf': form,
      'kept-form.pdf': form,
      'orchard.pdf': orchard,
    },
  });
  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));
  // An editor with unsaved changes would ask the next test before it closes.
  test.afterEach(({ workbench }) => workbench.run('File: Save All'));

  test('saves highlights in the file, where other programs read them', async ({ workbench, workspace }) => {
    const { keyboard } = workbench.page;
    const { pdf, unsaved, line, annotation } = await openViewer(workbench, 'report.pdf');
    await line('Memory fades').click({ clickCount: 3 });
    const bar = pdf.getByRole('toolbar', { name: 'Selection' });
    await bar.getByRole('radio', { name: 'Green' }).click();
    await expect(annotation(/^Highlight: Memory fades within a day/)).toBeVisible();
    await expect(unsaved).toBeVisible();
    await line('Sleep keeps').click({ clickCount: 3 });
    await keyboard.press('u');
    await expect(annotation(/^Underline: Sleep keeps/)).toBeVisible();
    await keyboard.press('ControlOrMeta+z');
    await expect(annotation(/^Underline/)).toHaveCount(0);
    await keyboard.press('ControlOrMeta+Shift+z');
    await expect(annotation(/^Underline: Sleep keeps/)).toBeVisible();
    await line('Memory fades').click();
    await pdf.getByRole('dialog', { name: 'Highlight' }).getByRole('textbox').fill('Ask Ünal about this');
    await keyboard.press('Enter');
    await keyboard.press('ControlOrMeta+s');
    await expect(unsaved).toHaveCount(0);
    const bytes = readFileSync(workspace.path('report.pdf'));
    expect(bytes.subarray(0, report.length).equals(report)).toBe(true);
    const saved = [
      { kind: 'highlight', colour: '#a3e58f', remark: 'Ask Ünal about this' },
      { kind: 'underline', colour: '#a3e58f', remark: '' },
    ];
    expect(
      (await annotationsIn(bytes)).map(({ annotation: { kind, colour, remark } }) => ({
        kind,
        colour,
        remark,
      })),
    ).toEqual(saved);
    await assertSound(bytes, ['Memory fades within a day']);
    const [page] = (await readByPdfium(bytes)).pages;
    expect(page?.annotations.map(({ kind, colour, remark }) => ({ kind, colour, remark }))).toEqual(saved);
    await keyboard.press('l');
    await expect(pdf.getByRole('listbox', { name: 'Highlights' }).getByRole('option')).toHaveCount(2);
    await setTheme(workbench, workspace, 'light');
    await expect(pdf.locator('body')).toHaveAttribute('data-vscode-theme-kind', 'vscode-light');
    await workbench.screenshot('pdf-marks-light');
    await keyboard.press('l');
  });

  test('keeps unsaved highlights and fields after a reload', async ({ workbench, vscode }) => {
    const marked = await openViewer(workbench, 'marked.pdf');
    await marked.line('Sleep keeps').click({ clickCount: 3 });
    await workbench.page.keyboard.press('1');
    await expect(marked.unsaved).toBeVisible();
    await expectBackup(vscode.server.userData);
    await workbench.reloadWindow();
    const pdf = await workbench.webview('[aria-label="PDF"]');
    const highlight = pdf.getByRole('button', { name: /^Highlight: Sleep keeps/ });
    await expect(highlight).toBeVisible();
    await expect(marked.unsaved).toBeVisible();
    await workbench.run('File: Revert File');
    await expect(marked.unsaved).toHaveCount(0);
    await expect(highlight).toHaveCount(0);
  });

  test('saves a filled-in form in the file', { tag: '@all' }, async ({ workbench, workspace }) => {
    const { keyboard } = workbench.page;
    const { pdf, unsaved } = await openViewer(workbench, 'form.pdf');
    const married = pdf.getByRole('checkbox', { name: 'Married' });
    await married.check();
    await expect(unsaved).toBeVisible();
    await keyboard.press('ControlOrMeta+z');
    await expect(married).not.toBeChecked();
    await keyboard.press('ControlOrMeta+Shift+z');
    await expect(married).toBeChecked();
    // Saving includes the field that still has the focus.
    await pdf.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await keyboard.press('ControlOrMeta+s');
    const path = workspace.path('form.pdf');
    await expect.poll(() => readFileSync(path).includes('Ada Lovelace')).toBe(true);
    await expect(unsaved).toHaveCount(0);
    expect(readFileSync(path).subarray(0, form.length).equals(form)).toBe(true);
    await assertSound(readFileSync(path), ['Full name', 'Ada Lovelace']);
  });

  test('opens at a citation, with all citations of the answer marked', async ({ workbench }) => {
    await workbench.explorerMenu('orchard.pdf', 'Add to Notebook');
    await readySource(workbench, 'orchard.pdf');
    const turn = await answered(workbench, 'When are apples and cherries in orchard.pdf watered?');
    await turn.locator('figure.quote', { hasText: 'Apples are watered' }).locator('.chip').click();
    const pdf = await workbench.webview('[aria-label="PDF"]');
    const toolbar = pdf.getByRole('toolbar', { name: 'PDF' });
    await expect(toolbar).toContainText('Citation 1 of 2');
    await expect(pdf.locator('.page[data-page-number="1"] .mark.current').first()).toBeVisible();
    await toolbar.getByRole('button', { name: 'Next citation' }).click();
    await expect(pdf.locator('.page[data-page-number="3"] .mark.current').first()).toBeVisible();
    await workbench.screenshot('pdf-citations');
  });

  test(
    'adds the selection to the notebook, which cites it in the PDF',
    { tag: '@all' },
    async ({ workbench }) => {
      const { pdf, line } = await openViewer(workbench, 'noted.pdf');
      await line('Sleep keeps').click({ clickCount: 3 });
      await pdf
        .getByRole('toolbar', { name: 'Selection' })
        .getByRole('button', { name: 'Add Selection' })
        .click();
      await readySource(workbench, /noted\.pdf, p\. 1/);
      const viewer = await workbench.webview('[aria-label="PDF"]');
      const fact = viewer.locator('.textLayer span', { hasText: 'Memory fades' }).first();
      await fact.click({ clickCount: 3 });
      await workbench.menu(fact, 'Ask About Selection');
      await workbench.fill('What keeps what was learned?');
      const first = findTurn(await chatPanel(workbench), 'What keeps what was learned?');
      await expect(first.locator('footer')).toBeVisible();
      const turn = await answered(workbench, 'What was learned before sleep?');
      await turn.locator('figure.quote .chip').first().click();
      const cited = await workbench.webview('.mark.current');
      await expect(cited.locator('.mark.current').first()).toBeInViewport();
      await cited.locator('.container').press('End');
      await workbench.rows('Sources', /noted\.pdf, p\. 1/).click();
      await expect(cited.locator('.mark.current').first()).toBeInViewport();
    },
  );

  test(
    'adds a box to a note as an image, and highlights as quotations',
    { tag: '@all' },
    async ({ workbench, workspace }) => {
      const { keyboard } = workbench.page;
      await workbench.explorerMenu('noted.pdf', 'Add to Notebook');
      await readySource(workbench, 'noted.pdf');
      const { pdf, line, annotation } = await openViewer(workbench, 'noted.pdf');

      await test.step('box', async () => {
        await line('Memory fades').waitFor();
        await pdf.locator('.container').focus();
        for (const key of ['b', 'Shift+ArrowRight', 'ArrowDown', 'Enter']) await keyboard.press(key);
        await annotation(/^Box$/).press('Enter');
        const card = pdf.getByRole('dialog', { name: 'Box' });
        await card.getByRole('button', { name: 'Add Image to Note…' }).click();
        await expect(workbench.tab('noted.pdf, p. 1.md')).toHaveClass(/active/);
        await expect(workbench.editorLines.filter({ hasText: '![noted.pdf, p. 1](picture/' })).toBeVisible();
        await exportNote(workbench, 'HTML', 'html');
        const name = readdirSync(workspace.folder).find((one) => one.endsWith('.html')) ?? '';
        expect(readFileSync(join(workspace.folder, name), 'utf8')).toContain('src="data:image/png;base64,');
        await workbench.run('Markdown: Open Preview to the Side');
        const picture = markdownPreview(workbench).locator('img');
        await expect
          .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
          .toBeGreaterThan(100);
        await workbench.screenshot('note-picture');
        await workbench.tabMenu('Preview', 'Close');
        await workbench.tabMenu('noted.pdf, p. 1.md', 'Close');
      });

      await test.step('highlights', async () => {
        for (const [words, key] of [
          ['Memory fades', 'h'],
          ['Sleep keeps', 'u'],
        ] as const) {
          await line(words).click({ clickCount: 3 });
          await keyboard.press(key);
        }
        await keyboard.press('l');
        await pdf.getByRole('textbox', { name: 'Search highlights' }).fill('e');
        await keyboard.press('ArrowDown');
        await keyboard.press('Shift+ArrowDown');
        const selected = pdf
          .getByRole('listbox', { name: 'Highlights' })
          .getByRole('option', { selected: true });
        await expect(selected).toHaveCount(2);
        await workbench.menu(selected.last(), 'Add Highlights to Note…');
        await workbench.pick('New Note');
        await expect(workbench.tab('Highlights in noted.pdf.md')).toHaveClass(/active/);
        const quotation = workbench.editorLines.filter({ hasText: '> Memory fades within a day' });
        await expect(quotation).toContainText(/reviewed\.\s\[1\]\(citation\/[\da-f]{16}\s"noted\./);
        await expect(workbench.editorLines.filter({ hasText: '> Sleep keeps new memories' })).toContainText(
          '[2](citation/',
        );
        await workbench.screenshot('note-highlight');
      });
    },
  );

  test('saves a copy under another name', { tag: '@all' }, async ({ workbench, workspace }) => {
    const { pdf } = await openViewer(workbench, 'kept-form.pdf');
    await pdf.getByRole('textbox', { name: 'Full name' }).fill('Mary Somerville');
    await workbench.run('File: Save As...');
    const box = workbench.quickInput.locator('input').first();
    await expect(box).toHaveValue(/kept-form\.pdf$/);
    await box.fill(workspace.path('copy.pdf'));
    await box.press('Enter');
    await expect(workbench.tab('copy.pdf')).toHaveClass(/active/);
    await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
    expect(readFileSync(workspace.path('kept-form.pdf')).equals(form)).toBe(true);
    await assertSound(readFileSync(workspace.path('copy.pdf')), ['Mary Somerville']);
    const copy = await workbench.webview('[aria-label="PDF"]');
    await expect(copy.getByRole('textbox', { name: 'Full name' })).toHaveValue('Mary Somerville');
  });

  test(
    'reloads the file when another program changes it',
    { tag: '@all' },
    async ({ workbench, workspace }) => {
      const lines = (month: string): Uint8Array =>
        tinyPdf({
          pages: Array.from({ length: 5 }, () => ({
            lines: column(72, 700, Array<string>(40).fill(`Cherries ripen in ${month}.`)),
          })),
        });
      workspace.write('garden.pdf', lines('June'));
      const { pdf, unsaved } = await openViewer(workbench, 'garden.pdf');
      await pdf.locator('.textLayer').first().waitFor();
      await pdf.locator('.container').focus();
      await workbench.page.keyboard.press('End');
      await expect(pdf.getByLabel('Page', { exact: true })).toHaveValue('5');
      workspace.write('garden.pdf', lines('July'));
      const again = await workbench.webview('.textLayer span:has-text("July")');
      await expect(again.getByLabel('Page', { exact: true })).toHaveValue('5');
      await expect(unsaved).toHaveCount(0);
    },
  );

  test('hides the side bars in presentation mode', { tag: '@all' }, async ({ workbench }) => {
    const { pdf } = await openViewer(workbench, 'marked.pdf');
    await pdf.locator('.textLayer').first().waitFor();
    await pdf.locator('.container').focus();
    await workbench.page.keyboard.press('f');
    const slides = await workbench.webview('#root.presenting .page');
    await expect(slides.getByRole('toolbar', { name: 'PDF' })).toBeHidden();
    await expect(workbench.page.locator('.part.sidebar')).toBeHidden();
    await workbench.page.keyboard.press('Escape');
    await expect(workbench.page.locator('.part.sidebar')).toBeVisible();
  });
});
