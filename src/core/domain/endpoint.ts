import * as v from 'valibot';
import { anyFields, fields, jsonObject, maybe } from './json-schemas.ts';
import type { ModelAbilities } from './model-choice.ts';
import type { Prices } from './usage.ts';

const words = v.pipe(v.string(), v.trim(), v.nonEmpty());
const prices = { inputPrice: v.unknown(), outputPrice: v.unknown() };
const endpoint = fields({
  address: words,
  headers: jsonObject,
  apiVersion: words,
  keyHeader: words,
  models: jsonObject,
  ...prices,
});
const facts = fields({
  window: v.pipe(v.number(), v.gtValue(0)),
  tools: v.boolean(),
  images: v.boolean(),
  ...prices,
});

const choice = v.object({
  kind: v.literal('endpoint'),
  baseUrl: v.pipe(v.string(), v.nonEmpty()),
  /** Name that the user gave the endpoint, if any, since several can have one URL. */
  endpoint: maybe(v.pipe(v.string(), v.nonEmpty())),
  name: v.pipe(v.string(), v.nonEmpty()),
  /** Context window in tokens, if the endpoint reports it. */
  windowTokens: maybe(v.pipe(v.number(), v.gtValue(0))),
  /** Prices, if the endpoint reports them. */
  prices: maybe(v.object({ input: v.number(), output: v.number() })),
});

/** Model of an endpoint that the user picked. */
export type EndpointChoice = Readonly<v.InferOutput<typeof choice>>;

/** Reads a model of an endpoint that any version stored; undefined if it's invalid. */
export function parseEndpointChoice(value: unknown): EndpointChoice | undefined {
  const read = v.safeParse(choice, value);
  return read.success ? read.output : undefined;
}

/** The user's settings for a model. They override the data of its endpoint. */
export interface ModelFacts extends ModelAbilities {
  readonly prices?: Prices | undefined;
}

/** OpenAI-compatible endpoint with a name from the user. Its key is stored elsewhere. */
export interface NamedEndpoint {
  readonly name: string;
  readonly address: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Azure's `api-version`. */
  readonly apiVersion: string | undefined;
  /** Header for the key, such as Azure's `api-key`, if it isn't a bearer token. */
  readonly keyHeader: string | undefined;
  readonly prices: Prices | undefined;
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/**
 * Reads the endpoints from the user's settings: a name has an address, or an object with one. Skips invalid entries.
 */
export function parseEndpoints(value: unknown): NamedEndpoint[] {
  return Object.entries(v.parse(anyFields, value)).flatMap(([name, value]) => {
    const parsed = v.parse(endpoint, typeof value === 'string' ? { address: value } : value);
    const address = parsed.address?.replace(/(?<!\/)\/+$/, '');
    if (name === '' || address === undefined) return [];
    const headers = Object.entries(parsed.headers ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const models = Object.entries(parsed.models ?? {}).map(
      ([model, modelEntry]) => [model, readFacts(modelEntry)] as const,
    );
    return {
      name,
      address,
      headers: Object.fromEntries(headers),
      apiVersion: parsed.apiVersion,
      keyHeader: parsed.keyHeader,
      prices: readPrices(parsed),
      models: Object.fromEntries(models),
    };
  });
}

/** Returns the user's settings for a model of an endpoint, with the endpoint's prices if the model has none. */
export function factsAbout(endpoint: NamedEndpoint | undefined, model: string): ModelFacts {
  const facts = endpoint?.models[model];
  return { ...facts, prices: facts?.prices ?? endpoint?.prices };
}

function readFacts(modelEntry: unknown): ModelFacts {
  const { window: windowTokens, tools, images, ...setting } = v.parse(facts, modelEntry);
  return {
    ...(windowTokens !== undefined && { windowTokens }),
    ...(tools !== undefined && { tools }),
    ...(images !== undefined && { images }),
    prices: readPrices(setting),
  };
}

function readPrices(prices: {
  readonly inputPrice?: unknown;
  readonly outputPrice?: unknown;
}): Prices | undefined {
  const [input, output] = [Number(prices.inputPrice ?? 0), Number(prices.outputPrice ?? 0)];
  if (!(input >= 0 && output >= 0)) return undefined;
  return input === 0 && output === 0 ? undefined : { input, output };
}
