import * as vscode from 'vscode';
import type { ModelServer } from '../../../answers/models/model-provider.ts';
import { addEndpoint } from './endpoint-manager.ts';
import { isSameServer, type ModelProviders } from './model-providers.ts';

/** Model by its name on a server. */
interface ServerModel {
  readonly name: string;
  readonly baseUrl: string;
}

/** Labels of the question. */
interface ServerQuestion {
  readonly title: string;
  /** Server that is listed first. */
  readonly current: ModelServer | undefined;
  readonly isSuitable: (server: ModelServer) => boolean;
  readonly placeHolder: string;
  /** Returns the prompt for the name of the model on a server. */
  readonly prompt: (label: string) => string;
  /** Name of a model. */
  readonly example: string;
}

/** Asks for an endpoint and the name of a model on it; undefined if the user cancels. */
export async function askForServerModel(
  providers: ModelProviders,
  question: ServerQuestion,
): Promise<ServerModel | undefined> {
  const { title, current, prompt, example } = question;
  const chosen = await askForServer(providers.servers(), question);
  if (chosen === 'add') {
    await addEndpoint(providers);
    return await askForServerModel(providers, { ...question, current });
  }
  if (chosen === undefined) return undefined;
  const typed = await vscode.window.showInputBox({
    title,
    prompt: prompt(chosen.label),
    placeHolder: example,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter the name of a model.') : undefined),
  });
  return typed === undefined ? undefined : { name: typed.trim(), baseUrl: chosen.address };
}

/**
 * Asks for a server that the user set up, with the current model's first. Servers that are only detected on this machine
 * aren't offered.
 */
async function askForServer(
  listed: readonly ModelServer[],
  { title, current, isSuitable, placeHolder }: ServerQuestion,
): Promise<ModelServer | 'add' | undefined> {
  const isCurrent = (server: ModelServer): boolean => isSameServer(current, server);
  const servers = current === undefined || listed.some(isCurrent) ? listed : [...listed, current];
  const items = servers
    .filter((server) => isSuitable(server) && (!server.isDetected || isCurrent(server)))
    .toSorted((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)))
    .map((endpoint) => ({ label: endpoint.label, description: endpoint.address, endpoint }));
  const chosen = await vscode.window.showQuickPick(
    [
      ...items,
      {
        label: `$(add) ${vscode.l10n.t('Add Endpoint…')}`,
        description: vscode.l10n.t('Any server with an OpenAI-compatible API'),
        endpoint: 'add' as const,
      },
    ],
    { title, placeHolder, matchOnDescription: true },
  );
  return chosen?.endpoint;
}
