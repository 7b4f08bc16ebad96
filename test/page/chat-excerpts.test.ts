import { testCitation } from '../support/test-citation.ts';
import { chatHost, makeExcerpts, makeTurn } from './chat-host.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';

const still = 'The wheel stands still once the sluice is shut.';

test.describe('Top excerpts', () => {
  test('appear below their headings with the answering sentence marked', async ({ page, show }) => {
    const text = `\`\`\`sh\nmill stop --now\n\`\`\`\n\n${still} Nobody touches it before that.\n`;
    const answer = makeExcerpts([{ text, heading: 'Stopping', marked: still }]);
    const shown = await show(
      'chat',
      chatHost({ turns: [makeTurn({ answer })], model: undefined }, { openCitation: () => undefined }),
    );
    const excerpt = page.locator('section.quoted');
    await expect(excerpt.locator('h3 span')).toHaveText(['garden.md', 'Stopping']);
    await expect(excerpt.locator('mark')).toHaveText(still);
    await expect(excerpt.locator('pre')).toContainText('mill stop --now');
    await expect(page.getByRole('button', { name: 'Excerpts only' })).toBeVisible();
    await excerpt.locator('.chip').click();
    await expect
      .poll(() => shown.callsOf('openCitation'))
      .toEqual([{ turnId: 'turn', citation: 0, beside: false }]);
  });

  test('keep the words of their headings whole in a narrow panel', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 600 });
    const citations = [testCitation({ number: 1, title: 'mills/sluices/of-water.md', quote: still })];
    const answer = makeExcerpts([{ text: still, heading: 'Instructions', marked: still }], { citations });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const heading = page.locator('section.quoted h3');
    await expect(heading).toHaveText('mills/sluices/of-water.md Instructions');
    const lines = await heading
      .locator('span')
      .last()
      .evaluate((span) => {
        const word = document.createRange();
        word.selectNodeContents(span);
        return word.getClientRects().length;
      });
    expect(lines).toBe(1);
  });

  test('show the nearest of many headings, each above it in one line', async ({ page, show }) => {
    await page.setViewportSize({ width: 300, height: 600 });
    const headings = [
      'Mills of the valley',
      'Sluices',
      'Closing them by hand before the flood comes',
      'Order',
    ];
    const { quotes, ...excerpts } = makeExcerpts([{ text: still, heading: 'Order', marked: still }]);
    const answer = {
      ...excerpts,
      quotes: quotes.map((quote) => ({
        ...quote,
        ...(quote.around && { around: { ...quote.around, headings } }),
      })),
    };
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const heading = page.locator('section.quoted h3');
    await expect(heading.locator('span')).toHaveText(['garden.md', '…', headings[2] ?? '', 'Order']);
    await expect(heading).toHaveAttribute('title', ['garden.md', ...headings].join(' › '));
    const { lines, isClipped } = await heading
      .locator('span')
      .nth(2)
      .evaluate((span) => ({
        lines: Math.round(span.clientHeight / Number.parseFloat(getComputedStyle(span).lineHeight)),
        isClipped: span.scrollWidth > span.clientWidth,
      }));
    expect({ lines, isClipped }).toEqual({ lines: 1, isClipped: true });
  });

  test('name the title of a page and its heading once', async ({ page, show }) => {
    const { quotes, ...excerpts } = makeExcerpts([{ text: still, heading: 'Feeding', marked: still }], {
      citations: [testCitation({ number: 1, title: 'Bees', place: 'Feeding', quote: still })],
    });
    const headings = ['Bees', 'Feeding'];
    const answer = {
      ...excerpts,
      quotes: quotes.map((quote) => ({
        ...quote,
        ...(quote.around && { around: { ...quote.around, headings } }),
      })),
    };
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('.quote figcaption')).toHaveText(/^1\s*Bees\s*Feeding\s*$/);
  });

  test('appear in pages', async ({ page, show }) => {
    const rooms = Array.from({ length: 14 }, (_, i) => ({
      text: `In room ${String(i + 1)} a lantern hangs over the door.`,
      heading: `Room ${String(i + 1)}`,
    }));
    const { quotes, ...excerptsOfRooms } = makeExcerpts(rooms, { pages: [8, 4, 2] });
    // An excerpt with two citations still counts once.
    const twice = quotes.map((quote, i) =>
      i === 0 && quote.around ? { ...quote, around: { ...quote.around, citations: [0, 1] } } : quote,
    );
    const answer = { ...excerptsOfRooms, quotes: twice };
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const excerpts = page.locator('section.quoted');
    const more = page.getByRole('button', { name: 'Show more excerpts' });
    await expect(excerpts).toHaveCount(8);
    await expect(page.locator('.summary')).toContainText('8 excerpts');
    await expect(page.locator('.chip').last()).toHaveText('8');
    await more.press('Enter');
    await expect(excerpts).toHaveCount(12);
    await more.click();
    await expect(excerpts).toHaveCount(14);
    await expect(more).toHaveCount(0);
  });

  test('show a row of a table below its header', async ({ page, show }) => {
    const header = '| Pump | Litres |\n| --- | --- |';
    const answer = makeExcerpts([], {
      quotes: [{ citation: 0, format: 'markdown', languageId: undefined, header }],
      pages: undefined,
      citations: [testCitation({ quote: '| South | 386 |' })],
    });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('figure.quote th')).toHaveText(['Pump', 'Litres']);
    await expect(page.locator('figure.quote td')).toHaveText(['South', '386']);
  });

  test('of a summary name each source once', async ({ page, show }) => {
    const quote = { format: 'prose', languageId: undefined } as const;
    const citations = [
      testCitation({ number: 1, title: 'garden.md', documentId: 1, quote: 'Tomatoes are watered.' }),
      testCitation({ number: 2, title: 'garden.md', documentId: 1, quote: 'Basil is planted.' }),
      testCitation({
        number: 3,
        title: 'water.ts',
        sourceId: 'water',
        documentId: 2,
        quote: 'Litres that a bed needs.',
      }),
    ];
    const answer = makeExcerpts([], {
      text: 'Excerpts from the beginnings and the sections of 2 sources:',
      quotes: citations.map((_, citation) => ({ citation, ...quote })),
      pages: undefined,
      citations,
    });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('.answer > p')).toHaveText(
      'Excerpts from the beginnings and the sections of 2 sources:',
    );
    await expect(page.locator('section.quoted h3')).toHaveText(['garden.md', 'water.ts']);
    await expect(page.locator('figure.quote')).toHaveCount(3);
    await expect(page.locator('.summary')).toContainText('3 excerpts · 2 sources');
  });
});

