import * as vscode from 'vscode';

/** Commands by their names without the prefix of the extension. */
export type Commands = Readonly<Record<string, (...args: never[]) => Promise<void> | void>>;

/** Registers commands by their names without the prefix of the extension. Errors go to `showError`. */
export function registerCommandsByName(
  commands: Commands,
  showError: (error: unknown) => void,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`openNotebook.${name}`, async (...args: never[]) => {
        try {
          await run(...args);
        } catch (error) {
          showError(error);
        }
      }),
    ),
  );
}
