import type { Locator, Page } from '@playwright/test';
import type { Turn } from '../../src/notebook/answer.ts';
import { chatHost, makePanel, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, test } from './fixtures.ts';
import type { ShownPage } from './page-host.ts';

type Shown = ShownPage<'chat'>;

const COUNT = 200;
const PAGE = 50;

const answer = makeWrittenAnswer(
  ['Tomatoes are watered.', '\n\n', 'Basil is planted.', '\n\n', 'The compost is turned.'].map((text) =>
    text.trim() === '' ? text : { text },
  ),
);
const turns: readonly Turn[] = Array.from({ length: COUNT }, (_, i) =>
  makeTurn({ id: String(i + 1), question: `Question ${String(i + 1)}?`, answer }),
);

/** Returns the state of a chat that shows the last turns, so many of them. */
function lastTurns(count: number): { readonly turns: readonly Turn[]; readonly earlier: number } {
  return { turns: turns.slice(-count), earlier: COUNT - count };
}

function question(page: Page, number: number): Locator {
  return page.locator('.question', { hasText: `Question ${String(number)}?` });
}

async function distanceFromTop(inner: Locator, view: Locator): Promise<number> {
  const [place, around] = [await inner.boundingBox(), await view.boundingBox()];
  return Math.abs((place?.y ?? Infinity) - (around?.y ?? 0));
}

test.describe('Long conversation', () => {
  /** Shows the last page of turns, and one page more each time the reader asks for earlier ones. */
  const host = (): ReturnType<typeof chatHost> & { connect(shown: Shown): void } => {
    let count = PAGE;
    let shown: Shown | undefined;
    return {
      ...chatHost(lastTurns(count), {
        showEarlier: () => {
          count += PAGE;
          shown?.remote.notify('stateChanged', makePanel(lastTurns(count)));
        },
      }),
      connect: (one) => {
        shown = one;
      },
    };
  };

  test('begins at its end', async ({ page, show }) => {
    const script = host();
    script.connect(await show('chat', script));
    await expect(page.locator('article.turn')).toHaveCount(PAGE);
    await expect(question(page, COUNT)).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Show earlier questions (150)' })).toBeAttached();
  });

  test('shows earlier questions when keys lead to its top, and stays there', async ({ page, show }) => {
    const script = host();
    script.connect(await show('chat', script));
    const log = page.getByRole('log');
    await log.focus();
    await page.keyboard.press('Home');
    await expect(question(page, 101)).toHaveCount(1);
    await expect(question(page, 151)).toBeInViewport();
    await expect.poll(() => distanceFromTop(question(page, 151), log)).toBeLessThan(60);
    await expect(question(page, 150)).not.toBeInViewport();
  });

  test('shows earlier questions by its button', async ({ page, show }) => {
    const script = host();
    script.connect(await show('chat', script));
    await page.getByRole('button', { name: 'Show earlier questions (150)' }).press('Enter');
    await expect(question(page, 101)).toHaveCount(1);
    await expect(page.getByRole('log')).toBeFocused();
    await expect(question(page, 151)).toBeInViewport();
  });

  test('shows earlier questions at its top with reduced motion', async ({ page, show }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const script = host();
    script.connect(await show('chat', script));
    await page.getByRole('log').evaluate((view) => {
      view.scrollTop = 0;
    });
    await expect(question(page, 101)).toHaveCount(1);
    await expect(question(page, 151)).toBeInViewport();
  });
});

test.describe('Reading position', () => {
  test('is kept when the page was hidden', async ({ page, show }) => {
    await show('chat', chatHost(lastTurns(10)));
    const log = page.getByRole('log');
    await expect(question(page, COUNT)).toBeInViewport();
    const ended = log.evaluate(
      (view) =>
        new Promise((resolve) => {
          view.addEventListener('scrollend', resolve, { once: true });
        }),
    );
    await question(page, 195).evaluate((heading) => heading.scrollIntoView());
    await ended;
    const before = await distanceFromTop(question(page, 195), log);
    await page.reload();
    await expect(question(page, 195)).toBeInViewport();
    await expect
      .poll(async () => Math.abs((await distanceFromTop(question(page, 195), log)) - before))
      .toBeLessThan(4);
  });

  test('follows an answer that grows until the reader scrolls up', async ({ page, show }) => {
    const { remote } = await show('chat', chatHost(lastTurns(10)));
    const next = makeTurn({ id: 'next', question: 'What else?', state: { kind: 'answering' } });
    remote.notify('turnChanged', { turn: next });
    const grow = (lines: number): void =>
      remote.notify('answerEvent', {
        turnId: 'next',
        event: { kind: 'started', answer: makeWrittenAnswer([`Line.\n\n`.repeat(lines), 'The end.']) },
      });
    grow(40);
    await expect(page.getByText('The end.')).toBeInViewport();
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -300);
    await expect(page.getByText('The end.')).not.toBeInViewport();
    grow(80);
    await expect(page.getByText('Line.')).toHaveCount(80);
    await expect(page.getByText('The end.')).not.toBeInViewport();
  });
});
