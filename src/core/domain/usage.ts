/** Tokens sent to and received from models. */
export interface TokenUsage {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** Number of tokens that were estimated here because the endpoint didn't report them. */
  readonly estimated: number;
  /** US dollars, if prices are known. */
  readonly cost?: number | undefined;
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** Usage of one model on one day. */
export interface UsageEntry extends TokenUsage {
  /** Local date: `2026-11-21`. */
  readonly day: string;
  readonly model: string;
  /** Name or host of the endpoint, or the vendor of the editor's model. */
  readonly provider: string;
  readonly requests: number;
}

/** Returns the sum of two usages; its cost includes only usages with prices. */
export function addedUsage(a: TokenUsage | undefined, b: TokenUsage): TokenUsage {
  if (a === undefined) return b;
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    estimated: a.estimated + b.estimated,
    ...(cost !== undefined && { cost }),
  };
}

/** Returns the cost of tokens, in US dollars. */
export function estimateCost(
  { input, output }: Pick<TokenUsage, 'input' | 'output'>,
  prices: Prices,
): number {
  return (input * prices.input + output * prices.output) / 1_000_000;
}

/** Formats an amount of US dollars, precise enough to compare small ones: `$0.0042`, `$1.20`. */
export function dollars(amount: number, language?: string): string {
  return amount.toLocaleString(language, {
    style: 'currency',
    currency: 'USD',
    maximumSignificantDigits: amount < 0.1 ? 2 : undefined,
  });
}
