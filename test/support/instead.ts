import * as vscode from 'vscode';

/** Runs an action while a function of the editor's window, or of another part of it, is replaced. */
export async function instead<T>(
  name: string,
  other: unknown,
  act: () => Promise<T>,
  part: object = vscode.window,
): Promise<T> {
  const before: unknown = Reflect.get(part, name);
  Reflect.set(part, name, other);
  try {
    return await act();
  } finally {
    Reflect.set(part, name, before);
  }
}
