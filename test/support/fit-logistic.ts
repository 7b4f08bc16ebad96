/** Numbers by name with their expected value (0 to 1) and its weight. */
interface Example<Name extends string> {
  readonly features: Readonly<Record<Name, number>>;
  readonly target: number;
  readonly weight: number;
}

/** A logistic regression. */
interface Model<Name extends string> {
  readonly bias: number;
  readonly weights: Record<Name, number>;
}

const rounds = 25;

/**
 * Fits a logistic regression with Newton's method. `ridge` pulls all weights but the bias toward 0, independent of
 * scale.
 */
export function fitLogistic<Name extends string>(
  examples: readonly Example<Name>[],
  ridge: number,
): Model<Name> {
  const names = Object.keys(examples[0]?.features ?? {}) as Name[];
  const scales = names.map((name) => standardDeviation(examples.map(({ features }) => features[name])));
  const width = names.length + 1;
  const rows = examples.map(({ features }) =>
    Float64Array.of(1, ...names.map((name, i) => features[name] / (scales[i] ?? 1))),
  );
  const weights = new Float64Array(width);
  for (let round = 0; round < rounds; round++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -ridge * weight));
    const curvature = Array.from({ length: width }, (_, i) => {
      const row = new Float64Array(width);
      row[i] = i === 0 ? 1e-9 : ridge;
      return row;
    });
    for (const [at, row] of rows.entries()) {
      const { target = 0, weight = 0 } = examples[at] ?? {};
      const likely = 1 / (1 + Math.exp(-dot(weights, row)));
      const bend = weight * Math.max(1e-6, likely * (1 - likely));
      for (const [i, value] of row.entries()) {
        gradient[i] = (gradient[i] ?? 0) + weight * (target - likely) * value;
        const own = curvature[i];
        if (own !== undefined)
          for (const [j, other] of row.entries()) own[j] = (own[j] ?? 0) + bend * value * other;
      }
    }
    const step = solve(curvature, gradient);
    for (const [i, change] of step.entries()) weights[i] = (weights[i] ?? 0) + change;
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  const entries = names.map((name, i) => [name, (weights[i + 1] ?? 0) / (scales[i] ?? 1)]);
  return { bias: weights[0] ?? 0, weights: Object.fromEntries(entries) as Record<Name, number> };
}

/** Returns the standard deviation; 1 if all numbers are equal. */
function standardDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) || 1;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** Solves a symmetric system of equations by elimination; `matrix` is used up. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.of(...row, right[i] ?? 0));
  for (const [column, pivot] of rows.entries()) {
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1);
      for (let j = column; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (pivot[j] ?? 0);
    }
  }
  return Float64Array.from(rows, (row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1));
}
