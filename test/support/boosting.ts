/** Rows of numbers with their expected values (0 to 1) and weights. */
export interface Examples {
  readonly width: number;
  readonly values: Float32Array;
  readonly targets: Float32Array;
  readonly weights: Float32Array;
}

export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** Minimum weight of a leaf. */
  readonly leafWeight: number;
  readonly regularization: number;
  /** Shares of rows and features that each tree sees. */
  readonly rowShare: number;
  readonly featureShare: number;
}

const bins = 64;

/** Fits boosted decision trees to probabilities, written as `parseTrees` reads them. */
export function fitTrees(examples: Examples, options: BoostingOptions): string {
  const { width, targets, weights } = examples;
  const count = targets.length;
  const thresholds = Array.from({ length: width }, (_, feature) => chooseThresholds(examples, feature));
  const binned = binValues(examples, thresholds);
  const random = randomNumbers(7);
  let [sum, weightSum] = [0, 0];
  for (let i = 0; i < count; i++) {
    sum += (weights[i] ?? 0) * (targets[i] ?? 0);
    weightSum += weights[i] ?? 0;
  }
  const bias = Math.log(sum / (weightSum - sum));
  const scores = new Float64Array(count).fill(bias);
  const gradients = new Float64Array(count);
  const curvatures = new Float64Array(count);
  const lines = [bias.toFixed(4)];
  for (let tree = 0; tree < options.trees; tree++) {
    const rows: number[] = [];
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-(scores[i] ?? 0)));
      gradients[i] = (weights[i] ?? 0) * ((targets[i] ?? 0) - p);
      curvatures[i] = (weights[i] ?? 0) * Math.max(1e-6, p * (1 - p));
      if (random() < options.rowShare) rows.push(i);
    }
    const features: number[] = [];
    for (let feature = 0; feature < width; feature++)
      if ((thresholds[feature]?.length ?? 0) > 0 && random() < options.featureShare) features.push(feature);
    const nodes: string[] = [];
    const grow = (inTree: Int32Array, all: Int32Array, depth: number): void => {
      const split =
        depth > 0 ? bestSplit(inTree, features, binned, count, gradients, curvatures, options) : undefined;
      if (split === undefined) {
        let [gradient, curvature] = [0, 0];
        for (const i of inTree) {
          gradient += gradients[i] ?? 0;
          curvature += curvatures[i] ?? 0;
        }
        const value = Number(((options.rate * gradient) / (curvature + options.regularization)).toFixed(3));
        for (const i of all) scores[i] = (scores[i] ?? 0) + value;
        nodes.push(String(value));
        return;
      }
      const threshold = thresholds[split.feature]?.[split.bin] ?? 0;
      nodes.push(`${String(split.feature)}<${String(threshold)}`);
      const column = split.feature * count;
      const isRight = (i: number): boolean => (binned[column + i] ?? 0) > split.bin;
      grow(
        inTree.filter((i) => !isRight(i)),
        all.filter((i) => !isRight(i)),
        depth - 1,
      );
      grow(inTree.filter(isRight), all.filter(isRight), depth - 1);
    };
    grow(
      Int32Array.from(rows),
      Int32Array.from({ length: count }, (_, i) => i),
      options.depth,
    );
    lines.push(nodes.join(' '));
  }
  return lines.join('\n');
}

interface Split {
  readonly feature: number;
  readonly bin: number;
}

const gradientSums = new Float64Array(bins);
const curvatureSums = new Float64Array(bins);

function bestSplit(
  rows: Int32Array,
  features: readonly number[],
  binned: Uint8Array,
  count: number,
  gradients: Float64Array,
  curvatures: Float64Array,
  { leafWeight, regularization }: BoostingOptions,
): Split | undefined {
  let [gradient, curvature] = [0, 0];
  for (const i of rows) {
    gradient += gradients[i] ?? 0;
    curvature += curvatures[i] ?? 0;
  }
  const measureGain = (g: number, c: number): number => (g * g) / (c + regularization);
  let best = measureGain(gradient, curvature) + 1e-3;
  let bestSplit: Split | undefined;
  for (const feature of features) {
    gradientSums.fill(0);
    curvatureSums.fill(0);
    const column = feature * count;
    for (const i of rows) {
      const bin = binned[column + i] ?? 0;
      gradientSums[bin] = (gradientSums[bin] ?? 0) + (gradients[i] ?? 0);
      curvatureSums[bin] = (curvatureSums[bin] ?? 0) + (curvatures[i] ?? 0);
    }
    let [left, leftCurvature] = [0, 0];
    for (let bin = 0; bin < bins - 1; bin++) {
      left += gradientSums[bin] ?? 0;
      leftCurvature += curvatureSums[bin] ?? 0;
      if (leftCurvature < leafWeight) continue;
      if (curvature - leftCurvature < leafWeight) break;
      const gain = measureGain(left, leftCurvature) + measureGain(gradient - left, curvature - leftCurvature);
      if (gain > best) {
        best = gain;
        bestSplit = { feature, bin };
      }
    }
  }
  return bestSplit;
}

/** Returns at most one threshold fewer than there are bins, at equal shares of the rows. */
function chooseThresholds({ width, values, targets }: Examples, feature: number): number[] {
  const step = Math.max(1, Math.floor(targets.length / 20_000));
  const sample: number[] = [];
  for (let i = 0; i < targets.length; i += step) sample.push(values[i * width + feature] ?? 0);
  const sorted = Float32Array.from(sample).sort();
  const thresholds = new Set<number>();
  const distinct = [...new Set(sorted)];
  const from = distinct.length <= bins ? distinct : sorted;
  const parts = Math.min(bins, from.length);
  for (let part = 1; part < parts; part++) {
    const at = Math.floor((part * from.length) / parts);
    const [low = 0, high = 0] = [from[at - 1], from[at]];
    if (high > low || from === sorted) thresholds.add(Number(((low + high) / 2).toPrecision(4)));
  }
  return [...thresholds].sort((a, b) => a - b).slice(0, bins - 1);
}

function binValues({ width, values, targets }: Examples, thresholds: readonly number[][]): Uint8Array {
  const count = targets.length;
  const binned = new Uint8Array(count * width);
  for (let feature = 0; feature < width; feature++) {
    const limits = thresholds[feature] ?? [];
    for (let i = 0; i < count; i++) {
      const value = values[i * width + feature] ?? 0;
      let [low, high] = [0, limits.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value > (limits[middle] ?? 0)) low = middle + 1;
        else high = middle;
      }
      binned[feature * count + i] = low;
    }
  }
  return binned;
}

/** Returns the same random numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
