import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';

/** The program that draws diagrams, to be run in a frame of its own. It is packed, as few need it. */
export async function diagramProgram(extensionUri: vscode.Uri): Promise<string> {
  const packed = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(extensionUri, 'dist', 'diagrams.js.br'),
  );
  return (await promisify(brotliDecompress)(packed)).toString('utf8');
}
