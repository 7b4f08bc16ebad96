// Serves a notebook to MCP clients over its standard streams: mcp-server.cjs NOTEBOOK-FOLDER
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { NotebookReader } from './notebook-reader.ts';
import { serveNotebook } from './serve-notebook.ts';

const manifest = v.object({
  version: v.string(),
  contributes: v.object({
    languageModelTools: v.array(
      v.object({
        name: v.string(),
        toolReferenceName: v.string(),
        displayName: v.string(),
        modelDescription: v.string(),
        inputSchema: v.looseObject({}),
      }),
    ),
  }),
});

/** Reads a file of the extension. */
function readPart<T>(path: string, schema: v.GenericSchema<unknown, T>): T {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new Error(`${path} is missing or damaged. Install Open Notebook again.`, { cause });
  }
}

async function main(script: string, directory: string | undefined): Promise<void> {
  if (directory === undefined)
    throw new Error('Give the folder of the notebook, as Open Notebook: Copy MCP Configuration does.');
  const folder = dirname(script);
  const words = readPart(join(folder, '..', 'package.nls.json'), v.record(v.string(), v.string()));
  const { version, contributes } = readPart(join(folder, '..', 'package.json'), manifest);
  const notebook = new NotebookReader({ workerPath: join(folder, 'index-worker.cjs'), directory });
  await serveNotebook({
    input: process.stdin,
    output: process.stdout,
    version,
    tools: contributes.languageModelTools.map((tool) => ({
      ...tool,
      displayName: words[tool.displayName.replaceAll('%', '')] ?? tool.displayName,
    })),
    notebook: {
      // Only keyword search is available, as the embedding model's key stays in the editor.
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
