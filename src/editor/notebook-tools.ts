import * as vscode from 'vscode';
import { tellPassages } from '../answering/told-passages.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import { NotebookError } from '../notebook/errors.ts';
import type { Source } from '../notebook/source.ts';
import type { SourceAdder } from './add-sources.ts';
import type { Embedder } from './embedder.ts';
import type { NotebookClient } from './notebook-client.ts';
import { finderOf } from './notebook-finder.ts';
import { signalOf } from './signal-of.ts';

/** Passages that a search gives where it is not said how many, and at most. */
const USUAL_PASSAGES = 6;
const MOST_PASSAGES = 20;
/** Characters that a reading gives before and after, where it is not said how many, and in all at most. */
const USUAL_AROUND = 2_000;
const MOST_READ = 20_000;

interface NotebookParts {
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  readonly adder: SourceAdder;
}

/** The notebook as tools for the language models of the editor: what they find they can cite. */
export function registerNotebookTools(parts: NotebookParts): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool('openNotebook_search', searchTool(parts)),
    vscode.lm.registerTool('openNotebook_read', readTool(parts)),
    vscode.lm.registerTool('openNotebook_sources', sourcesTool(parts)),
    vscode.lm.registerTool('openNotebook_add', addTool(parts)),
  );
}

interface SearchInput {
  readonly query: string;
  readonly passages?: number;
}

function searchTool({ notebook, embedder }: NotebookParts): vscode.LanguageModelTool<SearchInput> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t('Searching the notebook for “{0}”', shortened(input.query)),
    }),
    async invoke({ input }, token) {
      const query = textOf(input.query, 'query');
      const limit = wholeNumber(input.passages, USUAL_PASSAGES, 1, MOST_PASSAGES);
      const finder = finderOf(notebook, embedder);
      const found = await finder.find(query, limit, signalOf(token));
      return found.length === 0
        ? told('Nothing in the notebook matches this. Try other words, or list the sources.')
        : told(await tellFound(found, finder));
    },
  };
}

interface ReadInput {
  readonly document: number;
  readonly start: number;
  readonly end: number;
  readonly around?: number;
}

function readTool({ notebook, embedder }: NotebookParts): vscode.LanguageModelTool<ReadInput> {
  return {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Reading on in the notebook') }),
    async invoke({ input }) {
      const document = wholeNumber(input.document, undefined, 0, Number.MAX_SAFE_INTEGER);
      const start = wholeNumber(input.start, undefined, 0, Number.MAX_SAFE_INTEGER);
      const end = wholeNumber(input.end, undefined, start + 1, Number.MAX_SAFE_INTEGER);
      const around = wholeNumber(input.around, USUAL_AROUND, 0, MOST_READ);
      const from = Math.max(0, start - around);
      const to = Math.min(end + around, from + MOST_READ);
      const finder = finderOf(notebook, embedder);
      const found = await finder.at([{ documentId: document, span: { start: from, end: to } }]);
      return found.length === 0
        ? told('Nothing stands there: the source was removed, or is shorter by now. Search again.')
        : told(await tellFound(found, finder));
    },
  };
}

function sourcesTool({ notebook }: NotebookParts): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Listing the sources of the notebook') }),
    async invoke() {
      const sources = await notebook.call('sources', {});
      return told(
        sources.length === 0
          ? 'The notebook has no sources yet.'
          : JSON.stringify(sources.map(toldSource), undefined, 1),
      );
    },
  };
}

interface AddInput {
  readonly address: string;
}

function addTool({ adder }: NotebookParts): vscode.LanguageModelTool<AddInput> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t('Adding {0} to the notebook', shortened(input.address)),
      confirmationMessages: {
        title: vscode.l10n.t('Add to Notebook'),
        message: new vscode.MarkdownString().appendText(
          vscode.l10n.t(
            'Add {0} to the notebook? It will be read, and questions answered from it.',
            input.address,
          ),
        ),
      },
    }),
    async invoke({ input }) {
      const address = textOf(input.address, 'address').trim();
      if (/^https?:\/\//i.test(address)) await adder.addPage(address);
      else await adder.addUris([uriOf(address)]);
      return told(`${address} is among the sources and is being read.`);
    },
  };
}

/** A file or folder by its URI, or by its path: within the first folder of the workspace where it is not absolute. */
function uriOf(address: string): vscode.Uri {
  if (/^(?:file|vscode-\w+):/i.test(address)) return vscode.Uri.parse(address);
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(address)) return vscode.Uri.file(address);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined)
    throw new NotebookError(
      'not-found',
      `No folder is open in which ${address} could be. Give its whole path.`,
    );
  return vscode.Uri.joinPath(folder.uri, address);
}

async function tellFound(
  found: readonly FoundPassage[],
  finder: ReturnType<typeof finderOf>,
): Promise<string> {
  const citations = await finder.cite(
    found.map((passage, i) => ({ number: i + 1, passage, span: { start: passage.start, end: passage.end } })),
  );
  return tellPassages(
    found.flatMap((passage, i) => {
      const citation = citations[i];
      return citation === undefined ? [] : [{ passage, citation }];
    }),
  );
}

function toldSource({ title, origin, state, documents, passages }: Source): object {
  return { title, kind: origin.kind, state: state.kind, documents, passages };
}

function told(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** @throws NotebookError where a model left out what it has to give. */
function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new NotebookError('unsupported', `This tool needs "${name}", a text that is not empty.`);
}

/** @throws NotebookError where a model gave no whole number and there is no usual one. */
function wholeNumber(value: unknown, usual: number | undefined, least: number, most: number): number {
  const given = value ?? usual;
  if (typeof given === 'number' && Number.isSafeInteger(given)) return Math.min(most, Math.max(least, given));
  throw new NotebookError('unsupported', 'This tool needs whole numbers, as a search gives them.');
}

function shortened(text: unknown): string {
  const shown = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}
