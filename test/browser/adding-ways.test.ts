import { execFileSync } from 'node:child_process';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from '@playwright/test';
import { dragFromExplorer, dropFromOutside } from '../support/dragging.ts';
import { expect, test, themes } from './fixtures.ts';
import { addFile, agreeToHost, answered, chatPanel, readySource } from './notebook.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({ files: { 'harbour.md': prose('harbour'), 'lantern.md': prose('lantern') } });

test.describe('in high contrast', () => {
  test.use({ settings: { 'workbench.colorTheme': themes.highContrast } });

  test('the clipboard, open editors and what is selected in a terminal are added, and taken back', async ({
    workbench,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = prose('windmill').trim();
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), copied);
    await chatPanel(workbench);

    await test.step('the clipboard is added and taken back', async () => {
      await workbench.run('Open Notebook: Add Clipboard');
      await readySource(workbench, 'windmill');
      await workbench.statusBarItem(/Added windmill to the notebook.*Undo/).click();
      await expect(workbench.rows('Sources')).toHaveCount(0);
    });

    await test.step('open editors are added once', async () => {
      await workbench.openFile('harbour.md');
      await workbench.openFile('lantern.md');
      await workbench.run('Open Notebook: Add Open Editors');
      await readySource(workbench, 'harbour.md');
      await readySource(workbench, 'lantern.md');
      await expect(workbench.statusBarItem('Added 2 sources to the notebook')).toBeVisible();
      await workbench.screenshot('added-open-editors');
      await workbench.run('Open Notebook: Add Open Editors');
      await expect(workbench.statusBarItem('All 2 were in the notebook already')).toBeVisible();
    });

    await test.step('what is selected in a terminal is added', async () => {
      await workbench.run('Terminal: Focus Terminal');
      const terminal = workbench.page.locator('.terminal-wrapper.active .xterm-screen');
      await terminal.waitFor();
      await workbench.page.keyboard.type('echo The pump lifts $((60 + 7)) litres');
      await workbench.page.keyboard.press('Enter');
      await expect(async () => {
        await workbench.run('Terminal: Select All');
        await workbench.menu(terminal, 'Add Terminal Selection to Notebook');
        await expect(workbench.rows('Sources', /^Terminal/)).toHaveCount(1, { timeout: 3_000 });
      }).toPass();
      const turn = await answered(workbench, 'How many litres does the pump lift?');
      await expect(turn.locator('figure.quote').first()).toContainText('67 litres');
      expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
      await workbench.screenshot('added-terminal-selection');
    });
  });
});

test.describe('in high contrast with light colours', () => {
  test.use({ settings: { 'workbench.colorTheme': themes.highContrastLight } });

  test('the changes of a repository are added by what they are, from its menu in Source Control, too', async ({
    vscode,
    workspace,
  }) => {
    const paint = (file: string, colour: string): void => {
      const [subject = ''] = file.split('/').slice(-1);
      workspace.write(file, prose(subject.replace('.md', '')).replaceAll('green', colour));
    };
    const git = (folder: string, ...words: string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
        cwd: workspace.path(folder),
        encoding: 'utf8',
      });
    for (const folder of ['north', 'south']) {
      for (const name of ['harbour.md', 'lantern.md']) paint(`${folder}/${name}`, 'green');
      git(folder, 'init', '--initial-branch=trunk');
      git(folder, 'add', '.');
      git(folder, 'commit', '--message=First');
    }
    git('north', 'switch', '--create=paint');
    paint('north/harbour.md', 'crimson');
    git('north', 'commit', '--all', '--message=Second');
    paint('north/lantern.md', 'turquoise');
    paint('south/lantern.md', 'purple');
    const workbench = await vscode.open(workspace.folder);
    await chatPanel(workbench);

    const choices = workbench.quickInput.locator('.monaco-list-row');
    const addDiff = async (repository: string, changes: string): Promise<void> => {
      await workbench.run('Open Notebook: Add Git Diff');
      await expect(choices).toHaveCount(2);
      await workbench.screenshot('which-repository');
      await workbench.pick(repository);
      await workbench.pick(changes);
    };

    await test.step('changes are added of the repository that is chosen', async () => {
      await addDiff('north', 'What the next commit will hold');
      await expect(workbench.notification('north has no changes of this kind')).toBeVisible();
      await addDiff('north', 'Against a branch');
      await workbench.pick('trunk');
      await readySource(workbench, /north: against trunk/);
    });

    await workbench.showViews('Source Control');
    const changesIn = (repository: string): Locator =>
      workbench.rows('Changes', repository).filter({ has: workbench.page.locator('.scm-provider') });

    await test.step('changes are added from the menus of Source Control', async () => {
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
        workbench.statusBarItem(/Added Changes of north: working tree.*… to the notebook.*Undo/),
      ).toBeVisible();
    });

    await test.step('what changed is found', async () => {
      const turn = await answered(workbench, 'crimson');
      await expect(turn.locator('figure.quote').first()).toContainText('painted crimson');
      const other = await answered(workbench, 'purple');
      await expect(other.locator('figure.quote').first()).toContainText('painted purple');
      await workbench.screenshot('added-git-diff');
    });
  });
});

