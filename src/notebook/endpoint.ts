import { readFields } from './json-fields.ts';
import type { ModelAbilities } from './model-choice.ts';
import type { Prices } from './usage.ts';

/** What the user says of a model, which goes before what its endpoint says. */
export interface ModelFacts extends ModelAbilities {
  readonly prices?: Prices | undefined;
}

/** An OpenAI-compatible endpoint that the user gave a name. Its key is kept elsewhere. */
export interface NamedEndpoint {
  readonly name: string;
  readonly address: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Azure's `api-version`. */
  readonly apiVersion: string | undefined;
  /** The header that carries the key, such as Azure's `api-key`, where it is not a bearer's. */
  readonly keyHeader: string | undefined;
  readonly prices: Prices | undefined;
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** The endpoints of the user's settings: a name has an address, or an object with one. What is none is passed over. */
export function parseEndpoints(kept: unknown): NamedEndpoint[] {
  return Object.entries(readFields(kept)).flatMap(([name, value]) => {
    const told = typeof value === 'string' ? { address: value } : readFields(value);
    const address = readText(told['address'])?.replace(/(?<!\/)\/+$/, '');
    if (name === '' || address === undefined) return [];
    const headers = Object.entries(readFields(told['headers'])).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const models = Object.entries(readFields(told['models'])).map(
      ([model, facts]) => [model, readFacts(readFields(facts))] as const,
    );
    return {
      name,
      address,
      headers: Object.fromEntries(headers),
      apiVersion: readText(told['apiVersion']),
      keyHeader: readText(told['keyHeader']),
      prices: readPrices(told),
      models: Object.fromEntries(models),
    };
  });
}

/** What the user says of a model of an endpoint; prices are the endpoint's where the model has none of its own. */
export function factsAbout(endpoint: NamedEndpoint | undefined, model: string): ModelFacts {
  const facts = endpoint?.models[model];
  return { ...facts, prices: facts?.prices ?? endpoint?.prices };
}

function readFacts(told: Readonly<Record<string, unknown>>): ModelFacts {
  const [windowTokens, tools, images] = [told['window'], told['tools'], told['images']];
  return {
    ...(typeof windowTokens === 'number' && windowTokens > 0 && { windowTokens }),
    ...(typeof tools === 'boolean' && { tools }),
    ...(typeof images === 'boolean' && { images }),
    prices: readPrices(told),
  };
}

function readPrices(told: Readonly<Record<string, unknown>>): Prices | undefined {
  const [input, output] = ['inputPrice', 'outputPrice'].map((key) => Number(told[key] ?? 0));
  if (input === undefined || output === undefined || !(input >= 0 && output >= 0)) return undefined;
  return input === 0 && output === 0 ? undefined : { input, output };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
