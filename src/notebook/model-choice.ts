import * as v from 'valibot';
import { maybe } from './json-schemas.ts';
import type { Prices } from './usage.ts';

/** What a model can do, as far as anybody says so. */
export interface ModelAbilities {
  /** What it takes at once, its answer included, in tokens. */
  readonly windowTokens?: number | undefined;
  readonly tools?: boolean | undefined;
  readonly images?: boolean | undefined;
}

/** What writes answers, as the user picked it. */
export type ModelChoice =
  | { readonly kind: 'quotes' }
  | {
      readonly kind: 'endpoint';
      readonly baseUrl: string;
      /** The name that the user gave the endpoint, where it has one: several may have one address. */
      readonly endpoint?: string | undefined;
      readonly name: string;
      /** What the model takes at once, in tokens, where the endpoint says so. */
      readonly windowTokens?: number | undefined;
      /** Where the endpoint says so. */
      readonly prices?: Prices | undefined;
    }
  /** A language model of the editor's own. */
  | { readonly kind: 'editor'; readonly vendor: string; readonly id: string; readonly name: string };

/** What was picked for a notebook and for one of its conversations; undefined where nothing was. */
export interface PickedModels {
  readonly notebook: ModelChoice | undefined;
  readonly conversation: ModelChoice | undefined;
}

const words = v.pipe(v.string(), v.nonEmpty());

const modelChoice = v.variant('kind', [
  v.object({ kind: v.literal('quotes') }),
  v.object({
    kind: v.literal('endpoint'),
    baseUrl: words,
    endpoint: maybe(words),
    name: words,
    windowTokens: maybe(v.pipe(v.number(), v.gtValue(0))),
    prices: maybe(v.object({ input: v.number(), output: v.number() })),
  }),
  v.object({ kind: v.literal('editor'), vendor: words, id: words, name: words }),
]);

/** A choice as any version kept it, or undefined where it is none. */
export function parseModelChoice(kept: unknown): ModelChoice | undefined {
  const read = v.safeParse(modelChoice, kept);
  return read.success ? read.output : undefined;
}

/** Whether two choices are the same model. */
export function isSameModel(a: ModelChoice, b: ModelChoice): boolean {
  switch (a.kind) {
    case 'quotes':
      return b.kind === 'quotes';
    case 'endpoint':
      return (
        b.kind === 'endpoint' && a.name === b.name && a.baseUrl === b.baseUrl && a.endpoint === b.endpoint
      );
    case 'editor':
      return b.kind === 'editor' && a.id === b.id && a.vendor === b.vendor;
  }
}
