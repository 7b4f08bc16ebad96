import * as v from 'valibot';
import { throwIfCancelled } from '../../notebook/errors.ts';
import { fields, fitting } from '../../notebook/json-schemas.ts';
import type { ModelAbilities } from '../../notebook/model-choice.ts';
import type { Prices } from '../../notebook/usage.ts';
import { reportedAbilities, reportedPrices, writesText } from './model-abilities.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { EndpointFailure, toNotebookError } from './openai-errors.ts';

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

/** The URL can belong to any server, so skip entries without a name. */
const modelList = fields({ data: fitting(v.looseObject({ id: v.pipe(v.string(), v.nonEmpty()) })) });

/**
 * Returns the models of an OpenAI-compatible endpoint that can write answers, by name.
 * @throws NotebookError if the endpoint doesn't answer, or rejects the key
 */
export async function listModels(
  access: EndpointAccess,
  { signal, timeout }: ListOptions,
): Promise<OfferedModel[]> {
  try {
    const reply: unknown = await createClient(access, 0).models.list({ signal, timeout });
    const { data } = v.parse(modelList, reply);
    if (data === undefined) throw new EndpointFailure('foreign');
    return data
      .filter(writesText)
      .map((model) => ({ name: model.id, ...reportedAbilities(model), ...reportedPrices(model) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch (error) {
    throwIfCancelled(signal);
    throw toNotebookError(error, { access, name: undefined, opened: false, arrived: false });
  }
}
