import * as v from 'valibot';
import { maybe } from './json-schemas.ts';
import type { Prices } from './usage.ts';

/** Known abilities of a model. */
export interface ModelAbilities {
  /** Context window in tokens, including the answer. */
  readonly windowTokens?: number | undefined;
  readonly tools?: boolean | undefined;
  readonly images?: boolean | undefined;
}

/** Model that the user selected for answers. */
export type ModelChoice =
  | { readonly kind: 'quotes' }
  | {
      readonly kind: 'endpoint';
      readonly baseUrl: string;
      /** Name that the user gave the endpoint, if any, since several can have one URL. */
      readonly endpoint?: string | undefined;
      readonly name: string;
      /** Context window in tokens, if the endpoint reports it. */
      readonly windowTokens?: number | undefined;
      /** Prices, if the endpoint reports them. */
      readonly prices?: Prices | undefined;
    }
  /** Language model of the editor. */
  | { readonly kind: 'editor'; readonly vendor: string; readonly id: string; readonly name: string };

/** Models selected for a notebook and for one of its conversations; undefined if none was. */
export interface SelectedModels {
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

/** Reads a choice that any version stored; undefined if it's invalid. */
export function parseModelChoice(value: unknown): ModelChoice | undefined {
  const read = v.safeParse(modelChoice, value);
  return read.success ? read.output : undefined;
}

/** Reports whether two choices are the same model. */
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
