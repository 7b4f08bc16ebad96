import * as vscode from 'vscode';

/** Formats a number in VS Code's display language. */
export function number(value: number): string {
  return value.toLocaleString(vscode.env.language);
}

/** Formats an estimated number of tokens with two significant digits, rounded up. */
export function roundTokens(tokens: number): string {
  const unit = 10 ** Math.max(2, Math.floor(Math.log10(Math.max(1, tokens))) - 1);
  return number(Math.ceil(tokens / unit) * unit);
}
