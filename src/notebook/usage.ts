/** What models were told and what they said. */
export interface TokenUsage {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** How many of these were counted here because the endpoint did not say. */
  readonly estimated: number;
  /** US dollars, where prices are known. */
  readonly cost?: number | undefined;
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** The usage of one model on one day. */
export interface UsageEntry extends TokenUsage {
  /** `2026-11-21`, where the user is. */
  readonly day: string;
  readonly model: string;
  /** The endpoint's name or host, or who offers the model to the editor. */
  readonly provider: string;
  readonly requests: number;
}

/** What was used together; the cost of what has a price. */
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

/** What tokens cost, in US dollars. */
export function estimateCost(
  { input, output }: Pick<TokenUsage, 'input' | 'output'>,
  prices: Prices,
): number {
  return (input * prices.input + output * prices.output) / 1_000_000;
}

/** An amount of US dollars, exact enough to compare small ones: `$0.0042`, `$1.20`. */
export function dollars(amount: number, language?: string): string {
  return amount.toLocaleString(language, {
    style: 'currency',
    currency: 'USD',
    maximumSignificantDigits: amount < 0.1 ? 2 : undefined,
  });
}
