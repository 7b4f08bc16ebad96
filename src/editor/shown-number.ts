import * as vscode from 'vscode';

/** Formats a number in VS Code's display language. */
export function number(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
