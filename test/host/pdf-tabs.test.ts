import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { formPdf } from '../support/form-pdf.ts';
import { until } from '../support/until.ts';

suite('PDFs opened by the editor', () => {
  let home: string;
  let uri: vscode.Uri;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('open-notebook.open-notebook')?.activate();
    home = mkdtempSync(join(tmpdir(), 'pdf-tabs-'));
    const path = join(home, 'protocol.pdf');
    writeFileSync(path, formPdf());
    uri = vscode.Uri.file(path);
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(home, { recursive: true, force: true });
  });

  function kindsOfTabs(): string[] {
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => {
        if (input instanceof vscode.TabInputCustom && input.uri.path === uri.path) return input.viewType;
        return input instanceof vscode.TabInputText && input.uri.path === uri.path ? 'text' : [];
      });
  }

  test('open in the PDF viewer', async () => {
    await vscode.commands.executeCommand('vscode.open', uri);
    await until(() => kindsOfTabs().join() === 'openNotebook.pdf', kindsOfTabs);
  });

  test('stay text if the user reopens them as text', async () => {
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
    await until(() => kindsOfTabs().includes('text'), kindsOfTabs);
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    assert.ok(kindsOfTabs().includes('text'));
  });
});
