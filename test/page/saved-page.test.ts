import type { SavedPageView, StoredPassage } from '../../src/features/pdf/protocol.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';
import type { HostScript } from './page-host.ts';

/** Answers a page with a saved copy of a web page. */
function savedPage(markdown: string): HostScript<'page'> {
  const view: SavedPageView = {
    state: { documentId: 1, notebook: '' },
    title: 'The lecture',
    url: 'https://garden.example/lecture',
    fileName: undefined,
    savedAt: Date.UTC(2026, 4, 1),
    byline: undefined,
    markdown,
    mark: undefined,
  };
  return { ready: () => view, used: () => undefined };
}

test.describe('Saved web page', () => {
  test('draws formulas and leaves prices', async ({ page, show }) => {
    await show(
      'page',
      savedPage(
        '# The lecture\n\nA ticket costs \\$5, or \\$10 at the door. It says $E = mc^2$.\n\n$$\n\\frac{a}{b}\n$$\n',
      ),
    );
    await expect(page.locator('.formula .katex-html')).toHaveCount(2);
    await expect(page.locator('article')).toContainText('costs $5, or $10 at the door');
  });

  test('notifies the extension when it gets the focus', async ({ page, show }) => {
    const shown = await show('page', savedPage('# The lecture\n\nIt is long.\n'));
    const article = page.locator('article');
    await expect(article).toContainText('It is long.');
    expect(shown.callsOf('used')).toEqual([]);
    await article.click();
    await article.click();
    await expect.poll(() => shown.callsOf('used')).toEqual([{}]);
  });

  test('shows the cited version of a passage', async ({ page, show }) => {
    const text = '| Bed | Water |\n| --- | --- |\n| Beans | 4 |\n';
    const start = text.indexOf('| Beans');
    const stored: StoredPassage = {
      title: 'beds.csv',
      place: 'A2:B2',
      uri: '',
      notice: 'beds.csv is no longer in the notebook. The text is shown as it was cited.',
      text,
      mark: { start, end: text.length },
      format: 'markdown',
    };
    const { title, notice, mark } = stored;
    const fields = { title, notice, mark, markdown: text, url: undefined, fileName: undefined };
    await show('page', {
      ready: () => ({ ...fields, state: { stored }, savedAt: undefined, byline: undefined }),
    });
    await expect(page.getByRole('note')).toHaveText(notice);
    await expect(page.locator('td mark')).toHaveText(['Beans', '4']);
    await expect(page.locator('time')).toHaveCount(0);
  });

  test('is accessible in every theme with wide content', async ({ page, show }) => {
    const cells = '| a plant of the garden with a long name '.repeat(8);
    const markdown = [
      '# The long garden\n\nIt is long, and [its plants](https://plants.example/) are many.',
      `$$\n${'n + 1 + '.repeat(40)} 2\n$$`,
      `\`\`\`ts\nconst plants = ${'"a plant", '.repeat(40)}; // all of them\n\`\`\``,
      `${'| head '.repeat(8)}|\n${'|---'.repeat(8)}|\n${cells}|`,
    ].join('\n\n');
    const shown = await show('page', savedPage(markdown));
    await expect(page.locator('.formula .katex-html')).toHaveCount(1);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    await lookInEachTheme(page, shown, 'saved-page');
  });
});
