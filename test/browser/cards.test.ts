import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { answered, inEachTheme, readySource } from './notebook.ts';

const harbour = `# Harbour

A tide table is a list of the times at which the water is highest.

## Ships

Ballast refers to heavy material that keeps a ship upright.

A keel is a beam that runs along the bottom of a ship, whose length $l$ is told by $l = \\frac{v^2}{g}$.

A quay is a wall that ships are tied to.

- **Draught** – the depth of the ship below the water.
`;

const many = ['A bollard is a post', 'A fender is a cushion', 'A hawser is a rope', 'A winch is a drum']
  .map((begun) => `${begun} that ships of the harbour are moored with.\n`)
  .join('\n');

test.use({ files: { 'harbour.md': harbour, 'plain.txt': 'Nothing but a line of words here.\n' } });

test.describe('cards and a quiz of definitions', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  const make = async (workbench: Workbench, thing: string, source = 'harbour.md'): Promise<void> => {
    await workbench.menu(workbench.rows('Sources', source), 'Make…');
    // The last of the list are drawn once they are looked for.
    await workbench.quickInput.locator('input').first().fill(thing);
    await workbench.pick(thing);
  };
  const deckPage = (workbench: Workbench): Promise<FrameLocator> => workbench.webview('.deck');
  const counts = (deck: FrameLocator, words: string): Promise<void> =>
    expect(deck.locator('header p').first()).toHaveText(words);

  test('a deck is made of definitions, and learnt by keys', async ({ workbench, workspace }) => {
    await workbench.explorerMenu('harbour.md', 'Add to Notebook');
    await readySource(workbench, 'harbour.md');
    await make(workbench, 'Flashcards');
    await expect(workbench.tab('Flashcards – harbour')).toBeVisible();
    const deck = await deckPage(workbench);
    await counts(deck, '0 due · 5 new today · 5 cards');
    await expect(deck.locator('header .of')).toContainText('Of the sources harbour.md (');
    await expect(workbench.rows('Learning', 'Flashcards – harbour')).toContainText('5 new');
    await expect(deck.locator('.card')).toContainText('A […] is a list of the times');
    expect(await seriousProblems(deck.locator('.deck'), 'editor')).toEqual([]);
    await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
    await expect(deck.locator('.card')).toContainText('A tide table is a list of the times');
    await inEachTheme(workbench, workspace, [deck], async (name) => {
      await workbench.screenshot(`cards-${name}`);
    });
    expect(await seriousProblems(deck.locator('.deck'), 'editor')).toEqual([]);
    await deck.locator('.grade').nth(2).press('3');
    await expect(deck.locator('.card')).toContainText('[…] refers to heavy material');
    await counts(deck, '0 due · 4 new today · 5 cards');
  });

  test('the last review is undone, and a card is edited', async ({ workbench }) => {
    const deck = await deckPage(workbench);
    await deck.getByRole('button', { name: 'Show Answer' }).press('u');
    await expect(deck.locator('.card')).toContainText('A […] is a list of the times');
    await counts(deck, '0 due · 5 new today · 5 cards');
    await deck.getByRole('button', { name: 'Show Answer' }).press('e');
    await expect(deck.getByRole('textbox', { name: 'Front' })).toBeFocused();
    await deck.getByRole('textbox', { name: 'Front' }).fill('No gap');
    await deck.getByRole('button', { name: 'Save' }).click();
    await expect(deck.getByRole('alert')).toContainText('Write a gap');
    await workbench.screenshot('cards-edited');
    await deck.getByRole('textbox', { name: 'Front' }).fill('A {{c1::table of tides}} says when to sail.');
    await deck.getByRole('textbox', { name: 'Remark' }).press('ControlOrMeta+Enter');
    await expect(deck.locator('.card')).toContainText('A […] says when to sail.');
    await deck.getByRole('button', { name: 'Show Answer' }).press('u');
    await expect(deck.locator('.card')).toContainText('A […] is a list of the times');
  });

  test('formulas are drawn, and the citation opens the very words', async ({ workbench }) => {
    const deck = await deckPage(workbench);
    for (const key of ['4', '4'] as const) {
      await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
      await deck.locator('.grade').nth(2).press(key);
    }
    await expect(deck.locator('.card')).toContainText('[…] is a beam');
    await expect(deck.locator('.card .katex').first()).toBeVisible();
    await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
    await workbench.screenshot('cards-formula');
    await deck.locator('.source').click();
    await expect(workbench.tab('harbour.md')).toHaveClass(/active/);
    await expect(workbench.statusBarItem('Ln 9, Col 1')).toBeVisible();
    await workbench.tab('Flashcards – harbour').click();
  });

  test('all cards are listed, searched, left out, deleted and brought back', async ({
    workbench,
    workspace,
  }) => {
    const { page } = workbench;
    const deck = await deckPage(workbench);
    await deck.getByRole('button', { name: 'All Cards' }).click();
    const rows = deck.getByRole('listbox');
    await expect(rows.getByRole('option')).toHaveCount(5);
    await deck.getByRole('searchbox').fill('wall');
    await expect(rows.getByRole('option')).toHaveCount(1);
    await rows.focus();
    await page.keyboard.press('s');
    await expect(rows.getByRole('option')).toContainText('left out');
    await page.keyboard.press('Delete');
    await expect(rows.getByRole('option')).toHaveCount(0);
    await deck.getByRole('searchbox').fill('');
    await expect(rows.getByRole('option')).toHaveCount(4);
    expect(await seriousProblems(deck.locator('.deck'), 'editor')).toEqual([]);
    await inEachTheme(workbench, workspace, [deck], async (name) => {
      await workbench.screenshot(`cards-all-${name}`);
    });
    await rows.focus();
    await page.keyboard.press('u');
    await expect(rows.getByRole('option')).toHaveCount(5);
    await page.keyboard.press('u');
    await expect(rows).not.toContainText('left out');
  });

  test('a deck is exported for Anki', async ({ workbench, workspace }) => {
    const deck = await deckPage(workbench);
    await deck.getByRole('button', { name: 'Export…' }).click();
    await workbench.pick('Anki');
    const box = workbench.quickInput.locator('input').first();
    await expect(box).toHaveValue(/\.apkg$/);
    await box.press('Enter');
    await expect(workbench.notification('was exported to')).toBeVisible();
    expect(existsSync(join(workspace.folder, 'Flashcards – harbour.apkg'))).toBe(true);
  });

  test('what changed in a source is shown, and taken over into the deck', async ({
    workbench,
    workspace,
  }) => {
    const { page } = workbench;
    workspace.write(
      'harbour.md',
      `${harbour.replace('a wall that', 'a wall of stone that')}\nA mast is a pole that carries the sails.\n`,
    );
    const deck = await deckPage(workbench);
    await expect(deck.locator('header .notice')).toContainText('The sources have changed: 1 changed.');
    await workbench.screenshot('cards-outdated');
    await deck.getByRole('button', { name: 'Bring Up to Date' }).click();
    // What changes is shown before it is kept; who leaves the list leaves all as it is.
    await expect(workbench.quickInput).toContainText('Before: A quay is a wall that ships');
    await expect(workbench.quickInput).toContainText('A mast is a pole');
    await workbench.screenshot('cards-changes');
    await page.keyboard.press('Escape');
    await expect(deck.getByRole('option')).toHaveCount(5);
    await deck.getByRole('button', { name: 'Bring Up to Date' }).click();
    await expect(workbench.quickInput).toContainText('A mast is a pole');
    await workbench.pickSeveral([]);
    await expect(workbench.notification('is up to date: 1 changed, 1 new, 4 as before')).toBeVisible();
    await expect(deck.getByRole('option')).toHaveCount(6);
    await expect(deck.locator('header .notice')).toHaveCount(0);
    await workbench.run('View: Close All Editors');
  });

  test('a card is made of what is selected, in a deck that is chosen', async ({ workbench }) => {
    await workbench.explorerMenu('plain.txt', 'Add to Notebook');
    await readySource(workbench, 'plain.txt');
    await make(workbench, 'Flashcards', 'plain.txt');
    await expect(workbench.notification('These sources define no terms')).toBeVisible();
    await workbench.selectLines('plain.txt', 1, 1);
    await workbench.editorMenu('Make a Card');
    await workbench.pick('Ask a question');
    await workbench.fill('What stands in the file?');
    await workbench.pick('Flashcards – harbour');
    await workbench.notification('The card was added').getByRole('button', { name: 'Learn' }).click();
    const deck = await deckPage(workbench);
    await counts(deck, '0 due · 5 new today · 7 cards');
    await deck.getByRole('button', { name: 'All Cards' }).click();
    await deck.getByRole('option', { name: 'What stands in the file?' }).click();
    await expect(deck.locator('.chosen')).toContainText('plain.txt');
    await workbench.run('View: Close All Editors');
  });

  test('a quiz is answered, shows reasons and places, and tells its score', async ({
    workbench,
    workspace,
  }) => {
    await make(workbench, 'Quiz');
    await workbench.fill('3');
    const quiz = await workbench.webview('.quiz');
    await expect(quiz.getByRole('status')).toHaveText('0 of 3 answered · 0 right');
    expect(await seriousProblems(quiz.locator('.quiz'), 'editor')).toEqual([]);
    for (let turn = 0; turn < 3; turn++) {
      await expect(quiz.locator('.choice')).toHaveCount(4);
      await quiz.locator('.choices').press('1');
      await expect(quiz.locator('.source')).toBeVisible();
      if (turn === 0)
        await inEachTheme(workbench, workspace, [quiz], async (name) => {
          await workbench.screenshot(`cards-quiz-${name}`);
        });
      expect(await seriousProblems(quiz.locator('.quiz'), 'editor')).toEqual([]);
      await quiz.locator('.grade.show').click();
    }
    await expect(quiz.getByRole('heading', { name: 'of 3 right' })).toBeVisible();
    await workbench.screenshot('cards-score');
    await expect(workbench.rows('Learning', 'Quiz – harbour')).toContainText('of 3 right');
    await expect(quiz.locator('header .of')).toContainText('Of the sources harbour.md (');
    await workbench.resize(620, 700);
    await workbench.screenshot('cards-narrow-quiz');
    await workbench.tab('Quiz – harbour').click();
    await workbench.rows('Learning', 'Flashcards – harbour').click();
    await deckPage(workbench);
    await workbench.screenshot('cards-narrow');
    await workbench.resize(1280, 800);
  });

  test('a quiz is brought up to date, and what was answered stays', async ({ workbench, workspace }) => {
    await workbench.rows('Learning', 'Quiz – harbour').click();
    const quiz = await workbench.webview('.quiz');
    workspace.write('harbour.md', `# Harbour\n\n${many}`);
    await expect(quiz.locator('header .notice')).toContainText('The sources have changed');
    await expect(workbench.rows('Learning', 'Quiz – harbour')).toContainText('sources changed');
    await quiz.getByRole('button', { name: 'Bring Up to Date' }).click();
    await expect(workbench.quickInput).toContainText('Removed: the sources say this no more');
    await workbench.screenshot('cards-quiz-changes');
    await workbench.pickSeveral([]);
    await expect(workbench.notification('“Quiz – harbour” is up to date')).toBeVisible();
    await expect(quiz.getByRole('status').first()).toHaveText('0 of 3 answered · 0 right');
    await expect(quiz.locator('header .notice')).toHaveCount(0);
  });
});

