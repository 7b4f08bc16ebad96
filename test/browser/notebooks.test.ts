import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import type { Workspace } from '../support/workspace.ts';
import { expect, test, themes } from './fixtures.ts';
import { addFile, answered, chatPanel, readySource } from './notebook.ts';

/** Gives a notebook the name that is asked for. */
async function nameIt(workbench: Workbench, name: string): Promise<void> {
  // What asked before may still be there.
  await expect(workbench.quickInput).toContainText('Every window can open a notebook by its name');
  await workbench.fill(name);
}

test.use({
  files: {
    'garden.md':
      '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n',
    'kitchen.md': '# The kitchen\n\nBread is baked on Saturdays in the old stone oven behind the house.\n',
  },
});

test.describe('a notebook of a name', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  test('begins empty', async ({ workbench }) => {
    await addFile(workbench, 'garden.md');
    await answered(workbench, 'How often are tomatoes watered?');
    const panel = await chatPanel(workbench);
    await panel.getByLabel('Question', { exact: true }).fill('A draft about gardens');
    await workbench.run('Open Notebook: New Notebook…');
    await nameIt(workbench, 'Baking');
    const sources = workbench.view('Sources');
    await expect(workbench.rows('Sources')).toHaveCount(0);
    await expect(sources.getByRole('button', { name: 'Add Files or Folders' }).last()).toBeVisible();
    await expect(workbench.statusBarItem('Baking')).toBeVisible();
    await expect(sources).toContainText('Baking');
    const other = await chatPanel(workbench);
    await expect(other.getByLabel('Question', { exact: true })).toHaveValue('');
    await expect(other.locator('article.turn')).toHaveCount(0);
    await workbench.screenshot('notebook-new');
    await workbench.explorerMenu('kitchen.md', 'Add to Notebook');
    await readySource(workbench, 'kitchen.md');
    await answered(workbench, 'When is bread baked?');
  });

  test('keeps its notes, drafts and conversations to itself', async ({ workbench }) => {
    await workbench.run('Open Notebook: New Note…');
    await workbench.fill('Loaves');
    const tab = workbench.tab('Loaves.md');
    await expect(tab).toHaveClass(/active/);

    await workbench.statusBarItem('Baking').click();
    await workbench.pick('Notebook of this workspace');
    await readySource(workbench, 'garden.md');
    await expect(workbench.rows('Sources')).toHaveCount(1);
    const back = await chatPanel(workbench);
    await expect(back.getByLabel('Question', { exact: true })).toHaveValue('A draft about gardens');
    await expect(back.locator('article.turn')).toContainText('rainwater');
    await tab.click();
    await workbench.page.keyboard.type('Rye and wheat.');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await expect(tab).not.toHaveClass(/dirty/);
  });

  test('is opened in another window, and deleted there until that is undone', async ({
    vscode,
    workspace,
  }) => {
    const second = await vscode.open(workspace.folder);
    await second.showViews();
    await second.run('Open Notebook: Switch Notebook…');
    await expect(second.quickInput).toContainText('Baking');
    await second.screenshot('notebook-switch');
    await second.pick('Baking');
    await readySource(second, 'kitchen.md');
    await second.unfold('Notes');
    await expect(second.rows('Notes', 'Loaves')).toBeVisible();

    await second.run('Open Notebook: Delete Notebook…');
    await second.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await readySource(second, 'garden.md');
    await second.answerNotification('was deleted', 'Undo');
    await readySource(second, 'kitchen.md');
  });
});

