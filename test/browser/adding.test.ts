import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel, fixture, readySource, startOver } from './notebook.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({
  files: {
    'harbour.md': prose('harbour'),
    'lantern.md': prose('lantern'),
    'tools/.gitignore': 'made/*\n!made/kept.md\n*.log\n',
    'tools/hammer.md': prose('hammer'),
    'tools/run.log': 'ignored by the pattern',
    'tools/made/ladder.md': prose('ladder'),
    'tools/made/kept.md': prose('pulley'),
    'tools/hidden/secret.md': prose('secret'),
    'tools/picture.bin': new Uint8Array([0, 1, 2, 3, 0, 255, 254]),
    'lib/pump.ts':
      '/** Lifts water. */\nexport function pump(litres: number): number {\n  return litres * 2;\n}\n\nexport const depth = 12;\n',
  },
  settings: { 'files.exclude': { '**/hidden': true } },
});

test.describe('in one window', () => {
  test.describe.configure({ mode: 'default' });
  test.use({ shared: true });
  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

  test('several files are added from the explorer, a tab is added from the editor', async ({ workbench }) => {
    await workbench.explorerMenu(['harbour.md', 'lantern.md'], 'Add to Notebook');
    await readySource(workbench, 'harbour.md');
    await readySource(workbench, 'lantern.md');
    await workbench.openFile('pump.ts');
    await workbench.tabMenu('pump.ts', 'Add to Notebook');
    await readySource(workbench, 'pump.ts');
    await expect(workbench.rows('Sources')).toHaveCount(3);

    // Adding again does not add twice.
    await workbench.explorerMenu('harbour.md', 'Add to Notebook');
    await readySource(workbench, 'harbour.md');
    await expect(workbench.rows('Sources')).toHaveCount(3);
  });

  test('a folder keeps to .gitignore and files.exclude, and counts what is no text', async ({
    workbench,
  }) => {
    await workbench.explorerMenu('tools', 'Add to Notebook');
    const row = await readySource(workbench, 'tools');
    await expect(row).toContainText('2 files');
    await row.click();
    await row.press('ArrowRight');
    await expect(workbench.rows('Sources', 'hammer.md')).toBeVisible();
    await expect(workbench.rows('Sources', 'kept.md')).toBeVisible();
    await expect(workbench.rows('Sources', /ladder|secret|run\.log/)).toHaveCount(0);
    await expect(row).toContainText('1 passed over');
    await expect(async () => {
      // A view that is drawn anew takes its hover away; it comes with the next movement.
      await workbench.page.mouse.move(700, 500);
      await row.locator('.label-name').first().hover();
      await expect(
        workbench.page.locator('.monaco-hover', { hasText: 'Passed over: 1 not text' }),
      ).toBeVisible({
        timeout: 3_000,
      });
    }).toPass();
    await workbench.screenshot('sources-folder');
    await workbench.menu(row, 'Show Passed Over Files');
    await expect(workbench.page.locator('.quick-input-list', { hasText: 'not text' })).toBeVisible();
    await workbench.screenshot('passed-over');
    await workbench.page.keyboard.press('Escape');

    await row.click();
    await row.press('F2');
    await workbench.fill('Tool shed');
    await workbench.rows('Sources', 'Tool shed').press('Delete');
    await workbench.dialog('Remove Tool shed').getByRole('button', { name: 'Remove' }).click();
    await expect(workbench.rows('Sources')).toHaveCount(0);
  });

  test('a selection becomes a source that knows its lines, and can be asked about', async ({ workbench }) => {
    await workbench.selectLines('pump.ts', 1, 4);
    await workbench.editorMenu('Add Selection to Notebook');
    await readySource(workbench, 'pump.ts L1–4');
    const turn = await answered(workbench, 'How is water lifted?');
    await expect(turn.locator('figure.quote').first()).toContainText('Lifts water');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('pump.ts')).toBeVisible();

    await workbench.selectLines('pump.ts', 2, 3);
    await workbench.editorMenu('Ask about Selection');
    await workbench.fill('What does this do?');
    const panel = await chatPanel(workbench);
    await expect(
      panel.locator('article.turn', { hasText: 'What does this do?' }).locator('footer'),
    ).toBeVisible();
  });

  test('text is added from the clipboard, and from the palette a question is asked of it', async ({
    workbench,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), prose('windmill').trim());
    await chatPanel(workbench);
    await workbench.run('Open Notebook: Add Text');
    await workbench.fill('');
    await workbench.pick('Clipboard');
    await readySource(workbench, 'windmill');
    await workbench.run('Open Notebook: Ask');
    await workbench.fill('When was the windmill painted?');
    const panel = await chatPanel(workbench);
    await expect(panel.locator('figure.quote').first()).toContainText('painted green in 1931');
    await panel.locator('.chip').first().click();
    const reading = await workbench.webview('main.page');
    await expect(reading.locator('mark').first()).toBeVisible();
  });

  test('a source is renamed, and opened by its new name', async ({ workbench }) => {
    await workbench.menu(await addFile(workbench, 'harbour.md'), 'Rename Source');
    await workbench.fill('The old harbour');
    const row = await readySource(workbench, 'The old harbour');
    await row.dblclick();
    await expect(workbench.tab('harbour.md')).toBeVisible();
    await workbench.rowAction(row, 'Remove Source');
    const asked = workbench.dialog('Remove The old harbour from the notebook?');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect(row).toBeVisible();
  });

  test('a file that changes on disk is read again by itself', async ({ workbench, workspace }) => {
    await addFile(workbench, 'lantern.md');
    workspace.write('lantern.md', `${prose('lantern')}\nThe new crane lifts ninety tonnes.\n`);
    let times = 0;
    await expect(async () => {
      const turn = await answered(workbench, `What does the crane lift, asked ${String(++times)} times?`);
      await expect(turn.locator('figure.quote').first()).toContainText('ninety tonnes', { timeout: 1000 });
    }).toPass();
  });

  test('one source is removed, and all are cleared, once that is confirmed', async ({ workbench }) => {
    await workbench.explorerMenu(['harbour.md', 'lantern.md'], 'Add to Notebook');
    // Rows that still come would move this one away from under the pointer.
    await readySource(workbench, 'lantern.md');
    await workbench.rowAction(await readySource(workbench, 'harbour.md'), 'Remove Source');
    await expect(workbench.dialog('Remove harbour.md from the notebook?')).toBeVisible();
    await workbench.screenshot('remove-source');
    await workbench.dialog('Remove').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(workbench.rows('Sources')).toHaveCount(1);
    await workbench.run('Open Notebook: Clear Notebook');
    await workbench.dialog('Remove all').getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(workbench.rows('Sources')).toHaveCount(0);
    await expect(workbench.view('Sources').getByText('Add what you work with')).toBeVisible();
  });

  test('an empty notebook says what to do, and refuses a question kindly', async ({ workbench }) => {
    const panel = await chatPanel(workbench);
    await expect(panel.getByRole('button', { name: 'Add Web Page' })).toBeVisible();
    await workbench.screenshot('empty');
    const turn = await answered(workbench, 'Is anybody there?');
    await expect(turn.locator('.failure')).toContainText('no sources yet');
    await expect(turn.getByRole('button', { name: 'Add Sources' })).toBeVisible();
  });

  test('a text that is too short is refused in one sentence', async ({ workbench }) => {
    await chatPanel(workbench);
    await workbench.run('Open Notebook: Add Text');
    await workbench.fill('Short');
    await workbench.pick('Type it here');
    await workbench.fill('Too short.');
    await expect(workbench.notification('at least 100')).toBeVisible();
    await workbench.showViews();
    await expect(workbench.rows('Sources')).toHaveCount(0);
  });

  test('a question that nothing answers is answered so', async ({ workbench }) => {
    await addFile(workbench, 'harbour.md');
    const turn = await answered(workbench, 'Who invented the transistor?');
    await expect(turn).toContainText('No word of your question stands in this notebook.');
  });

  test('the draft of a question stays when the panel is hidden, and when the window is reloaded', async ({
    workbench,
  }) => {
    const draft = async (): Promise<Locator> =>
      (await chatPanel(workbench)).getByLabel('Question', { exact: true });
    await (await draft()).fill('A thought that is not finished');
    await workbench.showExplorer();
    await expect(await draft()).toHaveValue('A thought that is not finished');
    await workbench.reload();
    await expect(await draft()).toHaveValue('A thought that is not finished');
  });

  test('a citation of an HTML file opens its own lines', async ({ workbench, workspace }) => {
    workspace.copy(fixture('article.html'), 'article.html');
    await workbench.explorerMenu('article.html', 'Add to Notebook');
    await readySource(workbench, 'article.html');
    const turn = await answered(workbench, 'How many centimetres does a turn of the key lift the weight?');
    const quote = turn.locator('figure.quote', { hasText: 'A full turn of the key' });
    await expect(quote).not.toContainText('&');
    await quote.locator('.chip').click();
    await expect(workbench.tab('article.html')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'A full turn of the key' })).toBeVisible();
    await expect(workbench.page.locator('.view-overlays .cdr[class*="ced-"]').first()).toBeVisible();
    await workbench.screenshot('citation-in-html');
  });
});

// Its row is drawn anew with each step of the reading, and on a busy machine never holds still for a click.
test(
  'a thousand files show their progress, can be stopped, and keep what was done',
  { tag: '@alone' },
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
