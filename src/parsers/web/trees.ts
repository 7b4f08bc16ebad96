import { createHash } from 'node:crypto';

/** Boosted decision trees: each tree leads a row to a leaf, and the sum of these leaves is its value. */
export interface Trees {
  readonly bias: number;
  /** Feature to compare at each node of all trees, or -1 at a leaf. */
  readonly features: Int16Array;
  /** Threshold above which the right branch follows; at a leaf, its value. */
  readonly values: Float32Array;
  /** Start of each node's right branch; the left branch is the next node. */
  readonly rights: Uint16Array;
  /** Start of each tree. */
  readonly roots: Uint32Array;
}

/** Parses trees in their stored form: one per line, nodes in order, `feature<threshold` or a leaf's value alone. */
export function parseTrees(text: string): Trees {
  const [first = '0', ...lines] = text.trim().split('\n');
  const features: number[] = [];
  const values: number[] = [];
  const rights: number[] = [];
  const roots: number[] = [];
  for (const line of lines) {
    const root = features.length;
    roots.push(root);
    const nodes = line.split(' ');
    const read = (): void => {
      const at = features.length;
      const [feature = '', threshold] = (nodes[at - root] ?? '0').split('<');
      features.push(threshold === undefined ? -1 : Number(feature));
      values.push(Number(threshold ?? feature));
      rights.push(0);
      if (threshold === undefined) return;
      read();
      rights[at] = features.length - root;
      read();
    };
    read();
  }
  return {
    bias: Number(first),
    features: Int16Array.from(features),
    values: Float32Array.from(values),
    rights: Uint16Array.from(rights),
    roots: Uint32Array.from(roots),
  };
}

/** Returns the probability that the trees assign to a row of features. */
export function probability(trees: Trees, row: ArrayLike<number>): number {
  return 1 / (1 + Math.exp(-logOdds(trees, row)));
}

/** Returns the probability as log-odds: 0 is as likely as not, more is more likely. */
export function logOdds(trees: Trees, row: ArrayLike<number>): number {
  let sum = trees.bias;
  for (const root of trees.roots) {
    let at = root;
    let feature = trees.features[at] ?? -1;
    while (feature >= 0) {
      const goesRight = (row[feature] ?? 0) > (trees.values[at] ?? 0);
      at = goesRight ? root + (trees.rights[at] ?? 0) : at + 1;
      feature = trees.features[at] ?? -1;
    }
    sum += trees.values[at] ?? 0;
  }
  return sum;
}

/** Returns a hash of the features' names in their order, which a model is stored with. */
export function hashFeatures(names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
}
