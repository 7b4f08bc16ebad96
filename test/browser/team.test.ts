import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel } from './notebook.ts';
import { openGarden, shareGarden, shareTeam } from './team-steps.ts';

test.use({
  files: {
    'garden.md':
      '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n',
  },
});

/** Creates a note `Plan`, and saves it. */
async function writePlan(workbench: Workbench): Promise<void> {
  await workbench.run('Open Notebook: New Note…');
  await workbench.fill('Plan');
  await expect(workbench.tab('Plan.md')).toHaveClass(/active/);
  await expect(workbench.editorLines.filter({ hasText: '# Plan' })).toBeVisible();
  await workbench.page.keyboard.type('Dig the beds.\n\nSow the beans.');
  await workbench.page.keyboard.press('ControlOrMeta+s');
  await expect(workbench.tab('Plan.md')).not.toHaveClass(/dirty/);
}

/** Opens the note `Plan` in the window of another member. */
async function openPlan(other: Workbench): Promise<void> {
  await other.showViews();
  await other.unfold('Notes');
  await other.rows('Notes', 'Plan').click();
  await expect(other.tab('Plan.md')).toHaveClass(/active/);
}

test.describe('team notebook', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ window: 'team' });

  const team = shareTeam();

  test('is shared once the connection string is correct', async ({ workbench }) => {
    const { ada } = team();
    await addFile(workbench, 'garden.md');
    await workbench.run('Open Notebook: Connect to Team…');
    await workbench.fill(ada.replace(/:[^:@]+@/, ':wrong@'));
    await expect(workbench.notification('rejected the password or certificate of ada')).toBeVisible();
    await expect(workbench.notification('wrong@')).toHaveCount(0);
    await shareGarden(workbench, ada);
    await writePlan(workbench);
  });

  test('answers another member’s question, whose citation opens', async () => {
    const { ben } = team();
    const other = await team().other();
    await openGarden(other, ben);
    // The index loads changes of another process within a second.
    let requestCount = 0;
    await expect(async () => {
      const question = `How often are tomatoes watered, asked ${String(++requestCount)} times?`;
      await expect(await answered(other, question)).toContainText('rainwater', { timeout: 1_000 });
    }).toPass();
    const turn = (await chatPanel(other)).locator('article.turn', { hasText: 'rainwater' });
    await turn.locator('figure.quote .chip').first().click();
    const reading = await other.webview('main.page');
    await expect(reading.locator('mark').first()).toContainText('rainwater');
    await other.screenshot('team-citation');
  });

  test('has a note that both members edit', async ({ workbench }) => {
    const other = await team().other();
    await openPlan(other);
    await other.editorLines.filter({ hasText: 'Sow the beans.' }).click();
    await other.page.keyboard.press('ControlOrMeta+End');
    await other.page.keyboard.type(' In May.');
    await other.page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.editorLines.filter({ hasText: 'Sow the beans. In May.' })).toBeVisible();
    await expect(workbench.statusBarItem('Team')).toBeVisible();
  });
});

test.describe('two team members', { tag: '@all' }, () => {
  const team = shareTeam();

  test('see a conversation that one of them shared', async ({ workbench }) => {
    const { ada, ben } = team();
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, ada);
    await expect(await answered(workbench, 'What is in the barrel?')).toContainText('rainwater');
    await expect(workbench.page.getByText('visible only to you')).toBeVisible();
    await workbench.run('Open Notebook: Share Conversation with Team');
    await workbench.dialog('Share this conversation').getByRole('button', { name: 'Share' }).click();
    await expect(workbench.page.getByText('shared with the team')).toBeVisible();
    const other = await team().other();
    await openGarden(other, ben);
    // The list shows the conversations at the time of opening.
    await expect(async () => {
      await other.run('Open Notebook: Show Conversations');
      await expect(other.quickInput).toContainText('shared by ada', { timeout: 2_000 });
    }).toPass();
    await other.pick('What is in the barrel?');
    const turn = (await chatPanel(other)).locator('article.turn', { hasText: 'What is in the barrel?' });
    await expect(turn).toContainText('rainwater');
    await answered(other, 'When are tomatoes watered?');
    await workbench.page.bringToFront();
    const questionTurn = (await chatPanel(workbench)).locator('article.turn', {
      hasText: 'When are tomatoes watered?',
    });
    await expect(questionTurn.locator('.author')).toHaveText('ben');
  });
});

test.describe('two members without a connection', { tag: '@all' }, () => {
  const team = shareTeam();

  test('keep both versions of a line after they reconnect', async ({ workbench }) => {
    const { ada, ben, postgres } = team();
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, ada);
    await writePlan(workbench);
    const other = await team().other();
    await openGarden(other, ben);
    await openPlan(other);
    await postgres.kill();
    for (const [one, words] of [
      [workbench, 'First of all: '],
      [other, 'Last of all: '],
    ] as const) {
      await one.page.bringToFront();
      await expect(one.statusBarItem('Team: offline')).toBeVisible();
      await one.tab('Plan.md').click();
      await one.page.keyboard.press('ControlOrMeta+Home');
      await one.page.keyboard.type(words);
      await one.page.keyboard.press('ControlOrMeta+s');
      await expect(one.tab('Plan.md')).not.toHaveClass(/dirty/);
    }
    await postgres.start();
    for (const window of [workbench, other]) {
      await window.page.bringToFront();
      await expect(window.statusBarItem('Team: conflict')).toBeVisible();
      await expect(window.editorLines.filter({ hasText: 'First of all: # Plan' })).toBeVisible();
      await expect(window.editorLines.filter({ hasText: 'Last of all: # Plan' })).toBeVisible();
    }
    await expect(other.rows('Notes', 'Plan')).toContainText('conflict');
    await other.page.getByRole('button', { name: 'Keep Both Versions' }).click();
    await other.page.keyboard.press('ControlOrMeta+s');
    await expect(other.tab('Plan.md')).not.toHaveClass(/dirty/);
    for (const window of [other, workbench])
      await expect(window.statusBarItem('Team: conflict')).toHaveCount(0);
  });
});
