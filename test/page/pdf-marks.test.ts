import type { Locator, Page } from '@playwright/test';
import type { Annotation } from '../../src/core/domain/annotation.ts';
import { annotatedByPdfium } from '../support/other-readers.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { EditedPdf } from './pdf-host.ts';

const report = tinyPdf({
  pages: [
    {
      lines: column(72, 700, [
        'Memory fades within a day unless it is reviewed.',
        'Sleep keeps new memories stable.',
      ]),
      drawing: '100 300 300 200 re S',
    },
    { lines: column(72, 700, ['Nothing else is known of it.']) },
  ],
});

/** Selects a line of the first page. */
async function selectLine(page: Page, words: string): Promise<void> {
  await page.locator('.textLayer span', { hasText: words }).first().click({ clickCount: 3 });
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible();
}

function annotation(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name });
}

/** Highlights the first line by a key. */
async function highlightFirstLine(page: Page): Promise<void> {
  await selectLine(page, 'Memory fades');
  await page.keyboard.press('h');
  await expect(annotation(page, /^Highlight: Memory fades/)).toBeVisible();
}

/** Draws a box in the middle of the window by keys. */
async function drawBox(page: Page): Promise<void> {
  await expect(page.locator('.textLayer').first()).toBeVisible();
  await page.locator('.container').focus();
  await page.keyboard.press('b');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(annotation(page, /^Box$/)).toBeVisible();
}

/** Returns what a PDF is wanted to hold, without the places of the marks. */
function wanted({ annotations }: EditedPdf): readonly (Omit<Annotation, 'quads'> | null)[] {
  return annotations.current.map(([, one]) => {
    if (one === null) return null;
    const { quads: _, ...rest } = one;
    return rest;
  });
}

const memory = {
  kind: 'highlight',
  page: 1,
  colour: '#ffe066',
  words: 'Memory fades within a day unless it is reviewed.',
  remark: '',
} as const;

