import { longestAscending } from '../core/language/longest-ascending.ts';

/** Index pairs of equal words: ascending in both sequences. */
type WordPairs = readonly (readonly [number, number])[];

/** Maximum size of a region in which every pair of words is compared, as a product of lengths. */
const SMALL_REGION = 250_000;

interface Region {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/**
 * Aligns the words of a text with those of a longer one that it was extracted from, in order. Runs of words that occur
 * once in both are anchors; between anchors the search continues with shorter runs, so that parts missing from one text
 * (navigation, notices) don't mislead it.
 */
export function alignWords(a: readonly string[], b: readonly string[]): WordPairs {
  return alignRegion(a, b, { fromA: 0, toA: a.length, fromB: 0, toB: b.length }, 12);
}

function alignRegion(
  a: readonly string[],
  b: readonly string[],
  region: Region,
  run: number,
): [number, number][] {
  const lengthA = region.toA - region.fromA;
  const lengthB = region.toB - region.fromB;
  if (lengthA === 0 || lengthB === 0) return [];
  if (run <= 3 && lengthA * lengthB <= SMALL_REGION) return alignSmall(a, b, region);
  const anchors = extend(a, b, region, findAnchors(a, b, region, run), run);
  if (anchors.length === 0) return run > 1 ? alignRegion(a, b, region, run > 3 ? run >> 1 : run - 1) : [];
  const pairs: [number, number][] = [];
  let { fromA, fromB } = region;
  const alignUntil = (toA: number, toB: number): void => {
    for (const pair of alignRegion(a, b, { fromA, toA, fromB, toB }, Math.max(1, run >> 1))) pairs.push(pair);
  };
  for (const anchor of anchors) {
    alignUntil(anchor.fromA, anchor.fromB);
    for (let i = 0; i < anchor.toA - anchor.fromA; i++) pairs.push([anchor.fromA + i, anchor.fromB + i]);
    fromA = anchor.toA;
    fromB = anchor.toB;
  }
  alignUntil(region.toA, region.toB);
  return pairs;
}

/** Returns the starts of runs of `length` words that occur exactly once on both sides, ascending on both. */
function findAnchors(a: readonly string[], b: readonly string[], region: Region, length: number): WordPairs {
  const inA = uniqueRuns(a, region.fromA, region.toA, length);
  const inB = uniqueRuns(b, region.fromB, region.toB, length);
  const pairs: [number, number][] = [];
  for (const [key, at] of inA) {
    const other = inB.get(key);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  pairs.sort((x, y) => x[0] - y[0]);
  return longestAscending(pairs);
}

/** Returns the start of each run of words; -1 for runs that occur more than once. */
function uniqueRuns(words: readonly string[], from: number, to: number, length: number): Map<string, number> {
  const runs = new Map<string, number>();
  for (let i = from; i + length <= to; i++) {
    const key = words.slice(i, i + length).join(' ');
    runs.set(key, runs.has(key) ? -1 : i);
  }
  return runs;
}

/** Extends anchors in both directions while the words agree. Each result is a region of equal words. */
function extend(
  a: readonly string[],
  b: readonly string[],
  region: Region,
  anchors: readonly (readonly [number, number])[],
  length: number,
): Region[] {
  const grown: Region[] = [];
  let lastA = region.fromA;
  let lastB = region.fromB;
  for (const [startA, startB] of anchors) {
    if (startA < lastA || startB < lastB) continue;
    let [fromA, fromB, toA, toB] = [startA, startB, startA + length, startB + length];
    while (fromA > lastA && fromB > lastB && a[fromA - 1] === b[fromB - 1]) {
      fromA--;
      fromB--;
    }
    while (toA < region.toA && toB < region.toB && a[toA] === b[toB]) {
      toA++;
      toB++;
    }
    grown.push({ fromA, toA, fromB, toB });
    [lastA, lastB] = [toA, toB];
  }
  return grown;
}

/** Bonus for two consecutive pairs over two separate ones, so that "a b … a" matches "a b" and not its last "a". */
const TOGETHER = 0.5;

/**
 * Returns the best alignment of a small region: the most words, and among those alignments the one with the most
 * consecutive words.
 */
function alignSmall(a: readonly string[], b: readonly string[], region: Region): [number, number][] {
  const rows = region.toA - region.fromA;
  const columns = region.toB - region.fromB;
  const width = columns + 1;
  // Best score from (i, j) on, and the best score with the words at (i, j) as its first pair; 0 if these differ.
  const best = new Float32Array((rows + 1) * width);
  const paired = new Float32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      const after = at + width + 1;
      if (a[region.fromA + i] === b[region.fromB + j]) {
        const together = paired[after] ?? 0;
        paired[at] = 1 + Math.max(best[after] ?? 0, together > 0 ? together + TOGETHER : 0);
      }
      best[at] = Math.max(best[at + width] ?? 0, best[at + 1] ?? 0, paired[at] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let together = false;
  for (let i = 0, j = 0; i < rows && j < columns;) {
    const at = i * width + j;
    const pair = paired[at] ?? 0;
    together = pair > 0 && pair + (together ? TOGETHER : 0) >= (best[at] ?? 0);
    if (together) pairs.push([region.fromA + i++, region.fromB + j++]);
    else if ((best[at + 1] ?? 0) >= (best[at + width] ?? 0)) j++;
    else i++;
  }
  return pairs;
}
