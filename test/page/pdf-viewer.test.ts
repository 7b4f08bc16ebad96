import type { Locator, Page } from '@playwright/test';
import { fixture } from '../unit/reading-pdf-fixtures.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { pdfHost } from './pdf-host.ts';

const report = tinyPdf({
  pages: [{ lines: column(72, 700, ['Memory fades within a day unless it is reviewed.']) }],
});

/** Five pages of forty lines each, with an outline of three levels and a link from page 2 to page 5. */
const garden = tinyPdf({
  pages: Array.from({ length: 5 }, (_, index) => ({
    lines: column(
      72,
      700,
      Array.from({ length: 40 }, (__, i) => `${String(index + 1)}.${String(i + 1)} Cherries ripen in June.`),
    ),
    ...(index === 1 && { linkTo: { page: 4, rect: [300, 400, 500, 420] } as const }),
  })),
  outline: [
    {
      title: 'Trees',
      page: 0,
      items: [{ title: 'Fruit', page: 1, items: [{ title: 'Cherries', page: 2, top: 400 }] }],
    },
    { title: 'A chapter with a title that is too long for the narrow space beside the pages', page: 4 },
  ],
});

function toolbarOf(page: Page): Locator {
  return page.getByRole('toolbar', { name: 'PDF' });
}

function pageField(page: Page): Locator {
  return toolbarOf(page).getByLabel('Page', { exact: true });
}

/** Waits for the first page to be drawn, and gives the pages the focus. */
async function focusPages(page: Page): Promise<void> {
  await expect(page.locator('.textLayer').first()).toBeVisible();
  await page.locator('.container').focus();
}

/** Goes to a page by the page field. */
async function goTo(page: Page, number: number): Promise<void> {
  await focusPages(page);
  await pageField(page).fill(String(number));
  await pageField(page).press('Enter');
  await expect(
    page.locator(`.page[data-page-number="${String(number)}"] .textLayer span`).first(),
  ).toBeVisible();
  await page.locator('.container').focus();
}

