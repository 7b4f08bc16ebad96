import type { Page } from '@playwright/test';
import { readList } from '../support/l10n.mjs';
import type { Turn } from '../../src/core/domain/answer.ts';
import { testCitation } from '../support/test-citation.ts';
import { chatHost } from './chat-host.ts';
import { expect, screenshot, test } from './fixtures.ts';

const LONG_TEXT = `# pump\n\n${'The pump lifts sixty litres a minute from the well. '.repeat(30)}`.trim();

/** Enters a text into the question, and tells the page that it was pasted. */
async function paste(page: Page, before: string, text: string): Promise<void> {
  const input = page.getByLabel('Question', { exact: true });
  await input.fill(before + text);
  await input.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
}

/** Holds files and texts above the page, and drops them if `isDropped`. */
async function drag(
  page: Page,
  dropped: {
    readonly texts?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
  },
  isDropped = true,
): Promise<void> {
  await page.locator('textarea').evaluate(
    (element, { texts = {}, files = {}, events }) => {
      const dataTransfer = new DataTransfer();
      for (const [type, text] of Object.entries(texts)) dataTransfer.setData(type, text);
      for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));
      for (const type of events)
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    { ...dropped, events: isDropped ? ['dragenter', 'dragover', 'drop'] : ['dragenter', 'dragover'] },
  );
}

test.describe('content added in the chat', () => {
  test('adds a pasted link, and replaces it with a mention', async ({ page, show }) => {
    const url = 'https://example.org/anvil';
    const addGiven = () => [{ title: 'The anvil', kind: 'page' as const }];
    const shown = await show('chat', chatHost({}, { addDropped: addGiven }));
    const input = page.getByLabel('Question', { exact: true });
    await paste(page, 'When was it painted, says ', url);
    await expect(page.locator('.offer')).toContainText(/Add as a source: .*\/anvil/);
    await page.locator('.offer').getByRole('button', { name: 'Add', exact: true }).click();
    await expect(input).toHaveValue('When was it painted, says @"The anvil" ');
    await expect(page.locator('.offer')).toHaveCount(0);
    expect(shown.callsOf('addDropped')).toEqual([{ text: url }]);
  });

  test('adds long pasted text, and replaces it with a mention', async ({ page, show }) => {
    const addGiven = () => [{ title: 'pump', kind: 'text' as const }];
    const shown = await show('chat', chatHost({}, { addDropped: addGiven }));
    await paste(page, '', LONG_TEXT);
    await page.locator('.offer').getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByLabel('Question', { exact: true })).toHaveValue('@pump ');
    expect(shown.callsOf('addDropped')).toEqual([{ text: LONG_TEXT }]);
  });

  test('doesn’t offer to add short text', async ({ page, show }) => {
    await show('chat', chatHost());
    await paste(page, '', 'https://example.org/anvil');
    await expect(page.locator('.offer')).toBeVisible();
    await paste(page, '', 'When was the anvil painted?');
    await expect(page.locator('.offer')).toHaveCount(0);
  });

  test('adds and mentions dropped addresses', async ({ page, show }) => {
    const addGiven = () => [{ title: 'lib', kind: 'folder' as const }];
    const shown = await show('chat', chatHost({}, { addDropped: addGiven }));
    const texts = { 'text/uri-list': 'file:///project/lib' };
    await drag(page, { texts }, false);
    await expect(page.locator('.drop-target')).toContainText('Drop to add and mention sources');
    await drag(page, { texts });
    await expect(page.locator('.drop-target')).toHaveCount(0);
    await expect(page.getByLabel('Question', { exact: true })).toHaveValue('@lib ');
    expect(shown.callsOf('addDropped')).toEqual([{ uriList: texts['text/uri-list'], files: [] }]);
  });

  test('passes on the bytes of dropped files, and mentions them at the cursor', async ({ page, show }) => {
    const addGiven = () => [
      { title: 'box', kind: 'folder' as const },
      { title: 'pulley.md', kind: 'file' as const },
    ];
    const shown = await show('chat', chatHost({}, { addDropped: addGiven }));
    const input = page.getByLabel('Question', { exact: true });
    await input.fill('When was it painted, say');
    await drag(page, { files: { 'pulley.md': 'Green.' } });
    await expect(input).toHaveValue('When was it painted, say @box @pulley.md ');
    const [given] = shown.callsOf('addDropped');
    expect(given?.files?.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['pulley.md', 'Green.'],
    ]);
  });

  test('shows why something can’t be added', async ({ page, show }) => {
    const addGiven = (): never => {
      throw new Error('Can’t add mailto:a@b.c because it isn’t a file or a web page.');
    };
    await show('chat', chatHost({}, { addDropped: addGiven }));
    await drag(page, { texts: { 'text/uri-list': 'mailto:a@b.c' } });
    await expect(page.getByText('it isn’t a file or a web page')).toBeVisible();
  });
});

test.describe('a chat in a verbose language', () => {
  /** Makes words as long as those of the most verbose languages. */
  const lengthen = (words: string): string =>
    words.replace(/\p{L}+(?=\P{L}*$)/u, (last) => last + 'äö'.repeat(Math.ceil(words.length / 4)));
  const translation = Object.fromEntries(
    Object.entries(readList('bundle.l10n.json')).map(([key, words]) => [key, lengthen(words)]),
  );
  const excess = (page: Page): Promise<number> =>
    page.locator('body').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

  test.beforeEach(({ page }) => page.setViewportSize({ width: 300, height: 800 }));

  test('fits its width while it is empty', async ({ page, show }) => {
    await show('chat', chatHost({ model: undefined, sources: { ready: 0, working: 0 } }), { translation });
    await expect(page.locator('main')).toContainText('äöäö');
    await expect.poll(() => excess(page)).toBeLessThanOrEqual(0);
    await screenshot(page, 'language-long-empty');
  });

  test('fits its width with an answer', async ({ page, show }) => {
    const text = 'Tomatoes are watered every second morning.';
    const around = { text, headings: ['Garden'], marks: [], citations: [0], goesOn: false };
    const turn: Turn = {
      id: 'turn',
      question: 'How often are tomatoes watered?',
      askedAt: Date.UTC(2026, 4, 1),
      state: { kind: 'done', milliseconds: 900 },
      answer: {
        kind: 'quotes',
        text: 'This is what your sources say.',
        quotes: [{ citation: 0, format: 'markdown', languageId: undefined, around }],
        pages: [1],
        citations: [testCitation({ quote: text })],
      },
    };
    await show('chat', chatHost({ model: undefined, turns: [turn], offersModel: true }), { translation });
    await expect(page.locator('figure.quote')).toBeVisible();
    await expect(page.locator('.model-offer')).toContainText('äöäö');
    await expect.poll(() => excess(page)).toBeLessThanOrEqual(0);
    await screenshot(page, 'language-long-answer');
  });
});
