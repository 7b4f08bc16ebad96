import * as v from 'valibot';
import type { SecretStorage } from 'vscode';

/**
 * Returns the JSON of a secret; undefined if it isn't stored, or if it's damaged. Rejects if the secret storage can't be
 * read, so that a caller doesn't replace secrets that it couldn't read.
 */
export async function readSecretJson<T>(
  secrets: Pick<SecretStorage, 'get'>,
  key: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | undefined> {
  const stored = await secrets.get(key);
  if (stored === undefined) return undefined;
  try {
    return v.parse(schema, JSON.parse(stored));
  } catch {
    // A damaged secret can't be restored. The user enters it again.
    return undefined;
  }
}
