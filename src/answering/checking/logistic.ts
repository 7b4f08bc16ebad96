/** How likely something is by what tells so, in the weights of a logistic regression. */
export function likelihood<Name extends string>(
  { bias, weights }: { readonly bias: number; readonly weights: Readonly<Record<Name, number>> },
  features: Readonly<Record<Name, number>>,
): number {
  let sum = bias;
  for (const name in weights) sum += weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}

/** What each kind of feature adds to the log odds; `kinds` names the features of each. The bias is of their extent. */
export function signalParts<Name extends string, Kind extends string>(
  { bias, weights }: { readonly bias: number; readonly weights: Readonly<Record<Name, number>> },
  features: Readonly<Record<Name, number>>,
  kinds: Readonly<Record<Kind, readonly Name[]>>,
): Record<Kind, number> {
  const addUp = (names: readonly Name[]): number =>
    names.reduce((sum, name) => sum + weights[name] * features[name], 0);
  const parts = Object.entries<readonly Name[]>(kinds).map(([kind, names]) => [
    kind,
    addUp(names) + (kind === 'extent' ? bias : 0),
  ]);
  return Object.fromEntries(parts) as Record<Kind, number>;
}
