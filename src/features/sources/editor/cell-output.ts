import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { documentOfOutputs, type OutputText } from '../../../parsers/jupyter.ts';
import { errorText, OUTPUT_ERROR } from '../../../platform/output-error.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { contextItemTitle, MAX_CONTEXT_ITEM_LENGTH, tooLong, type ContextItem } from './context-item.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';

/** VS Code's media types of printed output. */
const PRINTED = /^application\/vnd\.code\.notebook\.std(?:out|err)$/;

/** Returns the selected cell of the active notebook if it has outputs. */
export function cellWithOutput(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  const index = editor?.selection.start;
  if (editor === undefined || index === undefined || index >= editor.notebook.cellCount) return undefined;
  const cell = editor.notebook.cellAt(index);
  return cell.outputs.length > 0 ? cell : undefined;
}

/** Returns the cell of the active notebook whose output was clicked, by the ID that the menu passes. */
export function cellOfOutput(clicked: unknown): vscode.NotebookCell | undefined {
  const id: unknown = clicked instanceof Object ? Reflect.get(clicked, 'outputId') : undefined;
  if (typeof id !== 'string') return undefined;
  const cells = vscode.window.activeNotebookEditor?.notebook.getCells() ?? [];
  return cells.find(({ outputs }) => outputs.some((output) => Reflect.get(output, 'id') === id));
}

/**
 * Returns the text of a cell's outputs as a context item: printed text, an error with its stack trace, tables.
 * @throws NotebookError `empty` if the outputs contain no text, and errors of reading a table
 */
export async function outputContextItem(
  cell: vscode.NotebookCell,
  readers: Pick<ReaderPool, 'read'>,
  signal: AbortSignal,
): Promise<ContextItem> {
  const { uri } = cell.notebook;
  const outputTexts: OutputText[] = [];
  let room = MAX_CONTEXT_ITEM_LENGTH;
  let isCut = false;
  for (const output of cell.outputs) {
    const { text, isMarkdown } = await outputText(output, readers, signal);
    outputTexts.push({ text: text.slice(0, room).toWellFormed(), isMarkdown });
    isCut ||= text.length > room;
    room = Math.max(0, room - text.length);
  }
  const document = documentOfOutputs(outputTexts, cell.index);
  if (document.text.trim() === '')
    throw new NotebookError(
      'empty',
      vscode.l10n.t('This cell has no text output. Run the cell, or select a cell that has text output.'),
    );
  return {
    title: contextItemTitle(vscode.l10n.t('{0}, output of cell {1}', lastSegment(uri), cell.index + 1)),
    origin: { kind: 'selection', uri: uri.toString() },
    document: { ...document, warnings: isCut ? [tooLong()] : [] },
    uri: uri.toString(),
  };
}

async function outputText(
  { items }: vscode.NotebookCellOutput,
  readers: Pick<ReaderPool, 'read'>,
  signal: AbortSignal,
): Promise<OutputText> {
  const plainly = (text: string): OutputText => ({ text, isMarkdown: false });
  const decodeText = (mime: RegExp | string): string | undefined => {
    const matchingItems = items.filter((item) =>
      typeof mime === 'string' ? item.mime === mime : mime.test(item.mime),
    );
    return matchingItems.length === 0 ? undefined : matchingItems.map(({ data }) => decode(data)).join('');
  };
  const thrown = decodeText(OUTPUT_ERROR);
  if (thrown !== undefined) return plainly(errorText(thrown));
  const printed = decodeText(PRINTED);
  if (printed !== undefined) return plainly(printed);
  const markdown = decodeText('text/markdown');
  if (markdown !== undefined) return { text: markdown, isMarkdown: true };
  const html = decodeText('text/html');
  const plain = decodeText('text/plain');
  if (html !== undefined && (plain === undefined || /<table\b/i.test(html)))
    return { text: await textOfHtml(html, readers, signal), isMarkdown: true };
  return plainly(plain ?? decodeText(/^application\/(?:[\w.-]+\+)?json$/) ?? '');
}

/** Outputs arrive complete from the kernel and may be huge. So most of a far too long output isn't even decoded. */
function decode(data: Uint8Array): string {
  return new TextDecoder().decode(data.subarray(0, 4 * MAX_CONTEXT_ITEM_LENGTH));
}

async function textOfHtml(
  html: string,
  readers: Pick<ReaderPool, 'read'>,
  signal: AbortSignal,
): Promise<string> {
  const result = await readers.read(
    {
      content: { kind: 'bytes', bytes: new TextEncoder().encode(html) },
      name: 'output.html',
      mediaType: 'text/html',
      minimumLength: 1,
    },
    { signal },
  );
  return result.kind === 'read' ? result.document.text : '';
}
