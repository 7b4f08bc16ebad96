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

/** A choice as any version kept it, or undefined where it is none. */
export function parseModelChoice(kept: unknown): ModelChoice | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const values = new Map<string, unknown>(Object.entries(kept));
  const text = (key: string): string | undefined => {
    const value = values.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = text('name');
  switch (values.get('kind')) {
    case 'quotes':
      return { kind: 'quotes' };
    case 'endpoint': {
      const [baseUrl, endpoint] = [text('baseUrl'), text('endpoint')];
      const [windowTokens, prices] = [values.get('windowTokens'), pricesIn(values.get('prices'))];
      return name === undefined || baseUrl === undefined
        ? undefined
        : {
            kind: 'endpoint',
            name,
            baseUrl,
            ...(endpoint !== undefined && { endpoint }),
            ...(typeof windowTokens === 'number' && windowTokens > 0 && { windowTokens }),
            ...(prices !== undefined && { prices }),
          };
    }
    case 'editor': {
      const [vendor, id] = [text('vendor'), text('id')];
      return name === undefined || vendor === undefined || id === undefined
        ? undefined
        : { kind: 'editor', name, vendor, id };
    }
    default:
      return undefined;
  }
}

function pricesIn(kept: unknown): Prices | undefined {
  if (typeof kept !== 'object' || kept === null || !('input' in kept) || !('output' in kept))
    return undefined;
  const { input, output } = kept;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined;
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