test.describe('in dark colours', () => {
  test.use({
    settings: { 'workbench.colorTheme': themes.dark },
    shared: true,
    files: {
      'harbour.md': prose('harbour'),
      'lantern.md': prose('lantern'),
      'anchor.md': prose('anchor'),
      'tools/hammer.md': prose('hammer'),
      'lib/saw.md': prose('saw'),
      '../outside/chest.md': prose('chest'),
      '../outside/pulley.md': prose('pulley'),
      '../outside/box/rope.md': prose('rope'),
      '../outside/box/inner/nail.md': prose('nail'),
      '../outside/box/node_modules/bolt.md': prose('bolt'),
    },
  });

  test.describe.configure({ mode: 'serial' });

  /** The chat's page and its input. */
  let panel: FrameLocator;
  let input: Locator;

  test('tabs, folders, links and files are dropped on the sources', async ({
    workbench,
    site,
    workspace,
  }) => {
    for (const name of ['kite', 'anvil'])
      site.set({ [`/${name}`]: `<title>The ${name}</title><main>${prose(name)}</main>` });
    // Every source is seen at once.
    await workbench.resize(1400, 1300);
    // VS Code takes no drops on a view that shows its welcome.
    await addFile(workbench, 'lantern.md');
    await workbench.openFile('harbour.md');
    panel = await chatPanel(workbench);
    input = panel.getByLabel('Question', { exact: true });
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
    await dropFromOutside(
      workbench,
      { texts: { 'text/uri-list': 'javascript:alert(1)' } },
      sources,
      onSources,
    );
    await expect(workbench.notification('is neither a file nor a web page')).toBeVisible();
    // A browser tells no address of a folder, and the editor only the files of a page.
    await dropFromOutside(workbench, { files: [workspace.path('../outside/box')] }, sources, onSources);
    await expect(workbench.notification('Drop it on the chat with Shift held down')).toBeVisible();
  });

  test('files and folders are dropped on the chat, and asked', async ({ workbench, workspace }) => {
    const chat = workbench.view('Chat').locator('.pane-body');
    const above = async (): Promise<void> => {
      await expect(panel.locator('.drop-target')).toContainText('Drop to add and mention', { timeout: 500 });
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

  test('a pasted link is offered and added', async ({ context, workbench, site }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), `${site.url}/anvil`);
    await input.fill('When was it painted, says ');
    await input.press('End');
    await input.press('ControlOrMeta+v');
    await expect(panel.locator('.offer')).toContainText(/Add as a source: .*\/anvil/);
    await workbench.screenshot('chat-paste-link');
    await panel.locator('.offer').getByRole('button', { name: 'Add', exact: true }).click();
    await agreeToHost(workbench);
    await expect(input).toHaveValue('When was it painted, says @"The anvil" ');
    await expect(panel.locator('.offer')).toHaveCount(0);
    await readySource(workbench, 'The anvil');
  });

  test('a long pasted text is offered and added', async ({ workbench }) => {
    const pump = `# pump\n\n${'The pump lifts sixty litres a minute from the well. '.repeat(30)}`;
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), pump);
    await input.fill('');
    await input.press('ControlOrMeta+v');
    await panel.locator('.offer').getByRole('button', { name: 'Add', exact: true }).click();
    await readySource(workbench, 'pump');
    await expect(input).toHaveValue('@pump ');
  });

  test('the copy of a dropped file goes with its source', async ({ vscode, workbench }) => {
    const dropped = join(vscode.globalStorage, 'dropped');
    for (const name of readdirSync(dropped)) utimesSync(join(dropped, name), 0, 0);
    const chest = await readySource(workbench, 'chest.md');
    await workbench.rowAction(chest, 'Remove Source');
    await workbench.dialog('Remove chest.md').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(chest).toHaveCount(0);
    await expect(() => {
      const kept = readdirSync(dropped).flatMap((name) => readdirSync(join(dropped, name)));
      expect(kept.toSorted()).toEqual(['box', 'pulley.md']);
    }).toPass();
  });
});
