import * as vscode from 'vscode';
import type { ContextSelection } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { fenceText } from '../../../core/language/markdown-lines.ts';
import type { PdfViewer } from '../../pdf/editor/pdf-viewer.ts';
import { askForQuestion } from './prompts.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { inform } from '../../../platform/dialogs.ts';

/** Services for the selection commands. */
interface SelectionParts extends Pick<Services, 'adder' | 'copies' | 'pdfs'> {
  readonly ask: (question: string, selection: ContextSelection) => Promise<void>;
}

/** Returns the commands that use the selection in a text editor or a PDF. */
export function selectionCommands({ adder, pdfs, copies, ask }: SelectionParts): Commands {
  return {
    addSelection: async () => {
      const editor = vscode.window.activeTextEditor;
      const inPdf = await pdfs.selection();
      if (inPdf !== undefined && inPdf.text !== '') {
        const title = vscode.l10n.t('{0}, p. {1}', lastSegment(inPdf.uri), inPdf.pages);
        await adder.addPdfSelection(title, inPdf, await copies.findOriginal(inPdf.uri));
      } else if (inPdf === undefined && editor !== undefined && !editor.selection.isEmpty)
        await adder.addSelection(editor);
      else inform(vscode.l10n.t('Select the text that you want to add.'));
    },
    askAboutSelection: async () => {
      const selected = await selectedWords(pdfs);
      if (selected === undefined) {
        inform(vscode.l10n.t('Select the text that you want to ask about.'));
        return;
      }
      const question = await askForQuestion(undefined);
      if (question !== undefined) await ask(`${question}\n\n${selected.markdown}`, selected.at);
    },
    addHighlights: () => pdfs.addListed(),
    printPdf: async () => {
      if (pdfs.active === undefined)
        throw new NotebookError('not-found', vscode.l10n.t('Open the PDF that you want to print.'));
      const { printPdf } = await import('../../pdf/editor/print-pdf.ts');
      await printPdf(pdfs.active);
    },
  };
}

/** Returns the selected text as Markdown, and its location; undefined if nothing is selected. */
async function selectedWords(
  pdfs: PdfViewer,
): Promise<{ readonly markdown: string; readonly at: ContextSelection } | undefined> {
  const inPdf = await pdfs.selection();
  if (inPdf !== undefined) {
    const { text, uri, runs, labels } = inPdf;
    if (text === '') return undefined;
    const page = runs[0]?.rectangle.page ?? 1;
    return {
      markdown: text.replaceAll(/^/gm, '> '),
      at: {
        uri: uri.toString(),
        title: lastSegment(uri),
        locator: {
          kind: 'pdf',
          page,
          label: labels[page],
          rectangles: runs.map(({ rectangle }) => rectangle),
        },
      },
    };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const { start, end } = selection;
  return {
    markdown: fenceText(document.getText(selection), document.languageId),
    at: {
      uri: document.uri.toString(),
      title: lastSegment(document.uri),
      locator: {
        kind: 'lines',
        start: { line: start.line, character: start.character },
        end: { line: end.line, character: end.character },
      },
    },
  };
}
