import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { writeMention } from '../../../core/domain/scope.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { askForQuestion } from './prompts.ts';
import type { ContextItem } from '../../sources/editor/context-item.ts';
import type { EnclosingSymbol } from '../../sources/editor/symbol-at.ts';
import { timeInTitle } from '../../../platform/time-in-title.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { selectionOfTerminal } from '../../sources/commands/capture-commands.ts';

/** Services for the commands that ask about a context item. */
interface AskAboutParts extends Pick<Services, 'adder' | 'readers'> {
  readonly ask: (question: string) => Promise<void>;
}

/** Available context item. */
interface Choice extends vscode.QuickPickItem {
  readonly take: () => Promise<ContextItem | undefined>;
}

/**
 * Returns the commands that ask about a context item of the editor: a cell's output, a symbol, commits, a test result,
 * or a terminal selection. The item becomes a source, and the question mentions it.
 */
export function askAboutCommands({ adder, readers, ask }: AskAboutParts): Commands {
  const askAbout = async (contextItem: ContextItem | undefined): Promise<void> => {
    if (contextItem === undefined) return;
    const question = await askForQuestion({ kind: 'contextItem', title: contextItem.title });
    if (question === undefined) return;
    const source = await adder.addContextItem(contextItem);
    await ask(`${writeMention(source.title)} ${question}`);
  };
  const readOutput = async (cell: vscode.NotebookCell): Promise<ContextItem> => {
    const { outputContextItem } = await import('../../sources/editor/cell-output.ts');
    return outputContextItem(cell, readers, new AbortController().signal);
  };
  return {
    askAboutThis: async () => {
      const choices = [
        ...(await outputChoices(readOutput)),
        ...(await symbolChoices()),
        ...terminalChoices(),
        ...gitChoices(),
      ];
      if (choices.length === 0)
        throw new NotebookError(
          'not-found',
          vscode.l10n.t(
            'There’s nothing here to ask about. Select a notebook cell that has output, place the cursor in a symbol, or open a Git repository.',
          ),
        );
      const chosen = await vscode.window.showQuickPick(choices, {
        title: vscode.l10n.t('Ask About Current Context'),
        placeHolder: vscode.l10n.t('What do you want to ask about?'),
      });
      await askAbout(await chosen?.take());
    },
    askAboutOutput: async (clicked?: unknown) => {
      const { cellOfOutput, cellWithOutput } = await import('../../sources/editor/cell-output.ts');
      const cell = isCell(clicked)
        ? clicked
        : clicked === undefined
          ? cellWithOutput()
          : cellOfOutput(clicked);
      if (cell === undefined)
        throw new NotebookError('not-found', vscode.l10n.t('Select a notebook cell that has output first.'));
      await askAbout(await readOutput(cell));
    },
    askAboutSymbol: async () => {
      const [symbol] = await symbolsHere();
      if (symbol === undefined)
        throw new NotebookError(
          'not-found',
          vscode.l10n.t('Place the cursor in a function, class, or other symbol first.'),
        );
      await askAbout(await take(symbol));
    },
    askAboutCommits: async (clicked?: Partial<vscode.SourceControl>) => {
      const { askForCommits } = await import('../../sources/editor/git-commits.ts');
      await askAbout(await askForCommits(clicked?.rootUri));
    },
    askAboutResult: async (clicked?: unknown) => {
      const { testContextItem, isClickedMessage } = await import('../../sources/editor/test-result.ts');
      if (isClickedMessage(clicked)) await askAbout(testContextItem(clicked));
    },
    askAboutTerminal: async () => {
      await askAbout(await terminalSelection());
    },
  };
}

function isCell(clicked: unknown): clicked is vscode.NotebookCell {
  return clicked instanceof Object && 'outputs' in clicked && 'notebook' in clicked;
}

async function outputChoices(
  readOutput: (cell: vscode.NotebookCell) => Promise<ContextItem>,
): Promise<readonly Choice[]> {
  const { cellWithOutput } = await import('../../sources/editor/cell-output.ts');
  const cell = cellWithOutput();
  if (cell === undefined) return [];
  const label = `$(output) ${vscode.l10n.t('Output of cell {0}', cell.index + 1)}`;
  return [{ label, take: () => readOutput(cell) }];
}

async function symbolChoices(): Promise<readonly Choice[]> {
  return (await symbolsHere()).map((symbol) => ({
    label: `$(symbol-method) ${literalText(symbol.name)}`,
    description: vscode.workspace.asRelativePath(symbol.uri),
    take: () => take(symbol),
  }));
}

async function symbolsHere(): Promise<readonly EnclosingSymbol[]> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return [];
  const { symbolsAt } = await import('../../sources/editor/symbol-at.ts');
  return symbolsAt(editor.document, editor.selection.active);
}

async function take(symbol: EnclosingSymbol): Promise<ContextItem> {
  const { symbolContextItem } = await import('../../sources/editor/symbol-at.ts');
  return symbolContextItem(symbol);
}

function terminalChoices(): readonly Choice[] {
  if (vscode.window.activeTerminal === undefined) return [];
  const label = `$(terminal) ${vscode.l10n.t('Terminal selection')}`;
  return [{ label, take: terminalSelection }];
}

/** @throws NotebookError `empty` if nothing is selected */
async function terminalSelection(): Promise<ContextItem> {
  const { contextItemTitle, boundedText } = await import('../../sources/editor/context-item.ts');
  const { documentOfText } = await import('../../../parsers/text-file.ts');
  const { fenceText: fenced } = await import('../../../core/language/markdown-lines.ts');
  const { text, warnings } = boundedText(await selectionOfTerminal());
  if (text.trim() === '')
    throw new NotebookError(
      'empty',
      vscode.l10n.t('In a terminal, select the text that you want to ask about.'),
    );
  const name = vscode.window.activeTerminal?.name ?? '';
  return {
    title: contextItemTitle(vscode.l10n.t('Terminal {0}, {1}', name, timeInTitle())),
    origin: { kind: 'text' },
    document: {
      ...documentOfText(fenced(text.trimEnd(), 'text'), 'terminal.md'),
      map: { kind: 'saved' },
      warnings,
    },
    uri: '',
  };
}

function gitChoices(): readonly Choice[] {
  if (vscode.extensions.getExtension('vscode.git')?.isActive !== true) return [];
  const take = async (): Promise<ContextItem | undefined> => {
    const { askForCommits } = await import('../../sources/editor/git-commits.ts');
    return askForCommits();
  };
  return [{ label: `$(git-commit) ${vscode.l10n.t('Commit or range of commits…')}`, take }];
}
