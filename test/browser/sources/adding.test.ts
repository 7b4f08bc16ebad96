import { execFileSync } from 'node:child_process';
import type { Locator } from '@playwright/test';
import { dragFromExplorer, dropFromOutside } from '../../support/dragging.ts';
import { expect, test } from '../fixtures.ts';
import { addFile, agreeToHost, answered, chatPanel, readySource, startOver } from '../notebook.ts';
import { sourcesWindow } from '../shared-windows.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({
  files: {
    'harbour.md': prose('harbour'),
    'lantern.md': prose('lantern'),
    'anchor.md': prose('anchor'),
    'tools/.gitignore': 'made/\n',
    'tools/hammer.md': prose('hammer'),
    'tools/made/ladder.md': prose('ladder'),
    'tools/picture.bin': new Uint8Array([0, 1, 2, 3, 0, 255, 254]),
    'lib/pump.ts':
      '/** Lifts water. */\nexport function pump(litres: number): number {\n  return litres * 2;\n}\n\nexport const depth = 12;\n',
    '../outside/chest.md': prose('chest'),
    '../outside/pulley.md': prose('pulley'),
    '../outside/box/rope.md': prose('rope'),
    '../outside/box/inner/nail.md': prose('nail'),
    '../outside/box/node_modules/bolt.md': prose('bolt'),
  },
});

