import { estimateCost, type Prices } from './usage.ts';

/** Estimate of the requests to a model. */
export interface Estimate {
  readonly requests: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
}

/** Estimate of requests to several models, with their cost in US dollars; undefined if a price is unknown. */
export interface PricedEstimate extends Estimate {
  readonly cost: number | undefined;
}

/** Sums up estimates of requests to models with different prices. */
export function sumEstimates(
  parts: readonly { readonly estimate: Estimate; readonly prices: Prices | undefined }[],
): PricedEstimate {
  return parts.reduce<PricedEstimate>(
    (sum, { estimate, prices }) => ({
      requests: sum.requests + estimate.requests,
      input: sum.input + estimate.input,
      output: sum.output + estimate.output,
      cost:
        sum.cost === undefined || prices === undefined
          ? undefined
          : sum.cost + estimateCost(estimate, prices),
    }),
    { requests: 0, input: 0, output: 0, cost: 0 },
  );
}
