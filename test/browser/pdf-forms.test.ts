import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setPdfResources } from '../../src/reading/pdf/engine.ts';
import { savePdf } from '../../src/reading/pdf/saving/save-pdf.ts';
import { assertSound, readByPdfium } from '../support/other-readers.ts';
import { formPdf } from '../support/form-pdf.ts';
import { makeReadOnly } from '../support/small-disk.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import type { Workbench } from '../support/workbench.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { inEachTheme } from './notebook.ts';

setPdfResources(join(import.meta.dirname, '../../node_modules/pdfjs-dist'));

const form = formPdf();
const locked =
  '/Perms << /DocMDP << /Type /Sig /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>] >> >>';

test.describe('a form in a PDF', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({
    shared: true,
    files: {
      'form.pdf': form,
      // Its table is gone: the pages are shown all the same, but nothing can be put behind it.
      'damaged.pdf': Buffer.from(
        Buffer.from(form)
          .toString('latin1')
          .replace(/startxref\s+\d+/, 'startxref\n7'),
      ),
      'adobe.pdf': tinyPdf({
        pages: [{ lines: column(72, 700, ['Ask at the office how this is filled in.']) }],
        catalog: '/AcroForm << /XFA [(template) 4 0 R] /Fields [] >>',
      }),
      'locked.pdf': formPdf({ catalog: locked }),
      'signed.pdf': formPdf({ form: '/SigFlags 3' }),
    },
    settings: { 'files.autoSave': 'off', 'workbench.editorAssociations': { '*.pdf': 'openNotebook.pdf' } },
  });
  /** The form in the viewer that is in front. */
  const viewer = async (workbench: Workbench) => {
    const pdf = await workbench.webview('[aria-label="PDF"]');
    return {
      pdf,
      dirty: workbench.page.locator('.tab.dirty', { hasText: 'form.pdf' }),
      name: pdf.getByRole('textbox', { name: 'Full name' }),
      married: pdf.getByRole('checkbox', { name: 'Married' }),
      trade: pdf.getByRole('combobox', { name: 'Trade' }),
      languages: pdf.getByRole('listbox', { name: 'Languages' }),
    };
  };

  test('one that cannot be saved says so, and takes nothing', async ({ workbench }) => {
    for (const [file, reason, hasFields] of [
      ['damaged.pdf', 'damaged.pdf is damaged', true],
      ['locked.pdf', 'locked.pdf is signed and forbids changes', true],
      ['adobe.pdf', 'of a kind (XFA) that only Adobe Reader can fill in', false],
    ] as const) {
      await workbench.openPdf(file);
      const shown = await workbench.webview(`.form-notice:has-text("${reason}")`);
      await expect(shown.getByRole('status').filter({ hasText: reason })).toBeVisible();
      if (hasFields) await expect(shown.getByRole('textbox', { name: 'Full name' })).toBeDisabled();
      await workbench.screenshot(`pdf-form-${file}`);
      await workbench.run('View: Close Editor');
      await expect(workbench.tab(file)).toHaveCount(0);
    }
  });

  test('what is marked on one that is locked is kept in the notebook, and the file left as it is', async ({
    workbench,
    workspace,
  }) => {
    const { keyboard } = workbench.page;
    const before = readFileSync(join(workspace.folder, 'locked.pdf'));
    await workbench.openPdf('locked.pdf');
    const shown = await workbench.webview('.form-notice:has-text("locked.pdf is signed")');
    await shown.locator('.textLayer span', { hasText: 'Full name' }).first().click({ clickCount: 3 });
    await keyboard.press('h');
    await expect(
      workbench.notification(
        'locked.pdf is signed and forbids changes, so its highlights are kept in the notebook',
      ),
    ).toBeVisible();
    await keyboard.press('ControlOrMeta+s');
    await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
    expect(readFileSync(join(workspace.folder, 'locked.pdf')).equals(before)).toBe(true);
    await workbench.run('View: Close Editor');
    await workbench.openPdf('locked.pdf');
    const again = await workbench.webview('.form-notice:has-text("locked.pdf is signed")');
    await expect(again.getByRole('button', { name: /^Highlight: Full name/ })).toBeVisible();
    await workbench.run('View: Close Editor');
  });

  test('one that is read-only can be filled in for a copy, and marks on it are kept in the notebook', async ({
    workbench,
    workspace,
  }) => {
    const { keyboard } = workbench.page;
    const undo = makeReadOnly(join(workspace.folder, 'fixed'), 'fixed.pdf', form);
    try {
      await workbench.openFile('fixed/fixed.pdf');
      const shown = await workbench.webview('.form-notice:has-text("fixed.pdf cannot be written")');
      await expect(shown.getByRole('textbox', { name: 'Full name' })).toBeEnabled();
      await shown.locator('.textLayer span', { hasText: 'Full name' }).first().click({ clickCount: 3 });
      await keyboard.press('h');
      await expect(
        workbench.notification('fixed.pdf cannot be written, so its highlights are kept in the notebook'),
      ).toBeVisible();
      await keyboard.press('ControlOrMeta+s');
      await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
      await workbench.run('View: Close Editor');
      await workbench.openFile('fixed/fixed.pdf');
      const again = await workbench.webview('.form-notice:has-text("fixed.pdf cannot be written")');
      await expect(again.getByRole('button', { name: /^Highlight: Full name/ })).toBeVisible();
      await workbench.run('View: Close Editor');
    } finally {
      undo();
    }
  });

  test('one that is signed is saved only where that is agreed to', async ({ workbench, workspace }) => {
    const { keyboard } = workbench.page;
    const before = readFileSync(join(workspace.folder, 'signed.pdf'));
    await workbench.openPdf('signed.pdf');
    const signed = await workbench.webview('[aria-label="PDF"]');
    const unsaved = workbench.page.locator('.tab.dirty', { hasText: 'signed.pdf' });
    await signed.locator('.textLayer span', { hasText: 'Full name' }).first().click({ clickCount: 3 });
    await keyboard.press('h');
    await expect(unsaved).toBeVisible();
    await keyboard.press('ControlOrMeta+s');
    const asked = workbench.dialog('Saving ends what its signature says of it');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect(unsaved).toBeVisible();
    expect(readFileSync(join(workspace.folder, 'signed.pdf')).equals(before)).toBe(true);
    await signed.getByRole('textbox', { name: 'Full name' }).fill('Ada');
    await workbench.run('File: Save');
    await asked.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(unsaved).toHaveCount(0);
    const after = readFileSync(join(workspace.folder, 'signed.pdf'));
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    await assertSound(after, ['Ada']);
    const [marked] = (await readByPdfium(after)).pages;
    expect(marked?.annotations.filter(({ kind }) => kind === 'highlight')).toHaveLength(1);
    await workbench.run('View: Close Editor');
  });

  test('fields of every kind are filled in, and undone by keys', async ({ workbench, workspace }) => {
    const { keyboard } = workbench.page;
    await workbench.openPdf('form.pdf');
    const { pdf, dirty, name, married, trade, languages } = await viewer(workbench);
    await name.fill('Ada');
    await expect(dirty).toBeVisible();
    await married.check();
    await trade.selectOption('Poet');
    await keyboard.press('ControlOrMeta+z');
    await expect(trade).toHaveValue('m');
    await keyboard.press('ControlOrMeta+z');
    await expect(married).not.toBeChecked();
    await keyboard.press('ControlOrMeta+Shift+z');
    await expect(married).toBeChecked();
    await languages.selectOption(['Italian']);
    await keyboard.press('ControlOrMeta+z');
    await expect(languages).toHaveValues(['en', 'fr']);
    await inEachTheme(workbench, workspace, [pdf], async (theme) => {
      await workbench.screenshot(`pdf-form-${theme}`);
      expect.soft(await seriousProblems(pdf.locator('body'), 'editor')).toEqual([]);
    });
  });

  test('what was typed just now is saved, too, and read by others', async ({ workbench, workspace }) => {
    const path = workspace.path('form.pdf');
    const { keyboard } = workbench.page;
    const { dirty, name } = await viewer(workbench);
    await name.fill('Ada Lovelace');
    await keyboard.press('ControlOrMeta+s');
    await expect.poll(() => readFileSync(path).includes('Ada Lovelace')).toBe(true);
    await expect(dirty).toHaveCount(0);
    expect(readFileSync(path).subarray(0, form.length).equals(form)).toBe(true);
    await assertSound(readFileSync(path), ['Full name', 'Ada Lovelace']);
  });

  test('saved as another file it takes what is marked and filled in along, and the first stays as it was', async ({
    workbench,
    workspace,
  }) => {
    const path = workspace.path('form.pdf');
    const { keyboard } = workbench.page;
    const { pdf, name } = await viewer(workbench);
    const before = readFileSync(path);
    await pdf.locator('.textLayer span', { hasText: 'Full name' }).first().click({ clickCount: 3 });
    await keyboard.press('u');
    await expect(pdf.getByRole('button', { name: /^Underline: Full name/ })).toBeVisible();
    await name.fill('Mary Somerville');
    await workbench.run('File: Save As...');
    const box = workbench.quickInput.locator('input').first();
    await expect(box).toHaveValue(/form\.pdf$/);
    await box.fill(join(workspace.folder, 'copy.pdf'));
    await box.press('Enter');
    await expect(workbench.tab('copy.pdf')).toHaveClass(/active/);
    await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
    const copied = readFileSync(join(workspace.folder, 'copy.pdf'));
    expect(copied.subarray(0, before.length).equals(before)).toBe(true);
    expect(readFileSync(path).equals(before)).toBe(true);
    await assertSound(copied, ['Mary Somerville']);
    const [page] = (await readByPdfium(copied)).pages;
    expect(page?.annotations.filter(({ kind }) => kind === 'underline')).toHaveLength(1);
    const shown = await workbench.webview('[aria-label="PDF"]');
    await expect(shown.getByRole('textbox', { name: 'Full name' })).toHaveValue('Mary Somerville');
    await expect(shown.getByRole('button', { name: /^Underline: Full name/ })).toBeVisible();
    await workbench.screenshot('pdf-saved-as');
    await workbench.run('View: Close Editor');
    await workbench.openPdf('form.pdf');
    await expect(name).toHaveValue('Ada Lovelace');
    await expect(pdf.getByRole('button', { name: /^Underline/ })).toHaveCount(0);
  });

  test('what another program filled in meanwhile is asked about', async ({ workbench, workspace }) => {
    const path = workspace.path('form.pdf');
    const { keyboard } = workbench.page;
    const { pdf, dirty } = await viewer(workbench);
    const town = pdf.getByRole('textbox', { name: 'Town' });
    await town.fill('Paris');
    await expect(dirty).toBeVisible();
    await pdf.locator('body').evaluate((body) => body.classList.add('before'));
    const bytes = readFileSync(path);
    const { tail } = await savePdf({
      content: { kind: 'bytes', bytes },
      name: 'form.pdf',
      changes: [],
      fields: [{ field: 'town', before: 'London', after: 'Rome' }],
      isOverwriting: false,
    });
    workspace.write('form.pdf', Buffer.concat([bytes, tail]));
    await expect(pdf.locator('body.before')).toHaveCount(0);
    await expect(town).toHaveValue('Paris');
    await pdf.locator('.container').focus();
    await keyboard.press('ControlOrMeta+s');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await expect(dialog).toContainText('form.pdf was filled in by another program meanwhile');
    await dialog.getByRole('button', { name: 'Keep Theirs' }).click();
    await expect(town).toHaveValue('Rome');
    await expect(dirty).toHaveCount(0);
  });

  test('what is unsaved outlives its window', async ({ vscode, workbench }) => {
    const { dirty, name } = await viewer(workbench);
    await name.fill('Grace Hopper');
    await expect(dirty).toBeVisible();
    const isKept = (): boolean =>
      readdirSync(vscode.server.userData, { recursive: true }).some((file) =>
        /unsaved-annotations.+\.json$/.test(String(file)),
      );
    await expect.poll(isKept).toBe(true);
    await workbench.reload();
    const again = await workbench.webview('[aria-label="PDF"]');
    await expect(again.getByRole('textbox', { name: 'Full name' })).toHaveValue('Grace Hopper');
    await expect(dirty).toBeVisible();
    await workbench.run('File: Revert File');
    await expect(again.getByRole('textbox', { name: 'Full name' })).toHaveValue('Ada Lovelace');
  });
});
