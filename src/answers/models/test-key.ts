import { APIError } from 'openai';
import { throwIfCanceled } from '../../core/domain/errors.ts';
import { listModels, type ListOptions } from './list-models.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';
import { NO_DIFFERENCES, requestBody } from './request-differences.ts';

/** Statuses of an endpoint that accepts the key, but rejects another part of the request. */
const KEY_IS_RIGHT = new Set([400, 404, 422]);

/**
 * Tests a key: lists the endpoint's models and requests one token from the named model, or else the first, since some
 * endpoints list their models to anyone. Resolves if the key works.
 * @throws NotebookError that names the problem: the key, the connection, or the account
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
    throwIfCanceled(options.signal);
    if (error instanceof APIError && KEY_IS_RIGHT.has(Number(error.status))) return;
    throw toNotebookError(error, { access, name, opened: false, arrived: false });
  }
}
