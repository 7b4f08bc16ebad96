import { APIError } from 'openai';
import { throwIfCancelled } from '../../notebook/errors.ts';
import { listModels, type ListOptions } from './list-models.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';
import { NO_DIFFERENCES, requestBody } from './request-differences.ts';

/** Answers by which an endpoint takes the key and minds something else. */
const KEY_IS_RIGHT = new Set([400, 404, 422]);

/**
 * Whether an endpoint takes a key: its models are listed and one, the given or else the first, is asked for one token,
 * since some list their models to anybody. Resolves where it does.
 * @throws NotebookError that says what is wrong: the key, the connection, the account.
 */
export async function testKey(
  access: EndpointAccess,
  model: string | undefined,
  options: ListOptions,
): Promise<void> {
  const listed = await listModels(access, options).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'not-found') return [];
    throw error;
  });
  const name = model ?? listed[0]?.name;
  if (name === undefined) return;
  try {
    await createClient(access, 0).chat.completions.create(
      requestBody(
        { model: name, messages: [{ role: 'user', content: 'Hi' }], mostTokens: 1 },
        NO_DIFFERENCES,
      ),
      options,
    );
  } catch (error) {
    throwIfCancelled(options.signal);
    if (error instanceof APIError && KEY_IS_RIGHT.has(Number(error.status))) return;
    throw toNotebookError(error, { access, name, opened: false, arrived: false });
  }
}
