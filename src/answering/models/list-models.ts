import { throwIfCancelled } from '../../notebook/errors.ts';
import type { ModelAbilities } from '../../notebook/model-choice.ts';
import type { Prices } from '../../notebook/usage.ts';
import { reportedAbilities, reportedPrices, writesText } from './model-abilities.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';

/** A model that an endpoint offers. */
export interface OfferedModel extends ModelAbilities {
  readonly name: string;
  readonly prices?: Prices | undefined;
}

export interface ListOptions {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly timeout: number;
}

/**
 * The models of an OpenAI-compatible endpoint that may write answers, by name.
 * @throws NotebookError where the endpoint does not answer, or refuses the key.
 */
export async function listModels(
  access: EndpointAccess,
  { signal, timeout }: ListOptions,
): Promise<OfferedModel[]> {
  try {
    const { data } = await createClient(access, 0).models.list({ signal, timeout });
    return data
      .filter(writesText)
      .map((model) => ({ name: model.id, ...reportedAbilities(model), ...reportedPrices(model) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch (error) {
    throwIfCancelled(signal);
    throw toNotebookError(error, { access, name: 'models', opened: false, arrived: false });
  }
}