test.describe('Question that matches nothing', () => {
  const answer = {
    kind: 'nothing',
    text: 'Your question doesn’t match anything in bees.md. Try different words, or search the whole notebook.',
    citations: [],
  } as const;

  test('offers sources to add', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('.answer')).toHaveText(answer.text);
    await page.getByRole('button', { name: 'Add Files' }).click();
    await page.getByRole('button', { name: 'Add Web Page' }).click();
    await expect.poll(() => shown.callsOf('run')).toEqual([{ command: 'addFiles' }, { command: 'addPage' }]);
    await expect(page.getByText('Ask the whole notebook')).toHaveCount(0);
  });

  test('is asked of the whole notebook after a single source was searched', async ({ page, show }) => {
    const turn = makeTurn({ answer, scope: { kind: 'sources', sourceIds: ['bees'], mentioned: true } });
    const shown = await show('chat', chatHost({ turns: [turn] }, { retry: () => undefined }));
    await expect(page.locator('.summary')).toContainText('search scope: 1 source');
    await page.getByRole('button', { name: 'Ask the whole notebook' }).click();
    await expect.poll(() => shown.callsOf('retry')).toEqual([{ turnId: 'turn', whole: true }]);
  });
});

test.describe('Long excerpt', () => {
  const sentences = Array.from(
    { length: 40 },
    (_, i) => `Bed ${String(i)} is watered from the barrel behind the shed every second morning.`,
  ).join(' ');
  const rows = Array.from({ length: 30 }, (_, i) => `| Bed ${String(i)}. | 1,${String(100 + i)}.5 |`).join(
    '\n',
  );

  test('shows the sentences that match, and the rest on request', async ({ page, show }) => {
    const answer = makeExcerpts([{ text: sentences, heading: 'Beds', marked: 'Bed 20 is watered' }]);
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const quote = page.locator('figure.quote blockquote');
    await expect(quote).toContainText('Bed 19');
    await expect(quote).not.toContainText('Bed 2 is');
    const { lineHeight, height } = await quote.evaluate((element) => ({
      lineHeight: parseFloat(getComputedStyle(element).lineHeight),
      height: element.clientHeight,
    }));
    expect(height / lineHeight).toBeLessThan(18);
    await page.getByRole('button', { name: '… Show more' }).first().press('Enter');
    await expect(quote).toContainText('Bed 0 is');
    await expect(quote).toContainText('Bed 39 is');
    await expect(quote.locator('mark')).toHaveText('Bed 20 is watered');
    await page.getByRole('button', { name: 'Show less' }).click();
    await expect(quote).not.toContainText('Bed 39 is');
  });

  test('shows the rows of a table that match, below its header', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 900 });
    const text = `| Bed of the garden behind the shed | Litres |\n| --- | --- |\n${rows}\n`;
    const answer = makeExcerpts([{ text, heading: 'Beds', marked: '| Bed 20. | 1,120.5 |' }]);
    const shown = await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const table = page.locator('figure.quote table');
    await expect(table.locator('tr')).toHaveText([
      /Bed of the garden.*Litres/,
      '19 more rows',
      'Bed 19.1,119.5',
      'Bed 20.1,120.5',
      'Bed 21.1,121.5',
      '8 more rows',
    ]);
    await expect(table.locator('mark')).toHaveText(['Bed 20.', '1,120.5']);
    await expect(table.locator('td.number').first()).toHaveCSS('text-align', 'end');
    await table.getByRole('button', { name: '8 more rows' }).click();
    await expect(table.locator('tr')).toHaveCount(13);
    await expect(page.getByRole('region', { name: 'Table' })).toBeFocused();
    await lookInEachTheme(page, shown, 'chat-table');
  });

  test('shows rows of a table without its header', async ({ page, show }) => {
    const text = `Litres by bed:\n\n${rows.split('\n').slice(0, 3).join('\n')}\n`;
    await show(
      'chat',
      chatHost({ turns: [makeTurn({ answer: makeExcerpts([{ text, heading: 'Beds' }]) })] }),
    );
    await expect(page.locator('figure.quote th')).toHaveCount(0);
    await expect(page.locator('figure.quote tr')).toHaveCount(3);
    await expect(page.locator('figure.quote')).not.toContainText('|');
  });
});
