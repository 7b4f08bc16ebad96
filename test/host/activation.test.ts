import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { note } from '../support/suite-report.ts';
import { until } from '../support/until.ts';

suite('activation', () => {
  const extension = vscode.extensions.getExtension('open-notebook.open-notebook');

  test('the packed extension is installed', () => {
    assert.ok(extension);
    assert.equal(extension.extensionUri.fsPath.includes('extensions'), true);
  });

  test('it activates and reports the time', async () => {
    const started = performance.now();
    await extension?.activate();
    note('activation in milliseconds', Math.round(performance.now() - started));
    assert.equal(extension?.isActive, true);
  });

  test('it registers every command that it contributes', async () => {
    const { contributes } = extension!.packageJSON as {
      contributes: { commands: readonly { command: string }[] };
    };
    const contributed = contributes.commands.map(({ command }) => command);
    assert.ok(contributed.length > 0);
    assert.deepEqual(
      contributed.filter((command) => !command.startsWith('openNotebook.')),
      [],
    );
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });

  test('opens pages of the user guide from the package', async () => {
    const tabs = (): string[] =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    await vscode.commands.executeCommand('openNotebook.openGuide');
    await until(() => tabs().includes('Preview README.md'), tabs);
    await vscode.commands.executeCommand('openNotebook.openGuide', 'check-answers');
    await until(() => tabs().includes('Preview check-answers.md'), tabs);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
