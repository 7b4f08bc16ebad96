import { makeGate } from '../support/gate.ts';
import { expect, test } from './fixtures.ts';
import { ask, readySource, findTurn } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

// What the system asks for is minded by itself.
test.use({ files: { 'garden.md': garden }, settings: { 'workbench.reduceMotion': 'auto' } });

test('an answer is read at 200 %, from right to left, by keys alone and without motion', async ({
  vscode,
  model,
  workspace,
}) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  const gate = makeGate();
  model.reply(() => [
    'The compost is not turned in October [1]. Tomatoes are watered every second morning [1].\n\n',
    gate,
    'الطماطم تسقى كل صباح ثان [1].\n\n```ts\nconst longName = "a line of code that is wider than any panel can be";\n```\n',
  ]);
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
  const panel = await ask(workbench, 'When is the compost turned?');
  const turn = findTurn(panel, 'When is the compost');
  await gate.reached;
  // What happens is told in words; nothing turns.
  await expect(turn.locator('p.progress')).toBeVisible();
  await expect(turn.locator('p.progress vscode-progress-ring')).toBeHidden();
  gate.open();
  await expect(turn.locator('footer')).toBeVisible();
  await expect(turn.locator('.statement.contradicted')).toBeVisible();
  await expect(turn.locator('p[dir=auto]', { hasText: 'الطماطم' })).toHaveCSS('direction', 'rtl');
  await expect(turn.locator('pre')).toHaveCSS('direction', 'ltr');
  await workbench.screenshot('reading-ease');

  // A page of half the size shows what one of 200 % does.
  await workbench.resize(700, 450);
  const conversation = panel.getByRole('log');
  await expect
    .poll(() => conversation.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    .toBe(true);
  await expect(panel.getByLabel('Question', { exact: true })).toBeInViewport();
  await workbench.screenshot('reading-ease-200');

  await panel.getByLabel('Question', { exact: true }).focus();
  const chip = turn.locator('.chip').first();
  for (let presses = 0; presses < 40; presses++) {
    await workbench.page.keyboard.press('Shift+Tab');
    if (await chip.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(chip).toBeFocused();
  await expect(turn.locator('.card mark').first()).toBeVisible();
  await workbench.page.keyboard.press('Enter');
  await expect(workbench.tab('garden.md')).toBeVisible();
});
