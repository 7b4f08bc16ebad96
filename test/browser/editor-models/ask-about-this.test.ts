import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { FrameLocator } from '@playwright/test';
import type { Workbench } from '../../support/workbench.ts';
import type { Workspace } from '../../support/workspace.ts';
import { expect, test } from '../fixtures.ts';
import { chatPanel, findTurn, readySource, startOver } from '../notebook.ts';
import { editorModelsWindow } from '../shared-windows.ts';

const code = (id: string, source: string, outputs: readonly object[]): object => ({
  ...{ cell_type: 'code', id, execution_count: 1, metadata: {} },
  ...{ source, outputs },
});

const survey = JSON.stringify({
  ...{ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: 'python' } } },
  cells: [
    code('first', 'survey()', [
      { output_type: 'stream', name: 'stdout', text: 'The survey found 23 leaks in the northern pipe.\n' },
    ]),
    code('second', 'drain()', [
      {
        output_type: 'error',
        ename: 'ValveError',
        evalue: 'the valve at the mill is stuck',
        traceback: ['\u001b[31mValveError\u001b[0m: the valve at the mill is stuck', 'in drain(), line 41'],
      },
    ]),
    code('third', 'table()', [
      {
        output_type: 'display_data',
        metadata: {},
        data: {
          'text/html':
            '<table><tr><th>Pump</th><th>Litres</th></tr><tr><td>North</td><td>412</td></tr><tr><td>South</td><td>386</td></tr></table>',
          'text/plain': '  Pump  Litres\n0 North 412\n1 South 386',
        },
      },
    ]),
  ],
});

const guide = `# Guide

## Filling the tank

The tank is filled from the brook until the float closes the valve at 900 litres.

## Draining the tank

The tank is drained in November, before the first frost.
`;

test.use({ ...editorModelsWindow, files: { 'guide.md': guide, 'survey.ipynb': survey } });
test.describe.configure({ mode: 'default' });

/** Asks in the box that a command opens, and waits until the answer, which cites the words, has ended. */
async function asked(workbench: Workbench, question: string, words: string): Promise<FrameLocator> {
  await workbench.fill(question);
  const panel = await chatPanel(workbench);
  const turn = findTurn(panel, question);
  await expect(turn.locator('footer')).toBeVisible();
  await expect(turn.locator('figure.quote', { hasText: words }).first()).toBeVisible();
  return panel;
}

/** Clicks the number of the quote that holds some words. */
async function follow(panel: FrameLocator, question: string, words: string): Promise<void> {
  const quote = findTurn(panel, question).locator('figure.quote', { hasText: words }).first();
  await quote.locator('.chip').first().click();
}

/** Gives the workspace's repository three commits. */
function commitThrice(workspace: Workspace): void {
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.com', ...words], {
      cwd: workspace.folder,
      encoding: 'utf8',
    });
  git('init', '--initial-branch=trunk');
  git('add', 'guide.md');
  git('commit', '--message=Write the guide');
  workspace.write('guide.md', guide.replace('900 litres', '950 litres'));
  git('commit', '--all', '--message=Fill the tank higher\n\nThe float was moved by the plumber.');
  workspace.write('guide.md', guide.replace('900 litres', '950 litres').replace('November', 'October'));
  git('commit', '--all', '--message=Drain it earlier');
}

test.describe('Asking about', () => {
  test.beforeEach(({ workspace }) => {
    if (!existsSync(workspace.path('.git'))) commitThrice(workspace);
  });
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
  });

  test('a symbol cites its lines', async ({ workbench }) => {
    await workbench.openFile('guide.md', 5);
    await workbench.menu(workbench.editorLines.filter({ hasText: '950 litres' }), 'Ask About Symbol');
    const panel = await asked(workbench, 'When does the float close the valve?', '950 litres');
    await readySource(workbench, /Filling the tank \(guide\.md\)/);
    await follow(panel, 'When does the float', '950 litres');
    await expect(workbench.statusBarItem('Ln 5')).toBeVisible();
    // The opened editor takes the focus.
    await expect(workbench.page.locator('.editor-instance .monaco-editor.focused')).toBeVisible();
  });

  test('the output of a cell cites the output', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.openFile('survey.ipynb');
    await page.locator('.notebookOverlay .view-line').filter({ hasText: 'survey' }).click();
    await workbench.run('Open Notebook: Ask About Current Context');
    await workbench.pick('Output of cell 1');
    const panel = await asked(workbench, 'How many leaks were found?', '23 leaks');
    await readySource(workbench, 'survey.ipynb, output of cell 1');
    await follow(panel, 'How many leaks', '23 leaks');
    await expect(
      page.locator('.cell-statusbar-container', { hasText: 'Cited from the output' }),
    ).toBeVisible();
    await workbench.screenshot('asked-about-output');
  });

  test('an output has the command in its menu', { tag: '@all' }, async ({ workbench }) => {
    await workbench.openFile('survey.ipynb');
    const outputs = workbench.page
      .frameLocator('iframe.webview.ready[src*="purpose=notebookRenderer"]')
      .frameLocator('#active-frame');
    await workbench.menu(outputs.getByText('in drain(), line 41'), 'Ask About Output');
    await asked(workbench, 'Which valve is stuck?', 'in drain(), line 41');
  });

  test('a range of commits cites their messages', { tag: '@all' }, async ({ workbench }) => {
    await workbench.run('Open Notebook: Ask About Commits');
    await workbench.pick('Drain it earlier');
    await workbench.pick('Fill the tank higher');
    const panel = await asked(workbench, 'Who moved the float?', 'moved by the plumber');
    await readySource(workbench, /: 2 commits/);
    await follow(panel, 'Who moved the float', 'moved by the plumber');
    const reading = await workbench.webview('article.markdown');
    await expect(reading.locator('mark').first()).toContainText('moved by the plumber');
    await expect.poll(() => reading.locator('body').evaluate(() => document.hasFocus())).toBe(true);
  });

  test('the first commit cites all of its files', { tag: '@all' }, async ({ workbench }) => {
    await workbench.run('Open Notebook: Ask About Commits');
    await workbench.pick('Write the guide');
    await asked(workbench, 'What closes the valve at 900 litres?', '900 litres');
    await readySource(workbench, /Write the guide/);
  });

  test('a test result has the command in its menu', { tag: '@all' }, async ({ workbench }) => {
    const { page } = workbench;
    await workbench.run('Companion: Fail a Test');
    await workbench.run('Test Results: Focus on Test Results View');
    const message = page.locator('.test-output-peek-tree .monaco-list-row', { hasText: 'wrong pressure' });
    await message.click();
    await page.getByText('Ask About Test Result').last().click();
    await asked(workbench, 'What pressure came instead?', '4 bar');
    await readySource(workbench, 'Result of the pump is primed');
  });
});
