import * as vscode from 'vscode';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { inform } from '../../../platform/dialogs.ts';

interface McpServerParts {
  readonly extensionUri: vscode.Uri;
  /** Version of the extension. */
  readonly version: string;
  readonly notebook: NotebookClient;
}

/** Command that serves the notebook to MCP clients: a script that runs in the editor's own Node. */
interface ServerCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** Offers the notebook as an MCP server to the editor's agents, if the editor supports servers from extensions. */
export function registerMcpServer(parts: McpServerParts): vscode.Disposable {
  if (!('registerMcpServerDefinitionProvider' in vscode.lm)) return vscode.Disposable.from();
  return vscode.lm.registerMcpServerDefinitionProvider('openNotebook.notebook', {
    onDidChangeMcpServerDefinitions: parts.notebook.onDidSwitch,
    provideMcpServerDefinitions: () => {
      const { command, args, env } = serverCommand(parts);
      return [new vscode.McpStdioServerDefinition('Open Notebook', command, args, env, parts.version)];
    },
  });
}

/** Copies the configuration that other programs need to start the server, in the form that most of them read. */
export async function copyMcpConfiguration(parts: McpServerParts): Promise<void> {
  const configuration = { mcpServers: { 'open-notebook': serverCommand(parts) } };
  await vscode.env.clipboard.writeText(JSON.stringify(configuration, undefined, 2));
  inform(
    vscode.l10n.t(
      'Copied the MCP configuration. Paste it into the MCP settings of an app on this machine. After you update Open Notebook, copy it again.',
    ),
  );
}

function serverCommand({ extensionUri, notebook }: McpServerParts): ServerCommand {
  return {
    command: process.execPath,
    args: [vscode.Uri.joinPath(extensionUri, 'dist', 'mcp-server.cjs').fsPath, notebook.directory],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}
