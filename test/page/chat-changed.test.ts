import type { CitationChange } from '../../src/features/chat/protocol.ts';
import { chatHost, makeTurn, makeWrittenAnswer, numberedCitations } from './chat-host.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';

test.describe('Answer whose sources have changed', () => {
  const turn = makeTurn({
    answer: makeWrittenAnswer(
      [
        { text: 'Tomatoes are watered daily.', citations: [0] },
        ' ',
        { text: 'Beans are sown in May.', citations: [1] },
        ' ',
        { text: 'The pond is deep.', citations: [2] },
      ],
      { citations: numberedCitations(3) },
    ),
  });
  const change = (citation: number, kind: CitationChange['kind'], title: string): CitationChange => ({
    turnId: 'turn',
    version: undefined,
    citation,
    kind,
    title,
  });
  const citationChanges = [
    change(0, 'changed', 'plot.md'),
    change(1, 'renamed', 'beans.md'),
    change(2, 'removed', 'pond.md'),
  ];

  test('says so at its citations and offers to ask again', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 600 });
    const shown = await show(
      'chat',
      chatHost({ turns: [turn], citationChanges }, { retry: () => undefined }),
    );
    await expect(page.locator('.chip.changed')).toHaveText(['1', '3']);
    const chip = (name: RegExp) => page.locator('.answer').getByRole('button', { name });
    await expect(
      chip(/^Citation 1: plot\.md, L1.*, The source has changed since it was cited$/),
    ).toBeVisible();
    await expect(chip(/^Citation 2: beans\.md, L2/)).toBeVisible();
    await expect(chip(/^Citation 3: pond\.md, L3.*, No longer in the notebook$/)).toBeVisible();
    await expect(page.locator('.changed-sources')).toHaveText(
      'plot.md has changed since this answer was written. pond.md is no longer in the notebook. Ask Again',
    );
    await lookInEachTheme(page, shown, 'chat-changed');
    await page.getByRole('button', { name: 'Ask Again', exact: true }).click();
    await expect.poll(() => shown.callsOf('retry')).toEqual([{ turnId: 'turn' }]);
  });

  test('ignores other versions of the answer and renamed sources', async ({ page, show }) => {
    const other = { ...change(0, 'changed', 'plot.md'), version: 2 };
    await show(
      'chat',
      chatHost({ turns: [turn], citationChanges: [other, change(1, 'renamed', 'beans.md')] }),
    );
    await expect(page.locator('.sources')).toContainText('beans.md');
    await expect(page.locator('.chip.changed, .changed-sources')).toHaveCount(0);
  });
});
