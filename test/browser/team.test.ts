import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel } from './notebook.ts';
import { openGarden, shareGarden, shareTeam } from './team-steps.ts';

test.use({
  files: {
    'garden.md':
      '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n',
  },
});

test.describe('two members of a team', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const team = shareTeam();

  test('get one sentence for a connection string that is wrong', async ({ workbench }) => {
    const { ada } = team();
    await addFile(workbench, 'garden.md');
    await workbench.run('Open Notebook: Connect to a Team…');
    await workbench.fill(ada.replace(/:[^:@]+@/, ':wrong@'));
    await expect(workbench.notification('does not let ada in with this password')).toBeVisible();
    await expect(workbench.notification('wrong@')).toHaveCount(0);
  });

  test('have a notebook together once one shares it, who writes a note there', async ({ workbench }) => {
    const { ada } = team();
    await shareGarden(workbench, ada);
    await workbench.run('Open Notebook: New Note…');
    await workbench.fill('Plan');
    await expect(workbench.tab('Plan.md')).toHaveClass(/active/);
    await expect(workbench.editorLines.filter({ hasText: '# Plan' })).toBeVisible();
    await workbench.page.keyboard.type('Dig the beds.\n\nSow the beans.');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.tab('Plan.md')).not.toHaveClass(/dirty/);
  });

  test('ask of it where its files are not, and a citation opens', async () => {
    const { ben } = team();
    const other = await team().other();
    await openGarden(other, ben);
    // The index follows what another process wrote within a second.
    let asked = 0;
    await expect(async () => {
      const question = `How often are tomatoes watered, asked ${String(++asked)} times?`;
      await expect(await answered(other, question)).toContainText('rainwater', { timeout: 1_000 });
    }).toPass();
    const turn = (await chatPanel(other)).locator('article.turn', { hasText: 'rainwater' });
    await other.screenshot('team-asked');
    await turn.locator('figure.quote .chip').first().click();
    // The file is on another machine: its reading opens.
    const reading = await other.webview('main.page');
    await expect(reading.locator('mark').first()).toContainText('rainwater');
    await other.screenshot('team-citation');
  });

  test('see a conversation once who asked shares it', async ({ workbench }) => {
    const other = await team().other();
    await workbench.page.bringToFront();
    await expect(await answered(workbench, 'What is in the barrel?')).toContainText('rainwater');
    await expect(workbench.page.getByText('seen by you alone')).toBeVisible();
    await workbench.run('Open Notebook: Share Conversation with the Team');
    await workbench.dialog('Share this conversation').getByRole('button', { name: 'Share' }).click();
    await expect(workbench.page.getByText('shared with the team')).toBeVisible();
    await workbench.screenshot('team-shared');
    await other.page.bringToFront();
    // The list is of the moment when it is shown.
    await expect(async () => {
      await other.run('Open Notebook: Show Conversations');
      await expect(other.quickInput).toContainText('shared by ada', { timeout: 2_000 });
    }).toPass();
    await other.screenshot('team-conversations');
    await other.pick('What is in the barrel?');
    const turn = (await chatPanel(other)).locator('article.turn', { hasText: 'What is in the barrel?' });
    await expect(turn).toContainText('rainwater');
    // What is asked in it is seen by both, with who asked.
    await answered(other, 'When are tomatoes watered?');
    await workbench.page.bringToFront();
    const asked = (await chatPanel(workbench)).locator('article.turn', {
      hasText: 'When are tomatoes watered?',
    });
    await expect(asked.locator('.asked-by')).toHaveText('ben');
    await workbench.screenshot('team-shared-asked');
    await other.page.bringToFront();
  });

  test('see at a source who added it', async () => {
    const other = await team().other();
    await other.hover(other.rows('Sources', 'garden.md'), 'Added by ada');
  });

  test('write both in one note', async ({ workbench }) => {
    const other = await team().other();
    await other.showViews();
    await other.unfold('Notes');
    await other.rows('Notes', 'Plan').click();
    await expect(other.tab('Plan.md')).toHaveClass(/active/);
    await other.editorLines.filter({ hasText: 'Sow the beans.' }).click();
    await other.page.keyboard.press('ControlOrMeta+End');
    await other.page.keyboard.type(' In May.');
    await other.page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.editorLines.filter({ hasText: 'Sow the beans. In May.' })).toBeVisible();
    await workbench.screenshot('team-note');
    await expect(workbench.statusBarItem('Team')).toBeVisible();
  });

  test('write on without the database, and keep both versions when it is back', async ({ workbench }) => {
    const { postgres } = team();
    const other = await team().other();
    await postgres.kill();
    await expect(workbench.statusBarItem('Team: offline')).toBeVisible();
    await workbench.page.bringToFront();
    await workbench.tab('Plan.md').click();
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.type('First of all: ');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.screenshot('team-offline');
    // The same line is changed in the other window: both stay, side by side.
    await other.page.bringToFront();
    await expect(other.statusBarItem('Team: offline')).toBeVisible();
    await other.tab('Plan.md').click();
    await other.page.keyboard.press('ControlOrMeta+Home');
    await other.page.keyboard.type('Last of all: ');
    await other.page.keyboard.press('ControlOrMeta+s');
    await expect(other.tab('Plan.md')).not.toHaveClass(/dirty/);
    await postgres.start();
    for (const one of [workbench, other]) {
      await one.page.bringToFront();
      await expect(one.statusBarItem('Team: two versions')).toBeVisible();
      await expect(one.editorLines.filter({ hasText: 'First of all: # Plan' })).toBeVisible();
      await expect(one.editorLines.filter({ hasText: 'Last of all: # Plan' })).toBeVisible();
    }
    await expect(other.rows('Notes', 'Plan')).toContainText('two versions in it');
    await other.screenshot('team-conflict');
    await other.page.getByRole('button', { name: 'Keep Both' }).click();
    await other.page.keyboard.press('ControlOrMeta+s');
    await expect(other.tab('Plan.md')).not.toHaveClass(/dirty/);
    for (const one of [other, workbench])
      await expect(one.statusBarItem('Team: two versions')).toHaveCount(0);
  });
});
