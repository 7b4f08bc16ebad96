import type { Block, Container } from './blocks.ts';

/** How many numbers `contextOf` gives for a block. */
export const contextWidth = 24;

const levels = 7;

/** Describes each block by how likely it and what surrounds it seemed to be content at first sight. */
export function contextOf(
  blocks: readonly Block[],
  containers: readonly Container[],
  likely: Float32Array,
): Float32Array {
  const { words, hits } = sumsOf(blocks, likely);
  const mean = (from: number, to: number): number => {
    const [first, last] = [Math.max(0, from), Math.min(blocks.length, to)];
    const count = (words[last] ?? 0) - (words[first] ?? 0);
    return count > 0 ? ((hits[last] ?? 0) - (hits[first] ?? 0)) / count : -1;
  };
  const inGroups = groupMeans(blocks, likely);
  const all = mean(0, blocks.length);
  const best = containers.reduce((most, { from, to, words: count }) => {
    return from < 0 ? most : Math.max(most, mean(from, to + 1) * Math.log2(1 + count));
  }, 0);
  const values = new Float32Array(blocks.length * contextWidth);
  for (const [i, block] of blocks.entries()) {
    const row = [
      likely[i] ?? 0,
      likely[i - 1] ?? -1,
      likely[i - 2] ?? -1,
      likely[i - 3] ?? -1,
      likely[i + 1] ?? -1,
      likely[i + 2] ?? -1,
      likely[i + 3] ?? -1,
      mean(i - 5, i + 6),
      mean(i - 15, i + 16),
      mean(i - 50, i + 51),
      mean(i - 8, i),
      mean(i + 1, i + 9),
      mean(0, i),
      mean(i + 1, blocks.length),
      inGroups.get(block.container.signature) ?? 0,
      all,
      best,
    ];
    let at = block.container;
    for (let level = 0; level < levels; level++) {
      row.push(mean(at.from, at.to + 1));
      at = at.parent ?? at;
    }
    values.set(row, i * contextWidth);
  }
  return values;
}

/** Words, and words that are likely content, before each block and after the last. */
function sumsOf(blocks: readonly Block[], likely: Float32Array): { words: Float64Array; hits: Float64Array } {
  const words = new Float64Array(blocks.length + 1);
  const hits = new Float64Array(blocks.length + 1);
  for (const [i, block] of blocks.entries()) {
    words[i + 1] = (words[i] ?? 0) + block.words;
    hits[i + 1] = (hits[i] ?? 0) + block.words * (likely[i] ?? 0);
  }
  return { words, hits };
}

function groupMeans(blocks: readonly Block[], likely: Float32Array): ReadonlyMap<string, number> {
  const sums = new Map<string, [words: number, hits: number]>();
  for (const [i, { container, words }] of blocks.entries()) {
    const [count, hits] = sums.get(container.signature) ?? [0, 0];
    sums.set(container.signature, [count + words, hits + words * (likely[i] ?? 0)]);
  }
  return new Map([...sums].map(([signature, [words, hits]]) => [signature, hits / words]));
}
