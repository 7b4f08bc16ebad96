import type { BrowserContext, FrameLocator, Locator } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

// A trace keeps pictures of the whole page in the browser, whose memory is measured here.
test.use({ trace: 'off', fresh: true });

const pages = 1000;
const sections = 20;

/** A handbook of a thousand full pages: the first four are numbered in Roman, and every fiftieth begins a chapter. */
function handbook(): Uint8Array {
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
    outline: Array.from({ length: sections }, (_, index) => ({
      title: `Chapter ${String(index + 1)}`,
      page: index * (pages / sections),
      top: 720,
    })),
  });
}

/** What the browser holds in memory without what it only has to let go, in megabytes; undefined where the system does not tell. */
async function browserMemory(context: BrowserContext): Promise<number | undefined> {
  for (const page of context.pages()) {
    const heap = await context.newCDPSession(page);
    await heap.send('HeapProfiler.collectGarbage');
    await heap.detach();
  }
  const session = await context.browser()?.newBrowserCDPSession();
  if (session === undefined || process.platform !== 'linux') return undefined;
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const kilobytes = processInfo.map(({ id }) => {
    try {
      const rollup = readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

test.describe('a PDF of a thousand pages', { tag: '@alone' }, () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true, settings: { 'workbench.editorAssociations': { '*.pdf': 'openNotebook.pdf' } } });
  /** The viewer that is in front. */
  const viewer = async (workbench: Workbench): Promise<{ pdf: FrameLocator; toolbar: Locator }> => {
    const pdf = await workbench.webview('[aria-label="PDF"]');
    return { pdf, toolbar: pdf.getByRole('toolbar', { name: 'PDF' }) };
  };
  /** What the browser holds before the PDF is opened, in megabytes. */
  let before: number | undefined;
  /** When the first page was seen after the viewer began to load, in milliseconds. */
  let opened = 0;

  test('its first page is shown', async ({ workbench, workspace, context }) => {
    workspace.write('handbook.pdf', handbook());
    await chatPanel(workbench);
    before = await browserMemory(context);
    await workbench.openPdf('handbook.pdf');
    const { pdf, toolbar } = await viewer(workbench);
    await expect(pdf.locator('.page[data-page-number="1"] canvas').first()).toBeVisible();
    opened = await pdf.locator('body').evaluate(() => performance.now());
    await expect(toolbar).toContainText('(1 of 1,000)');
  });

  test('a page is gone to by its label', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, toolbar } = await viewer(workbench);
    await pdf.locator('.page').first().click();
    await keyboard.press('g');
    await expect(toolbar.getByLabel('Page', { exact: true })).toBeFocused();
    await keyboard.type('996');
    await keyboard.press('Enter');
    await expect(toolbar).toContainText('(1,000 of 1,000)');
    await expect(pdf.locator('.page[data-page-number="1000"] canvas').first()).toBeVisible();
  });

  test('the outline leads to a chapter', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, toolbar } = await viewer(workbench);
    await toolbar.getByRole('button', { name: 'Outline (O)' }).click();
    const outline = pdf.getByRole('tree', { name: 'Outline' });
    await expect(outline.getByRole('treeitem')).toHaveCount(sections);
    await expect(outline.getByRole('treeitem', { name: 'Chapter 1', exact: true })).toBeFocused();
    for (let i = 0; i < 10; i++) await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(toolbar).toContainText('(501 of 1,000)');
    await expect(pdf.locator('.page[data-page-number="501"] canvas').first()).toBeVisible();
    await workbench.screenshot('pdf-outline');
  });

  test('words are found in all pages', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, toolbar } = await viewer(workbench);
    await keyboard.press('ControlOrMeta+f');
    await pdf.getByLabel('Find in PDF').fill('valve number 77');
    await expect(pdf.getByRole('status')).toHaveText(/ of 11$/);
    await keyboard.press('Enter');
    await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
    await expect(toolbar).toBeInViewport({ ratio: 0.9 });
    await workbench.screenshot('pdf-find');
  });

  test('a long way through the pages keeps memory bounded', async ({ workbench, context }) => {
    const { pdf } = await viewer(workbench);
    // A long way back over pages that all come into view, and what was drawn of them is let go again.
    const container = pdf.locator('.container');
    await container.focus();
    await container.evaluate(async (element) => {
      for (let i = 0; i < 60; i++) {
        element.scrollTop -= element.clientHeight * 0.8;
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      element.scrollTop = 0;
    });
    await expect(pdf.locator('.page[data-page-number="1"] canvas').first()).toBeVisible();
    const drawn = await pdf.locator('.pdfViewer').evaluate((viewer) => ({
      bytes: [...viewer.querySelectorAll('canvas')].reduce((sum, one) => sum + 4 * one.width * one.height, 0),
      texts: viewer.querySelectorAll('.textLayer').length,
    }));
    expect(drawn.bytes).toBeLessThan(32 * 2 ** 20);
    expect(drawn.texts).toBeLessThan(8);
    let grown = 0;
    const measure = async (): Promise<number> => {
      const after = await browserMemory(context);
      grown = before === undefined || after === undefined ? 0 : after - before;
      return grown;
    };
    // Workers let go of what they no longer need in a while of their own.
    await expect.poll(measure, { intervals: [1_000] }).toBeLessThan(150);
    console.log(
      `${String(pages)} pages: first page seen ${opened.toFixed(0)} ms after the viewer began to load; ` +
        `the browser grew by ${grown.toFixed(0)} MB.`,
    );
  });

  test('what is found is selected and added', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf } = await viewer(workbench);
    // The match that was shown stays selected.
    await keyboard.press('F3');
    await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
    await keyboard.press('Escape');
    const selection = pdf.getByRole('toolbar', { name: 'Selection' });
    await expect(selection).toBeVisible();
    await workbench.screenshot('pdf-selection');
    await selection.getByRole('button', { name: 'Add Selection' }).click();
    await expect(workbench.statusBarItem('Added handbook.pdf, p. 7')).toBeVisible();
    await readySource(workbench, /handbook\.pdf, p\. 7/);
  });

  test('a citation of the selection, and the source itself, open the PDF at its place', async ({
    workbench,
  }) => {
    const { keyboard } = workbench.page;
    const { pdf, toolbar } = await viewer(workbench);
    // A citation of the selection opens the PDF at its place.
    const turn = await answered(workbench, 'Which valve number?');
    await turn.locator('figure.quote .chip').first().click();
    await expect(pdf.locator('.mark.current').first()).toBeInViewport();
    await expect(pdf.locator('.page', { has: pdf.locator('.mark.current') })).toContainText(
      /Valve number 77/,
    );
    await workbench.screenshot('pdf-selection-cited');
    // So does the source itself, wherever the reader is.
    await pdf.locator('.container').focus();
    await keyboard.press('End');
    await expect(toolbar).toContainText('(1,000 of 1,000)');
    await workbench.rows('Sources', /handbook\.pdf, p\. 7/).click();
    await expect(toolbar).toContainText('(77 of 1,000)');
  });

  test('what is selected is asked about', async ({ workbench }) => {
    const { pdf } = await viewer(workbench);
    // One that the bar of what is still selected does not stand over.
    const line = pdf
      .locator('.page[data-page-number="77"] .textLayer span', { hasText: 'Every valve' })
      .nth(20);
    await line.click({ clickCount: 3 });
    await workbench.menu(line, 'Ask about Selection');
    await workbench.fill('What is this?');
    const panel = await chatPanel(workbench);
    await expect(panel.locator('article.turn .question').last()).toContainText(/Every valve is opened/);
  });
});
