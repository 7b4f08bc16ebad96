import { NotebookError } from '../../src/core/domain/errors.ts';
import { chatHost, makeMentionable, makePanel, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, test } from './fixtures.ts';
import { sendChange } from './page-host.ts';

const answered = makeTurn({ answer: makeWrittenAnswer([{ text: 'Tomatoes are watered every morning.' }]) });

test.describe('Empty chat', () => {
  test('names the ways to add sources if there are none', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ sources: { ready: 0, working: 0 } }));
    await expect(page.getByRole('heading')).toHaveText('Ask questions about your sources');
    for (const name of ['Add Files', 'Add Web Page', 'Add Text', 'Add Sample Sources'])
      await page.getByRole('button', { name }).click();
    const commands = ['addFiles', 'addPage', 'addText', 'trySample'];
    await expect.poll(() => shown.callsOf('run')).toEqual(commands.map((command) => ({ command })));
    await expect(page.getByLabel('Question')).toHaveAttribute('placeholder', 'Add sources to ask about them');
  });

  test('suggests questions as soon as a source is ready', async ({ page, show }) => {
    const questions = ['What does bees.md say about Feeding?', 'What does herons.md say about Nests?'];
    const state = { sources: { ready: 0, working: 2 } };
    const shown = await show('chat', chatHost(state, { suggestions: () => questions }));
    await expect(page.getByText('Open Notebook is reading 2 sources.')).toBeVisible();
    for (const name of ['Add Files', 'Add Web Page', 'Add Text', 'Add Sample Sources'])
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    sendChange(shown.remote, makePanel(state), makePanel());
    const suggested = page.getByRole('list', { name: 'Suggested questions' }).getByRole('button');
    await expect(suggested).toHaveText(questions);
    await suggested.first().click();
    await expect.poll(() => shown.callsOf('ask')).toEqual([{ question: questions[0] }]);
  });

  test('wraps a suggested question that is wider than the panel', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 700 });
    const question = 'What do the sources say about securing and protecting IBM DB2 data in a small company?';
    await show('chat', chatHost({}, { suggestions: () => [question] }));
    const box = await page.getByRole('button', { name: question }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(260);
    expect(box?.height).toBeGreaterThan(30);
  });

  test('adds sources by one link if there are some already', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ sources: { ready: 2, working: 0 } }));
    await page.locator('.welcome').getByRole('button', { name: 'Add Sources' }).click();
    await expect.poll(() => shown.callsOf('run')).toEqual([{ command: 'pickWayToAdd' }]);
  });
});

test.describe('Question box', () => {
  test('shows the search scope and the model, and opens their lists', async ({ page, show }) => {
    const documents = { count: 12, of: 12, areFiles: true };
    const scope = { kind: 'sources', ticked: 1, of: 2, documents } as const;
    const opening = { sources: { ready: 2, working: 0 }, scope };
    const shown = await show('chat', chatHost(opening));
    const field = page.getByLabel('Question', { exact: true });
    await expect(field).toHaveAttribute('placeholder', 'Ask about 1 of 2 sources, 12 files');
    await page.locator('button.scope', { hasText: '1 of 2 sources, 12 files' }).click();
    await page.locator('button.model', { hasText: 'scripted-1' }).click();
    await expect
      .poll(() => shown.callsOf('run'))
      .toEqual([{ command: 'pickScope' }, { command: 'pickModel' }]);
    sendChange(shown.remote, makePanel(opening), makePanel({ scope: { kind: 'file' }, model: undefined }));
    await expect(page.locator('button.scope')).toHaveText('Open file');
    await expect(page.locator('button.model')).toHaveText('Excerpts only');
    await expect(field).toHaveAttribute('placeholder', 'Ask about the open file');
  });

  test('asks by Enter, breaks the line by Shift+Enter, and recalls by Up', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [answered] }));
    const field = page.getByLabel('Question', { exact: true });
    await expect(page.getByRole('button', { name: 'Ask (Enter)' })).toBeDisabled();
    await field.press('Enter');
    await field.press('ArrowUp');
    await expect(field).toHaveValue(answered.question);
    await field.fill('First line');
    await field.press('Shift+Enter');
    await field.pressSequentially('second line ');
    await field.press('Enter');
    await expect(field).toHaveValue('');
    await expect.poll(() => shown.callsOf('ask')).toEqual([{ question: 'First line\nsecond line' }]);
  });

  test('restores the question if it can’t be asked', async ({ page, show }) => {
    const ask = (): never => {
      throw new NotebookError('disk-full', 'The disk is full.');
    };
    await show('chat', chatHost({}, { ask }));
    const field = page.getByLabel('Question', { exact: true });
    await field.fill('When is the compost turned?');
    await field.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('The disk is full.');
    await expect(field).toHaveValue('When is the compost turned?');
  });

  test('shares its draft with other pages of the chat', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ draft: 'How often' }));
    const field = page.getByLabel('Question', { exact: true });
    await expect(field).toHaveValue('How often');
    await field.fill('How often are tomatoes');
    await expect
      .poll(() => shown.callsOf('draftChanged').at(-1))
      .toEqual({ draft: 'How often are tomatoes' });
    shown.remote.notify('draftReplaced', { draft: 'How often are tomatoes watered?' });
    await expect(field).toHaveValue('How often are tomatoes watered?');
    await field.blur();
    shown.remote.notify('focusInput', {});
    await expect(field).toBeFocused();
  });

  test('reports its first use after it got the focus', async ({ page, show }) => {
    const shown = await show('chat', chatHost());
    await expect(page.getByLabel('Question', { exact: true })).toBeVisible();
    expect(shown.callsOf('used')).toHaveLength(0);
    await page.getByLabel('Question', { exact: true }).click();
    await page.keyboard.type('Why?');
    await expect.poll(() => shown.callsOf('draftChanged').at(-1)).toEqual({ draft: 'Why?' });
    expect(shown.callsOf('used')).toHaveLength(1);
  });
});

test.describe('Mention', () => {
  test.use({ viewport: { width: 190, height: 700 } });
  const sources = (): ReturnType<typeof makeMentionable> => makeMentionable('bees.md', 'Field notes.md');

  test('is completed by keys in a narrow chat', async ({ page, show }) => {
    await show('chat', chatHost({}, { mentionable: sources }));
    const field = page.getByLabel('Question', { exact: true });
    await field.fill('What does ');
    await field.pressSequentially('@not');
    await expect(page.getByRole('option')).toHaveText(['Field notes.md']);
    await field.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
    await field.fill('What does ');
    await field.pressSequentially('@');
    await expect(page.getByRole('option')).toHaveText(['bees.md', 'Field notes.md']);
    await expect(page.getByRole('option').first()).toBeInViewport({ ratio: 1 });
    await expect(field).toHaveAttribute('aria-activedescendant', 'mention-0');
    await field.press('ArrowDown');
    await expect(page.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
    await field.press('Enter');
    await expect(field).toHaveValue('What does @"Field notes.md" ');
    await expect(page.getByRole('option')).toHaveCount(0);
  });

  test('is completed by the mouse', async ({ page, show }) => {
    await show('chat', chatHost({}, { mentionable: sources }));
    const field = page.getByLabel('Question', { exact: true });
    await field.pressSequentially('@b');
    await page.getByRole('option', { name: 'bees.md' }).click();
    await expect(field).toHaveValue('@bees.md ');
    await expect(field).toBeFocused();
  });
});
