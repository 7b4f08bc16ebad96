import { execFileSync } from 'node:child_process';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({ files: { 'harbour.md': prose('harbour'), 'lantern.md': prose('lantern') } });

test('the clipboard, open editors and what is selected in a terminal are added, and taken back', async ({
  workbench,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = prose('windmill').trim();
  await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), copied);
  await chatPanel(workbench);
  await workbench.run('Open Notebook: Add Clipboard');
  await readySource(workbench, '# windmill The windmill was');
  await workbench.answerNotification('Added # windmill', 'Undo');
  await expect(workbench.rows('Sources')).toHaveCount(0);

  await workbench.openFile('harbour.md');
  await workbench.openFile('lantern.md');
  await workbench.run('Open Notebook: Add Open Editors');
  await readySource(workbench, 'harbour.md');
  await readySource(workbench, 'lantern.md');
  await expect(workbench.notification('Added 2 sources')).toBeVisible();
  await workbench.screenshot('added-open-editors');
  await workbench.run('Open Notebook: Add Open Editors');
  await expect(workbench.notification('All 2 were in the notebook already')).toBeVisible();

  await workbench.run('Terminal: Focus Terminal');
  const terminal = workbench.page.locator('.terminal-wrapper.active .xterm-screen');
  await terminal.waitFor();
  await workbench.page.keyboard.type('echo The pump lifts $((60 + 7)) litres');
  await workbench.page.keyboard.press('Enter');
  await expect(async () => {
    await workbench.run('Terminal: Select All');
    await workbench.run('Open Notebook: Add Terminal Selection');
    await expect(workbench.rows('Sources', /^Terminal/)).toHaveCount(1, { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  const turn = await answered(workbench, 'How many litres does the pump lift?');
  await expect(turn.locator('figure.quote').first()).toContainText('67 litres');
  expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
  await workbench.screenshot('added-terminal-selection');
});

test('the changes of a repository are added by what they are', async ({ vscode, workspace }) => {
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
      cwd: workspace.folder,
      encoding: 'utf8',
    });
  git('init', '--initial-branch=trunk');
  git('add', '.');
  git('commit', '--message=First');
  git('switch', '--create=paint');
  workspace.write('harbour.md', prose('harbour').replace('green', 'crimson'));
  git('commit', '--all', '--message=Second');
  workspace.write('lantern.md', prose('lantern').replace('green', 'turquoise'));
  const workbench = await vscode.open(workspace.folder);
  await chatPanel(workbench);

  await workbench.run('Open Notebook: Add Git Diff');
  await workbench.pick('What the next commit will hold');
  await expect(workbench.notification('has no changes of this kind')).toBeVisible({ timeout: 20_000 });

  await workbench.run('Open Notebook: Add Git Diff');
  await workbench.pick('Against a branch');
  await workbench.pick('trunk');
  await readySource(workbench, /against trunk/);
  await workbench.run('Open Notebook: Add Git Diff');
  await workbench.pick('Working tree');
  await readySource(workbench, /working tree/);
  const turn = await answered(workbench, 'crimson');
  await expect(turn.locator('figure.quote').first()).toContainText('painted crimson');
  await workbench.screenshot('added-git-diff');
});
