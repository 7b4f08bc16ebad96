import { readFileSync } from 'node:fs';
import { makePage } from '../../support/site-crawl.ts';
import { makeGate } from '../../support/gate.ts';
import { file, status } from '../../support/site.ts';
import { column, tinyPdf } from '../../support/tiny-pdf.ts';
import { expect, test } from '../fixtures.ts';
import { agreeToHost, answered, chatPanel, fixture, readySource, startOver } from '../notebook.ts';
import { sourcesWindow } from '../shared-windows.ts';

test.describe('a site', () => {
  test.describe.configure({ mode: 'serial' });
  test.use(sourcesWindow);

  test('is previewed, added, paused, and resumed after a reload', async ({ workbench, site }) => {
    await startOver(workbench, 'A site');
    const gate = makeGate();
    site.set({
      '/docs/': makePage('The handbook', ['anchor', 'rope', 'sail', 'login', '/blog/']),
      '/docs/anchor': makePage('The anchor', ['chain']),
      '/docs/rope': { body: makePage('The rope'), gate },
      '/docs/sail': status(410),
      '/docs/chain': makePage('The chain'),
      '/docs/mast': makePage('The mast'),
      '/sitemap.xml': file(
        'application/xml',
        `<urlset><url><loc>${site.url}/docs/mast</loc></url><url><loc>${site.url}/docs/rope</loc></url></urlset>`,
      ),
    });
    await chatPanel(workbench);
    await workbench.run('Open Notebook: Add Site');
    await workbench.fill(`${site.url}/docs/`);
    await agreeToHost(workbench);
    await expect(workbench.quickInput).toContainText('5 pages found');
    await workbench.screenshot('add-site');
    await workbench.page.keyboard.press('Enter');
    const row = workbench.rows('Sources', '/docs').first();
    await gate.reached;
    await expect(row).toContainText(/Reading \d of \d pages/);
    await workbench.screenshot('site-reading');
    await workbench.rowAction(row, 'Pause');
    await expect(row).toContainText(/Paused at \d of \d pages/);
    await workbench.reload();
    await workbench.showViews();
    await expect(row).toContainText('Paused');
    gate.open();
    await workbench.rowAction(row, 'Resume Crawl');
    await readySource(workbench, '/docs');
    await expect(row).toContainText('5 pages');
    await expect(row).toContainText('1 skipped');
    expect(site.paths.filter((path) => path === '/docs/anchor')).toHaveLength(1);
    await workbench.answerNotification('Couldn’t download 1 page of', 'Show Crawl Report');
    await expect(workbench.editorLines.filter({ hasText: 'Couldn’t be downloaded' }).first()).toBeVisible();
    await workbench.screenshot('crawl-report');
  });

  test('opens the saved page when a citation is selected', async ({ workbench }) => {
    const turn = await answered(workbench, 'What does the page say of the chain?');
    const quote = turn.locator('figure.quote').first();
    await expect(quote).toContainText('of The chain');
    await quote.locator('.chip').click();
    const reading = await workbench.webview('main.page');
    await expect(reading.locator('mark').first()).toBeVisible();
    const row = workbench.rows('Sources', '/docs').first();
    await row.click();
    await row.press('ArrowRight');
    await expect(workbench.rows('Sources', 'The mast')).toBeVisible();
    await workbench.screenshot('site-citation');
  });
});

test.describe('a PDF of a site', () => {
  test.use({ settings: { 'openNotebook.sites.pause': 0 } });

  test(
    'highlights in a PDF of a site are saved in the notebook',
    { tag: '@all' },
    async ({ workbench, site }) => {
      const keel = column(60, 700, [
        'The keel of the ferry',
        'The keel of the ferry was laid by Ada Brandt in the spring of 1931.',
        'It is made of oak, and nobody has had to repair it since it was laid.',
      ]);
      site.set({
        '/docs/': makePage('The handbook', ['report.pdf', 'keel.pdf']),
        '/docs/report.pdf': file('application/pdf', readFileSync(fixture('report.pdf'))),
        '/docs/keel.pdf': file('application/pdf', tinyPdf({ pages: [{ lines: keel }] })),
      });
      await chatPanel(workbench);
      await workbench.run('Open Notebook: Add Site');
      await workbench.fill(`${site.url}/docs/`);
      await agreeToHost(workbench);
      await expect(workbench.quickInput).toContainText('3 pages found');
      await workbench.page.keyboard.press('Enter');
      await readySource(workbench, '/docs');

      await test.step('a citation opens the PDF, in which a highlight is saved', async () => {
        const turn = await answered(workbench, 'When are apples watered by the eastern channel?');
        await turn
          .locator('figure.quote', { hasText: 'Apples are watered' })
          .first()
          .locator('.chip')
          .click();
        const pdf = await workbench.webview('[aria-label="PDF"]');
        await expect(pdf.locator('.mark').first()).toBeVisible();
        await expect(workbench.tab('report.pdf')).toBeVisible();
        await workbench.screenshot('site-pdf');
        await pdf.locator('.textLayer span', { hasText: 'Apples' }).first().click({ clickCount: 3 });
        await workbench.page.keyboard.press('h');
        await expect(pdf.getByRole('button', { name: /^Highlight: .*Apples/ })).toBeVisible();
        await expect(
          workbench.notification(
            'report.pdf is a copy of a PDF from the web, so its highlights are saved in the notebook',
          ),
        ).toBeVisible();
        await workbench.page.keyboard.press('ControlOrMeta+s');
        await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
        // The index gets the highlight a moment after it is saved.
        let times = 0;
        await expect(async () => {
          const question = `What did I highlight about apples, asked ${String(++times)} times?`;
          const turn = await answered(workbench, question);
          const quote = turn.locator('figure.quote', { hasText: 'Highlighted on p.' });
          await expect(quote.first()).toBeVisible({ timeout: 2_000 });
        }).toPass();
      });

      await test.step('a selection is added with the URL of the PDF after a reload', async () => {
        await workbench.reload();
        const panel = await chatPanel(workbench);
        await panel
          .locator('figure.quote', { hasText: 'Apples are watered' })
          .first()
          .locator('.chip')
          .click();
        const pdf = await workbench.webview('[aria-label="PDF"]');
        await expect(pdf.getByRole('button', { name: /^Highlight: .*Apples/ })).toBeVisible();
        const find = pdf.getByLabel('Find in PDF');
        await expect(async () => {
          await pdf.getByRole('button', { name: /^Find/ }).click({ timeout: 3_000 });
          await expect(find).toBeVisible({ timeout: 2_000 });
        }).toPass();
        await find.fill('eastern channel');
        await find.press('Enter');
        await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
        await find.press('Escape');
        await pdf.getByRole('button', { name: 'Add Selection' }).click();
        const selected = await readySource(workbench, /report\.pdf, p\./);
        await workbench.hover(selected.locator('.label-name'), `${site.url}/docs/report.pdf`);
      });

      await test.step('shows the stored text when the PDF is gone', async () => {
        site.set({ '/docs/keel.pdf': status(404) });
        const turn = await answered(workbench, 'Who laid the keel of the ferry?');
        await turn.locator('figure.quote', { hasText: 'Ada Brandt' }).first().locator('.chip').click();
        await expect(workbench.notification('Showing the extracted text instead.')).toBeVisible();
        await expect(workbench.tab('keel.pdf')).toBeVisible();
        await expect((await workbench.webview('main.page')).locator('mark').first()).toBeVisible();
      });
    },
  );
});
