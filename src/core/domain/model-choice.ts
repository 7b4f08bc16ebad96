import * as v from 'valibot';

/** Known abilities of a model. */
export interface ModelAbilities {
  /** Context window in tokens, including the answer. */
  readonly windowTokens?: number | undefined;
  readonly tools?: boolean | undefined;
  readonly images?: boolean | undefined;
}

/** Model of a provider, as JSON. `kind` identifies the provider, which reads and checks the other fields. */
export interface ProvidedChoice {
  readonly kind: string;
  /** Name that the user knows. */
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Model that the user selected for answers; `quotes`, without a name, stands for excerpts only. */
export type ModelChoice = { readonly kind: 'quotes'; readonly name?: undefined } | ProvidedChoice;

/** Models selected for a notebook and for one of its conversations; undefined if none was. */
export interface SelectedModels {
  readonly notebook: ModelChoice | undefined;
  readonly conversation: ModelChoice | undefined;
}

const words = v.pipe(v.string(), v.nonEmpty());

const modelChoice = v.union([
  v.object({ kind: v.literal('quotes') }),
  v.looseObject({ kind: words, name: words }),
]);

/** Reads a choice that any version stored; undefined if it's invalid. Only its provider can read all of it. */
export function parseModelChoice(value: unknown): ModelChoice | undefined {
  const read = v.safeParse(modelChoice, value);
  return read.success ? read.output : undefined;
}