test.describe('in dark colours', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ settings: { 'workbench.colorTheme': themes.dark }, shared: true });

  test('a source moves to another notebook and back', async ({ workbench }) => {
    await workbench.explorerMenu(['garden.md', 'kitchen.md'], 'Add to Notebook');
    const garden = await readySource(workbench, 'garden.md');
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    await workbench.menu(garden, 'Move to Notebook…');
    await workbench.pick('New Notebook…');
    await nameIt(workbench, 'Outdoors');
    await expect(garden).toHaveCount(0);
    await expect(turn).toContainText('rainwater from the barrel');
    // What was moved comes back, where it is cited as before, and goes for good the second time.
    await workbench.answerNotification('Moved to “Outdoors”', 'Undo');
    await readySource(workbench, 'garden.md');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();
    await workbench.showViews();
    await workbench.menu(garden, 'Move to Notebook…');
    await workbench.pick('Outdoors');
    await expect(garden).toHaveCount(0);
    await workbench.answerNotification('Moved to “Outdoors”', 'Show');
    await readySource(workbench, 'garden.md');
    await expect(workbench.rows('Sources')).toHaveCount(1);
    const moved = await answered(workbench, 'How often are tomatoes watered?');
    await expect(moved).toContainText('rainwater from the barrel');
  });

  test('a notebook is duplicated with its conversation', async ({ workbench }) => {
    await workbench.run('Open Notebook: Duplicate Notebook…');
    await expect(workbench.quickInput.locator('input').first()).toHaveValue('Outdoors copy');
    await nameIt(workbench, 'Twice');
    await expect(workbench.statusBarItem('Twice')).toBeVisible();
    const panel = await chatPanel(workbench);
    await expect(panel.locator('article.turn')).toContainText('rainwater from the barrel');
    await readySource(workbench, 'garden.md');
  });

  test('a notebook is exported, also as Markdown', async ({ workbench, workspace }) => {
    const box = workbench.quickInput.locator('input').first();
    await workbench.run('Open Notebook: Export Notebook…');
    await expect(box).toHaveValue(/Twice\.opennotebook$/);
    await box.press('Enter');
    await expect(workbench.notification('was exported to Twice.opennotebook')).toBeVisible();
    await workbench.run('Open Notebook: Export Notebook as Markdown…');
    await expect(box).toHaveValue(/\/$/);
    await workbench.quickInput.getByRole('button', { name: 'Export Here' }).click();
    // A toast that comes as another goes is shown in the list alone.
    const told = workbench.page.getByRole('alert').filter({ hasText: 'was exported as Markdown' });
    await expect(told.first()).toBeAttached();
    await expect
      .poll(() => readdirSync(join(workspace.folder, 'Twice', 'Sources')))
      .toEqual(['garden.md.md']);
  });

  test('an exported notebook is imported as a new one', async ({ workbench }) => {
    await workbench.explorerMenu('Twice.opennotebook', 'Import Notebook…');
    await workbench.pick('New Notebook…');
    await nameIt(workbench, 'Imported');
    // What would be read from disk is asked for, and listed by its path.
    await expect(workbench.quickInput.getByPlaceholder('Tick what to read')).toBeVisible();
    await workbench.pickSeveral(['garden.md']);
    await expect(workbench.statusBarItem('Imported')).toBeVisible();
    await readySource(workbench, 'garden.md');
    const imported = await chatPanel(workbench);
    await imported.locator('article.turn .chip').first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();
  });

  test('an exported notebook is imported into another, which is undone', async ({ workbench }) => {
    // Once more into what holds all of it, and into one that holds nothing of it; that is undone.
    await workbench.explorerMenu('Twice.opennotebook', 'Import Notebook…');
    await expect(workbench.quickInput).toContainText('Add to “Imported”');
    await workbench.screenshot('notebook-import');
    await workbench.pick('Add to “Imported”');
    await expect(workbench.notification('“Imported” has all of it already.')).toBeVisible();
    await workbench.statusBarItem('Imported').click();
    await workbench.pick('Notebook of this workspace');
    const kitchen = await readySource(workbench, 'kitchen.md');
    await workbench.explorerMenu('Twice.opennotebook', 'Import Notebook…');
    await workbench.pick('Add to “');
    await expect(workbench.quickInput.getByPlaceholder('Tick what to read')).toBeVisible();
    await workbench.page.keyboard.press('Enter');
    await readySource(workbench, 'garden.md');
    await expect(kitchen).toBeVisible();
    await workbench.answerNotification(
      'Sources: 1, notes: 0, questions with their answers: 1, researches: 0.',
      'Undo',
    );
    await expect(workbench.rows('Sources', 'garden.md')).toHaveCount(0);
    await expect(kitchen).toBeVisible();
    await workbench.statusBarItem('Notebook of this workspace').click();
    await workbench.pick('Imported');
    await readySource(workbench, 'garden.md');
  });

  test('a notebook is renamed and deleted where it is listed', async ({ workbench }) => {
    await workbench.run('Open Notebook: Switch Notebook…');
    await expect(workbench.quickInput).toContainText('1 source · shown');
    await workbench.screenshot('notebook-counts');

    // Another one than that which is shown is renamed and deleted where it is listed.
    const listed = (name: string): Locator =>
      workbench.quickInput.locator('.monaco-list-row', { hasText: name });
    await workbench.rowAction(listed('Twice'), 'Rename Notebook');
    await nameIt(workbench, 'Second');
    await expect(listed('Second')).toBeVisible();
    await workbench.screenshot('notebook-buttons');
    await workbench.rowAction(listed('Second'), 'Delete Notebook');
    await workbench.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(workbench.notification('“Second” was deleted')).toBeVisible();
    await expect(workbench.statusBarItem('Imported')).toBeVisible();
    await workbench.run('Open Notebook: Switch Notebook…');
    await expect(listed('Outdoors')).toBeVisible();
    await expect(listed('Second')).toHaveCount(0);
  });
});

