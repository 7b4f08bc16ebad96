import * as vscode from 'vscode';

/** Runs an action while functions of the editor's window, or of another part of VS Code, are replaced. */
export async function instead<T>(
  functions: Readonly<Record<string, unknown>>,
  act: () => T | Promise<T>,
  part: object = vscode.window,
): Promise<T> {
  const before = Object.keys(functions).map((name) => [name, Reflect.get(part, name) as unknown] as const);
  for (const [name, replacement] of Object.entries(functions)) Reflect.set(part, name, replacement);
  try {
    return await act();
  } finally {
    for (const [name, original] of before) Reflect.set(part, name, original);
  }
}
