import type { Page } from '@playwright/test';
import type { Quiz, QuizQuestion } from '../../src/features/flashcards/model.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { testCitation } from '../support/test-citation.ts';
import { clozeCard, deckHost, quizHost } from './flashcards-host.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';

const cards = [
  clozeCard('tide', 'A {{c1::tide table}} is a list of the times at which the water is highest.'),
  clozeCard('ballast', '{{c1::Ballast}} refers to heavy material that keeps a ship upright.'),
  clozeCard('quay', 'A {{c1::quay}} is a wall that ships are tied to.'),
];

const showAnswer = (page: Page) => page.getByRole('button', { name: 'Show Answer' });
const counts = (page: Page) => page.locator('header p').first();

test.describe('Answer without a fact check', () => {
  const unchecked = testCitation({
    title: 'harbor.md',
    place: 'L9',
    quote: 'A quay is a wall.',
    isUnchecked: true,
  });

  test('has a mark on its card', async ({ page, show }) => {
    const card = clozeCard('quay', 'A {{c1::quay}} is a wall that ships are tied to.');
    await show('flashcards', deckHost([{ ...card, citation: unchecked }]));
    await showAnswer(page).press('Space');
    await expect(page.locator('.notice.unchecked')).toHaveText('Not fact-checked.');
    await screenshot(page, 'card-unchecked');
  });

  test('has no mark on a card that the user edited', async ({ page, show }) => {
    const card = clozeCard('quay', 'A {{c1::quay}} is a wall that ships are tied to.');
    await show('flashcards', deckHost([{ ...card, citation: unchecked, isEdited: true }]));
    await showAnswer(page).press('Space');
    await expect(page.locator('.source')).toBeVisible();
    await expect(page.locator('.notice.unchecked')).toHaveCount(0);
  });
});