test.describe('PDF viewer', () => {
  test('shows the text of a page', async ({ page, show }) => {
    const { sent } = await show('pdf', pdfHost(report));
    await expect(page.locator('.textLayer span', { hasText: 'Memory fades' }).first()).toBeVisible();
    expect(sent.map(({ method }) => method)).toContain('opened');
  });

  for (const [name, text, reason] of [
    ['an empty', '', 'This file is empty.'],
    ['a damaged', 'This is no PDF.', 'This file is damaged or isn’t a PDF.'],
  ] as const)
    test(`reports ${name} file`, async ({ page, show }) => {
      await show('pdf', pdfHost(new TextEncoder().encode(text)));
      await expect(page.getByRole('alert')).toContainText(reason);
    });

  test('goes to pages by keys', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await focusPages(page);
    await page.keyboard.press('End');
    await expect(pageField(page)).toHaveValue('5');
    await page.keyboard.press('Home');
    await expect(pageField(page)).toHaveValue('1');
    await page.keyboard.press('j');
    await expect(pageField(page)).toHaveValue('2');
    await page.keyboard.press('k');
    await expect(pageField(page)).toHaveValue('1');
  });

  test('fits and zooms pages by keys', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await focusPages(page);
    const toolbar = toolbarOf(page);
    await page.keyboard.press('0');
    await expect(toolbar.getByRole('button', { name: 'Fit page (0)' })).toBeVisible();
    await page.keyboard.press('0');
    await expect(toolbar.getByRole('button', { name: 'Fit width (0)' })).toBeVisible();
    const scale = (await toolbar.locator('.scale').textContent()) ?? '';
    await page.keyboard.press('+');
    await expect(toolbar.locator('.scale')).not.toHaveText(scale);
    const larger = (await toolbar.locator('.scale').textContent()) ?? '';
    await page.keyboard.press('-');
    await expect(toolbar.locator('.scale')).not.toHaveText(larger);
  });

  test('keeps the line below the pointer in its place when the wheel zooms', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await goTo(page, 2);
    const scale = toolbarOf(page).locator('.scale');
    const before = (await scale.textContent()) ?? '';
    const line = page.locator('.textLayer span', { hasText: /^2\.20 / });
    await line.hover();
    const { x, y, width, height } = (await line.boundingBox())!;
    const lineAtPointer = (): Promise<string> =>
      page.evaluate((point) => document.elementFromPoint(point.x, point.y)?.textContent ?? '', {
        x: x + width / 2,
        y: y + height / 2,
      });
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await expect(scale).not.toHaveText(before);
    await expect.poll(lineAtPointer).toMatch(/^2\.20 /);
  });

  test('opens the outline and follows an item by keys', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await focusPages(page);
    await expect(toolbarOf(page).getByRole('button', { name: 'Outline (O)' })).toBeVisible();
    await page.keyboard.press('o');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('treeitem', { name: 'Cherries' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(pageField(page)).toHaveValue('3');
    await page.setViewportSize({ width: 320, height: 700 });
    await expect(page.getByRole('treeitem', { name: 'A chapter with a title' })).toBeVisible();
    await screenshot(page, 'pdf-narrow-outline');
  });

  test('follows a link within the file, and goes back and forward', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await goTo(page, 2);
    await page.locator('.page[data-page-number="2"] .linkAnnotation a').press('Enter');
    await expect(pageField(page)).toHaveValue('5');
    // The field shows the page before the viewer has finished scrolling.
    await expect(page.locator('.page[data-page-number="5"] .textLayer span').first()).toBeInViewport();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(pageField(page)).toHaveValue('2');
    await toolbarOf(page).getByRole('button', { name: 'Forward (Alt+Right)' }).click();
    await expect(pageField(page)).toHaveValue('5');
  });

  test('names a link without text after the page of its target', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await goTo(page, 2);
    await expect(page.getByRole('link', { name: 'Page 5' })).toBeVisible();
  });

  test('stays on the page when the target of an outline item is drawn again', async ({ page, show }) => {
    const lines = column(72, 700, Array<string>(40).fill('Cherries ripen in June.'));
    const outline = [{ title: 'Fruit', page: 1, top: 700 }];
    await show('pdf', pdfHost(tinyPdf({ pages: [{ lines }, { lines }, { lines }], outline })));
    await focusPages(page);
    const container = page.locator('.container');
    const target = page.locator('.page[data-page-number="2"]');
    // The target is drawn before the item is followed.
    await expect(target.locator('.textLayer span').first()).toBeAttached();
    await page.keyboard.press('o');
    await page.getByRole('treeitem', { name: 'Fruit' }).click();
    await expect(pageField(page)).toHaveValue('2');
    await container.focus();
    await page.keyboard.press('Home');
    await expect(pageField(page)).toHaveValue('1');
    const width = (await target.locator('canvas').getAttribute('width')) ?? '';
    await page.keyboard.press('+');
    await expect(target.locator('canvas')).not.toHaveAttribute('width', width);
    await expect(container).toBeFocused();
    await expect(pageField(page)).toHaveValue('1');
  });

  test('uses the whole width when there is no outline', async ({ page, show }) => {
    await show('pdf', pdfHost(report));
    await focusPages(page);
    expect((await page.locator('.container').boundingBox())?.width).toBe(page.viewportSize()?.width);
  });

  test('goes to a page by its thumbnail', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(garden));
    await goTo(page, 5);
    await page.keyboard.press('t');
    const thumbnails = page.getByRole('listbox', { name: 'Pages' }).getByRole('option');
    await expect(thumbnails).toHaveCount(5);
    await expect(thumbnails.nth(4)).toHaveAttribute('aria-selected', 'true');
    await expect(thumbnails.nth(4).locator('canvas')).toBeVisible();
    await thumbnails.nth(2).click();
    await expect(pageField(page)).toHaveValue('3');
    await lookInEachTheme(page, shown, 'pdf-thumbnails');
    await page.setViewportSize({ width: 320, height: 700 });
    await screenshot(page, 'pdf-narrow-thumbnails');
    await page.locator('.container').focus();
    await page.keyboard.press('t');
    await expect(thumbnails).toHaveCount(0);
  });

  test('shows two pages side by side', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await focusPages(page);
    await page.keyboard.press('d');
    await expect(page.locator('.spread')).toHaveCount(3);
    await expect(toolbarOf(page).locator('[aria-pressed="true"][aria-label^="Two pages"]')).toBeVisible();
    const topOf = async (number: number): Promise<number | undefined> =>
      (await page.locator(`.page[data-page-number="${String(number)}"]`).boundingBox())?.y;
    expect(await topOf(1)).toBe(await topOf(2));
    await page.keyboard.press('d');
    await expect(page.locator('.spread')).toHaveCount(0);
  });

  test('presents one page at a time', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(garden));
    await focusPages(page);
    await page.keyboard.press('+');
    const zoom = (await toolbarOf(page).locator('.scale').textContent()) ?? '';
    await page.keyboard.press('f');
    await expect(page.locator('#root')).toHaveClass(/presenting/);
    await expect(toolbarOf(page)).toBeHidden();
    const slide = page.locator('.pdfViewer .page:visible');
    await expect(slide).toHaveCount(1);
    await page.keyboard.press('Space');
    await expect(slide).toHaveAttribute('data-page-number', '2');
    await screenshot(page, 'pdf-presented');
    await slide.locator('.linkAnnotation a').press('Enter');
    await expect(slide).toHaveAttribute('data-page-number', '5');
    await page.keyboard.press('PageUp');
    await expect(slide).toHaveAttribute('data-page-number', '4');
    await page.keyboard.press('Escape');
    await expect(toolbarOf(page)).toBeVisible();
    await expect(pageField(page)).toHaveValue('4');
    await expect(toolbarOf(page).locator('.scale')).toHaveText(zoom);
    expect(shown.callsOf('run')).toEqual([
      { command: 'togglePresentation' },
      { command: 'togglePresentation' },
    ]);
  });

  test('ends its presentation with Escape while a search is open', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await focusPages(page);
    await page.keyboard.press('ControlOrMeta+f');
    await page.getByLabel('Find in PDF').fill('Cherries');
    await page.locator('.container').focus();
    await page.keyboard.press('f');
    await expect(toolbarOf(page)).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(toolbarOf(page)).toBeVisible();
  });

  test('shows the same place at the same scale when it is loaded again', async ({ page, show }) => {
    await show('pdf', pdfHost(garden));
    await focusPages(page);
    const scale = toolbarOf(page).locator('.scale');
    const before = (await scale.textContent()) ?? '';
    await page.keyboard.press('-');
    await expect(scale).not.toHaveText(before);
    const smaller = (await scale.textContent()) ?? '';
    await goTo(page, 4);
    const fourth = page.locator('.page[data-page-number="4"]');
    await page.locator('.container').evaluate((container) => container.scrollBy(0, 130));
    const savedState = (): Promise<string | null> =>
      page.evaluate(() => sessionStorage.getItem('state of the page'));
    await expect.poll(savedState).toContain('"page":4');
    let state: string | null = null;
    await expect(async () => {
      const last = state;
      state = await savedState();
      expect(state).toBe(last);
    }).toPass({ intervals: [400] });
    const top = (await fourth.boundingBox())?.y ?? Number.NaN;
    await page.reload();
    await expect(pageField(page)).toHaveValue('4');
    await expect(scale).toHaveText(smaller);
    await expect
      .poll(async () => Math.abs(((await fourth.boundingBox())?.y ?? Number.NaN) - top))
      .toBeLessThan(4);
  });

  test('opens at the last reading position', async ({ page, show }) => {
    await show(
      'pdf',
      pdfHost(garden, { position: { page: 4, left: 0, top: 600, scale: '0.8', isDouble: false } }),
    );
    await expect(pageField(page)).toHaveValue('4');
    await expect(toolbarOf(page).locator('.scale')).toHaveText('80%');
  });

  test('reports where the reader is', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(garden));
    await goTo(page, 3);
    await expect.poll(() => shown.callsOf('keepPosition').at(-1)?.page).toBe(3);
  });

  test('offers to print with another program', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(report));
    await focusPages(page);
    await page.getByRole('button', { name: 'Print with Another App…' }).click();
    await expect.poll(() => shown.callsOf('run')).toEqual([{ command: 'print' }]);
  });

  test('inverts pages in dark themes on request', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(report));
    await focusPages(page);
    await page.keyboard.press('i');
    await expect(page.locator('.container')).toHaveClass(/inverted/);
    await screenshot(page, 'pdf-inverted');
    await page.keyboard.press('i');
    await expect(page.locator('.container')).not.toHaveClass(/inverted/);
    expect(shown.callsOf('setInverted')).toEqual([{ inverted: true }, { inverted: false }]);
  });
});

