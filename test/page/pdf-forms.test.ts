import type { Locator, Page } from '@playwright/test';
import { formPdf } from '../support/form-pdf.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { EditedPdf, pdfHost } from './pdf-host.ts';

const form = formPdf();

interface Fields {
  readonly name: Locator;
  readonly town: Locator;
  readonly married: Locator;
  readonly trade: Locator;
  readonly languages: Locator;
  readonly remarks: Locator;
}

function fieldsOf(page: Page): Fields {
  return {
    name: page.getByRole('textbox', { name: 'Full name' }),
    town: page.getByRole('textbox', { name: 'Town' }),
    married: page.getByRole('checkbox', { name: 'Married' }),
    trade: page.getByRole('combobox', { name: 'Trade' }),
    languages: page.getByRole('listbox', { name: 'Languages' }),
    remarks: page.getByRole('textbox', { name: 'Remarks' }),
  };
}

test.describe('form in a PDF', () => {
  test('reports values of fields of each kind', async ({ page, show }) => {
    const pdf = new EditedPdf(form);
    const shown = await show('pdf', pdf.script);
    const { name, town, married, trade, languages, remarks } = fieldsOf(page);
    await name.fill('Ada');
    await town.fill('Paris');
    await married.check();
    await trade.selectOption('Poet');
    await languages.selectOption(['Italian']);
    await remarks.fill('First line\nsecond line');
    await remarks.blur();
    await expect
      .poll(() => pdf.form.changes())
      .toEqual([
        { field: 'name', before: '', after: 'Ada' },
        { field: 'town', before: 'London', after: 'Paris' },
        { field: 'married', before: 'Off', after: 'Yes' },
        { field: 'trade', before: 'm', after: 'p' },
        { field: 'languages', before: ['en', 'fr'], after: ['it'] },
        { field: 'remarks', before: '', after: 'First line\nsecond line' },
      ]);
    await lookInEachTheme(page, shown, 'pdf-form');
  });

  test('changes when the editor undoes and redoes an edit', async ({ page, show }) => {
    const pdf = new EditedPdf(form);
    const shown = await show('pdf', pdf.script);
    const { married, trade, languages } = fieldsOf(page);
    await married.check();
    await trade.selectOption('Poet');
    await languages.selectOption(['Italian']);
    await expect.poll(() => pdf.form.changes()).toHaveLength(3);
    pdf.undo(shown);
    await expect(languages).toHaveValues(['en', 'fr']);
    pdf.undo(shown);
    await expect(trade).toHaveValue('m');
    pdf.undo(shown);
    await expect(married).not.toBeChecked();
    pdf.redo(shown);
    await expect(married).toBeChecked();
  });

  test('reports the text being entered when the editor saves', async ({ page, show }) => {
    const pdf = new EditedPdf(form);
    const { remote } = await show('pdf', pdf.script);
    await fieldsOf(page).name.pressSequentially('Ada Lovelace');
    await remote.call('flush', {});
    expect(pdf.form.current).toContainEqual(['name', 'Ada Lovelace']);
  });

  test('shows unsaved values when it opens', async ({ page, show }) => {
    await show('pdf', pdfHost(form, { filled: [['name', 'Grace Hopper']] }));
    await expect(fieldsOf(page).name).toHaveValue('Grace Hopper');
    await expect(fieldsOf(page).town).toHaveValue('London');
  });

  test('is locked with the reason when it can’t be saved', async ({ page, show }) => {
    const message = 'form.pdf is signed and doesn’t allow changes, so you can’t fill in its form.';
    await show('pdf', { ...pdfHost(form), formProblem: () => ({ message, isLocked: true }) });
    await expect(page.getByRole('status').filter({ hasText: message })).toBeVisible();
    for (const field of Object.values(fieldsOf(page)) as Locator[]) await expect(field).toBeDisabled();
    await screenshot(page, 'pdf-form-locked');
  });

  test('can be filled in for a copy, with the reason', async ({ page, show }) => {
    const message = 'form.pdf is read-only. To save what you fill in, create a copy with “Save As…”.';
    await show('pdf', { ...pdfHost(form), formProblem: () => ({ message, isLocked: false }) });
    await expect(page.getByRole('status').filter({ hasText: message })).toBeVisible();
    await expect(fieldsOf(page).name).toBeEnabled();
  });

  test('says that only Adobe Reader can fill in an XFA form', async ({ page, show }) => {
    const adobe = tinyPdf({
      pages: [{ lines: column(72, 700, ['Ask at the office how this is filled in.']) }],
      catalog: '/AcroForm << /XFA [(template) 4 0 R] /Fields [] >>',
    });
    await show('pdf', pdfHost(adobe));
    await expect(page.getByRole('status')).toHaveText(
      'Can’t fill in this form. XFA forms require Adobe Reader.',
    );
    await screenshot(page, 'pdf-form-xfa');
  });
});
