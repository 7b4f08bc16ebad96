import { readFileSync } from 'node:fs';
import { makePage } from '../support/site-crawl.ts';
import { makeGate } from '../support/gate.ts';
import { file, never, status } from '../support/site.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, fixture, readySource } from './notebook.ts';

const keel = column(60, 700, [
  'The keel of the ferry',
  'The keel of the ferry was laid by Ada Brandt in the spring of 1931.',
  'It is made of oak, and nobody has had to repair it since it was laid.',
]);

test.use({ settings: { 'openNotebook.sites.pause': 0 } });

test('a site is looked at, added, asked and cited, paused, resumed after a reload, and reported on', async ({
  workbench,
  site,
}) => {
  test.setTimeout(180_000);
  const gate = makeGate();
  site.set({
    '/docs/': makePage('The handbook', [
      'anchor',
      'rope',
      'sail',
      'report.pdf',
      'keel.pdf',
      'login',
      '/blog/',
    ]),
    '/docs/anchor': makePage('The anchor', ['chain']),
    '/docs/rope': { body: makePage('The rope'), gate },
    '/docs/sail': status(410),
    '/docs/chain': makePage('The chain'),
    '/docs/mast': makePage('The mast'),
    '/docs/report.pdf': file('application/pdf', readFileSync(fixture('report.pdf'))),
    '/docs/keel.pdf': file('application/pdf', tinyPdf({ pages: [{ lines: keel }] })),
    '/sitemap.xml': file(
      'application/xml',
      `<urlset><url><loc>${site.url}/docs/mast</loc></url><url><loc>${site.url}/docs/rope</loc></url></urlset>`,
    ),
  });
  await chatPanel(workbench);

  await test.step('the site is looked at and added', async () => {
    await workbench.run('Open Notebook: Add Site');
    await workbench.fill(`${site.url}/docs/`);
    await workbench.dialog('private network').getByRole('button', { name: 'Read It' }).click();
    await expect(workbench.quickInput).toContainText('7 pages found');
    await workbench.screenshot('add-site');
    await workbench.page.keyboard.press('Enter');
  });

  const row = workbench.rows('Sources', '/docs').first();

  await test.step('it is paused, resumed after a reload, and reported on', async () => {
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
    await expect(row).toContainText('7 pages');
    await expect(row).toContainText('1 passed over');
    expect(site.paths.filter((path) => path === '/docs/anchor')).toHaveLength(1);
    await workbench.answerNotification('1 page of', 'Show Crawl Report');
    await expect(workbench.editorLines.filter({ hasText: 'Could not be fetched' }).first()).toBeVisible();
    await workbench.screenshot('crawl-report');
  });

  await test.step('a citation opens the page as it was read', async () => {
    const turn = await answered(workbench, 'What does the page say of the chain?');
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

  await test.step('a citation opens a PDF of the site', async () => {
    // A PDF opens as it was read, and where that can't be had, as the text that was read of it.
    const ofReport = await answered(workbench, 'When are apples watered by the eastern channel?');
    await ofReport
      .locator('figure.quote', { hasText: 'Apples are watered' })
      .first()
      .locator('.chip')
      .click();
    const pdf = await workbench.webview('[aria-label="PDF"]');
    await expect(pdf.locator('.mark').first()).toBeVisible();
    await expect(workbench.tab('report.pdf')).toBeVisible();
    await workbench.screenshot('site-pdf');
  });

  await test.step('what is marked in it is kept in the notebook under its address, and found there', async () => {
    const pdf = await workbench.webview('[aria-label="PDF"]');
    await pdf.locator('.textLayer span', { hasText: 'Apples' }).first().click({ clickCount: 3 });
    await workbench.page.keyboard.press('h');
    await expect(pdf.getByRole('button', { name: /^Highlight: .*Apples/ })).toBeVisible();
    await expect(
      workbench.notification(
        'report.pdf is a copy of a PDF of the web, so its highlights are kept in the notebook',
      ),
    ).toBeVisible();
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
    await expect(async () => {
      const turn = await answered(workbench, 'What did I highlight about apples?');
      const quote = turn.locator('figure.quote', { hasText: 'Highlighted on p.' });
      await expect(quote.first()).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 40_000 });
  });

  await test.step('what is selected in the PDF is added under its address after a reload', async () => {
    // After a reload its copy is still known as the site's: what is selected in it is added under its address.
    await workbench.reload();
    // The editor may have had no time to note what was open.
    const reloaded = await chatPanel(workbench);
    await reloaded
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
    }).toPass({ timeout: 30_000 });
    await find.fill('eastern channel');
    await find.press('Enter');
    await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
    await find.press('Escape');
    await pdf.getByRole('button', { name: 'Add Selection' }).click();
    const selected = await readySource(workbench, /report\.pdf, p\./);
    await expect(async () => {
      await workbench.page.mouse.move(700, 300);
      await selected.locator('.label-name').hover();
      const address = `${site.url}/docs/report.pdf`;
      await expect(workbench.page.locator('.monaco-hover', { hasText: address })).toBeVisible({
        timeout: 3_000,
      });
    }).toPass({ timeout: 30_000 });
  });

  await test.step('a PDF that is gone shows the text that was read of it', async () => {
    site.set({ '/docs/keel.pdf': status(404) });
    const ofKeel = await answered(workbench, 'Who laid the keel of the ferry?');
    await ofKeel.locator('figure.quote', { hasText: 'Ada Brandt' }).first().locator('.chip').click();
    await expect(workbench.notification('The text that was read of it is shown instead.')).toBeVisible();
    await expect(workbench.tab('keel.pdf')).toBeVisible();
    await expect((await workbench.webview('main.page')).locator('mark').first()).toBeVisible();
  });

  await test.step('the rules are edited, and pages that they leave out go', async () => {
    await workbench.menu(row, 'Edit Site');
    await expect(workbench.quickInput).toContainText('7 pages found');
    await workbench.pick('Exclude');
    await expect(workbench.quickInput).toContainText('Patterns of paths to leave out');
    await workbench.fill('*.pdf');
    await expect(workbench.quickInput).toContainText('A pattern excludes it.');
    await workbench.screenshot('edit-site');
    await workbench.pick('Fetch by these rules');
    await workbench.dialog('Remove 2 pages').getByRole('button', { name: 'Remove' }).click();
    await expect(row).toContainText('5 pages');
    await readySource(workbench, '/docs');
    expect(site.paths.filter((path) => path === '/docs/anchor')).toHaveLength(1);
  });
});

