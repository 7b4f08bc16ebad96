import { makeGate } from '../support/gate.ts';
import { expect, test } from './fixtures.ts';
import { answered, ask, chatPanel, readySource, findTurn } from './notebook.ts';
import { modelSettings } from './shared-windows.ts';

const mill =
  '# The mill\n\nThe wheel of the mill turns only when the upper sluice is open, which it is on weekdays.\n';
const windLog = '# The log\n\nThe wind came from the north and stayed there all day long.\n';

test(
  'sources, conversation and a half-written answer survive a killed editor',
  { tag: '@all' },
  async ({ vscode, workspace, model }) => {
    workspace.write('mill.md', mill);
    vscode.set(modelSettings(model));
    let workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('mill.md', 'Add to Notebook');
    await readySource(workbench, 'mill.md');
    const gate = makeGate();
    model.reply(() => ['The wheel turns only ', 'when the upper sluice is open [1]. ', 'It is ', gate]);
    const turn = findTurn(await ask(workbench, 'When does the wheel turn?'), 'When does the wheel');
    await gate.reached;
    await expect(turn.locator('.chip')).toBeVisible();
    // A streamed answer is saved twice a second, at the next token.
    gate.open();
    await expect(turn.locator('footer')).toBeVisible();
    const second = makeGate();
    model.reply(() => ['On weekdays [1]. ', second]);
    const other = findTurn(await ask(workbench, 'On which days is it open?'), 'On which days');
    await second.reached;
    await expect(other.locator('.answer')).toContainText('On weekdays');
    await vscode.server.kill();
    await workbench.page.close();
    await vscode.restart();

    workbench = await vscode.open(workspace.folder);
    await readySource(workbench, 'mill.md');
    const panel = await chatPanel(workbench);
    await expect(findTurn(panel, 'When does the wheel').locator('.answer')).toContainText(
      'when the upper sluice is open',
    );
    await expect(findTurn(panel, 'On which days')).toContainText(
      'The window closed before the answer was complete.',
    );
    second.open();
  },
);

test(
  'an answer streams while the panel is hidden or moved, and its text is kept by a reload',
  { tag: '@all' },
  async ({ vscode, workspace, model }) => {
    workspace.write('mill.md', mill);
    vscode.set(modelSettings(model));
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('mill.md', 'Add to Notebook');
    await readySource(workbench, 'mill.md');
    const [hidden, moved, reloaded] = [makeGate(), makeGate(), makeGate()];
    model.reply(() => [
      'The wheel turns only ',
      hidden,
      'when the upper sluice is open [1]. ',
      moved,
      'It is open on weekdays [1]. ',
      reloaded,
      'Never on Sundays.',
    ]);
    const chat = await ask(workbench, 'When does the wheel turn?');
    await expect(findTurn(chat, 'When does the wheel').locator('.answer')).toContainText(
      'The wheel turns only',
    );
    await hidden.reached;

    await workbench.showExplorer();
    hidden.open();
    await moved.reached;
    const shown = findTurn(await chatPanel(workbench), 'When does the wheel');
    await expect(shown.locator('.answer')).toContainText('when the upper sluice is open');
    await expect(shown.locator('p.progress')).toBeVisible();

    await expect(async () => {
      await workbench.run('View: Move View');
      await workbench.pick('Chat');
      await workbench.pick('New Panel Entry');
    }).toPass();
    moved.open();
    await reloaded.reached;
    const elsewhere = findTurn(
      await workbench.webview('textarea[aria-label="Question"]'),
      'When does the wheel',
    );
    await expect(elsewhere.locator('.answer')).toContainText('It is open on weekdays');
    await workbench.screenshot('panel-moved');

    await workbench.reload();
    // The reload may happen before VS Code saved which view was in front.
    await workbench.run('View: Focus into Panel');
    const panel = workbench.page.locator('[id="workbench.parts.panel"]');
    await panel.getByRole('tab', { name: 'Open Notebook' }).click();
    const after = findTurn(await workbench.webview('textarea[aria-label="Question"]'), 'When does the wheel');
    await expect(after).toContainText('The window closed before the answer was complete.');
    await expect(after.locator('.answer')).toContainText('when the upper sluice is open');
    reloaded.open();
  },
);

test('two windows on one folder share its notebook', { tag: '@all' }, async ({ vscode, workspace }) => {
  workspace.write('mill.md', mill);
  workspace.write('log.md', windLog);
  const first = await vscode.open(workspace.folder);
  const second = await vscode.open(workspace.folder);
  await first.explorerMenu('mill.md', 'Add to Notebook');
  await second.explorerMenu('log.md', 'Add to Notebook');
  for (const window of [first, second]) {
    await readySource(window, 'mill.md');
    await readySource(window, 'log.md');
  }
  const turn = await answered(second, 'When does the wheel of the mill turn?');
  await expect(turn.locator('figure.quote').first()).toContainText('upper sluice is open');
});
