// Serves a notebook to MCP clients over its standard streams: mcp-server.cjs NOTEBOOK-FOLDER
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { passageFinder } from '../editor/agents/notebook-finder.ts';
import { NotebookReader } from './notebook-reader.ts';
import { serveNotebook, type ToolDescription } from './serve-notebook.ts';

async function main(script: string, directory: string | undefined): Promise<void> {
  if (directory === undefined)
    throw new Error('Give the folder of the notebook, as Open Notebook: Copy MCP Configuration does.');
  const folder = dirname(script);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, '..', name), 'utf8'));
  const words = read('package.nls.json') as Readonly<Record<string, string>>;
  const manifest = read('package.json') as {
    readonly version: string;
    readonly contributes: { readonly languageModelTools: readonly ToolDescription[] };
  };
  const notebook = new NotebookReader({ workerPath: join(folder, 'index-worker.cjs'), directory });
  await serveNotebook({
    input: process.stdin,
    output: process.stdout,
    version: manifest.version,
    tools: manifest.contributes.languageModelTools.map((tool) => ({
      ...tool,
      displayName: words[tool.displayName.replaceAll('%', '')] ?? tool.displayName,
    })),
    notebook: {
      // Passages are found by their words alone: the key of an embedding model stays with the editor.
      finder: passageFinder(notebook, { embedQuestion: () => Promise.resolve(undefined) }),
      sources: () => notebook.call('sources', {}),
      onProgress: (listener) => notebook.onProgress(listener),
    },
    log: (error) => console.error(error),
  });
  await notebook.close();
}

const [, script = '', directory] = process.argv;
main(script, directory).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
