import * as vscode from 'vscode';
import type { Originals } from './citation-opener.ts';
import type { Highlighter } from './highlight.ts';
import type { PdfViewer } from '../../pdf/editor/pdf-viewer.ts';
import { missingFile } from '../../../platform/missing-file.ts';
import { showOptions } from '../../../platform/open-file.ts';
import { lastSegment, openLink, statFile } from '../../../platform/workspace-files.ts';

/** Shows originals in VS Code's editors, and PDFs in ours. */
export function editorOriginals(highlighter: Highlighter, pdfs: PdfViewer): Originals {
  return {
    isThere: async (uri) => (await statFile(vscode.Uri.parse(uri))) !== undefined,
    async showLines({ quote, title, uri }, { start, end }, column) {
      const document = await textDocument(vscode.Uri.parse(uri), title);
      const editor = await vscode.window.showTextDocument(document, {
        preview: true,
        ...showOptions(column),
      });
      const cited = new vscode.Range(start.line, start.character, end.line, end.character);
      // The editor may contain changes that the notebook hasn't read yet, so search the editor's text.
      const words = withLineFeeds(quote);
      const isText = withLineFeeds(document.getText(cited)) === words;
      highlighter.show(
        editor,
        isText ? cited : (findWords(document, words) ?? document.validateRange(cited)),
      );
    },
    async showWords({ quote, uri, locator }, column) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(
        (opened) => opened,
        () => undefined,
      );
      if (document === undefined) return false;
      const words = withLineFeeds(quote);
      const cited =
        locator.kind === 'lines'
          ? new vscode.Range(
              locator.start.line,
              locator.start.character,
              locator.end.line,
              locator.end.character,
            )
          : undefined;
      const isText = cited !== undefined && withLineFeeds(document.getText(cited)) === words;
      const range = isText ? cited : findWords(document, words);
      if (range === undefined) return false;
      const editor = await vscode.window.showTextDocument(document, {
        ...showOptions(column),
        preview: true,
      });
      highlighter.show(editor, range);
      return true;
    },
    async showText(uri, column, at) {
      const document = await textDocument(vscode.Uri.parse(uri), lastSegment(vscode.Uri.parse(uri)));
      const editor = await vscode.window.showTextDocument(document, showOptions(column));
      if (at === undefined) return;
      const position = document.validatePosition(new vscode.Position(at.line, at.character));
      editor.selection = new vscode.Selection(position, position);
      editor.revealRange(
        new vscode.Range(position, position),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
    },
    async showPdf(address, marks, column) {
      const uri = vscode.Uri.parse(address);
      if ((await statFile(uri)) === undefined) throw missingFile(lastSegment(uri));
      await pdfs.show(uri, marks, column);
    },
    async open(uri, column) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri), column);
    },
    async openOutside(uri) {
      await openLink(uri);
    },
  };
}

async function textDocument(uri: vscode.Uri, title: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw missingFile(title, error);
  }
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

function findWords(document: vscode.TextDocument, words: string): vscode.Range | undefined {
  const breaks = document.eol === vscode.EndOfLine.CRLF ? words.replaceAll('\n', '\r\n') : words;
  const start = document.getText().indexOf(breaks);
  return start < 0
    ? undefined
    : new vscode.Range(document.positionAt(start), document.positionAt(start + breaks.length));
}