test.describe('PDF with a password', () => {
  test('opens once the right password is entered', async ({ page, show }) => {
    const answers = ['sesame', 'reader'];
    const shown = await show('pdf', {
      ...pdfHost(await fixture('encrypted.pdf')),
      password: () => answers.shift() ?? null,
    });
    await expect(page.locator('.textLayer span', { hasText: 'Python' }).first()).toBeVisible();
    expect(shown.callsOf('password')).toEqual([{ wasWrong: false }, { wasWrong: true }]);
  });

  test('can be tried again when no password was entered', async ({ page, show }) => {
    const answers = [null, 'reader'];
    await show('pdf', {
      ...pdfHost(await fixture('encrypted.pdf')),
      password: () => answers.shift() ?? null,
    });
    await expect(page.getByRole('alert')).toHaveText('This PDF is password-protected.');
    await screenshot(page, 'pdf-password-declined');
    await page.getByRole('button', { name: 'Enter Password' }).click();
    await expect(page.locator('.textLayer span', { hasText: 'Python' }).first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('citations in a PDF', () => {
  const line = (page: number) => ({ page, rectangles: [{ page, x: 72, y: 698, width: 150, height: 12 }] });
  const marks = { marks: [line(1), line(3)], current: 0 };

  test('are all marked, and can be visited one after another', async ({ page, show }) => {
    await show('pdf', pdfHost(garden, { marks }));
    const toolbar = toolbarOf(page);
    await expect(toolbar).toContainText('Citation 1 of 2');
    await expect(page.locator('.side:visible')).toHaveCount(0);
    await expect(page.locator('.page[data-page-number="1"] .mark.current').first()).toBeVisible();
    await screenshot(page, 'pdf-citations');
    await toolbar.getByRole('button', { name: 'Next citation' }).click();
    await expect(toolbar).toContainText('Citation 2 of 2');
    await expect(page.locator('.page[data-page-number="3"] .mark.current').first()).toBeInViewport();
    await page.keyboard.press('p');
    await expect(toolbar).toContainText('Citation 1 of 2');
  });

  test('are brought into view when the open PDF is cited', async ({ page, show }) => {
    const { remote } = await show('pdf', pdfHost(garden));
    await focusPages(page);
    remote.notify('reveal', { ...marks, current: 1 });
    await expect(page.locator('.page[data-page-number="3"] .mark.current').first()).toBeInViewport();
    await expect(toolbarOf(page)).toContainText('Citation 2 of 2');
  });
});

test.describe('selection in a PDF', () => {
  test('can be added, and asked about', async ({ page, show }) => {
    const shown = await show('pdf', pdfHost(report));
    await page.locator('.textLayer span', { hasText: 'Memory fades' }).first().click({ clickCount: 3 });
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    await bar.getByRole('button', { name: 'Add Selection' }).click();
    await expect.poll(() => shown.callsOf('run').at(-1)).toEqual({ command: 'addSelection' });
    const { text, pages, runs } = await shown.remote.call('selection', {});
    expect(text).toMatch(/^Memory fades within a day unless it is reviewed\./);
    expect(pages).toBe('1');
    expect(runs.map(({ rectangle }) => rectangle.page)).toEqual([1]);
    await screenshot(page, 'pdf-selection');
    await page.keyboard.press('q');
    await expect.poll(() => shown.callsOf('run').at(-1)).toEqual({ command: 'askAboutSelection' });
  });

  test('shows its commands in the context menu only while there is one', async ({ page, show }) => {
    await show('pdf', pdfHost(report));
    const context = page.locator('.container');
    await page.locator('.textLayer span', { hasText: 'Memory fades' }).first().click({ clickCount: 3 });
    await expect(context).toHaveAttribute('data-vscode-context', '{"hasSelection":true}');
    await page.evaluate(() => document.getSelection()?.removeAllRanges());
    await expect(context).toHaveAttribute('data-vscode-context', '{"hasSelection":false}');
    await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeHidden();
  });
});