const facts = [
  ['pump', 'garden pump', 'installed', '1998'],
  ['barn', 'old barn', 'rebuilt', '1974'],
  ['well', 'deep well', 'dug', '1931'],
  ['shed', 'tool shed', 'painted', '1956'],
] as const;

/** A question that its source bears out, and one that it does not. */
function pair(thing: string, deed: string, year: string): string {
  return JSON.stringify([
    {
      ...{ kind: 'short', question: `In which year was the ${thing} ${deed}?`, answer: year },
      statement: `The ${thing} was ${deed} in ${year}.`,
    },
    {
      ...{ kind: 'short', question: `Who paid for the ${thing} in those days?`, answer: 'Queen Victoria' },
      statement: `Queen Victoria paid for the ${thing}.`,
    },
  ]);
}

test.describe('cards written by a model', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({
    shared: true,
    files: Object.fromEntries(
      facts.map(([name, thing, deed, year]) => [
        `buildings/${name}.md`,
        `# The ${thing}\n\nThe ${thing} was ${deed} in ${year} by people who lived beside the river, and nobody has changed much of it since.\n`,
      ]),
    ),
  });

  let workbench: Workbench;
  let asked = 0;

  test('what was made before the model failed is kept, and what no source says is left out', async ({
    vscode,
    workspace,
    model,
  }) => {
    model.reply(({ messages }) => {
      const shown = messages.map(({ content }) => content).join('\n');
      if (!shown.startsWith('Make questions')) return 'The garden pump was installed in 1998 [1].';
      if (++asked === 3) return { status: 401, message: 'The key is wrong.' };
      if (shown.includes('boat house')) return pair('boat house', 'thatched', '1966');
      const [, thing, deed, year] = facts.find(([, each]) => shown.includes(`The ${each} was`)) ?? facts[0];
      return pair(thing, deed, year);
    });
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('buildings', 'Add to Notebook');
    await readySource(workbench, 'buildings');
    await workbench.menu(workbench.rows('Sources', 'buildings'), 'Make…');
    await workbench.quickInput.locator('input').first().fill('Flashcards');
    await workbench.pick('Flashcards');
    await workbench.pick('Written by the Model');
    await workbench.fill('4');
    await expect(workbench.tab('Flashcards – buildings')).toBeVisible();
    await expect(workbench.notification('key')).toBeVisible();
    const deck = await workbench.webview('.deck');
    await expect(deck.locator('header p').first()).toHaveText('0 due · 2 new today · 2 cards');
    await expect(deck.locator('.card')).toContainText('In which year was');
    await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
    await expect(deck.locator('.card .source')).toContainText('.md');
    await workbench.screenshot('cards-model');
  });

  test('made again, it asks for no card that is there', async () => {
    await workbench.menu(workbench.rows('Sources', 'buildings'), 'Make…');
    await workbench.quickInput.locator('input').first().fill('Flashcards');
    await workbench.pick('Flashcards');
    await workbench.pick('Written by the Model');
    await workbench.fill('2');
    const deck = await workbench.webview('.deck');
    await expect(deck.locator('header p').first()).toHaveText('0 due · 4 new today · 4 cards');
  });

  test('what a model wrote is asked anew where a document changed, and nowhere else', async ({
    workspace,
  }) => {
    const before = asked;
    workspace.write(
      'buildings/shed.md',
      '# The boat house\n\nThe boat house was thatched in 1966 by people who lived beside the river.\n',
    );
    const deck = await workbench.webview('.deck');
    await expect(deck.locator('header .notice')).toContainText('The sources have changed: 1 changed.');
    await deck.getByRole('button', { name: 'Bring Up to Date' }).click();
    await expect(workbench.quickInput).toContainText('In which year was the boat house thatched?');
    await expect(workbench.quickInput).toContainText('In which year was the tool shed painted?');
    await workbench.screenshot('cards-model-changes');
    await workbench.pickSeveral([]);
    await expect(workbench.notification('1 new, 1 removed, 3 as before')).toBeVisible();
    await expect(deck.locator('header p').first()).toHaveText('0 due · 4 new today · 4 cards');
    expect(asked - before).toBe(1);
  });

  test('a card is made of words of an answer, with what these cite', async () => {
    const turn = await answered(workbench, 'When was the garden pump installed?');
    await turn.locator('.statement').first().selectText();
    await workbench.run('Open Notebook: Make a Card');
    await workbench.pick('Leave a gap');
    await workbench.fill('1998');
    await workbench.pick('Flashcards – buildings');
    await expect(workbench.notification('The card was added')).toBeVisible();
    const deck = await workbench.webview('.deck');
    await deck.getByRole('button', { name: 'All Cards' }).click();
    await deck.getByRole('option', { name: 'The garden pump was installed' }).click();
    await expect(deck.locator('.chosen .gap')).toHaveText('1998');
    await expect(deck.locator('.chosen .source')).toContainText('pump.md');
  });
});
