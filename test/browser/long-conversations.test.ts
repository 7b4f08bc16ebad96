import type { FrameLocator, Locator } from '@playwright/test';
import type { Turn } from '../../src/notebook/answer.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel, findTurn, openDatabase } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

test.use({ files: { 'garden.md': garden } });

/** Puts conversations into the database of the notebook that is open, each of so many turns. */
function putConversations(globalStorage: string, turnsByTitle: Readonly<Record<string, number>>): void {
  const database = openDatabase(globalStorage);
  const like = database.prepare('SELECT answer FROM turns LIMIT 1').get()!;
  const conversation = database.prepare('INSERT INTO conversations (id, created_at, title) VALUES (?, ?, ?)');
  const turn = database.prepare(
    'INSERT INTO turns (id, conversation_id, question, asked_at, state, answer) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const done: Turn['state'] = { kind: 'done', milliseconds: 900 };
  database.exec('BEGIN IMMEDIATE');
  for (const [title, turns] of Object.entries(turnsByTitle)) {
    conversation.run(title, 1, title);
    for (let i = 1; i <= turns; i++)
      turn.run(
        `${title}-${String(i)}`,
        title,
        `Question ${String(i)} of ${title}?`,
        i,
        JSON.stringify(done),
        like.answer!,
      );
  }
  database.exec('COMMIT');
  database.close();
}

/** Opens a conversation from the list; resolves to the milliseconds until its last answer is seen. */
async function timeToOpen(workbench: Workbench, title: string, last: string): Promise<number> {
  const panel = await chatPanel(workbench);
  await workbench.run('Open Notebook: Show Conversations');
  const row = workbench.quickInput.locator('.monaco-list-row', { hasText: title });
  await expect(row).toBeVisible();
  const began = performance.now();
  await row.click();
  await findTurn(panel, last).locator('.answer').waitFor();
  return performance.now() - began;
}

/** How far below the top of its view something stands, in pixels. */
async function distanceFromTop(inner: Locator, view: Locator): Promise<number> {
  const [place, around] = [await inner.boundingBox(), await view.boundingBox()];
  return Math.abs((place?.y ?? Infinity) - (around?.y ?? 0));
}

test.describe('a conversation of ten thousand messages', { tag: '@alone' }, () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let panel: FrameLocator;
  const earlier = (): Locator => panel.getByRole('button', { name: 'Show earlier questions' });
  const question = (number: number): Locator =>
    findTurn(panel, `Question ${String(number)} of many?`).locator('.question');

  test('opens as fast as one of ten', async ({ vscode, workbench }) => {
    await addFile(workbench, 'garden.md');
    await answered(workbench, 'When is the compost turned?');
    putConversations(vscode.globalStorage, { few: 5, many: 5_000 });

    const openMany = (): Promise<number> => timeToOpen(workbench, 'many', 'Question 5000 of many?');
    const first = await openMany();
    const few = await timeToOpen(workbench, 'few', 'Question 5 of few?');
    const many = Math.min(first, await openMany());
    console.log(
      `Until the last answer is seen: ${many.toFixed(0)} ms of 10,000 messages, ${few.toFixed(0)} ms of 10, ratio ${(many / few).toFixed(1)}`,
    );
    expect(many).toBeLessThan(Math.max(4 * few, 2_000));
  });

  test('shows older questions as one goes up by keys, and stays at the one gone to', async ({
    workbench,
  }) => {
    panel = await chatPanel(workbench);
    await expect(panel.locator('article.turn')).toHaveCount(50);
    await expect(earlier()).toHaveText('Show earlier questions (4,950)');
    // On the way to the first that is loaded older ones come in above; the scroll ends at that one all the same.
    const log = panel.getByRole('log');
    await log.focus();
    await workbench.page.keyboard.press('Home');
    await expect(question(4901)).toHaveCount(1);
    await expect(question(4951)).toBeInViewport();
    await expect.poll(() => distanceFromTop(question(4951), log)).toBeLessThan(60);
    await expect(question(4950)).not.toBeInViewport();
    await workbench.screenshot('long-conversation');
  });

  test('shows them by a button, as a screen reader presses it', async () => {
    await earlier().press('Enter');
    await expect(question(4851)).toHaveCount(1);
    await expect(panel.getByRole('log')).toBeFocused();
    await expect(question(4901)).toBeInViewport();
  });

  test('shows them where it is at the top at once, as with reduced motion', async () => {
    await panel.getByRole('log').evaluate((view) => {
      view.scrollTop = 0;
    });
    await expect(question(4801)).toHaveCount(1);
    await expect(question(4851)).toBeInViewport();
  });

  test('is searched as a whole by the list', async ({ workbench }) => {
    await workbench.run('Open Notebook: Show Conversations');
    const rows = workbench.quickInput.locator('.monaco-list-row');
    await expect(rows).toHaveCount(3);
    await workbench.page.keyboard.type('Question 17 of many');
    await expect(rows).toHaveCount(1);
  });
});
