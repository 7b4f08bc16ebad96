import type { CDPSession, Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, screenshot, test } from './fixtures.ts';
import { pdfHost } from './pdf-host.ts';

// A trace would keep screenshots in the browser, whose memory is measured here.
test.use({ trace: 'off' });

const CHAPTERS = 20;
/** Size of the first part of a large file that the extension sends without a request. */
const START_BYTES = 2 ** 18;
const MAX_GROWTH_MEGABYTES = 150;

/** Full pages in twenty chapters; the first four pages are numbered in Roman. */
function handbook(pages: number): Uint8Array {
  const line =
    'Every valve is opened by hand, and what it lets through is written down at the end of the day.';
  return tinyPdf({
    title: 'Handbook of valves',
    pages: Array.from({ length: pages }, (_, index) => ({
      lines: column(72, 700, [
        `Valve number ${String(index + 1)} stands at the eastern channel.`,
        ...Array.from({ length: 40 }, (__, i) => `${String(i + 1)}. ${line}`),
      ]),
    })),
    labels: '0 << /S /r >> 4 << /S /D >>',
    outline: Array.from({ length: CHAPTERS }, (_, index) => ({
      title: `Chapter ${String(index + 1)}`,
      page: index * (pages / CHAPTERS),
      top: 720,
    })),
  });
}

function toolbarOf(page: Page): Locator {
  return page.getByRole('toolbar', { name: 'PDF' });
}

/** Waits until a page is drawn. */
async function expectDrawn(page: Page, number: number): Promise<void> {
  await expect(page.locator(`.page[data-page-number="${String(number)}"] canvas`).first()).toBeVisible({
    timeout: 20_000,
  });
}

/** Returns the memory of the browser's processes in megabytes; undefined if the system doesn't report it. */
async function measureMemory(page: Page, browser: CDPSession): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  await page.requestGC();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const kilobytes = processInfo.map(({ id }) => {
    try {
      const rollup = readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // The process has ended.
      return 0;
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

test.describe('long PDF', () => {
  test('goes to a page by its label', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(handbook(200), {}, START_BYTES));
    await expectDrawn(page, 1);
    await expect(toolbarOf(page)).toContainText('(1 of 200)');
    expect(shown.callsOf('bytes').length).toBeGreaterThan(0);
    await page.locator('.container').focus();
    await page.keyboard.press('g');
    await expect(toolbarOf(page).getByLabel('Page', { exact: true })).toBeFocused();
    await page.keyboard.type('196');
    await page.keyboard.press('Enter');
    await expect(toolbarOf(page)).toContainText('(200 of 200)');
    await expectDrawn(page, 200);
  });

  test('goes to a chapter by its outline', async ({ page, show }) => {
    await show('pdf', pdfHost(handbook(200), {}, START_BYTES));
    await expectDrawn(page, 1);
    await toolbarOf(page).getByRole('button', { name: 'Outline (O)' }).click();
    const chapters = page.getByRole('tree', { name: 'Outline' }).getByRole('treeitem');
    await expect(chapters).toHaveCount(CHAPTERS);
    await expect(chapters.first()).toBeFocused();
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(toolbarOf(page)).toContainText('(101 of 200)');
    await expectDrawn(page, 101);
    await screenshot(page, 'pdf-outline');
  });

  test('finds words in all pages, and selects the match', async ({ page, show }) => {
    const { remote } = await show('pdf', pdfHost(handbook(200), {}, START_BYTES));
    await expectDrawn(page, 1);
    await page.locator('.container').focus();
    await page.keyboard.press('ControlOrMeta+f');
    await page.getByLabel('Find in PDF').fill('valve number 7');
    await expect(page.getByRole('status')).toHaveText(/ of 11$/);
    await page.keyboard.press('Enter');
    await expect(page.locator('.textLayer .highlight.selected').first()).toBeVisible();
    await screenshot(page, 'pdf-find');
    await expect(toolbarOf(page)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('F3');
    await expect(page.locator('.textLayer .highlight.selected').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible();
    expect(await remote.call('selection', {})).toMatchObject({
      text: expect.stringMatching(/^Valve number 7/),
    });
  });

  test('limits its memory while the reader scrolls through the pages', async ({ page, browser, show }) => {
    const session = await browser.newBrowserCDPSession();
    await show('pdf', pdfHost(handbook(1000), {}, START_BYTES));
    await expectDrawn(page, 1);
    await expect(toolbarOf(page)).toContainText('(1 of 1,000)');
    const before = await measureMemory(page, session);
    await page.locator('.container').focus();
    await page.keyboard.press('End');
    await expectDrawn(page, 1000);
    await page.locator('.container').evaluate(async (container) => {
      for (let i = 0; i < 60; i++) {
        container.scrollTop -= container.clientHeight * 0.8;
        await new Promise((resolve) => {
          requestAnimationFrame(() => setTimeout(resolve, 30));
        });
      }
      container.scrollTop = 0;
    });
    await expectDrawn(page, 1);
    const drawn = await page.locator('.pdfViewer').evaluate((viewer) => ({
      bytes: [...viewer.querySelectorAll('canvas')].reduce((sum, one) => sum + 4 * one.width * one.height, 0),
      texts: viewer.querySelectorAll('.textLayer').length,
    }));
    expect(drawn.bytes).toBeLessThan(32 * 2 ** 20);
    expect(drawn.texts).toBeLessThan(8);
    // Workers release their memory some time later.
    await expect
      .poll(async () => ((await measureMemory(page, session)) ?? 0) - (before ?? 0), { intervals: [1_000] })
      .toBeLessThan(MAX_GROWTH_MEGABYTES);
    await session.detach();
  });
});
