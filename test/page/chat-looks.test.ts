import type { Page } from '@playwright/test';
import { testCitation } from '../support/test-citation.ts';
import { chatHost, makeExcerpts, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';

const cited = [
  testCitation({ title: 'water.ts', mediaType: 'text/plain', place: 'L3–4' }),
  testCitation({ number: 2, sourceId: 'garden', place: 'Watering, L5' }),
  testCitation({ number: 3, sourceId: 'report', title: 'report.pdf', mediaType: 'application/pdf' }),
];

const written = makeWrittenAnswer(
  [
    '## Watering\n\n',
    { text: 'Tomatoes are watered every second morning.', citations: [1, 2] },
    ' ',
    { text: 'Basil keeps the **white fly** away from their leaves.', citations: [1], moved: true },
    ' ',
    { text: 'Roses are pruned in winter.', verdict: 'not-found', checkedBy: 'scripted-1' },
    ' ',
    {
      text: 'The compost is never turned, while penguins swim.',
      verdict: 'partly',
      missing: 'while penguins swim',
      checkedBy: 'scripted-1',
    },
    ' ',
    { text: 'Basil needs no water.', verdict: 'contradicted', checkedBy: 'scripted-1' },
    ' ',
    { text: 'The barrel holds 900 litres.', verdict: 'unchecked', missing: '900' },
    ' ',
    { text: 'It was a gift.', verdict: 'unchecked', citations: [] },
    '\n\n- ',
    { text: 'A dry week doubles what the tomatoes drink.' },
    '\n\n```ts\nconst need = litres(6, true); // a line of code that is wider than any panel can be\n```\n',
  ],
  { citations: cited, read: [], searches: ['litres dry week'] },
);

const excerpts = makeExcerpts([
  { text: '| plant | litres |\n|---|---|\n| tomato | 2 |\n', heading: 'Watering' },
  { text: 'Basil keeps the white fly away.', heading: 'Basil', marked: 'Basil keeps the white fly away.' },
]);

const failed = {
  kind: 'failed',
  failure: { message: '127.0.0.1 doesn’t answer.', action: 'pickModel' },
} as const;

const conversation = {
  turns: [
    makeTurn({ id: 'excerpts', answer: excerpts }),
    makeTurn({ id: 'failed', question: 'Why?', state: failed }),
    makeTurn({ id: 'stopped', question: 'And then?', state: { kind: 'stopped' }, answer: written }),
    makeTurn({ id: 'written', answer: written, rating: 'good' }),
  ],
  offersModel: true,
};

/** Returns how far the conversation reaches beyond its view to the side, in pixels. */
async function overflow(page: Page): Promise<number> {
  return await page.getByRole('log').evaluate((view) => view.scrollWidth - view.clientWidth);
}

test.describe('Chat', () => {
  test('is accessible in every theme', async ({ page, show }) => {
    const suggestions = (): string[] => ['What does garden.md say about Basil?'];
    const shown = await show(
      'chat',
      chatHost({ ...conversation, insertTarget: 'garden.ts' }, { suggestions }),
    );
    await page.locator('.chip').last().focus();
    await expect(page.locator('.card mark')).toBeVisible();
    await lookInEachTheme(page, shown, 'chat');
  });

  test('is accessible in every theme when it is empty', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ sources: { ready: 0, working: 0 } }));
    await expect(page.getByRole('heading')).toBeVisible();
    await lookInEachTheme(page, shown, 'chat-empty');
  });

  test('breaks lines of an answer after at most 72 characters', async ({ page, show }) => {
    await page.setViewportSize({ width: 1400, height: 800 });
    await show('chat', chatHost(conversation));
    const columns = await page
      .locator('.answer')
      .last()
      .evaluate((answer) => {
        const zero = document.createElement('span');
        zero.textContent = '0'.repeat(10);
        answer.append(zero);
        return (answer.getBoundingClientRect().width * 10) / zero.getBoundingClientRect().width;
      });
    expect(columns).toBeLessThanOrEqual(72.1);
    expect(columns).toBeGreaterThan(60);
  });

  for (const width of [450, 240, 165])
    test(`fits a width of ${String(width)} pixels`, async ({ page, show }) => {
      await page.setViewportSize({ width, height: 700 });
      await show('chat', chatHost(conversation));
      const copy = page.getByRole('button', { name: 'Copy as Markdown' }).last();
      await copy.scrollIntoViewIfNeeded();
      await expect(copy).toBeInViewport();
      await expect(page.getByLabel('Question', { exact: true })).toBeInViewport();
      expect(await overflow(page)).toBe(0);
      await screenshot(page, `chat-${String(width)}`);
    });

  test('moves actions into a menu in a narrow view', async ({ page, show }) => {
    await page.setViewportSize({ width: 240, height: 700 });
    const shown = await show(
      'chat',
      chatHost({ turns: [makeTurn({ answer: written })] }, { rate: () => undefined }),
    );
    const rate = page.getByRole('button', { name: 'Good answer' });
    await expect(rate).toBeHidden();
    await page.getByRole('button', { name: 'More actions' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Fewer actions' })).toBeFocused();
    await rate.press('Enter');
    await expect.poll(() => shown.callsOf('rate')).toHaveLength(1);
    shown.remote.notify('turnChanged', { turn: makeTurn({ answer: written, rating: 'good' }) });
    await expect(page.getByRole('button', { name: 'Good answer (selected)' })).toBeFocused();
    await screenshot(page, 'chat-more-actions');
  });
});

test.describe('Answer', () => {
  test('runs from right to left in Arabic, and its code from left to right', async ({ page, show }) => {
    const answer = makeWrittenAnswer([
      { text: 'الطماطم تسقى كل صباح ثان.' },
      '\n\n```ts\nconst a = 1;\n```\n',
    ]);
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('p[dir=auto]', { hasText: 'الطماطم' })).toHaveCSS('direction', 'rtl');
    await expect(page.locator('pre')).toHaveCSS('direction', 'ltr');
  });

  test('shows its progress in words with reduced motion', async ({ page, show }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await show('chat', chatHost({ turns: [makeTurn({ state: { kind: 'answering' } })] }));
    await expect(page.locator('p.progress')).toHaveText('Reading the sources…');
    await expect(page.locator('p.progress vscode-progress-ring')).toBeHidden();
  });

  test('is read by keys alone', async ({ page, show }) => {
    const answer = makeWrittenAnswer([{ text: 'Tomatoes are watered every second morning.' }]);
    const shown = await show(
      'chat',
      chatHost({ turns: [makeTurn({ answer })] }, { openCitation: () => undefined }),
    );
    await page.getByLabel('Question', { exact: true }).focus();
    const chip = page.locator('.chip');
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Shift+Tab');
      if (await chip.evaluate((element) => element === document.activeElement)) break;
    }
    await expect(chip).toBeFocused();
    await expect(page.locator('.card mark')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.locator('.card').getByRole('region', { name: 'Passage' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.locator('.card')).toHaveCount(0);
    await expect(chip).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => shown.callsOf('openCitation')).toHaveLength(1);
  });
});
