import { throwIfCanceled } from '../../core/domain/errors.ts';
import type { ModelAbilities } from '../../core/domain/model-choice.ts';
import type { Prices } from '../../core/domain/usage.ts';
import { reportedAbilities, reportedPrices, writesText } from './model-abilities.ts';
import { createClient, throwErrorIn, type EndpointAccess } from './openai-client.ts';
import { EndpointFailure, toNotebookError } from './openai-errors.ts';
import { parseJson, readModelList } from './server-replies.ts';

/** Model that an endpoint offers. */
export interface OfferedModel extends ModelAbilities {
  readonly name: string;
  readonly prices?: Prices | undefined;
}

export interface ListOptions {
  readonly signal: AbortSignal;
  /** Time limit in milliseconds. */
  readonly timeout: number;
}

/**
 * Returns the models of an OpenAI-compatible endpoint that can write answers, by name.
 * @throws NotebookError if the endpoint doesn't answer, or rejects the key
 */
export async function listModels(
  access: EndpointAccess,
  { signal, timeout }: ListOptions,
): Promise<OfferedModel[]> {
  try {
    const response = await createClient(access, 0).models.list({ signal, timeout }).asResponse();
    const reply = parseJson(await response.text());
    throwErrorIn(reply, response.headers);
    const models = readModelList(reply);
    if (models === undefined) throw new EndpointFailure('foreign');
    return models
      .filter(writesText)
      .map((model) => ({ name: model.id, ...reportedAbilities(model), ...reportedPrices(model) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch (error) {
    throwIfCanceled(signal);
    throw toNotebookError(error, { access, name: undefined, opened: false, arrived: false });
  }
}
