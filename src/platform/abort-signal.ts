import type * as vscode from 'vscode';

/** Returns a signal that is aborted when VS Code's cancellation token is canceled. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else
    token.onCancellationRequested(() => {
      controller.abort();
    });
  return controller.signal;
}
