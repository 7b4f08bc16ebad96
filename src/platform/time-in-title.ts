import * as vscode from 'vscode';

/** Returns the current time as a part of a title: the day and the minute. */
export function timeInTitle(): string {
  return new Date().toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
