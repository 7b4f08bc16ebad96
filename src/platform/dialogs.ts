import * as vscode from 'vscode';
import { toAbortSignal } from './abort-signal.ts';
import { literalText } from './literal-text.ts';
import { inWorkspace } from './workspace-files.ts';

/** Shows a notification, or with `modal` a dialog, with buttons. Resolves to the button that is selected. */
export async function showInformation<T extends string>(
  message: string,
  buttons: readonly T[] = [],
  options?: vscode.MessageOptions,
): Promise<T | undefined> {
  return await show('showInformationMessage', message, buttons, options);
}

/** Shows a warning, or with `modal` a dialog, with buttons. Resolves to the button that is selected. */
export async function showWarning<T extends string>(
  message: string,
  buttons: readonly T[] = [],
  options?: vscode.MessageOptions,
): Promise<T | undefined> {
  return await show('showWarningMessage', message, buttons, options);
}

/** Shows an error with buttons. Resolves to the button that is selected. */
export async function showError<T extends string>(
  message: string,
  buttons: readonly T[] = [],
): Promise<T | undefined> {
  return await show('showErrorMessage', message, buttons);
}

async function show<T extends string>(
  kind: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage',
  message: string,
  buttons: readonly T[],
  options?: vscode.MessageOptions,
): Promise<T | undefined> {
  const { window } = vscode;
  const text = literalText(message);
  return options === undefined
    ? await window[kind](text, ...buttons)
    : await window[kind](text, options, ...buttons);
}

/** Asks a question in a dialog. Resolves to whether the action that it offers was chosen. */
export async function isConfirmed(question: string, action: string, detail: string): Promise<boolean> {
  return (await showWarning(question, [action], { modal: true, detail })) === action;
}

/** Asks for agreement to an action that deletes nothing. */
export async function isAgreed(question: string, action: string, detail?: string): Promise<boolean> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  return (await showInformation(question, [action], options)) === action;
}

/** Shows a message that needs no answer. */
export function inform(message: string): void {
  void showInformation(message);
}

/** Shows a message with an action. Resolves to whether the user chose the action. */
export async function offerAction(message: string, action: string): Promise<boolean> {
  return (await showInformation(message, [action])) === action;
}

/** Shows a warning with an action. Resolves to whether the user chose the action. */
export async function offerActionOnWarning(message: string, action: string): Promise<boolean> {
  return (await showWarning(message, [action])) === action;
}

/** Shows a message with an action, and runs the action if the user chooses it. */
export async function offer(message: string, action: string, run: () => unknown): Promise<void> {
  if (await offerAction(message, action)) await run();
}

/** Asks where to save a file of a type, by default in the workspace; undefined if the user cancels. */
export async function askWhereToWrite(
  title: string,
  { kind, name, ending }: { readonly kind: string; readonly name: string; readonly ending: string },
): Promise<vscode.Uri | undefined> {
  const defaultUri = inWorkspace(`${name}.${ending}`);
  const filters = { [kind]: [ending] };
  return await vscode.window.showSaveDialog({ title, filters, ...(defaultUri && { defaultUri }) });
}

/** Shows a text in Markdown as a document that the user can save. */
export async function showMarkdown(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/**
 * Shows a list until the user chooses an item, which `listen` reports, or hides the list, which returns undefined.
 * Disposes of the list.
 * @throws any error that `listen` fails with
 */
export async function chosenFrom<T, Item extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<Item>,
  listen: (choose: (chosen: T | undefined) => void, fail: (error: unknown) => void) => void,
): Promise<T | undefined> {
  try {
    return await new Promise<T | undefined>((resolve, reject) => {
      picker.onDidHide(() => {
        resolve(undefined);
      });
      picker.show();
      listen(resolve, reject);
    });
  } finally {
    picker.dispose();
  }
}

/** Asks for a secret until `signal` is aborted. Resolves to undefined if the user doesn't enter it. */
export async function askForSecret(
  options: Omit<vscode.InputBoxOptions, 'ignoreFocusOut' | 'password'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const stop = new vscode.CancellationTokenSource();
  const onAbort = (): void => stop.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const prompt = options.prompt === undefined ? {} : { prompt: literalText(options.prompt) };
    const inputOptions = { ...options, ...prompt, password: true, ignoreFocusOut: true };
    return await vscode.window.showInputBox(inputOptions, stop.token);
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop.dispose();
  }
}

/** Shows a notification with progress in percent until the work is done or canceled. */
export async function withNotification<T>(
  title: string,
  action: (signal: AbortSignal, report: (message: string, percent?: number) => void) => Promise<T>,
): Promise<T> {
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: literalText(title), cancellable: true },
    (progress, token) => {
      let shown = 0;
      return action(toAbortSignal(token), (message, percent = shown) => {
        progress.report({ message: literalText(message), increment: Math.max(0, percent - shown) });
        shown = Math.max(shown, percent);
      });
    },
  );
}

/** Returns the progress of documents in the form that `withNotification` accepts. */
export function documentsDone({
  done,
  total,
}: {
  readonly done: number;
  readonly total: number;
}): [message: string, percent: number] {
  const percent = total === 0 ? 0 : (100 * done) / total;
  return [vscode.l10n.t('Documents: {0} of {1}', done, total), percent];
}
