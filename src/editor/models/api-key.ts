import * as vscode from 'vscode';
import { inform } from '../dialogs.ts';

/** Location of an endpoint: its URL and, because several endpoints may share a URL, its name if it has one. */
export interface EndpointPlace {
  readonly address: string;
  readonly name?: string | undefined;
}

/** A key belongs to one URL, so that a changed URL never gets another's key. Named endpoints have keys of their own. */
const secretName = ({ address, name }: EndpointPlace): string =>
  name === undefined ? `apiKey:${address}` : `apiKey:${address}#${name}`;

/** Origin of an endpoint's key. */
type KeyOrigin = 'environment' | 'stored';

/**
 * Returns the key of an endpoint: the one that the user set for its name, or for its URL, or for OpenAI's own endpoint
 * the environment variable `OPENAI_API_KEY`.
 */
export async function apiKeyFor(
  secrets: vscode.SecretStorage,
  place: EndpointPlace,
): Promise<string | undefined> {
  return (await storedKey(secrets, place)) ?? keyOfEnvironment(place);
}

/** Returns the origin of an endpoint's key; undefined if it has no key. */
export async function keyOrigin(
  secrets: vscode.SecretStorage,
  place: EndpointPlace,
): Promise<KeyOrigin | undefined> {
  if ((await storedKey(secrets, place)) !== undefined) return 'stored';
  return keyOfEnvironment(place) === undefined ? undefined : 'environment';
}

/** Asks for the key of an endpoint. Resolves to whether the user entered one. */
export async function askForApiKey(secrets: vscode.SecretStorage, place: EndpointPlace): Promise<boolean> {
  const isReplaced = (await storedKey(secrets, place)) !== undefined;
  const title = isReplaced ? vscode.l10n.t('Replace API Key') : vscode.l10n.t('Set API Key');
  const key = await enterApiKey(place, title);
  if (key === undefined) return false;
  await storeApiKey(secrets, place, key);
  return true;
}

/** Asks the user for a key, with a sentence that explains why; undefined if the user enters none. */
export async function enterApiKey(
  place: EndpointPlace,
  title: string,
  why = '',
): Promise<string | undefined> {
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

/** Stores the key of an endpoint. */
export async function storeApiKey(
  secrets: vscode.SecretStorage,
  place: EndpointPlace,
  key: string,
): Promise<void> {
  await secrets.store(secretName(place), key);
}

/** Removes the key of an endpoint, and shows a message. */
export async function removeApiKey(secrets: vscode.SecretStorage, place: EndpointPlace): Promise<void> {
  await forgetApiKey(secrets, place);
  inform(vscode.l10n.t('Removed the API key for {0}.', place.name ?? place.address));
}

/** Removes the stored key of an endpoint: that of its name, or else that of its URL. */
export async function forgetApiKey(secrets: vscode.SecretStorage, place: EndpointPlace): Promise<void> {
  const own = secretName(place);
  const hasOwn = (await secrets.get(own)) !== undefined;
  await secrets.delete(hasOwn ? own : secretName({ address: place.address }));
}

/** Moves the key of an endpoint to its new name. */
export async function renameApiKey(
  secrets: vscode.SecretStorage,
  place: EndpointPlace,
  name: string,
): Promise<void> {
  const own = await secrets.get(secretName(place));
  if (own === undefined) return;
  await secrets.store(secretName({ ...place, name }), own);
  await secrets.delete(secretName(place));
}

async function storedKey(secrets: vscode.SecretStorage, place: EndpointPlace): Promise<string | undefined> {
  const own = await secrets.get(secretName(place));
  return own ?? (place.name === undefined ? undefined : secrets.get(secretName({ address: place.address })));
}

function keyOfEnvironment({ address }: EndpointPlace): string | undefined {
  return URL.parse(address)?.hostname === 'api.openai.com' ? process.env['OPENAI_API_KEY'] : undefined;
}
