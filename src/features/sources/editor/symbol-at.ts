import * as vscode from 'vscode';
import { startOfLeadIn } from '../../../core/language/code-lines.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { documentOfText } from '../../../parsers/text-file.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { contextItemTitle, boundedText, type ContextItem } from './context-item.ts';

/** Symbol and its range, including comments and decorators if its language provides them. */
export interface EnclosingSymbol {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/**
 * Returns the symbols at a position: the definition of the name there, then the enclosing symbols from the innermost
 * out. Uses VS Code's support for the language; empty if there is none.
 */
export async function symbolsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<readonly EnclosingSymbol[]> {
  const around = await symbolsAround(document.uri, position);
  const defined = await findDefinition(document.uri, position);
  const [meant] = defined === undefined ? [] : await symbolsAround(defined.uri, defined.position);
  const symbols = meant === undefined ? around : [meant, ...around];
  const places = symbols.map(({ uri, range }) => JSON.stringify([uri.toString(), range]));
  return symbols.filter((_symbol, index) => places.indexOf(places[index] ?? '') === index);
}

/** Returns a symbol's text as a context item, a selection of its file. @throws NotebookError `empty` */
export async function symbolContextItem({ name, uri, range }: EnclosingSymbol): Promise<ContextItem> {
  const document = await vscode.workspace.openTextDocument(uri);
  const file = lastSegment(uri);
  const { format } = documentOfText('', file);
  const whole = format === 'code' ? withCommentsAbove(range, document) : range;
  const { text, warnings } = boundedText(document.getText(whole));
  if (text.trim() === '')
    throw new NotebookError('empty', vscode.l10n.t('“{0}” doesn’t contain any text.', name));
  const read = documentOfText(text, file);
  const title = contextItemTitle(`${name} (${file})`);
  // Saves the text, because a document that only this window has can't be opened again later.
  if (uri.scheme === 'untitled' || uri.scheme === 'vscode-notebook-cell')
    return {
      title,
      origin: { kind: 'text' },
      document: { ...read, map: { kind: 'saved' }, warnings },
      uri: '',
    };
  const start = { line: whole.start.line, character: whole.start.character };
  return {
    title,
    origin: { kind: 'selection', uri: uri.toString(), start, languageId: document.languageId },
    document: { ...read, map: { kind: 'text', origin: start }, warnings },
    uri: uri.toString(),
  };
}

/** Extends a symbol's range to the comments above it, which most languages don't count as part of it. */
function withCommentsAbove(range: vscode.Range, document: vscode.TextDocument): vscode.Range {
  const first = startOfLeadIn((line) => document.lineAt(line).text, range.start.line);
  return first === range.start.line ? range : range.with(new vscode.Position(first, 0));
}

async function symbolsAround(uri: vscode.Uri, position: vscode.Position): Promise<EnclosingSymbol[]> {
  const symbols = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  const enclosingSymbols: EnclosingSymbol[] = [];
  // Some languages provide a tree, others a flat list in which each symbol has its location.
  let level = symbols ?? [];
  while (level.length > 0) {
    const containingSymbols = level.filter((symbol) => symbolRange(symbol).contains(position));
    enclosingSymbols.push(
      ...containingSymbols.map((symbol) => ({ name: plainName(symbol), uri, range: symbolRange(symbol) })),
    );
    level = containingSymbols.flatMap((symbol) => ('children' in symbol ? symbol.children : []));
  }
  return enclosingSymbols.toSorted(
    (a, b) => Number(a.range.contains(b.range)) - Number(b.range.contains(a.range)),
  );
}

/** Names of Markdown headings include their marks: `## Watering`. */
function plainName({ name }: { readonly name: string }): string {
  return name.replace(/^#{1,6} +/, '');
}

function symbolRange(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): vscode.Range {
  return 'location' in symbol ? symbol.location.range : symbol.range;
}

/** Returns the definition of the name at a position. */
async function findDefinition(
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<{ readonly uri: vscode.Uri; readonly position: vscode.Position } | undefined> {
  const [first] =
    (await vscode.commands.executeCommand<readonly (vscode.Location | vscode.LocationLink)[] | undefined>(
      'vscode.executeDefinitionProvider',
      uri,
      position,
    )) ?? [];
  if (first === undefined) return undefined;
  return 'targetUri' in first
    ? { uri: first.targetUri, position: (first.targetSelectionRange ?? first.targetRange).start }
    : { uri: first.uri, position: first.range.start };
}