test('what is fetched can be changed first; a crawl goes on by itself after a reload, and can be stopped', async ({
  workbench,
  site,
}) => {
  const gate = makeGate();
  site.set({
    '/docs/': makePage('The handbook', ['old/', 'anchor', 'rope', 'sail']),
    '/docs/anchor': makePage('The anchor'),
    '/docs/rope': { body: makePage('The rope'), gate },
    '/docs/sail': makePage('The sail'),
    '/slow/': makePage('Slow', ['one', 'two', 'three']),
    '/slow/one': never,
    '/slow/two': never,
    '/empty/': '<title>Empty</title><script>draw()</script>',
  });
  const begin = async (path: string): Promise<void> => {
    await chatPanel(workbench);
    await workbench.run('Open Notebook: Add Site');
    await workbench.fill(site.url + path);
  };
  const agree = (answer: string): Promise<void> =>
    workbench.dialog('private network').getByRole('button', { name: answer }).click();

  await test.step('what is fetched is changed first, and the crawl goes on after a reload', async () => {
    await begin('/docs/');
    await agree('Cancel');
    await expect(workbench.quickInput).toContainText('Add Site (1 of 2)');
    await workbench.fill(`${site.url}/docs/`);
    await agree('Read It');
    await workbench.pick('Exclude');
    await expect(workbench.quickInput).toContainText('Patterns of paths to leave out');
    await workbench.fill('old');
    await expect(workbench.quickInput).toContainText('A pattern excludes it.');
    await workbench.pick('Limit');
    await expect(workbench.quickInput).toContainText('How many pages');
    await workbench.fill('3');
    await expect(workbench.quickInput).toContainText('3 pages found, which is the limit');
    await workbench.screenshot('add-site-changed');
    await workbench.pick('Add site');
    await gate.reached;
    const docs = workbench.rows('Sources', '/docs').first();
    // What was fetched is kept, too, before the window goes.
    await expect(docs).toContainText('Reading 2 of');
    await workbench.reload();
    await workbench.showViews();
    await expect(docs).toContainText('Reading');
    gate.open();
    await readySource(workbench, '/docs');
    await expect(docs).toContainText('3 pages');
    expect(site.paths.filter((path) => path === '/docs/anchor')).toHaveLength(1);
  });

  const slow = workbench.rows('Sources', '/slow').first();
  await test.step('a crawl is stopped', async () => {
    await begin('/slow/');
    await agree('Read It');
    await workbench.pick('Add site');
    await expect(slow).toContainText('Reading 1 of 4 pages');
    await workbench.rowAction(slow, 'Pause');
    await expect(slow).toContainText('Paused at 1 of 4 pages');
    await workbench.rowAction(slow, 'Stop Reading');
    await expect(slow).toContainText('Stopped at 1 of 4 pages');
  });

  await test.step('a site without words and one that was stopped say so', async () => {
    await begin('/empty/');
    await agree('Read It');
    await workbench.pick('Add site');
    const empty = workbench.rows('Sources', '/empty').first();
    await expect(empty).toContainText('Nothing was fetched');
    await workbench.menu(slow, 'Show Crawl Report');
    await expect(
      workbench.editorLines.filter({ hasText: 'The crawl was stopped before.' }).first(),
    ).toBeVisible();
    await workbench.screenshot('site-stopped');
  });
});
