import { pageOf } from '../support/site-crawl.ts';
import { makeGate } from '../support/gate.ts';
import { file, status } from '../support/site.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

test.use({ settings: { 'openNotebook.sites.pause': 0 } });

test('a site is looked at, added, asked and cited, paused, resumed after a reload, and reported on', async ({
  workbench,
  site,
}) => {
  const gate = makeGate();
  site.set({
    '/docs/': pageOf('The handbook', ['anchor', 'rope', 'sail', 'login', '/blog/']),
    '/docs/anchor': pageOf('The anchor', ['chain']),
    '/docs/rope': { body: pageOf('The rope'), gate },
    '/docs/sail': status(410),
    '/docs/chain': pageOf('The chain'),
    '/docs/mast': pageOf('The mast'),
    '/sitemap.xml': file(
      'application/xml',
      `<urlset><url><loc>${site.url}/docs/mast</loc></url><url><loc>${site.url}/docs/rope</loc></url></urlset>`,
    ),
  });
  await chatPanel(workbench);
  await workbench.run('Open Notebook: Add Site');
  await workbench.fill(`${site.url}/docs/`);
  await workbench.dialog('private network').getByRole('button', { name: 'Read It' }).click();
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
  await workbench.rowAction(row, 'Resume');
  await readySource(workbench, '/docs');
  await expect(row).toContainText('5 pages');
  await expect(row).toContainText('1 passed over');
  expect(site.paths.filter((path) => path === '/docs/anchor')).toHaveLength(1);
  await workbench.answerNotification('1 page of', 'Show Crawl Report');
  await expect(workbench.editorLines.filter({ hasText: 'Could not be fetched' }).first()).toBeVisible();
  await workbench.screenshot('crawl-report');

  const turn = await answered(workbench, 'What is said of the chain?');
  const quote = turn.locator('figure.quote').first();
  await expect(quote).toContainText('of The chain');
  await quote.locator('.chip').click();
  const reading = await workbench.webview('main.page');
  await expect(reading.locator('mark').first()).toBeVisible();
  await row.click();
  await row.press('ArrowRight');
  await expect(workbench.rows('Sources', 'The mast')).toBeVisible();
  await workbench.screenshot('site-citation');
});
