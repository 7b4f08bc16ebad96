import type * as vscode from 'vscode';
import type { ServerPlace } from '../../../answers/models/model-provider.ts';

/** Storage of keys. */
export type KeyStorage = Pick<vscode.SecretStorage, 'delete' | 'get' | 'store'>;

/** A key belongs to one URL, so that a changed URL never gets another's key. Named endpoints have keys of their own. */
const secretName = ({ address, name }: ServerPlace): string =>
  name === undefined ? `apiKey:${address}` : `apiKey:${address}#${name}`;

/** Origin of an endpoint's key. */
type KeyOrigin = 'environment' | 'stored';

/**
 * Returns the key of an endpoint: the one that the user set for its name, or for its URL, or for OpenAI's own endpoint
 * the environment variable `OPENAI_API_KEY`.
 */
export async function apiKeyFor(secrets: KeyStorage, place: ServerPlace): Promise<string | undefined> {
  return (await storedKey(secrets, place)) ?? keyOfEnvironment(place);
}

/** Returns the origin of an endpoint's key; undefined if it has no key. */
export async function keyOrigin(secrets: KeyStorage, place: ServerPlace): Promise<KeyOrigin | undefined> {
  if ((await storedKey(secrets, place)) !== undefined) return 'stored';
  return keyOfEnvironment(place) === undefined ? undefined : 'environment';
}

/** Stores the key of an endpoint. */
export async function storeApiKey(secrets: KeyStorage, place: ServerPlace, key: string): Promise<void> {
  await secrets.store(secretName(place), key);
}

/** Removes the stored key of an endpoint: that of its name, or else that of its URL. */
export async function forgetApiKey(secrets: KeyStorage, place: ServerPlace): Promise<void> {
  const own = secretName(place);
  const hasOwn = (await secrets.get(own)) !== undefined;
  await secrets.delete(hasOwn ? own : secretName({ address: place.address }));
}

/** Moves the key of an endpoint to its new name. */
export async function renameApiKey(secrets: KeyStorage, place: ServerPlace, name: string): Promise<void> {
  const own = await secrets.get(secretName(place));
  if (own === undefined) return;
  await secrets.store(secretName({ ...place, name }), own);
  await secrets.delete(secretName(place));
}

/** Returns the stored key of an endpoint; undefined if the user set none. */
export async function storedKey(secrets: KeyStorage, place: ServerPlace): Promise<string | undefined> {
  const own = await secrets.get(secretName(place));
  return own ?? (place.name === undefined ? undefined : secrets.get(secretName({ address: place.address })));
}

function keyOfEnvironment({ address }: ServerPlace): string | undefined {
  return URL.parse(address)?.hostname === 'api.openai.com' ? process.env['OPENAI_API_KEY'] : undefined;
}
