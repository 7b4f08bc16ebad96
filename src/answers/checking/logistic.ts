/** Returns the probability from features, with the weights of a logistic regression. */
export function likelihood<Name extends string>(
  { bias, weights }: { readonly bias: number; readonly weights: Readonly<Record<Name, number>> },
  features: Readonly<Record<Name, number>>,
): number {
  let sum = bias;
  for (const name in weights) sum += weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}