test.describe('a repository that shares a notebook', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true, settings: { 'workbench.colorTheme': themes.highContrast } });

  const list = '.notebook/notebook.json';
  const share = (workspace: Workspace, files: readonly string[], notes: readonly string[] = []): void => {
    const sources = files.map((path) => ({ kind: 'file', path }));
    workspace.write(list, JSON.stringify({ version: 1, sources, notes }));
  };

  test('lists the sources that were ticked', async ({ workbench, workspace }) => {
    await addFile(workbench, 'garden.md');
    await workbench.run('Open Notebook: Share Notebook in This Repository…');
    await expect(workbench.quickInput).toContainText('garden.md');
    await workbench.screenshot('notebook-share');
    await workbench.page.keyboard.press('Enter');
    await expect(workbench.notification('Shared 1 in .notebook')).toBeVisible();
    expect(JSON.parse(readFileSync(join(workspace.folder, list), 'utf8'))).toEqual({
      version: 1,
      sources: [{ kind: 'file', path: 'garden.md' }],
      notes: [],
    });
  });

  test('offers them in place of the sources to who has none of them yet', async ({ workbench }) => {
    await workbench.run('Open Notebook: New Notebook…');
    await nameIt(workbench, 'Mine');
    const offer = workbench.view('Sources').getByRole('button', { name: 'Add Its Sources' }).last();
    await expect(offer).toBeVisible();
    await workbench.screenshot('notebook-shared');
    await offer.click();
    await expect(workbench.quickInput).toContainText('garden.md');
    await workbench.page.keyboard.press('Enter');
    await readySource(workbench, 'garden.md');
  });

  test('tells of a source that came, and adds it once that is agreed to', async ({
    workbench,
    workspace,
  }) => {
    share(workspace, ['garden.md', 'kitchen.md']);
    await workbench.answerNotification('shares 1 more source', 'Add…');
    await expect(workbench.quickInput).toContainText('kitchen.md');
    await workbench.page.keyboard.press('Enter');
    await readySource(workbench, 'kitchen.md');
  });

  test('tells of a source that went, and removes it once that is agreed to', async ({
    workbench,
    workspace,
  }) => {
    const kitchen = workbench.rows('Sources', 'kitchen.md');
    share(workspace, ['garden.md']);
    await expect(workbench.notification('no longer shares kitchen.md')).toBeVisible();
    await expect(kitchen).toBeVisible();
    await workbench.answerNotification('no longer shares kitchen.md', 'Remove');
    await expect(kitchen).toHaveCount(0);
    await expect(workbench.rows('Sources', 'garden.md')).toBeVisible();
  });

  test('tells of a note that came or went', async ({ workbench, workspace }) => {
    workspace.write('.notebook/notes/Loaves.md', 'Rye and wheat.');
    share(workspace, ['garden.md'], ['notes/Loaves.md']);
    await workbench.answerNotification('shares 1 more source or note', 'Add…');
    await expect(workbench.quickInput).toContainText('Loaves');
    await workbench.page.keyboard.press('Enter');
    await workbench.unfold('Notes');
    await expect(workbench.rows('Notes', 'Loaves')).toBeVisible();
    share(workspace, ['garden.md']);
    await workbench.answerNotification('no longer shares Loaves', 'Remove');
    await expect(workbench.rows('Notes', 'Loaves')).toHaveCount(0);
  });
});