test.describe('Deck', () => {
  test('shows the front of a card, and its answer with Space', async ({ page, show }) => {
    const shown = await show('flashcards', deckHost(cards));
    await expect(counts(page)).toHaveText('0 due · 3 new today · 3 cards');
    await expect(page.locator('header .of')).toHaveText('Sources: harbor.md.');
    await expect(page.locator('.card')).toContainText('A […] is a list of the times');
    expect(await seriousProblems(page.locator('body'))).toEqual([]);
    await showAnswer(page).press('Space');
    await expect(page.locator('.card')).toContainText('A tide table is a list of the times');
    await lookInEachTheme(page, shown, 'card-back');
    await page.setViewportSize({ width: 320, height: 600 });
    await screenshot(page, 'card-narrow');
  });

  test('grades cards by number keys, and undoes a grade with U', async ({ page, show }) => {
    const { callsOf } = await show('flashcards', deckHost(cards));
    await showAnswer(page).press('Space');
    await expect(page.locator('.grade').nth(2)).toBeFocused();
    await page.keyboard.press('3');
    await expect(page.locator('.card')).toContainText('[…] refers to heavy material');
    await expect(counts(page)).toHaveText('0 due · 2 new today · 3 cards');
    expect(callsOf('grade')).toEqual([{ cardId: 'tide', grade: 3, before: cards[0]?.schedule }]);
    await page.keyboard.press('u');
    await expect(page.locator('.card')).toContainText('A […] is a list of the times');
  });

  test('edits a card by keys', async ({ page, show }) => {
    const { callsOf } = await show('flashcards', deckHost(cards));
    await showAnswer(page).press('e');
    const front = page.getByRole('textbox', { name: 'Front' });
    await expect(front).toBeFocused();
    await front.fill('No gap');
    await page.getByText('Save', { exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Mark at least one gap');
    expect(callsOf('edit')).toEqual([]);
    await front.fill('A {{c1::table of tides}} says when to sail.');
    await page.getByRole('textbox', { name: 'Extra text on the back' }).press('ControlOrMeta+Enter');
    await expect(page.locator('.card')).toContainText('A […] says when to sail.');
    await page.keyboard.press('u');
    await expect(page.locator('.card')).toContainText('A […] is a list of the times');
  });

  test('draws formulas, and gaps within them', async ({ page, show }) => {
    const keel = 'A {{c1::keel}} is a beam whose length is $l = \\frac{ {{c2::v^2}} }{g}$.';
    await show('flashcards', deckHost([clozeCard('keel', keel)]));
    await expect(page.locator('.card')).toContainText('[…] is a beam');
    await expect(page.locator('.card .katex').first()).toBeVisible();
    await showAnswer(page).press('Space');
    await expect(page.locator('.card')).toContainText('keel is a beam');
    await expect(page.locator('.card .katex').first()).toBeVisible();
    await screenshot(page, 'card-formula');
  });

  test('opens the cited text of a card', async ({ page, show }) => {
    const { callsOf } = await show('flashcards', deckHost(cards));
    await showAnswer(page).press('Space');
    await page.locator('.source').click();
    await page.locator('.source').click({ modifiers: ['Alt'] });
    await page.keyboard.press('o');
    await expect.poll(() => callsOf('open').map(({ beside }) => beside)).toEqual([false, true, false]);
    expect(callsOf('open')[0]).toEqual({ of: 'tide', beside: false });
  });

  test('finds, suspends, and deletes cards in the list of all cards', async ({ page, show }) => {
    const host = deckHost(cards, {}, () => shown.remote.notify('changed', {}));
    const shown = await show('flashcards', host);
    await page.getByRole('button', { name: 'All Cards' }).click();
    const list = page.getByRole('listbox');
    await expect(list.getByRole('option')).toHaveCount(3);
    await page.getByRole('searchbox').fill('wall');
    await expect(list.getByRole('option')).toHaveCount(1);
    await list.press('s');
    await expect(list.getByRole('option')).toContainText('suspended');
    await list.press('Delete');
    await expect(list.getByRole('option')).toHaveCount(0);
    await page.getByRole('searchbox').fill('');
    await expect(list.getByRole('option')).toHaveCount(2);
    await lookInEachTheme(page, shown, 'card-list');
    await list.press('u');
    await expect(list.getByRole('option')).toHaveCount(3);
    await list.press('u');
    await expect(list).not.toContainText('suspended');
  });

  test('edits a card in the list of all cards', async ({ page, show }) => {
    const host = deckHost(cards, {}, () => remote.notify('changed', {}));
    const { callsOf, remote } = await show('flashcards', host);
    await page.getByRole('button', { name: 'All Cards' }).click();
    await page.getByRole('option', { name: 'A quay is a wall' }).click();
    await expect(page.locator('.chosen .gap')).toHaveText('quay');
    await expect(page.locator('.chosen .source')).toHaveText('harbor.md, L9');
    await page.getByRole('listbox').press('Enter');
    await page.getByRole('textbox', { name: 'Front' }).fill('A {{c1::quay}} is a pier.');
    await page.getByRole('textbox', { name: 'Front' }).press('ControlOrMeta+Enter');
    await expect(page.locator('.chosen')).toContainText('A quay is a pier.');
    expect(callsOf('edit')).toEqual([{ cardId: 'quay', front: 'A {{c1::quay}} is a pier.', back: '' }]);
  });

  test('offers an update when its sources changed', async ({ page, show }) => {
    const outdated = 'Out of date. Sources: 1 changed.';
    const { callsOf } = await show('flashcards', deckHost(cards, { outdated }));
    await expect(page.locator('header .notice')).toContainText(outdated);
    await page.getByRole('button', { name: 'Update from Sources' }).click();
    await expect.poll(() => callsOf('updateFromSources')).toHaveLength(1);
    await page.getByRole('button', { name: 'Export…' }).click();
    await expect.poll(() => callsOf('export')).toHaveLength(1);
  });

  test('continues with new cards when none is due', async ({ page, show }) => {
    const host = deckHost(cards, { shown: undefined, next: '3 hours', later: 2 });
    const { callsOf } = await show('flashcards', host);
    await expect(page.getByText('The next card is due in 3 hours.')).toBeVisible();
    await page.getByText('Continue with New Cards (2)').click();
    await expect.poll(() => callsOf('next')).toEqual([{ addsNew: true }]);
  });
});

test.describe('Quiz', () => {
  const question = (term: string, right: number): QuizQuestion => ({
    ...{ question: `Which of these is the ${term}?`, choices: ['Rope', 'Beam', 'Post', 'Drum'], right },
    reason: `The ${term} is told by the harbor master.`,
    citation: testCitation({ title: 'harbor.md', place: 'L3', quote: term }),
  });
  const quiz: Quiz = {
    ...{ id: 'quiz', title: 'Quiz – harbor', replies: [] },
    questions: [question('hawser', 0), question('keel', 1)],
  };

  test('marks the answer and shows its reason and its source', async ({ page, show }) => {
    const shown = await show('flashcards', quizHost(quiz));
    await expect(page.getByRole('status')).toHaveText('0 of 2 answered · 0 correct');
    await expect(page.locator('.choice')).toHaveCount(4);
    await page.locator('.choices').press('3');
    await expect(page.getByText('Incorrect.')).toBeVisible();
    await expect(page.locator('.choice.right')).toContainText('Rope');
    await expect(page.locator('.choice.wrong')).toContainText('Post');
    await expect(page.locator('.back')).toContainText('The hawser is told by the harbor master.');
    await lookInEachTheme(page, shown, 'quiz');
    await page.keyboard.press('o');
    await page.locator('.source').click({ modifiers: ['Alt'] });
    await expect
      .poll(() => shown.callsOf('open'))
      .toEqual([
        { of: 0, beside: false },
        { of: 0, beside: true },
      ]);
    expect(shown.callsOf('reply')).toEqual([{ question: 0, choice: 2 }]);
    await page.setViewportSize({ width: 320, height: 600 });
    await screenshot(page, 'quiz-narrow');
  });

  test('shows the score, and turns wrong answers into cards', async ({ page, show }) => {
    const { callsOf } = await show('flashcards', quizHost(quiz));
    await page.locator('.choices').press('1');
    await expect(page.getByText('Correct.')).toBeVisible();
    await page.getByRole('button', { name: 'Next Question' }).click();
    await page.locator('.choices').press('1');
    await page.getByRole('button', { name: 'Show Score' }).click();
    await expect(page.getByRole('heading', { name: '1 of 2 correct' })).toBeVisible();
    await expect(page.locator('.wrong')).toContainText('Which of these is the keel?');
    await screenshot(page, 'quiz-score');
    await page.getByText('Create Cards from Wrong Answers').click();
    await expect.poll(() => callsOf('learnWrong')).toHaveLength(1);
    await page.getByText('Restart Quiz').click();
    await expect(page.getByRole('status')).toHaveText('0 of 2 answered · 0 correct');
    await expect(page.getByText('Which of these is the hawser?')).toBeVisible();
  });

  test('stays at the question that is shown when others change', async ({ page, show }) => {
    const next = { ...quiz, questions: [question('bollard', 2), question('hawser', 0)] };
    const { remote, callsOf } = await show(
      'flashcards',
      quizHost(quiz, next, 'Out of date. Sources: 1 changed.'),
    );
    await expect(page.locator('header .notice')).toContainText('Out of date.');
    await page.getByRole('button', { name: 'Update from Sources' }).click();
    await expect.poll(() => callsOf('updateFromSources')).toHaveLength(1);
    remote.notify('changed', {});
    await expect(page.locator('header .notice')).toHaveCount(0);
    await expect(page.getByRole('article', { name: 'Question 2' })).toContainText('hawser');
  });
});
