import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { callTool, connectTo, type ServerCommand } from '../support/mcp-client.ts';
import {
  clearNotebook,
  openWorkspaceNotebook,
  readySource,
  runCommand,
} from '../support/packed-extension.ts';

suite('the MCP server', () => {
  const log = vscode.window.createOutputChannel('MCP', { log: true });
  const file = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'garden.md');
  let notebook: NotebookClient;

  setup(async () => {
    writeFileSync(file, '# The garden\n\nTomatoes are watered every second morning with rainwater.\n');
    notebook = openWorkspaceNotebook(log);
    await runCommand('addToNotebook', [vscode.Uri.file(file)]);
    await readySource(notebook, 'garden.md');
  });

  teardown(async () => {
    await clearNotebook(notebook);
    await notebook.close();
    rmSync(file);
  });

  test('serves the notebook with the copied configuration', async () => {
    await runCommand('copyMcpConfiguration');
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText()) as {
      mcpServers: Record<string, ServerCommand>;
    };
    const client = await connectTo(mcpServers['open-notebook']!);
    const { text } = await callTool(client, 'searchNotebook', {
      queries: ['How often are tomatoes watered?'],
    });
    await client.close();
    assert.match(text, /source="garden\.md"[^]*rainwater/);
  });
});
