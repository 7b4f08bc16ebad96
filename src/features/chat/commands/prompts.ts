import * as vscode from 'vscode';
import type { RequestedScope } from '../protocol.ts';
import { includedInWords } from '../../../core/domain/counts.ts';
import { toWebAddress } from '../../../core/domain/web-address.ts';
import { chosenFrom, showMarkdown } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Asks for a question; `about` is its search scope, undefined for the selection. */
export async function askForQuestion(
  about: RequestedScope | { readonly kind: 'contextItem'; readonly title: string } | undefined,
): Promise<string | undefined> {
  const scope = about === undefined ? vscode.l10n.t('Ask about the selection') : describeScope(about);
  const question = await vscode.window.showInputBox({
    title: vscode.l10n.t('Ask'),
    prompt: literalText(scope),
  });
  return question?.trim() === '' ? undefined : question?.trim();
}

function describeScope(about: NonNullable<Parameters<typeof askForQuestion>[0]>): string {
  switch (about.kind) {
    case 'notebook':
      return vscode.l10n.t('Ask the whole notebook');
    case 'sources':
      return vscode.l10n.t('Ask about {0}', includedInWords(about));
    case 'file':
      return vscode.l10n.t('Ask about the open file');
    case 'contextItem':
      return vscode.l10n.t('Ask about “{0}”', about.title);
  }
}

/** Asks for a web URL. */
export async function askForPage(): Promise<string | undefined> {
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Web Page'),
    prompt: vscode.l10n.t(
      'Enter the URL of the page. Open Notebook downloads the page once, and again when you refresh it.',
    ),
    placeHolder: 'https://',
    validateInput: (value) =>
      value.trim() === '' || toWebAddress(value) !== undefined
        ? undefined
        : vscode.l10n.t('Enter a URL such as https://example.com/page.'),
  });
  return url === undefined || url.trim() === '' ? undefined : toWebAddress(url);
}

interface TextChoice extends vscode.QuickPickItem {
  readonly from: 'clipboard' | 'editor' | 'value';
}

/**
 * Asks for a title and a text: pasted or entered, from the clipboard, or written in a new editor and added from there.
 */
export async function askForText(): Promise<{ title: string; text: string } | undefined> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Text (1 of 2)'),
    prompt: vscode.l10n.t('Enter a title, or leave it empty to use the first line of the text.'),
  });
  if (title === undefined) return undefined;
  const picker = vscode.window.createQuickPick<TextChoice>();
  const choices: readonly TextChoice[] = [
    { from: 'clipboard', label: `$(clippy) ${vscode.l10n.t('Clipboard')}` },
    {
      from: 'editor',
      label: `$(new-file) ${vscode.l10n.t('Write in a new editor')}`,
      detail: vscode.l10n.t('When you’re done, run “Add to Notebook” in that editor.'),
    },
  ];
  picker.title = vscode.l10n.t('Add Text (2 of 2)');
  picker.placeholder = vscode.l10n.t('Paste the text here, or select where to get it');
  picker.items = choices;
  const choice = await chosenFrom<TextChoice, TextChoice>(picker, (choose) => {
    picker.onDidChangeValue((value) => {
      const label = `$(add) ${vscode.l10n.t('Add this text')}`;
      picker.items =
        value.trim() === '' ? choices : [{ from: 'value', label, detail: value, alwaysShow: true }];
    });
    picker.onDidAccept(() => {
      choose(picker.selectedItems[0]);
    });
  });
  switch (choice?.from) {
    case undefined:
      return undefined;
    case 'clipboard':
      return { title, text: await vscode.env.clipboard.readText() };
    case 'value':
      return { title, text: await withLines(picker.value) };
    case 'editor':
      await showMarkdown(title === '' ? '' : `# ${title}\n\n`);
      return undefined;
  }
}

/** Returns the clipboard's text if it was pasted as this value, because an input box removes line breaks. */
async function withLines(value: string): Promise<string> {
  const copied = await vscode.env.clipboard.readText();
  const withoutSpace = (text: string): string => text.replaceAll(/\s+/gu, '');
  return withoutSpace(copied) === withoutSpace(value) ? copied : value;
}
