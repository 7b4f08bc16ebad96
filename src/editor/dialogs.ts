import * as vscode from 'vscode';
import { toAbortSignal } from './abort-signal.ts';

/** Asks a question in a dialog. Resolves to whether the action that it offers was chosen. */
export async function isConfirmed(question: string, action: string, detail: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

/** Tells something and offers an action. Resolves to whether that was chosen. */
export async function isTaken(told: string, action: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(told, action)) === action;
}

/**
 * Shows a list until something is chosen in it, which `listen` tells, or it is hidden; undefined then. The list is gone
 * in the end. @throws what `listen` fails with
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

/** Asks for what nobody may look at, until `signal` is aborted. Resolves to undefined where it is not told. */
export async function askForSecret(
  options: Omit<vscode.InputBoxOptions, 'ignoreFocusOut' | 'password'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const stop = new vscode.CancellationTokenSource();
  const onAbort = (): void => {
    stop.cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const all = { ...options, password: true, ignoreFocusOut: true };
    return await vscode.window.showInputBox(all, stop.token);
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop.dispose();
  }
}

/** Shows that work is under way, and how far it has come, until it is done or cancelled. */
export async function withNotification<T>(
  title: string,
  work: (
    signal: AbortSignal,
    progress: vscode.Progress<{ readonly message?: string; readonly increment?: number }>,
  ) => Promise<T>,
): Promise<T> {
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => work(toAbortSignal(token), progress),
  );
}