test.describe('marks in a PDF', () => {
  test('highlight the selected words in the selected color', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    await show('pdf', pdf.script);
    await selectLine(page, 'Memory fades');
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('radio', { name: 'Green' }).click();
    await expect(annotation(page, /^Highlight: Memory fades within a day/)).toBeVisible();
    await expect.poll(() => wanted(pdf)).toEqual([{ ...memory, colour: '#a3e58f' }]);
  });

  test('change as the editor undoes and redoes them', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    const shown = await show('pdf', pdf.script);
    await highlightFirstLine(page);
    await selectLine(page, 'Sleep keeps');
    await page.keyboard.press('u');
    await expect(annotation(page, /^Underline: Sleep keeps/)).toBeVisible();
    await expect.poll(() => wanted(pdf)).toHaveLength(2);
    pdf.undo(shown);
    await expect(annotation(page, /^Underline/)).toHaveCount(0);
    await expect(annotation(page, /^Highlight:/)).toBeVisible();
    pdf.redo(shown);
    await expect(annotation(page, /^Underline: Sleep keeps/)).toBeVisible();
  });

  test('have a card for a comment', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    const shown = await show('pdf', pdf.script);
    await highlightFirstLine(page);
    await page.locator('.textLayer span', { hasText: 'Memory fades' }).first().click();
    const card = page.getByRole('dialog', { name: 'Highlight' });
    await card.getByRole('textbox', { name: 'Comment' }).fill('Ask Ünal about this');
    await lookInEachTheme(page, shown, 'pdf-marks-card');
    await card.getByRole('textbox', { name: 'Comment' }).press('Enter');
    await expect(card).toHaveCount(0);
    await expect.poll(() => wanted(pdf)).toEqual([{ ...memory, remark: 'Ask Ünal about this' }]);
  });

  test('open their card for a comment by a key', async ({ page, show }) => {
    await show('pdf', new EditedPdf(report).script);
    await selectLine(page, 'Memory fades');
    await page.keyboard.press('m');
    await expect(page.getByRole('dialog', { name: 'Highlight' }).getByRole('textbox')).toBeFocused();
  });

  test('save a comment after a pause in typing', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    await show('pdf', pdf.script);
    await selectLine(page, 'Memory fades');
    await page.keyboard.press('m');
    await page.keyboard.type('Unfinished');
    await expect.poll(() => wanted(pdf)).toEqual([{ ...memory, remark: 'Unfinished' }]);
    await expect(page.getByRole('textbox', { name: 'Comment' })).toBeFocused();
  });

  test('report a comment that is still being written when the editor saves', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    const { remote } = await show('pdf', pdf.script);
    await selectLine(page, 'Memory fades');
    await page.keyboard.press('m');
    await page.keyboard.type('Unfinished');
    await remote.call('flush', {});
    expect(wanted(pdf)).toEqual([{ ...memory, remark: 'Unfinished' }]);
  });

  test('change color by a key', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    await show('pdf', pdf.script);
    await highlightFirstLine(page);
    await annotation(page, /^Highlight: Memory/).focus();
    await page.keyboard.press('3');
    await expect.poll(() => wanted(pdf)).toEqual([{ ...memory, colour: '#9dd0ff' }]);
  });

  test('are removed by a key', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    await show('pdf', pdf.script);
    await highlightFirstLine(page);
    await annotation(page, /^Highlight: Memory/).press('Delete');
    await expect(annotation(page, /^Highlight:/)).toHaveCount(0);
    await expect.poll(() => wanted(pdf)).toEqual([null]);
    await expect(page.locator('.container')).toBeFocused();
  });

  test('are sent to a note with the words and the comment', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    await selectLine(page, 'Memory fades');
    await page.keyboard.press('m');
    await page.keyboard.type('Ask Ünal about this');
    await page
      .getByRole('dialog', { name: 'Highlight' })
      .getByRole('button', { name: 'Add to Note…' })
      .click();
    await expect
      .poll(() =>
        shown
          .callsOf('addMarked')
          .map(({ marked }) => marked.map(({ words, remark }) => ({ words, remark }))),
      )
      .toEqual([[{ words: memory.words, remark: 'Ask Ünal about this' }]]);
  });

  test('are sent to a note all at once, or only those selected', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    for (const words of ['Memory fades', 'Sleep keeps']) {
      await selectLine(page, words);
      await page.keyboard.press('h');
    }
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'Add All to Note…' }).click();
    const counts = (): number[] => shown.callsOf('addMarked').map(({ marked }) => marked.length);
    await expect.poll(counts).toEqual([2]);
    const options = page.getByRole('listbox', { name: 'Highlights' }).getByRole('option');
    await options.first().click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('button', { name: 'Add Selected to Note…' }).click();
    await expect.poll(counts).toEqual([2, 1]);
  });

  test('include those of other programs, which are read-only', async ({ page, show }) => {
    const bytes = await annotatedByPdfium(report, [
      { kind: 'freeText', page: 1, rect: [320, 690, 470, 715], remark: 'Compare with Ebbinghaus' },
    ]);
    await show('pdf', new EditedPdf(new Uint8Array(bytes)).script);
    await annotation(page, 'Text: Compare with Ebbinghaus').press('Enter');
    const card = page.getByRole('dialog', { name: 'Text' });
    await expect(card).toContainText('To change this annotation, use the app that created it.');
    await expect(card.getByRole('textbox')).toHaveCount(0);
    await screenshot(page, 'pdf-text-of-others');
    await page.keyboard.press('Escape');
    await expect(card).toHaveCount(0);
  });
});

test.describe('boxes in a PDF', () => {
  test('are drawn by keys, and sent to a note as a picture', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    const shown = await show('pdf', pdf.script);
    await drawBox(page);
    expect(wanted(pdf)).toEqual([{ ...memory, kind: 'box', words: '' }]);
    await annotation(page, /^Box$/).press('Enter');
    await screenshot(page, 'pdf-box-card');
    await page
      .getByRole('dialog', { name: 'Box' })
      .getByRole('button', { name: 'Add Image to Note…' })
      .click();
    await expect.poll(() => shown.callsOf('addMarked')).toHaveLength(1);
    expect(shown.callsOf('addMarked')[0]?.marked[0]?.picture).toBeDefined();
  });

  test('are not drawn when Escape is pressed', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    await show('pdf', pdf.script);
    await expect(page.locator('.textLayer').first()).toBeVisible();
    await page.keyboard.press('b');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect(page.locator('[aria-pressed="false"][aria-label="Draw a box (B)"]')).toBeVisible();
    expect(wanted(pdf)).toEqual([]);
  });
});

