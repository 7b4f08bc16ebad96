/** How near things are to each other: the mean of their cosines, and the standard deviation. */
export interface CosineStatistics {
  readonly mean: number;
  readonly deviation: number;
}

/** With fewer there is nothing usual. */
const FEWEST = 4;
/** So many are compared with each other, at most, spread over all. */
const MOST = 32;

/** How near the first `count` of some rows are to each other; undefined where they are too few or all alike. */
export function cosineStatistics(
  count: number,
  cosine: (row: number, other: number) => number,
): CosineStatistics | undefined {
  if (count < FEWEST) return undefined;
  const compared = Math.min(count, MOST);
  const rows = Array.from({ length: compared }, (_, i) => Math.floor((i * count) / compared));
  const cosines = rows.flatMap((row, i) => rows.slice(i + 1).map((other) => cosine(row, other)));
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length;
  return variance === 0 ? undefined : { mean, deviation: Math.sqrt(variance) };
}
