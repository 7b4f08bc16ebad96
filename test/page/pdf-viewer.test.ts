import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, test } from './fixtures.ts';
import { pdfHost } from './pdf-host.ts';

const report = tinyPdf({
  pages: [{ lines: column(72, 700, ['Memory fades within a day unless it is called up again.']) }],
});

test.describe('PDF viewer', () => {
  test('shows the text of a page', async ({ page, show }) => {
    const { sent } = await show('pdf', pdfHost(report));
    await expect(page.locator('.textLayer span', { hasText: 'Memory fades' }).first()).toBeVisible();
    expect(sent.map(({ method }) => method)).toContain('opened');
  });
});
