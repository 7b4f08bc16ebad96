import * as vscode from 'vscode';
import type { AskedScope } from '../messages/panel.ts';
import { toWebAddress } from '../notebook/web-address.ts';
import { showMarkdown } from './dialogs.ts';

/** Asks for a question; `about` tells what it is asked of, undefined for the selection. */
export async function askForQuestion(
  about: AskedScope | { readonly kind: 'thing'; readonly title: string } | undefined,
): Promise<string | undefined> {
  const scope = about === undefined ? vscode.l10n.t('Ask about the selection') : describeScope(about);
  const question = await vscode.window.showInputBox({
    title: vscode.l10n.t('Ask'),
    prompt: scope,
  });
  return question?.trim() === '' ? undefined : question?.trim();
}

function describeScope(about: NonNullable<Parameters<typeof askForQuestion>[0]>): string {
  const count = (number: number): string => number.toLocaleString(vscode.env.language);
  switch (about.kind) {
    case 'notebook':
      return vscode.l10n.t('Ask the whole notebook');
    case 'sources':
      return vscode.l10n.t('Ask about {0} of {1} sources', count(about.ticked), count(about.of));
    case 'file':
      return vscode.l10n.t('Ask about the open file');
    case 'thing':
      return vscode.l10n.t('Ask about “{0}”', about.title);
  }
}

/** Asks for a web address. */
export async function askForPage(): Promise<string | undefined> {
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Web Page'),
    prompt: vscode.l10n.t('The address of the page. It is fetched once, and again when you refresh it.'),
    placeHolder: 'https://',
    validateInput: (value) =>
      value.trim() === '' || toWebAddress(value) !== undefined
        ? undefined
        : vscode.l10n.t('Type an address such as https://example.com/page.'),
  });
  return url === undefined || url.trim() === '' ? undefined : toWebAddress(url);
}

interface TextChoice extends vscode.QuickPickItem {
  readonly from: 'clipboard' | 'editor' | 'input';
}

/** Asks for a title and a text: the clipboard's, one typed in, or one written in a new editor and added from there. */
export async function askForText(): Promise<{ title: string; text: string } | undefined> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Text (1 of 2)'),
    prompt: vscode.l10n.t('A title. Leave it empty to take the first words of the text.'),
  });
  if (title === undefined) return undefined;
  const choices: TextChoice[] = [
    { from: 'clipboard', label: `$(clippy) ${vscode.l10n.t('Clipboard')}` },
    {
      from: 'input',
      label: `$(edit) ${vscode.l10n.t('Type it here')}`,
      detail: vscode.l10n.t('For one paragraph.'),
    },
    {
      from: 'editor',
      label: `$(new-file) ${vscode.l10n.t('Write it in a new editor')}`,
      detail: vscode.l10n.t('When you are done, run Add to Notebook from there.'),
    },
  ];
  const choice = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Add Text (2 of 2)'),
    placeHolder: vscode.l10n.t('Where is the text?'),
  });
  switch (choice?.from) {
    case undefined:
      return undefined;
    case 'clipboard':
      return { title, text: await vscode.env.clipboard.readText() };
    case 'input': {
      const text = await vscode.window.showInputBox({
        title: vscode.l10n.t('Add Text (2 of 2)'),
        prompt: vscode.l10n.t('The text'),
      });
      return text === undefined || text.trim() === '' ? undefined : { title, text };
    }
    case 'editor':
      await showMarkdown(title === '' ? '' : `# ${title}\n\n`);
      return undefined;
  }
}
