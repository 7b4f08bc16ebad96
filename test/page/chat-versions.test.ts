import { chatHost, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';
import type { Turn } from '../../src/core/domain/answer.ts';

/** Makes one of three answers to a question, at a position from 1 on. */
function makeVersion(position: number): Turn {
  return makeTurn({
    answer: makeWrittenAnswer([{ text: `Answer ${String(position)} of the garden.` }]),
    version: { number: position + 4, position, count: 3 },
  });
}

test.describe('Versions of an answer', () => {
  test('switch by mouse and by keys', async ({ page, show }) => {
    const shown = await show(
      'chat',
      chatHost(
        { turns: [makeVersion(3)] },
        {
          showVersion: ({ position }) => {
            shown.remote.notify('turnChanged', { turn: makeVersion(position) });
          },
        },
      ),
    );
    const group = page.getByRole('group', { name: 'Answer versions' });
    const status = group.getByRole('status');
    await expect(status).toHaveText('Answer 3 of 3');
    await expect(group.getByRole('button', { name: 'Next answer' })).toBeDisabled();
    await group.getByRole('button', { name: 'Previous answer' }).click();
    await expect(page.locator('.answer')).toContainText('Answer 2 of the garden.');
    await expect(status).toHaveText('Answer 2 of 3');
    await page.keyboard.press('ArrowLeft');
    await expect(status).toHaveText('Answer 1 of 3');
    // The button that had the focus is disabled now.
    await expect(group).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await expect(status).toHaveText('Answer 2 of 3');
    expect(shown.callsOf('showVersion').map(({ position }) => position)).toEqual([2, 1, 2]);
  });

  test('are not offered for a single answer or while another one is written', async ({ page, show }) => {
    const answering = { ...makeVersion(3), id: 'other', state: { kind: 'answering' as const } };
    await show('chat', chatHost({ turns: [makeTurn({ answer: makeVersion(1).answer }), answering] }));
    await expect(page.locator('.answer')).toHaveCount(2);
    await expect(page.getByRole('group', { name: 'Answer versions' })).toHaveCount(0);
  });

  test('switch back from a failed attempt', async ({ page, show }) => {
    const failed: Turn = {
      ...makeVersion(3),
      answer: undefined,
      state: { kind: 'failed', failure: { message: 'The model is busy.', action: undefined } },
    };
    const shown = await show('chat', chatHost({ turns: [makeVersion(2)] }, { showVersion: () => undefined }));
    await expect(page.locator('.answer')).toHaveCount(1);
    shown.remote.notify('turnChanged', { turn: failed });
    await expect(page.locator('.failure')).toContainText('The model is busy.');
    await expect(page.locator('.answer')).toHaveCount(0);
    await page.getByRole('button', { name: 'Previous answer' }).press('Enter');
    await expect.poll(() => shown.callsOf('showVersion')).toEqual([{ turnId: 'turn', position: 2 }]);
  });
});

test.describe('Question about a selection', () => {
  const code = Array.from({ length: 20 }, (_, i) => `const bed${String(i)} = water(${String(i)});`).join(
    '\n',
  );
  const turn = makeTurn({
    question: `What does this do?\n\n\`\`\`typescript\n${code}\n\`\`\``,
    selection: {
      uri: 'file:///garden/src/watering-schedule.ts',
      title: 'watering-schedule.ts',
      locator: { kind: 'lines', start: { line: 9, character: 0 }, end: { line: 29, character: 0 } },
    },
    answer: makeWrittenAnswer([{ text: 'It waters twenty beds.' }]),
  });

  test('shows its code with a link to the lines', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 700 });
    const shown = await show('chat', chatHost({ turns: [turn] }, { openSelection: () => undefined }));
    const question = page.locator('.question');
    await expect(question.getByRole('heading')).toHaveText('What does this do?');
    await expect(question).not.toContainText('```');
    await expect(question.locator('pre .hljs-keyword')).toHaveCount(20);
    await question.getByRole('button', { name: 'watering-schedule.ts, L10–29' }).click();
    await expect.poll(() => shown.callsOf('openSelection')).toEqual([{ turnId: 'turn' }]);
    const pre = question.locator('pre');
    const folded = await pre.evaluate(({ clientHeight }) => clientHeight);
    await question.getByRole('button', { name: 'Show all 20 lines' }).click();
    await expect(question.getByRole('button', { name: 'Show fewer lines' })).toBeVisible();
    expect(await pre.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(folded);
    await lookInEachTheme(page, shown, 'chat-selection');
  });

  test('keeps its code when the words are edited', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [turn] }, { edit: () => undefined }));
    await page.getByRole('button', { name: 'Edit question' }).press('Enter');
    await expect(page.getByLabel('Edited question', { exact: true })).toHaveValue('What does this do?');
    await page.getByLabel('Edited question', { exact: true }).fill('Is this right?');
    await page.getByLabel('Edited question', { exact: true }).press('Enter');
    expect(shown.callsOf('edit')).toEqual([
      { turnId: 'turn', question: turn.question.replace('What does this do?', 'Is this right?') },
    ]);
  });

  test('shows words of a PDF as a quotation', async ({ page, show }) => {
    const pdf = makeTurn({
      question: 'Is that so?\n\n> Beans are sown in May.\n> Peas in March.',
      selection: {
        uri: 'file:///garden/beds.pdf',
        title: 'beds.pdf',
        locator: { kind: 'pdf', page: 3, label: 'iii', rectangles: [] },
      },
    });
    await show('chat', chatHost({ turns: [pdf] }));
    await expect(page.locator('.question blockquote')).toHaveText('Beans are sown in May.\nPeas in March.');
    await expect(page.locator('.question').getByRole('button', { name: 'beds.pdf, p. iii' })).toBeVisible();
  });
});
