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
