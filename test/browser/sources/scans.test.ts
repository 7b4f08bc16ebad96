import { drawnPages, scannedPdf } from '../../support/scanned-pdf.ts';
import { expect, test } from '../fixtures.ts';
import { answered, chatPanel, readySource, startOver } from '../notebook.ts';
import { sourcesWindow } from '../shared-windows.ts';

const filler = 'The archive keeps the letters of the parish in boxes, each with a list of what it holds.';

/** The recognizer has the lowest priority, so anything else on the machine delays it. In milliseconds. */
const RECOGNIZED = { timeout: 90_000 };

test.describe('Text recognition', () => {
  test.use(sourcesWindow);

  test('text on a scanned page is found, and cited on the scan', async ({
    workbench,
    workspace,
    context,
  }) => {
    await startOver(workbench, 'Scans');
    const pictures = await drawnPages(context, [
      [filler, 'Its sails were taken down before the storm of November 1953.'],
    ]);
    workspace.write('parish.pdf', scannedPdf(pictures));
    await workbench.explorerMenu('parish.pdf', 'Add to Notebook');
    await readySource(workbench, 'parish.pdf');
    // A source shows its number of passages only after the text of all pages is recognized.
    await expect(workbench.rows('Sources', 'parish.pdf')).toContainText(
      /parish\.pdf\s*[1-9] passages? ·/,
      RECOGNIZED,
    );

    const turn = await answered(workbench, 'When were the sails taken down?');
    const quote = turn.locator('figure.quote', { hasText: 'taken down before the storm' });
    await expect(quote).toContainText('November 1953');
    await quote.locator('.chip').first().click();
    const pdf = await workbench.webview('[aria-label="PDF"]');
    await expect(pdf.locator('.mark.current').first()).toBeVisible();
    await workbench.screenshot('scan-cited');

    await workbench.page.keyboard.press('ControlOrMeta+f');
    await workbench.page.keyboard.type('storm');
    await expect(pdf.locator('.textLayer .highlight').first()).toBeVisible();
    await workbench.screenshot('scan-searched');
  });
});

test(
  'text in an image is found, and cited on the image',
  { tag: '@all' },
  async ({ workbench, workspace, context }) => {
    const [picture] = await drawnPages(context, [['The tavern sells beetroot soup on Thursdays.']]);
    workspace.write('sign.jpg', picture?.jpeg ?? '');
    await workbench.explorerMenu('sign.jpg', 'Add to Notebook');
    await workbench.showViews();
    await expect(workbench.rows('Sources', 'sign.jpg')).toContainText(
      /sign\.jpg\s*[1-9] passages? ·/,
      RECOGNIZED,
    );
    const turn = await answered(workbench, 'What does the tavern sell on Thursdays?');
    await turn.locator('figure.quote', { hasText: 'beetroot soup' }).locator('.chip').first().click();
    await expect(workbench.tab('sign.jpg')).toBeVisible();
    const shown = await workbench.webview('.page[data-page-number="1"] .mark');
    await expect(shown.locator('.mark.current').first()).toBeVisible();
    await workbench.screenshot('picture-cited');
  },
);

test(
  'text recognition stays paused after a reload, and resumes',
  { tag: '@all' },
  async ({ workbench, workspace, context }) => {
    // Recognition takes seconds a page.
    const facts = [
      'The bell was cast anew in Utrecht.',
      'A travelling circus lost its bear near the lock.',
      'The school got its first stove.',
    ];
    const pages = facts.map((fact) => [...Array.from({ length: 9 }, () => filler), fact, filler]);
    workspace.write('annals.pdf', scannedPdf(await drawnPages(context, pages)));
    await workbench.explorerMenu('annals.pdf', 'Add to Notebook');
    await workbench.showViews();
    const row = workbench.rows('Sources', 'annals.pdf');
    await expect(row).toContainText(/Recognizing text, [1-3] pages? left/);
    await workbench.screenshot('recognising');
    await workbench.rowAction(row, 'Pause Text Recognition');
    await expect(row).toContainText(/Text recognition paused, [1-3] pages? left/);
    await workbench.reload();
    await workbench.showViews();
    await expect(row).toContainText(/Text recognition paused, [1-3] pages? left/);
    await workbench.rowAction(row, 'Resume Text Recognition');
    await expect(row).toContainText(/annals\.pdf\s*[1-9] passages ·/, RECOGNIZED);
    const turn = await answered(workbench, 'Where did the travelling circus lose its bear?');
    await expect(turn.locator('figure.quote').first()).toContainText('near the lock');
    await expect((await chatPanel(workbench)).locator('article.turn')).toHaveCount(1);
  },
);
