import * as vscode from 'vscode';
import { fenceText } from '../../../core/language/markdown-lines.ts';
import { documentOfText } from '../../../parsers/text-file.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { contextItemTitle, boundedText, type ContextItem } from './context-item.ts';

/** Argument that the menu of a message in the test results passes. */
interface ClickedMessage {
  readonly test?: Pick<vscode.TestItem, 'label' | 'uri' | 'range'> | undefined;
  readonly message: vscode.TestMessage;
}

/** Reports whether a menu passed a test message. */
export function isClickedMessage(clicked: unknown): clicked is ClickedMessage {
  return clicked instanceof Object && 'message' in clicked && clicked.message instanceof Object;
}

/**
 * Returns the failure of a test as a context item: its message, expected and actual output, and location.
 * @throws NotebookError `empty`
 */
export function testContextItem({ test, message }: ClickedMessage): ContextItem {
  const label = test?.label ?? vscode.l10n.t('Test');
  const { message: said, expectedOutput, actualOutput, location, stackTrace } = message;
  const words = typeof said === 'string' ? fencedWords(said) : said.value;
  const frames = (stackTrace ?? []).map(
    ({ label: name, uri, position }) => `${name} ${formatPlace(uri, position)}`,
  );
  const parts = [
    `# ${label.replaceAll(/\s+/g, ' ')}`,
    location === undefined ? '' : vscode.l10n.t('At {0}', formatPlace(location.uri, location.range.start)),
    words,
    ...(expectedOutput === undefined ? [] : [vscode.l10n.t('Expected:'), fencedWords(expectedOutput)]),
    ...(actualOutput === undefined ? [] : [vscode.l10n.t('Actual:'), fencedWords(actualOutput)]),
    ...(frames.length === 0 ? [] : [vscode.l10n.t('Stack trace:'), fencedWords(frames.join('\n'))]),
  ];
  const { text, warnings } = boundedText(parts.filter((part) => part.trim() !== '').join('\n\n'));
  if (words.trim() === '' && frames.length === 0 && actualOutput === undefined)
    throw new NotebookError(
      'empty',
      vscode.l10n.t('This test result doesn’t contain any text to ask about.'),
    );
  return {
    title: contextItemTitle(vscode.l10n.t('Result of {0}', label)),
    origin: { kind: 'text' },
    document: { ...documentOfText(text, 'result.md'), map: { kind: 'saved' }, warnings },
    uri: '',
  };
}

function fencedWords(text: string): string {
  return text.trim() === '' ? '' : fenceText(text.trimEnd(), 'text');
}

function formatPlace(uri: vscode.Uri | undefined, position: vscode.Position | undefined): string {
  const line = position === undefined ? '' : `:${String(position.line + 1)}`;
  return uri === undefined ? '' : `${vscode.workspace.asRelativePath(uri)}${line}`;
}
