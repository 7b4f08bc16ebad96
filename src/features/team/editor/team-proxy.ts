import * as vscode from 'vscode';
import type { Proxy } from '../service/proxy.ts';

/** Returns the web proxy from VS Code's settings; undefined if there is none, or if extensions shouldn't use it. */
export function teamProxy(): Proxy | undefined {
  const settings = vscode.workspace.getConfiguration('http');
  const url = settings.get<string>('proxy', '').trim();
  if (url === '' || settings.get<string>('proxySupport') === 'off') return undefined;
  const authorization = settings.get<string | null>('proxyAuthorization');
  const without = settings.get<unknown>('noProxy');
  return {
    url,
    ...(typeof authorization === 'string' && authorization !== '' && { authorization }),
    without: Array.isArray(without) ? without.filter((pattern) => typeof pattern === 'string') : [],
  };
}

/** Calls back when VS Code's proxy settings change. */
export function onOtherProxy(look: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('http')) look();
  });
}
