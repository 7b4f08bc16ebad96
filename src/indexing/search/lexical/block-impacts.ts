import { numberSlot, readCount } from './posting-lists.ts';

/** Number of postings in a block. */
export const BLOCK_POSTINGS = 128;
const BLOCK_BITS = 7;

/** An impact is the share of a term's weight that a posting scores, 0 to 1, stored in a byte and rounded up. */
const IMPACT_LEVELS = 255;
/** Covers the rounding of sums of impacts. */
const ROUNDING_MARGIN = 1 + 1e-9;
/** Impacts are computed again if a change of the average length makes them larger than needed by this factor. */
const MAX_LOOSENESS = 1.05;

/** Length normalization of BM25: a posting with `count` scores `count / (count + constant + byLength * length)`. */
export interface Norms {
  readonly constant: number;
  readonly byLength: number;
  /** Length of each slot's passage. */
  readonly lengths: Uint16Array;
}

/** Maximum impact of each block of a list. `unit` is the share of the weight that one level stands for. */
export interface ImpactsOfList {
  readonly levels: Uint8Array;
  readonly unit: number;
}

interface CachedImpacts {
  levels: Uint8Array;
  /** Number of postings that the blocks contain. */
  postings: number;
  /** Highest `byLength` with which they were computed. */
  byLength: number;
}

/**
 * Maximum impacts of the blocks of posting lists, as in block-max WAND, so that a search skips blocks that can't score
 * enough. They are computed when a term is first searched, and extended when its list has grown.
 */
export class BlockImpacts {
  readonly #cached = new Map<number, CachedImpacts>();

  /** Returns the impacts of a term's list. */
  of(number: number, postings: Uint32Array, norms: Norms): ImpactsOfList {
    let cached = this.#cached.get(number);
    if (cached === undefined || cached.byLength > norms.byLength * MAX_LOOSENESS) {
      cached = { levels: new Uint8Array(0), postings: 0, byLength: 0 };
      this.#cached.set(number, cached);
    }
    if (cached.postings < postings.length) extend(cached, postings, norms);
    // A shorter average length raises no impact; a longer one raises them at most by its ratio.
    const looseness = Math.max(1, cached.byLength / norms.byLength);
    return { levels: cached.levels, unit: (looseness * ROUNDING_MARGIN) / IMPACT_LEVELS };
  }

  /** Forgets all impacts, because the lists have changed other than by growing. */
  clear(): void {
    this.#cached.clear();
  }
}

function extend(cached: CachedImpacts, postings: Uint32Array, { constant, byLength, lengths }: Norms): void {
  const levels = new Uint8Array(Math.ceil(postings.length / BLOCK_POSTINGS));
  levels.set(cached.levels);
  for (let block = cached.postings >>> BLOCK_BITS; block < levels.length; block++) {
    const end = Math.min(postings.length, (block + 1) * BLOCK_POSTINGS);
    let highest = 0;
    for (let i = block * BLOCK_POSTINGS; i < end; i++) {
      const posting = postings[i] ?? 0;
      const count = readCount(posting);
      const impact = count / (count + constant + byLength * (lengths[numberSlot(posting)] ?? 0));
      if (impact > highest) highest = impact;
    }
    levels[block] = Math.ceil(highest * IMPACT_LEVELS);
  }
  cached.levels = levels;
  cached.postings = postings.length;
  cached.byLength = Math.max(cached.byLength, byLength);
}
