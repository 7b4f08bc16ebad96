import * as vscode from 'vscode';
import type { ServerPlace } from '../../../answers/models/model-provider.ts';
import { inform } from '../../../platform/dialogs.ts';
import { forgetApiKey, storeApiKey, storedKey, type KeyStorage } from './api-key.ts';

/** Asks for the key of an endpoint. Resolves to whether the user entered one. */
export async function askForApiKey(secrets: KeyStorage, place: ServerPlace): Promise<boolean> {
  const isReplaced = (await storedKey(secrets, place)) !== undefined;
  const title = isReplaced ? vscode.l10n.t('Replace API Key') : vscode.l10n.t('Set API Key');
  const key = await enterApiKey(place, title);
  if (key === undefined) return false;
  await storeApiKey(secrets, place, key);
  return true;
}

/** Asks the user for a key, with a sentence that explains why; undefined if the user enters none. */
export async function enterApiKey(place: ServerPlace, title: string, why = ''): Promise<string | undefined> {
  const use = vscode.l10n.t(
    'VS Code stores the API key for {0} in its secret storage. Open Notebook sends the key only to this URL.',
    place.name === undefined ? place.address : `${place.name}, ${place.address}`,
  );
  const key = await vscode.window.showInputBox({
    title,
    prompt: `${why} ${use}`.trim(),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter an API key.') : undefined),
  });
  return key?.trim();
}

/** Removes the stored key of an endpoint, and shows a message that names the endpoint. */
export async function removeApiKey(
  secrets: KeyStorage,
  place: ServerPlace,
  endpoint = place.name ?? place.address,
): Promise<void> {
  if ((await storedKey(secrets, place)) === undefined) {
    inform(vscode.l10n.t('No API key is stored for {0}.', endpoint));
    return;
  }
  await forgetApiKey(secrets, place);
  inform(vscode.l10n.t('Removed the API key for {0}.', endpoint));
}
