import * as vscode from 'vscode';

/** A number as it is written in the editor's language. */
export function number(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
