import { expect, test } from './fixtures.ts';
import { addFile, chatPanel, readySource } from './notebook.ts';
import { shareGarden, shareTeam } from './team-steps.ts';

const garden = '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n';

test.use({ files: { 'garden.md': garden } });

test.describe('who may use a notebook of a team', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const team = shareTeam();

  test('one shares a notebook with the managers alone', async ({ workbench }) => {
    const { ada } = team();
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, ada, 'You and the managers alone');
  });

  test('a colleague does not see what is for the managers alone', async () => {
    const { ben } = team();
    const other = await team().other();
    await chatPanel(other);
    await other.run('Open Notebook: Connect to a Team…');
    await other.fill(ben);
    await expect(
      other.page.getByRole('alert').filter({ hasText: 'which has no notebooks yet' }),
    ).toBeAttached();
  });

  test('it is opened to the colleague to read', async ({ workbench }) => {
    await workbench.page.bringToFront();
    await workbench.run('Open Notebook: Who May Use This Notebook…');
    const list = workbench.quickInput;
    await expect(list).toContainText('Who May Use “Our garden”');
    await expect(list.locator('.monaco-list-row', { hasText: 'ben' })).toContainText('may nothing');
    await expect(list.locator('.monaco-list-row', { hasText: 'administrator' })).toContainText(
      'manages the team',
    );
    await workbench.screenshot('team-rights');
    // What hovers over a row takes the click on the one below it.
    const choose = async (label: string): Promise<void> => {
      await workbench.page.mouse.move(0, 0);
      await workbench.pick(label);
    };
    await choose('ben');
    await expect(list.getByPlaceholder('What ben may in “Our garden”')).toBeVisible();
    await workbench.screenshot('team-right');
    await choose('may read');
    // The first that says so is "may read, add and change".
    await expect(workbench.notification('ben may read, add and change in “Our garden” now.')).toBeVisible();
    await choose('ben');
    await expect(list.getByPlaceholder('What ben may in “Our garden”')).toBeVisible();
    await list.locator('.monaco-list-row').getByText('may read', { exact: true }).click();
    await expect(workbench.notification('ben may read in “Our garden” now.')).toBeVisible();
    await choose('administrator');
    await expect(workbench.notification('manages the team, and so each of its notebooks')).toBeVisible();
    await expect(list).toContainText('Who May Use “Our garden”');
  });

  test('who would give up managing it is asked first', async ({ workbench }) => {
    await workbench.page.mouse.move(0, 0);
    await workbench.pick('ada');
    await workbench.pick('may nothing');
    await expect(workbench.dialog('Manage “Our garden” no more?')).toContainText('administrator');
    await workbench.screenshot('team-rights-give-up');
    await workbench.dialog('Manage “Our garden” no more?').getByRole('button', { name: 'Cancel' }).click();
    await expect(workbench.quickInput.locator('.monaco-list-row', { hasText: 'ada' })).toContainText(
      'you · may manage',
    );
    await workbench.page.keyboard.press('Escape');
  });

  test('the colleague sees in the list what they may there', async () => {
    const other = await team().other();
    await other.page.bringToFront();
    await other.run('Open Notebook: Switch Notebook…');
    await expect(other.quickInput.locator('.monaco-list-row', { hasText: 'Our garden' })).toContainText(
      'may read',
    );
    await other.screenshot('team-rights-offered');
    await other.pick('Our garden');
    await readySource(other, 'garden.md');
    await expect(async () => {
      await other.run('Open Notebook: Switch Notebook…');
      await expect(other.quickInput.locator('.monaco-list-row', { hasText: 'Our garden' })).toContainText(
        'may read · 1 source · shown',
        { timeout: 2_000 },
      );
    }).toPass();
    await other.screenshot('team-rights-joined');
    await other.page.keyboard.press('Escape');
  });

  test('the colleague may look who may use it, and is told that they may not change it', async () => {
    const other = await team().other();
    await other.run('Open Notebook: Who May Use This Notebook…');
    await expect(other.quickInput).toContainText('Who May Use “Our garden”');
    await other.pick('Everybody else in the team');
    await expect(other.notification('Only who manages this notebook may change that')).toContainText('ada');
    await other.screenshot('team-rights-refused');
    await other.run('Open Notebook: Rename the Notebook in the Team…');
    await expect(other.notification('Only who manages this notebook may change that')).toBeVisible();
    await expect(other.quickInput).toBeHidden();
  });

  test('a new name comes to both machines', async ({ workbench }) => {
    const other = await team().other();
    await workbench.page.bringToFront();
    await workbench.run('Open Notebook: Rename the Notebook in the Team…');
    await workbench.fill('The plot');
    await expect(workbench.statusBarItem('The plot')).toBeVisible();
    await expect(other.statusBarItem('The plot')).toBeVisible();
  });

  test('removed from the team it stays here, is told, and can be brought back', async ({ workbench }) => {
    const other = await team().other();
    await workbench.run('Open Notebook: Remove the Notebook from the Team…');
    const asked = workbench.dialog('Remove “The plot” from the team?');
    await expect(asked).toContainText('Every member loses it');
    await workbench.screenshot('team-remove');
    await asked.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(workbench.notification('“The plot” was removed from the team')).toBeVisible();
    await expect(other.statusBarItem('Team: look here')).toBeVisible();
    await readySource(other, 'garden.md');
    await workbench.answerNotification('“The plot” was removed from the team', 'Undo');
    await expect(workbench.notification('The team has “The plot” again')).toBeVisible();
    await expect(workbench.statusBarItem('Team: look here')).toHaveCount(0);
    // Who was refused looks again within half a minute.
    await expect(other.statusBarItem('Team: look here')).toHaveCount(0);
    await workbench.run('Open Notebook: Restore a Notebook of the Team…');
    await expect(workbench.notification('No notebook that you manage was removed')).toBeVisible();
  });
});
