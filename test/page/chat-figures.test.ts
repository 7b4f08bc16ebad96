import type { FigureSource } from '../../src/core/rpc/figure.ts';
import type { Answer, Turn } from '../../src/core/domain/answer.ts';
import { figurePdf } from '../support/figure-pdf.ts';
import { testCitation } from '../support/test-citation.ts';
import { chatHost } from './chat-host.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import type { NotifyingScript } from './page-host.ts';
import { pdfView } from './pdf-host.ts';

const caption = 'Figure 3: Results of the northern station by year.';

/** Answers a chat whose only excerpt cites Figure 3, drawn from `source`. */
function figureHost(source: () => FigureSource): NotifyingScript<'chat'> {
  const quote = 'As Figure 3 shows, leakage rises steeply once the frost sets in.';
  const citation = testCitation({ quote, figure: { name: 'Figure 3', words: caption, start: 0 } });
  const answer: Answer = {
    kind: 'quotes',
    text: 'This is what your sources say.',
    quotes: [{ citation: 0, format: 'markdown', languageId: undefined }],
    pages: [1],
    citations: [citation],
  };
  const turn: Turn = {
    id: 'turn',
    question: 'How does leakage rise with frost?',
    askedAt: Date.UTC(2026, 4, 1),
    state: { kind: 'done', milliseconds: 900 },
    answer,
  };
  return chatHost({ turns: [turn] }, { figure: source, openFigure: () => undefined });
}

/** Page of the report with the figure. */
const drawnOnPage: FigureSource = {
  kind: 'page',
  file: 'report',
  pdf: pdfView(figurePdf()),
  password: undefined,
  page: 3,
  caption: [{ page: 3, x: 160, y: 398, width: 200, height: 11 }],
};

test.describe('figure of an excerpt', () => {
  test('is drawn from the page of its PDF, with its caption as the description', async ({ page, show }) => {
    const shown = await show(
      'chat',
      figureHost(() => drawnOnPage),
    );
    const picture = page.locator('.figure img');
    await expect(picture).toBeVisible();
    await expect(picture).toHaveAttribute('alt', caption);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(400);
    await lookInEachTheme(page, shown, 'figure-excerpt');
  });

  test('fits into a narrow side bar', async ({ page, show }) => {
    await page.setViewportSize({ width: 170, height: 700 });
    await show(
      'chat',
      figureHost(() => drawnOnPage),
    );
    const picture = page.locator('.figure img');
    await picture.scrollIntoViewIfNeeded();
    expect((await picture.boundingBox())?.width).toBeLessThan(170);
    await screenshot(page, 'figure-narrow');
  });

  test('opens in its source by a key', async ({ page, show }) => {
    const shown = await show(
      'chat',
      figureHost(() => drawnOnPage),
    );
    await page.locator('.figure').getByRole('button').press('Enter');
    await expect
      .poll(() => shown.callsOf('openFigure'))
      .toEqual([{ turnId: 'turn', citation: 0, beside: false }]);
  });

  test('says why an image of too many pixels isn’t shown', async ({ page, show }) => {
    const huge = Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      Buffer.from('000075300000753008060000000000000000', 'hex'),
      Buffer.alloc(64),
    ]);
    await show(
      'chat',
      figureHost(() => ({ kind: 'image', mediaType: 'image/png', bytes: Uint8Array.from(huge) })),
    );
    await expect(page.locator('.figure')).toContainText('too many pixels');
  });
});
