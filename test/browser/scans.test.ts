import type { Locator } from '@playwright/test';
import { crc32 } from 'node:zlib';
import { drawnPages, scannedPdf } from '../support/scanned-pdf.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource, setTheme, startOver } from './notebook.ts';

const filler = 'The archive keeps the letters of the parish in boxes, each with a list of what it holds.';

test.describe('in one window', () => {
  test.describe.configure({ mode: 'default' });
  test.use({ shared: true });
  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

  test('text on scanned pages and in pictures is recognised, found, and cited on the scan itself', async ({
    workbench,
    workspace,
    context,
  }) => {
    // Recognition takes seconds a page.
    const pictures = await drawnPages(context, [
      ['The windmill was painted green in 1931 by the miller’s daughter.', filler],
      [filler, 'Its sails were taken down before the storm of November 1953.'],
      ['The tavern sells beetroot soup on Thursdays.'],
    ]);
    workspace.write('parish.pdf', scannedPdf(pictures.slice(0, 2)));
    workspace.write('sign.jpg', pictures[2]?.jpeg ?? '');
    await workbench.explorerMenu(['parish.pdf', 'sign.jpg'], 'Add to Notebook');
    await readySource(workbench, 'parish.pdf');
    await readySource(workbench, 'sign.jpg');
    // Nothing stands before how much can be asked once all pages are read with their text.
    await expect(workbench.rows('Sources', 'parish.pdf')).toContainText(/parish\.pdf\s*[1-9] passages? ·/);

    const turn = await answered(workbench, 'When were the sails taken down?');
    const quote = turn.locator('figure.quote', { hasText: 'taken down before the storm' });
    await expect(quote).toContainText('November 1953');
    await quote.locator('.chip').first().click();
    const pdf = await workbench.webview('[aria-label="PDF"]');
    const mark = pdf.locator('.page[data-page-number="2"] .mark.current').first();
    await expect(mark).toBeVisible();
    await workbench.screenshot('scan-cited');

    // Words of the scan are found as those of any PDF.
    await workbench.page.keyboard.press('ControlOrMeta+f');
    await workbench.page.keyboard.type('miller');
    await expect(pdf.locator('.page[data-page-number="1"] .textLayer .highlight').first()).toBeVisible();
    await workbench.screenshot('scan-searched');

    const soup = await answered(workbench, 'What does the tavern sell on Thursdays?');
    const sign = soup.locator('figure.quote', { hasText: 'beetroot soup' });
    await sign.locator('.chip').first().click();
    await expect(workbench.tab('sign.jpg')).toBeVisible();
    const picture = await workbench.webview('.page[data-page-number="1"] .mark');
    await expect(picture.locator('.mark.current').first()).toBeVisible();
    await workbench.screenshot('picture-cited');
  });

  test('recognition is paused, stays so in the next window, and goes on where it was', async ({
    workbench,
    workspace,
    context,
  }) => {
    // Recognition takes seconds a page.
    const facts = [
      'A hailstorm broke the panes of the vicarage.',
      'Two wells ran dry, and water came by cart.',
      'The bell was cast anew in Utrecht.',
      'A travelling circus lost its bear near the lock.',
      'The school got its first stove.',
      'Wolves were heard for the last time.',
    ];
    const pages = facts.map((fact) => [...Array.from({ length: 9 }, () => filler), fact, filler]);
    workspace.write('annals.pdf', scannedPdf(await drawnPages(context, pages)));
    await setTheme(workbench, workspace, 'highContrast');
    await workbench.explorerMenu('annals.pdf', 'Add to Notebook');
    await workbench.showViews();
    const row = workbench.rows('Sources', 'annals.pdf');
    await expect(row).toContainText(/Recognising text, [1-6] pages? left/);
    await workbench.screenshot('recognising');
    await workbench.rowAction(row, 'Pause Text Recognition');
    await expect(row).toContainText(/Text recognition paused, [1-6] pages? left/);
    await workbench.reload();
    await workbench.showViews();
    await expect(row).toContainText(/Text recognition paused, [1-6] pages? left/);
    await workbench.rowAction(row, 'Resume Text Recognition');
    await expect(row).toContainText(/annals\.pdf\s*[1-9] passages ·/);
    const turn = await answered(workbench, 'Where did the travelling circus lose its bear?');
    await expect(turn.locator('figure.quote').first()).toContainText('near the lock');
    await expect((await chatPanel(workbench)).locator('article.turn')).toHaveCount(1);
  });

  test('what holds no words, is damaged or far too large is told in a sentence each, and the rest goes on', async ({
    workbench,
    workspace,
    context,
  }) => {
    // Recognition takes seconds a page.
    const [blank, page] = await drawnPages(context, [
      [''],
      ['The ferryman keeps bees behind the boathouse.'],
    ]);
    workspace.write('blank.jpg', blank?.jpeg ?? '');
    workspace.write('cut.jpg', page?.jpeg.subarray(0, 300) ?? '');
    workspace.write('huge.png', pngHead(30_000, 30_000));
    workspace.write('ferry.jpg', page?.jpeg ?? '');
    await setTheme(workbench, workspace, 'dark');
    await workbench.explorerMenu(['blank.jpg', 'cut.jpg', 'huge.png', 'ferry.jpg'], 'Add to Notebook');
    await workbench.showViews();
    const row = (name: string): Locator => workbench.rows('Sources', name);
    await expect(row('cut.jpg')).toContainText('could not be read as a picture');
    await expect(row('huge.png')).toContainText(/30.?000 × 30.?000 pixels, more than 100 million/);
    await expect(row('blank.jpg')).toContainText('is a picture on which no text was found');
    await expect(row('ferry.jpg')).toContainText('1 passage');
    await workbench.screenshot('pictures-refused');
    const turn = await answered(workbench, 'What does the ferryman keep?');
    await expect(turn.locator('figure.quote').first()).toContainText('bees behind the boathouse');
    await turn.locator('.chip').first().click();
    const shown = await workbench.webview('.page[data-page-number="1"] .mark');
    await expect(shown.locator('.mark.current').first()).toBeVisible();
    await workbench.screenshot('picture-cited-dark');
  });
});

/** As much of a PNG picture as tells its size in pixels. */
function pngHead(width: number, height: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.set([8, 2, 0, 0, 0], 16);
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), header]);
}
