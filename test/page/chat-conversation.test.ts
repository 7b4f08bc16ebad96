import type { Locator, Page } from '@playwright/test';
import type { Turn } from '../../src/core/domain/answer.ts';
import { chatHost, makeExcerpts, makePanel, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, test, type Show } from './fixtures.ts';
import { sendChange, type NotifyingScript } from './page-host.ts';

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

/** Returns the state of a chat that shows a number of last turns. */
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

/** Scrolls a view down by a number of pixels, and resolves after its page has noticed. */
async function scrollBy(view: Locator, pixels: number): Promise<void> {
  await view.evaluate(
    (element, top) =>
      new Promise((resolve) => {
        element.addEventListener('scrollend', resolve, { once: true });
        element.scrollBy({ top, behavior: 'instant' });
      }),
    pixels,
  );
}

test.describe('Long conversation', () => {
  /** Shows the last page of turns, and one page more each time the reader asks for earlier ones. */
  const host = (): NotifyingScript<'chat'> => {
    let count = PAGE;
    return chatHost(lastTurns(count), (remote) => ({
      showEarlier: () => {
        const before = makePanel(lastTurns(count));
        count += PAGE;
        sendChange(remote, before, makePanel(lastTurns(count)));
      },
    }));
  };

  test('begins at its end', async ({ page, show }) => {
    await show('chat', host());
    await expect(page.locator('article.turn')).toHaveCount(PAGE);
    await expect(question(page, COUNT)).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Show earlier questions (150)' })).toBeAttached();
  });

  test('shows earlier questions when keys lead to its top, and stays there', async ({ page, show }) => {
    await show('chat', host());
    const log = page.getByRole('log');
    await log.focus();
    await page.keyboard.press('Home');
    await expect(question(page, 101)).toHaveCount(1);
    await expect(question(page, 151)).toBeInViewport();
    await expect.poll(() => distanceFromTop(question(page, 151), log)).toBeLessThan(60);
    await expect(question(page, 150)).not.toBeInViewport();
  });

  test('shows earlier questions by its button', async ({ page, show }) => {
    await show('chat', host());
    await page.getByRole('button', { name: 'Show earlier questions (150)' }).press('Enter');
    await expect(question(page, 101)).toHaveCount(1);
    await expect(page.getByRole('log')).toBeFocused();
    await expect(question(page, 151)).toBeInViewport();
  });

  test('shows earlier questions at its top with reduced motion', async ({ page, show }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await show('chat', host());
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
    const { y = 0 } = (await question(page, 195).boundingBox()) ?? {};
    await scrollBy(log, y);
    const before = await distanceFromTop(question(page, 195), log);
    await page.reload();
    await expect(question(page, 195)).toBeInViewport();
    await expect
      .poll(async () => Math.abs((await distanceFromTop(question(page, 195), log)) - before))
      .toBeLessThan(4);
  });

  test('is kept with the turns when the sources change', async ({ page, show }) => {
    const before = makePanel(lastTurns(10));
    const { remote } = await show('chat', chatHost(lastTurns(10)));
    const log = page.getByRole('log');
    await expect(question(page, COUNT)).toBeInViewport();
    await scrollBy(log, (await question(page, 195).boundingBox())?.y ?? 0);
    const distance = await distanceFromTop(question(page, 195), log);
    const articles = await page.locator('article.turn').elementHandles();
    const change = {
      turnId: '200',
      kind: 'removed',
      citation: 0,
      title: 'garden.md',
      version: undefined,
    } as const;
    sendChange(remote, before, { ...before, sources: { ready: 2, working: 1 }, citationChanges: [change] });
    await expect(page.locator('.changed-sources')).toHaveCount(1);
    await expect(page.locator('article.turn')).toHaveCount(10);
    for (const article of articles)
      expect(await article.evaluate((element) => element.isConnected)).toBe(true);
    expect(await distanceFromTop(question(page, 195), log)).toBeCloseTo(distance, 0);
  });

  /**
   * Shows a chat, asks one more question, and returns a function that lets its answer grow to a number of paragraphs.
   */
  const showGrowing = async (show: Show): Promise<(paragraphs: number) => void> => {
    const { remote } = await show('chat', chatHost({ turns: turns.slice(-10), earlier: 0 }));
    const next = makeTurn({ id: 'next', question: 'What else?', state: { kind: 'answering' } });
    remote.notify('turnChanged', { turn: next });
    return (paragraphs) =>
      remote.notify('answerEvent', {
        turnId: 'next',
        event: {
          kind: 'started',
          answer: makeWrittenAnswer([`Paragraph.\n\n`.repeat(paragraphs), 'The end.']),
        },
      });
  };
  const findQuestion = (page: Page): Locator => page.locator('.question', { hasText: 'What else?' });

  test('stays at the question while a long answer grows', async ({ page, show }) => {
    const grow = await showGrowing(show);
    grow(2);
    await expect(page.getByText('The end.')).toBeInViewport();
    for (const paragraphs of [40, 80]) {
      grow(paragraphs);
      await expect(page.getByText('Paragraph.')).toHaveCount(paragraphs);
      await expect(findQuestion(page)).toBeInViewport();
      await expect(page.getByText('Paragraph.').first()).toBeInViewport();
      await expect(page.getByText('The end.')).not.toBeInViewport();
    }
    expect(await distanceFromTop(findQuestion(page), page.getByRole('log'))).toBeLessThan(60);
  });

  test('stays at the question when excerpts appear', async ({ page, show }) => {
    const { remote } = await show('chat', chatHost({ turns: turns.slice(-10), earlier: 0 }));
    const asking = { id: 'next', question: 'What else?' };
    remote.notify('turnChanged', { turn: makeTurn({ ...asking, state: { kind: 'answering' } }) });
    const marked = 'The wheel turns.';
    const excerpts = Array.from({ length: 12 }, (_, index) => ({
      ...{ text: `${marked} ${'The miller sleeps. '.repeat(20)}`, heading: `Day ${String(index)}`, marked },
    }));
    remote.notify('turnChanged', { turn: makeTurn({ ...asking, answer: makeExcerpts(excerpts) }) });
    await expect(page.getByText('Day 11')).toBeAttached();
    await expect(findQuestion(page)).toBeInViewport();
    await expect(page.getByText('Day 0')).toBeInViewport();
    await expect(page.getByText('Day 11')).not.toBeInViewport();
  });

  test('follows the end of a growing answer once the reader is there', async ({ page, show }) => {
    const grow = await showGrowing(show);
    grow(40);
    await expect(page.getByText('Paragraph.')).toHaveCount(40);
    await page.getByRole('log').focus();
    await page.keyboard.press('End');
    grow(80);
    await expect(page.getByText('Paragraph.')).toHaveCount(80);
    await expect(page.getByText('The end.')).toBeInViewport();
    grow(120);
    await expect(page.getByText('Paragraph.')).toHaveCount(120);
    await expect(page.getByText('The end.')).toBeInViewport();
  });

  for (const [direction, pixels] of [
    ['up', -300],
    ['down', 300],
  ] as const)
    test(`stays where the reader scrolled ${direction} while an answer grows`, async ({ page, show }) => {
      const grow = await showGrowing(show);
      grow(40);
      await expect(page.getByText('Paragraph.')).toHaveCount(40);
      const log = page.getByRole('log');
      await scrollBy(log, pixels);
      const before = await distanceFromTop(findQuestion(page), log);
      expect(before).toBeGreaterThan(200);
      grow(80);
      await expect(page.getByText('Paragraph.')).toHaveCount(80);
      expect(Math.abs((await distanceFromTop(findQuestion(page), log)) - before)).toBeLessThan(4);
    });

  test('is the question of the newest answer when a conversation is opened', async ({ page, show }) => {
    const long = makeWrittenAnswer([`Paragraph.\n\n`.repeat(60), 'The end.']);
    const newest = makeTurn({ id: 'newest', question: 'What else?', answer: long });
    await show('chat', chatHost({ turns: [...turns.slice(0, 5), newest], earlier: 0 }));
    await expect(findQuestion(page)).toBeInViewport();
    await expect(page.getByText('Paragraph.').first()).toBeInViewport();
  });
});

test.describe('Chat whose state is late', () => {
  test('says that it is loading, and requests the state again when it is shown', async ({ page, show }) => {
    let requests = 0;
    await show(
      'chat',
      chatHost({}, (remote) => ({
        ready() {
          if (requests++ === 0) return new Promise(() => undefined);
          sendChange(remote, undefined, makePanel(lastTurns(1)));
          return { draft: '', insertTarget: undefined };
        },
      })),
    );
    await expect(page.getByText('Loading the conversation…')).toBeVisible();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(question(page, COUNT)).toBeVisible();
    await expect(page.getByText('Loading the conversation…')).toBeHidden();
  });
});
