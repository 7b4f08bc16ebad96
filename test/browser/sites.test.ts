import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { makePage } from '../support/site-crawl.ts';
import { makeGate } from '../support/gate.ts';
import { file, never, status } from '../support/site.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, fixture, readySource } from './notebook.ts';

const keel = column(60, 700, [
  'The keel of the ferry',
  'The keel of the ferry was laid by Ada Brandt in the spring of 1931.',
  'It is made of oak, and nobody has had to repair it since it was laid.',
]);

test.use({ settings: { 'openNotebook.sites.pause': 0 } });

test.describe('a site', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const gate = makeGate();
  let row: Locator;
  test.beforeEach(({ workbench }) => {
    row = workbench.rows('Sources', '/docs').first();
  });

  test('is looked at and added', async ({ workbench, site }) => {
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
    await workbench.run('Open Notebook: Add Site');
    await workbench.fill(`${site.url}/docs/`);
    await workbench.dialog('private network').getByRole('button', { name: 'Read It' }).click();
    await expect(workbench.quickInput).toContainText('7 pages found');
    await workbench.screenshot('add-site');
    await workbench.page.keyboard.press('Enter');
  });

  test('is paused, resumed after a reload, and reported on', async ({ workbench, site }) => {
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

  test('is cited: a citation opens the page as it was read', async ({ workbench }) => {
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

  test('is cited: a citation opens a PDF of it', async ({ workbench }) => {
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

  test('has a PDF, in which what is marked is kept in the notebook under its address and found there', async ({
    workbench,
  }) => {
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
    // The index follows what was saved a moment later.
    let asked = 0;
    await expect(async () => {
      const question = `What did I highlight about apples, asked ${String(++asked)} times?`;
      const turn = await answered(workbench, question);
      const quote = turn.locator('figure.quote', { hasText: 'Highlighted on p.' });
      await expect(quote.first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
  });

  test('has a PDF, of which after a reload what is selected is added under its address', async ({
    workbench,
    site,
  }) => {
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
    }).toPass();
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
    }).toPass();
  });

  test('has a PDF no more, and shows the text that was read of it', async ({ workbench, site }) => {
    site.set({ '/docs/keel.pdf': status(404) });
    const ofKeel = await answered(workbench, 'Who laid the keel of the ferry?');
    await ofKeel.locator('figure.quote', { hasText: 'Ada Brandt' }).first().locator('.chip').click();
    await expect(workbench.notification('The text that was read of it is shown instead.')).toBeVisible();
    await expect(workbench.tab('keel.pdf')).toBeVisible();
    await expect((await workbench.webview('main.page')).locator('mark').first()).toBeVisible();
  });

  test('has its rules edited, and pages that they leave out go', async ({ workbench, site }) => {
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

test.describe('a crawl', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const begin = async (workbench: Workbench, address: string): Promise<void> => {
    await chatPanel(workbench);
    await workbench.run('Open Notebook: Add Site');
    await workbench.fill(address);
  };
  const agree = (workbench: Workbench, answer: string): Promise<void> =>
    workbench.dialog('private network').getByRole('button', { name: answer }).click();

  test('fetches what was changed first, and goes on by itself after a reload', async ({
    workbench,
    site,
  }) => {
    const gate = makeGate();
    site.set({
      '/docs/': makePage('The handbook', ['old/', 'anchor', 'rope', 'sail']),
      '/docs/anchor': makePage('The anchor'),
      '/docs/rope': { body: makePage('The rope'), gate },
      '/docs/sail': makePage('The sail'),
    });
    await begin(workbench, `${site.url}/docs/`);
    await agree(workbench, 'Cancel');
    await expect(workbench.quickInput).toContainText('Add Site (1 of 2)');
    await workbench.fill(`${site.url}/docs/`);
    await agree(workbench, 'Read It');
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

  test('is stopped, and its report says so', async ({ workbench, site }) => {
    site.set({
      '/slow/': makePage('Slow', ['one', 'two', 'three']),
      '/slow/one': never,
      '/slow/two': never,
    });
    const slow = workbench.rows('Sources', '/slow').first();
    await begin(workbench, `${site.url}/slow/`);
    await agree(workbench, 'Read It');
    await workbench.pick('Add site');
    await expect(slow).toContainText('Reading 1 of 4 pages');
    await workbench.rowAction(slow, 'Pause');
    await expect(slow).toContainText('Paused at 1 of 4 pages');
    await workbench.rowAction(slow, 'Stop Reading');
    await expect(slow).toContainText('Stopped at 1 of 4 pages');
    await workbench.menu(slow, 'Show Crawl Report');
    await expect(
      workbench.editorLines.filter({ hasText: 'The crawl was stopped before.' }).first(),
    ).toBeVisible();
    await workbench.screenshot('site-stopped');
  });

  test('fetches nothing of a site without words, which is said', async ({ workbench, site }) => {
    site.set({ '/empty/': '<title>Empty</title><script>draw()</script>' });
    await begin(workbench, `${site.url}/empty/`);
    await agree(workbench, 'Read It');
    await workbench.pick('Add site');
    const empty = workbench.rows('Sources', '/empty').first();
    await expect(empty).toContainText('Nothing was fetched');
  });
});
