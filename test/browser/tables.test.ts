import { tinyPdf, type TinyLine } from '../support/tiny-pdf.ts';
import { expect, test } from './fixtures.ts';
import { answered, readySource } from './notebook.ts';

const COLUMNS = [380, 460, 540];

/** Row of a statement without lines: its name, and its numbers on the right. */
function row(y: number, name: string, numbers: readonly string[]): TinyLine[] {
  const cells = numbers.map((text, at) => ({ x: (COLUMNS[at] ?? 0) - 5.2 * text.length, y, text, size: 9 }));
  return [{ x: 72, y, text: name, size: 9 }, ...cells];
}

const prose = (topic: string): TinyLine[] =>
  Array.from({ length: 24 }, (_, index) => ({
    x: 72,
    y: 720 - 14 * index,
    text:
      index % 8 === 0
        ? `In 2021 the members spoke of ${topic}, of purchases of machinery and of cash.`
        : `The wheel of the mill turned on as it had done for years, said the keeper on day ${String(index)}.`,
    size: 9,
  }));

const statement: TinyLine[] = [
  { x: 72, y: 720, text: 'Statements of Cash Flows', size: 13, bold: true },
  { x: 72, y: 704, text: '(in thousands)', size: 9 },
  { x: 400, y: 686, text: 'Year ended December 31,', size: 9 },
  ...row(672, '', ['2022', '2021', '2020']).slice(1),
  ...row(654, 'Net income', ['$ 1,210', '$ 1,105', '$ 998']),
  ...row(640, 'Depreciation', ['310', '298', '271']),
  ...row(626, 'Change in grain stored', ['(44)', '12', '(8)']),
  ...row(612, 'Purchases of machinery', ['(512)', '(477)', '(391)']),
  ...row(598, 'Sale of the old wheel', ['61', '-', '-']),
  ...row(584, 'Dividends to members', ['(200)', '(180)', '(175)']),
];

test('a PDF’s table rows and form fields are cited', { tag: '@all' }, async ({ vscode, workspace }) => {
  workspace.write(
    'mill-report.pdf',
    tinyPdf({ pages: [{ lines: prose('repairs') }, { lines: prose('dividends') }, { lines: statement }] }),
  );
  workspace.write(
    'membership.pdf',
    tinyPdf({
      pages: [
        {
          lines: [
            { x: 72, y: 720, text: 'Application for membership', size: 14 },
            { x: 72, y: 684, text: 'Full name' },
            { x: 72, y: 654, text: 'Village' },
            {
              x: 72,
              y: 600,
              text: 'Members meet in spring and keep the wheel, the sluice and the lane in good order.',
            },
          ],
          fields: [
            {
              rect: [200, 680, 420, 698],
              name: 'name',
              entries: '/TU (Full name) /FT /Tx /V (Ottilie Brandt)',
            },
            {
              rect: [200, 650, 420, 668],
              name: 'village',
              entries: '/TU (Village) /FT /Tx /V (Lower Marsh)',
            },
          ],
        },
      ],
    }),
  );
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu(['mill-report.pdf', 'membership.pdf'], 'Add to Notebook');
  await readySource(workbench, 'mill-report.pdf');
  await readySource(workbench, 'membership.pdf');

  const flows = await answered(
    workbench,
    'How much were purchases of machinery in 2021 in the statement of cash flows?',
  );
  const first = flows.locator('figure.quote').first();
  await expect(first).toContainText('Purchases of machinery');
  await expect(first).toContainText('(477)');
  await workbench.screenshot('table-row');
  await first.locator('.chip').first().click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  await expect(pdf.locator('.page[data-page-number="3"] .mark.current').first()).toBeVisible();
  await workbench.screenshot('table-row-cited');

  const form = await answered(workbench, 'In which village does Ottilie Brandt live?');
  const filled = form.locator('figure.quote').first();
  await expect(filled).toContainText('Ottilie Brandt');
  await expect(filled).toContainText('Lower Marsh');
  await filled.locator('.chip').first().click();
  await expect(async () => {
    const opened = await workbench.webview('[aria-label="PDF"]');
    await expect(opened.locator('.page[data-page-number="1"] .mark.current').first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await workbench.screenshot('form-cited');
});
