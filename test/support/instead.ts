import * as vscode from 'vscode';

/** Does something while a function of the editor's window is another one. */
export async function instead<T>(name: string, other: unknown, act: () => Promise<T>): Promise<T> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = window[name];
  window[name] = other;
  try {
    return await act();
  } finally {
    window[name] = before;
  }
}
