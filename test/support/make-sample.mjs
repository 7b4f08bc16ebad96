// Generates the sample PDF, media/sample/Viewing.pdf: node test/support/make-sample.mjs
// Needs a Chromium that Playwright finds or that CHROMIUM names. Commit the PDF that it writes.
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const guide = `<!doctype html><html lang="en"><head><title>Viewing</title><style>
  body { font: 10pt/1.45 sans-serif } h1 { font-size: 20pt } h2 { font-size: 13pt; margin-top: 14pt }
  td { padding: 2pt 18pt 2pt 0; vertical-align: top }
</style></head><body>
<h1>Viewing</h1>
<p>This guide is a PDF, so you can see how a citation opens a PDF.</p>
<h2>Citations in PDFs</h2>
<p>A citation of a PDF opens the page in VS Code and highlights the cited text. The other citations of the same answer
are highlighted too. Columns, tables, and page numbers are read as they appear on the page.</p>
<h2>Keys in the viewer</h2>
<table>
<tr><td>N and P</td><td>go to the next and the previous citation</td></tr>
<tr><td>Ctrl+F</td><td>find text</td></tr>
<tr><td>O</td><td>show the outline</td></tr>
<tr><td>I</td><td>turn on dark page colors in a dark theme</td></tr>
</table>
<h2>Passwords and scans</h2>
<p>An encrypted PDF asks for its password once. Scanned pages have no text layer. Open Notebook recognizes their text in
the background, and the source lists pages that have no text to cite. You can select text in the viewer and add it to the
notebook or ask about it.</p>
</body></html>`;

const browser = await chromium.launch(
  process.env['CHROMIUM'] === undefined ? {} : { executablePath: process.env['CHROMIUM'] },
);
const page = await browser.newPage();
await page.setContent(guide);
await page.pdf({
  path: fileURLToPath(new URL('../../media/sample/Viewing.pdf', import.meta.url)),
  format: 'A5',
  margin: { top: '20mm', right: '18mm', bottom: '20mm', left: '18mm' },
  tagged: true,
  outline: true,
});
await browser.close();