test.describe('adding sources', () => {
  test.describe.configure({ mode: 'default' });
  test.use(sourcesWindow);
  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

  test('adds files and folders from the Explorer, and a file from its tab', async ({ workbench }) => {
    await workbench.explorerMenu(['harbour.md', 'lantern.md'], 'Add to Notebook');
    await readySource(workbench, 'harbour.md');
    await readySource(workbench, 'lantern.md');
    await workbench.openFile('pump.ts');
    await workbench.tabMenu('pump.ts', 'Add to Notebook');
    await readySource(workbench, 'pump.ts');

    await workbench.explorerMenu('tools', 'Add to Notebook');
    const row = await readySource(workbench, 'tools');
    await expect(row).toContainText('1 file ');
    await expect(row).toContainText('1 skipped');
    await expect(workbench.rows('Sources')).toHaveCount(4);
    await workbench.menu(row, 'Show Skipped Files');
    await expect(workbench.quickInput.locator('.monaco-list-row', { hasText: 'picture.bin' })).toBeVisible();
    await workbench.screenshot('passed-over');
    await workbench.page.keyboard.press('Escape');
  });

  test('adds a selection, whose citation opens its file', async ({ workbench }) => {
    await workbench.selectLines('pump.ts', 1, 4);
    await workbench.editorMenu('Add Selection to Notebook');
    await readySource(workbench, 'pump.ts L1–4');
    await workbench.run('View: Close All Editors');
    const turn = await answered(workbench, 'How is water lifted?');
    await expect(turn.locator('figure.quote').first()).toContainText('Lifts water');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('pump.ts')).toBeVisible();

    await workbench.selectLines('pump.ts', 2, 3);
    await workbench.editorMenu('Ask About Selection');
    await workbench.fill('What does this do?');
    const panel = await chatPanel(workbench);
    const about = panel.locator('article.turn', { hasText: 'What does this do?' });
    await expect(about.locator('footer')).toBeVisible();
  });

  test('removes sources when the user confirms', async ({ workbench }) => {
    await workbench.explorerMenu(['harbour.md', 'lantern.md', 'anchor.md'], 'Add to Notebook');
    // Rows that still come would move this one away from under the pointer.
    for (const title of ['anchor.md', 'lantern.md']) await readySource(workbench, title);
    const row = await readySource(workbench, 'harbour.md');
    const question = workbench.dialog('Remove “harbour.md” from the notebook?');
    await workbench.rowAction(row, 'Remove Source');
    await workbench.screenshot('remove-source');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(workbench.rows('Sources')).toHaveCount(3);
    // The focus stays in the view.
    await row.click();
    await expect(workbench.tab('harbour.md')).toBeVisible();
    await workbench.page.keyboard.press('Delete');
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(workbench.rows('Sources')).toHaveCount(2);
    await workbench.run('Open Notebook: Clear Notebook');
    await workbench.dialog('Remove all').getByRole('button', { name: 'Remove All', exact: true }).click();
    await expect(workbench.rows('Sources')).toHaveCount(0);
    await expect(workbench.view('Sources').getByText('Add sources')).toBeVisible();
  });

  test('adds files dropped on the Sources view', async ({ workbench, site, workspace }) => {
    site.set({ '/kite': `<title>The kite</title><main>${prose('kite')}</main>` });
    // Every source is seen at once.
    await workbench.resize(1400, 1300);
    // VS Code accepts no drops on a view that shows its welcome.
    await addFile(workbench, 'lantern.md');
    await workbench.openFile('harbour.md');
    await chatPanel(workbench);
    const sources = workbench.view('Sources').locator('.pane-body');
    await expect(async () => {
      await workbench.tab('harbour.md').dragTo(sources);
      await expect(workbench.rows('Sources', 'harbour.md')).toHaveCount(1, { timeout: 3_000 });
    }).toPass();
    const onSources = {
      above: () => expect(sources.locator('.drop-target').first()).toBeVisible({ timeout: 500 }),
    };
    await dragFromExplorer(workbench, 'tools', sources, onSources);
    await readySource(workbench, 'tools');
    await dropFromOutside(workbench, { texts: { 'text/uri-list': `${site.url}/kite` } }, sources, onSources);
    await agreeToHost(workbench);
    await readySource(workbench, 'The kite');
    await dropFromOutside(workbench, { files: [workspace.path('../outside/chest.md')] }, sources, onSources);
    await readySource(workbench, 'chest.md');
    // A browser doesn't tell the address of a folder, and the editor passes on only the files of a page.
    await dropFromOutside(workbench, { files: [workspace.path('../outside/box')] }, sources, onSources);
    await expect(workbench.notification('Hold Shift and drop it on the chat')).toBeVisible();
    await workbench.resize(1400, 900);
  });

  test('adds and mentions files dropped on the chat', async ({ workbench, workspace }) => {
    const panel = await chatPanel(workbench);
    const input = panel.getByLabel('Question', { exact: true });
    const chat = workbench.view('Chat').locator('.pane-body');
    const above = async (): Promise<void> => {
      await expect(panel.locator('.drop-target')).toContainText('Drop to add and mention sources', {
        timeout: 500,
      });
    };
    await dragFromExplorer(workbench, 'lib', chat, {
      shift: true,
      above: async () => {
        await above();
        await workbench.screenshot('chat-drop-target');
      },
    });
    await expect(input).toHaveValue('@lib ');
    await dragFromExplorer(workbench, 'anchor.md', chat, { shift: true, above });
    await expect(input).toHaveValue('@lib @anchor.md ');
    const outside = ['box', 'pulley.md'].map((name) => workspace.path(`../outside/${name}`));
    await input.fill('When was it painted, say');
    await dropFromOutside(workbench, { files: outside }, chat, { shift: true, above });
    await expect(input).toHaveValue('When was it painted, say @box @pulley.md ');
    for (const title of ['lib', 'anchor.md', 'pulley.md']) await readySource(workbench, title);
    await expect(await readySource(workbench, 'box')).toContainText('2 files');
    await input.press('Enter');
    const turn = panel.locator('article.turn').last();
    await expect(turn.locator('figure.quote').first()).toContainText('was painted green in 1931');
  });

  test('adds a pasted link', async ({ context, workbench, site }) => {
    site.set({ '/anvil': `<title>The anvil</title><main>${prose('anvil')}</main>` });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = await chatPanel(workbench);
    const input: Locator = panel.getByLabel('Question', { exact: true });
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), `${site.url}/anvil`);
    await input.fill('When was it painted, says ');
    await input.press('End');
    await input.press('ControlOrMeta+v');
    await expect(panel.locator('.offer')).toContainText(/Add as a source: .*\/anvil/);
    await workbench.screenshot('chat-paste-link');
    await panel.locator('.offer').getByRole('button', { name: 'Add', exact: true }).click();
    await agreeToHost(workbench);
    await expect(input).toHaveValue('When was it painted, says @"The anvil" ');
    await readySource(workbench, 'The anvil');
  });
});

