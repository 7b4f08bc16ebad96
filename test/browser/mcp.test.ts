import { expect, test } from './fixtures.ts';
import { callTool, connectTo, type ServerCommand } from '../support/mcp-client.ts';
import { readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

test.use({ files: { 'garden.md': garden } });

test(
  'MCP serves the notebook to other programs and to the editor’s agents',
  { tag: '@all' },
  async ({ vscode, workspace, context }) => {
    vscode.set({ 'chat.disableAIFeatures': false });
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('garden.md', 'Add to Notebook');
    await readySource(workbench, 'garden.md');

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.run('Open Notebook: Copy MCP Configuration');
    await expect(workbench.notification('Copied the MCP configuration')).toBeVisible();
    const copied = await workbench.page.evaluate('navigator.clipboard.readText()');
    const { mcpServers } = JSON.parse(String(copied)) as { mcpServers: Record<string, ServerCommand> };
    const client = await connectTo(mcpServers['open-notebook']!);
    const { text } = await callTool(client, 'searchNotebook', {
      queries: ['How often are tomatoes watered?'],
    });
    await client.close();
    expect(text).toContain('source="garden.md"');
    expect(text).toContain('rainwater');

    await workbench.run('MCP: List Servers');
    await expect(workbench.quickInput).toContainText('Open Notebook');
    await workbench.screenshot('mcp-servers');
    await workbench.pick('Open Notebook');
    await workbench.pick('Start Server');
    const row = workbench.quickInput.locator('.monaco-list-row', { hasText: 'Open Notebook' });
    // The server's output, which opens when it starts, may take the focus from the list.
    await expect(async () => {
      await workbench.page.keyboard.press('Escape');
      await workbench.run('MCP: List Servers');
      await expect(row).toContainText('Running', { timeout: 3_000 });
    }).toPass();
    await workbench.screenshot('mcp-running');
  },
);