test.describe('list of highlights', () => {
  /** Highlights the first line with a comment, underlines the second, and opens the list. */
  async function openList(page: Page): Promise<Locator> {
    await selectLine(page, 'Memory fades');
    await page.keyboard.press('m');
    await page.keyboard.type('Ask Ünal about this');
    await page.keyboard.press('Enter');
    await selectLine(page, 'Sleep keeps');
    await page.keyboard.press('u');
    await expect(annotation(page, /^Underline: Sleep/)).toBeVisible();
    await page.keyboard.press('l');
    const entries = page.getByRole('listbox', { name: 'Highlights' }).getByRole('option');
    await expect(entries).toHaveCount(2);
    return entries;
  }

  test('is searchable, and opens a mark', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    const entries = await openList(page);
    await lookInEachTheme(page, shown, 'pdf-marks');
    const search = page.getByRole('textbox', { name: 'Search highlights' });
    await search.fill('ünal');
    await expect(entries).toHaveCount(1);
    await search.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(annotation(page, /^Highlight: Memory/)).toBeFocused();
    await page.setViewportSize({ width: 320, height: 700 });
    await screenshot(page, 'pdf-marks-narrow');
    await search.fill('Ebbinghaus');
    await expect(page.getByText('No results')).toBeVisible();
  });

  test('sends the selected marks to a note when its menu asks for them', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    const entries = await openList(page);
    await page.getByRole('textbox', { name: 'Search highlights' }).press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(entries.and(page.locator('[aria-selected="true"]'))).toHaveCount(2);
    await screenshot(page, 'pdf-marks-selected');
    shown.remote.notify('addListed', {});
    await expect
      .poll(() => shown.callsOf('addMarked').map(({ marked }) => marked.map(({ words }) => words)))
      .toEqual([[memory.words, 'Sleep keeps new memories stable.']]);
  });

  test('sends only the selected mark to a note', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    const entries = await openList(page);
    await page.getByRole('textbox', { name: 'Search highlights' }).press('ArrowDown');
    await expect(entries.and(page.locator('[aria-selected="true"]'))).toHaveCount(1);
    shown.remote.notify('addListed', {});
    await expect
      .poll(() => shown.callsOf('addMarked').map(({ marked }) => marked.map(({ words }) => words)))
      .toEqual([[memory.words]]);
  });

  test('sends all marks to a note when the list is closed', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    await openList(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Highlights (L)' }).click();
    await expect(page.getByRole('listbox', { name: 'Highlights' })).toBeHidden();
    shown.remote.notify('addListed', {});
    await expect.poll(() => shown.callsOf('addMarked').map(({ marked }) => marked.length)).toEqual([2]);
  });

  test('opens and says how to highlight when there are no marks to send', async ({ page, show }) => {
    const shown = await show('pdf', new EditedPdf(report).script);
    await expect(page.getByRole('button', { name: 'Highlights (L)' })).toBeVisible();
    shown.remote.notify('addListed', {});
    await expect(page.getByText('Select text in the PDF and press H to highlight it.')).toBeVisible();
    expect(shown.callsOf('addMarked')).toEqual([]);
  });

  test('removes the selected marks by a key', async ({ page, show }) => {
    const pdf = new EditedPdf(report);
    await show('pdf', pdf.script);
    const entries = await openList(page);
    await entries.first().press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await expect.poll(() => wanted(pdf)).toEqual([null, null]);
    await expect(page.getByText('Select text in the PDF and press H to highlight it.')).toBeVisible();
  });
});
