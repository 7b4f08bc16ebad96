import type { Readable, Writable } from 'node:stream';
import { createMessageConnection, ErrorCodes, ResponseError, type CancellationToken } from 'vscode-jsonrpc';
import {
  listSources,
  readNotebook,
  searchNotebook,
  type NotebookTool,
  type ReadableNotebook,
  type ToolInput,
} from '../../../answers/notebook-tools.ts';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import * as v from 'valibot';
import { fields, jsonObject } from '../../../core/domain/json-schemas.ts';
import { CANCELLED, LineReader, LineWriter } from './message-lines.ts';

/** Supported protocol revisions, the newest first. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const initializing = fields({ protocolVersion: v.string() });
const calling = fields({
  name: v.unknown(),
  arguments: jsonObject,
  _meta: fields({ progressToken: v.unknown() }),
});

const INSTRUCTIONS =
  'The notebook contains sources that the user collected: files, PDFs, web pages, and texts. Search it whenever they may contain an answer, read the text around a passage that breaks off, and cite the source and location of what you use.';

/** Tool as the extension's manifest describes it to language models. */
interface ToolDescription {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly displayName: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
}

/** Receives the progress of a long wait. */
export type OnProgress = (done: number, total: number) => void;

interface ServedNotebook extends ReadableNotebook {
  /** Reports the progress of opening a large notebook until the caller calls the returned function. */
  onProgress(listener: OnProgress): () => void;
}

interface ServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Version and tools of the extension. Only reading tools are served. */
  readonly version: string;
  readonly tools: readonly ToolDescription[];
  readonly notebook: ServedNotebook;
  /** Receives errors whose details the client doesn't get. */
  readonly log: (error: unknown) => void;
}

/** Reading tools, by their names in the manifest. */
const readingTools: ReadonlyMap<string, NotebookTool> = new Map([
  ['openNotebook_search', searchNotebook],
  ['openNotebook_read', readNotebook],
  ['openNotebook_sources', listSources],
]);

/** Serves a notebook's tools by the Model Context Protocol, one message per line. Resolves when the input ends. */
export async function serveNotebook({
  input,
  output,
  version,
  tools,
  notebook,
  log,
}: ServerOptions): Promise<void> {
  const writer = new LineWriter(output);
  const reader = new LineReader(input, (message) => void writer.write(message));
  const connection = createMessageConnection(reader, writer);
  const served = tools.flatMap((description) => {
    const run = readingTools.get(description.name);
    return run === undefined ? [] : [{ description, run }];
  });

  const callTool = async (params: unknown, token: CancellationToken): Promise<object> => {
    const { name, arguments: args = NO_INPUT, _meta: meta } = v.parse(calling, params);
    const tool = served.find(({ description }) => description.toolReferenceName === name);
    if (tool === undefined)
      throw new ResponseError(ErrorCodes.InvalidParams, `There is no tool ${JSON.stringify(name)}.`);
    const progressToken = meta?.progressToken;
    const stopTelling = notebook.onProgress((progress, total) => {
      if (progressToken !== undefined)
        void connection.sendNotification('notifications/progress', { progressToken, progress, total });
    });
    try {
      return textResult(await tool.run(notebook, args, toSignal(token)));
    } catch (error) {
      if (token.isCancellationRequested || isCanceled(error))
        throw new ResponseError(CANCELLED, 'The call was canceled.');
      if (!(error instanceof NotebookError)) log(error);
      // Return the error as a result: the model can correct its call, but never sees protocol errors.
      return { ...textResult(describeError(error)), isError: true };
    } finally {
      stopTelling();
    }
  };

  connection.onRequest((method: string, params: unknown, token: CancellationToken) => {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: revisionFor(params),
          capabilities: { tools: {} },
          serverInfo: { name: 'open-notebook', title: 'Open Notebook', version },
          instructions: INSTRUCTIONS,
        };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: served.map(({ description }) => toolEntry(description)) };
      case 'tools/call':
        return callTool(params, token);
      default:
        throw new ResponseError(ErrorCodes.MethodNotFound, `This server has no method ${method}.`);
    }
  });
  const ended = new Promise<void>((resolve) => connection.onClose(resolve));
  connection.listen();
  await ended;
  connection.dispose();
}

const NO_INPUT: ToolInput = {};

/** Returns the revision that the client requests if it's supported, otherwise the newest. */
function revisionFor(params: unknown): string | undefined {
  const { protocolVersion: requestedVersion } = v.parse(initializing, params);
  return REVISIONS.find((revision) => revision === requestedVersion) ?? REVISIONS[0];
}

function toolEntry({
  toolReferenceName,
  displayName,
  modelDescription,
  inputSchema,
}: ToolDescription): object {
  return {
    name: toolReferenceName,
    title: displayName,
    description: modelDescription,
    inputSchema,
    annotations: { title: displayName, readOnlyHint: true, openWorldHint: false },
  };
}

function textResult(text: string): object {
  return { content: [{ type: 'text', text }] };
}

function describeError(error: unknown): string {
  return error instanceof NotebookError
    ? error.message
    : 'The operation failed. See the output of the server for details.';
}

function toSignal(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => {
    controller.abort();
  });
  if (token.isCancellationRequested) controller.abort();
  return controller.signal;
}