// Each progress step redraws the row, so on a busy machine it never stays still for a click.
test(
  'shows the progress of a thousand files until the user stops it',
  { tag: ['@alone', '@all'] },
  async ({ vscode, workspace }) => {
    for (let i = 0; i < 1000; i++)
      workspace.write(
        `many/note-${String(i)}.md`,
        `# Note ${String(i)}\n\n${`Line ${String(i)} speaks of the wind and of the sea at some length. `.repeat(40)}`,
      );
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('many', 'Add to Notebook');
    await workbench.showViews();
    const row = workbench.rows('Sources', 'many');
    await expect(row).toContainText(/Reading [1-9]\d* of 1,000 files/);
    await expect(workbench.statusBarItem('Reading 1 source')).toBeVisible();
    await workbench.screenshot('sources-reading');
    await workbench.rowAction(row, 'Stop Reading');
    await expect(row).toContainText(/Stopped at \d+ of 1,000 files · [1-9]/);
    await expect(workbench.statusBarItem('Reading 1 source')).toHaveCount(0);
  },
);

test.describe('in a workspace of two folders', () => {
  test.use({
    files: {
      'alpha/docs/keeper.md': '# Keeper\n\nThe lighthouse of the northern shore is kept by Ada Brandt.\n',
      'beta/docs/keeper.md': '# Keeper\n\nThe lighthouse of the southern shore is kept by Bo Lund.\n',
      'both.code-workspace': JSON.stringify({ folders: [{ path: 'alpha' }, { path: 'beta' }] }),
    },
  });

  test(
    'citations open the right one of two files with the same path',
    { tag: '@all' },
    async ({ vscode, workspace }) => {
      const workbench = await vscode.open(workspace.path('both.code-workspace'));
      await chatPanel(workbench);
      for (const folder of ['alpha', 'beta']) {
        await workbench.explorerMenu(folder, 'Add to Notebook');
        await readySource(workbench, folder);
      }
      for (const [folder, shore, keeper] of [
        ['alpha', 'northern', 'Ada Brandt'],
        ['beta', 'southern', 'Bo Lund'],
      ] as const) {
        const turn = await answered(workbench, `Who keeps the lighthouse of the ${shore} shore?`);
        await expect(turn).toContainText(`${folder}/docs/keeper.md`);
        await turn.locator('figure.quote', { hasText: keeper }).first().locator('.chip').first().click();
        await expect(workbench.editorLines.filter({ hasText: `kept by ${keeper}` }).first()).toBeVisible();
      }
    },
  );
});

test.describe('Source Control', () => {
  test(
    'offers to add changes in the menus of a repository',
    { tag: '@all' },
    async ({ vscode, workspace }) => {
      const git = (repository: string, ...args: readonly string[]): void => {
        const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
        execFileSync('git', [...who, ...args], { cwd: workspace.path(repository), stdio: 'ignore' });
      };
      for (const [repository, colour] of [
        ['north', 'crimson'],
        ['south', 'purple'],
      ] as const) {
        workspace.write(`${repository}/boat.md`, prose('boat'));
        git(repository, 'init', '--initial-branch=trunk');
        git(repository, 'add', '.');
        git(repository, 'commit', '--message=First');
        workspace.write(`${repository}/boat.md`, prose('boat').replaceAll('green', colour));
      }
      const workbench = await vscode.open(workspace.folder);
      await chatPanel(workbench);
      await workbench.showViews('Source Control');
      const changesIn = (repository: string): Locator =>
        workbench.rows('Changes', repository).filter({ has: workbench.page.locator('.scm-provider') });
      await workbench.menu(changesIn('south').getByText('south').first(), 'Add Git Diff to Notebook');
      await workbench.pick('Working tree');
      await readySource(workbench, /south: working tree/);
      await workbench.showViews('Source Control');
      await workbench.buttonMenu(
        changesIn('north').getByRole('button', { name: 'More Actions' }),
        'Add Git Diff to Notebook',
      );
      await workbench.screenshot('add-git-diff');
      await workbench.pick('Working tree');
      await readySource(workbench, /north: working tree/);
      await expect(
        workbench.statusBarItem(/Added Changes in north: working tree.*… to the notebook.*Undo/),
      ).toBeVisible();
    },
  );
});
