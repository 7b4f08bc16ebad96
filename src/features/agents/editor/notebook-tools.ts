import * as vscode from 'vscode';
import type { ToolInput } from '../../../answers/notebook-tools.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { toAbortSignal } from '../../../platform/abort-signal.ts';

interface NotebookParts {
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  readonly adder: SourceAdder;
}

/** Registers the notebook as tools for the editor's language models, which can cite the results. */
export function registerNotebookTools(parts: NotebookParts): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool(
      'openNotebook_search',
      readingTool(parts, 'searchNotebook', ({ queries }) =>
        vscode.l10n.t('Searching the notebook for “{0}”', shortenText([queries].flat().join(' · '))),
      ),
    ),
    vscode.lm.registerTool(
      'openNotebook_read',
      readingTool(parts, 'readNotebook', () => vscode.l10n.t('Reading more from the notebook')),
    ),
    vscode.lm.registerTool(
      'openNotebook_sources',
      readingTool(parts, 'listSources', () => vscode.l10n.t('Listing the sources in the notebook')),
    ),
    vscode.lm.registerTool('openNotebook_add', addTool(parts)),
  );
}

/** Creates a tool that only reads, with the message that VS Code shows while it runs. */
function readingTool(
  { notebook, embedder }: NotebookParts,
  name: 'listSources' | 'readNotebook' | 'searchNotebook',
  invocationMessage: (input: ToolInput) => string,
): vscode.LanguageModelTool<ToolInput> {
  return {
    prepareInvocation: ({ input }) => ({ invocationMessage: invocationMessage(input) }),
    invoke: async ({ input }, token) => {
      const readable = {
        finder: passageFinder(notebook, embedder),
        sources: () => notebook.call('sources', {}),
      };
      const tools = await import('../../../answers/notebook-tools.ts');
      return toolResult(await tools[name](readable, input, toAbortSignal(token)));
    },
  };
}

interface AddInput {
  readonly address: string;
}

function addTool({ adder }: NotebookParts): vscode.LanguageModelTool<AddInput> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t('Adding {0} to the notebook', shortenText(input.address)),
      confirmationMessages: {
        title: vscode.l10n.t('Add to Notebook'),
        message: new vscode.MarkdownString().appendText(
          vscode.l10n.t(
            'Add {0} to the notebook? Open Notebook reads it and uses it to answer questions.',
            plainTitle(input.address),
          ),
        ),
      },
    }),
    async invoke({ input }) {
      const { toolText: asText } = await import('../../../answers/notebook-tools.ts');
      const address = asText(input.address, 'address').trim();
      if (!/^https?:\/\//i.test(address)) await adder.addAll({ uris: [toUri(address)] });
      else if ((await adder.addAll({ pages: [address] })).length === 0)
        return toolResult(`${address} wasn’t added because the user didn’t allow access to its host.`);
      return toolResult(`${address} is a source now. Open Notebook is reading it.`);
    },
  };
}

/**
 * Returns the URI of a file or folder from its URI or path. A relative path is in the first folder of the workspace.
 */
function toUri(address: string): vscode.Uri {
  if (/^(?:file|vscode-\w+):/i.test(address)) return vscode.Uri.parse(address);
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(address)) return vscode.Uri.file(address);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined)
    throw new NotebookError(
      'not-found',
      `No folder is open, so ${address} can’t be found. Specify its full path.`,
    );
  return vscode.Uri.joinPath(folder.uri, address);
}

function toolResult(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

function shortenText(text: unknown): string {
  const shown = typeof text === 'string' ? plainTitle(text) : '';
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}
