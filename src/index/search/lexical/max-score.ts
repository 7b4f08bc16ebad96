import type { BestHits } from './best-hits.ts';
import { scoreOf, LEVEL_SHARE, type Norms } from './block-impacts.ts';
import { BLOCK_BITS, BLOCK_POSTINGS, numberSlot, type PostingReader } from './posting-reader.ts';

/** Number of slots that are scored at once, so that their scores stay in the processor's cache. */
const WINDOW_SLOTS = 2 ** 14;
/** The first windows are smaller, as there are no good hits yet that others must reach. */
const FIRST_WINDOW_SLOTS = 2 ** 12;

/** Time of looking up a passage in other lists, in postings that are read in a row. */
const LOOKUP_COST = 2;

/** List to search, the weight of its term, and the factor by which impacts can be higher than their levels say. */
interface WeightedList {
  readonly postings: PostingReader;
  readonly weight: number;
  readonly looseness: number;
}

/** List with the range of its postings in the current window, and the maximum that one of them scores. */
interface Cursor extends WeightedList {
  from: number;
  to: number;
  bound: number;
}

/** Counters of the work of searches. */
export interface SearchWork {
  /** Number of postings that were read in a row. */
  postings: number;
  /** Number of passages that were looked up in lists. */
  lookups: number;
}

/**
 * Search for the best passages by MaxScore with block-max pruning. In each window of slots, the lists whose highest
 * impacts together can't reach the worst of the best hits are non-essential: only passages of the other lists are looked
 * up in them. The result is that of a search that reads all postings.
 */
export class MaxScore {
  readonly #work: SearchWork;
  readonly #scores = new Float64Array(WINDOW_SLOTS);
  /** A bit for each slot with a score. */
  readonly #matches = new Uint32Array(WINDOW_SLOTS / 32);
  readonly #candidates = new Uint32Array(WINDOW_SLOTS);
  readonly #candidateScores = new Float64Array(WINDOW_SLOTS);
  /**
   * Power of two, at least the sum of the weights. Adding and subtracting it rounds each score to a multiple of its last
   * bit, so that sums are exact and don't depend on the order of the terms.
   */
  #rounding = 1;

  /** `work` receives the work of all searches. */
  constructor(work: SearchWork) {
    this.#work = work;
  }

  /** Offers the passages that may be among the best hits. `accepts` excludes others. */
  search(
    lists: readonly WeightedList[],
    norms: Norms,
    best: BestHits,
    accepts: ((slot: number) => boolean) | undefined,
  ): void {
    const cursors = lists.map((list): Cursor => ({ ...list, from: 0, to: 0, bound: 0 }));
    this.#rounding = 2 ** Math.ceil(Math.log2(lists.reduce((sum, { weight }) => sum + weight, 0)));
    const slots = Math.max(
      0,
      ...lists.map(({ postings }) => (postings.blocks === 0 ? 0 : postings.lastSlot(postings.blocks - 1))),
    );
    let window = FIRST_WINDOW_SLOTS;
    for (let first = 0; first <= slots; first += window) {
      if (first > 0) window = Math.min(first, WINDOW_SLOTS);
      let total = 0;
      for (const cursor of cursors) {
        cursor.from = cursor.to;
        cursor.to = cursor.postings.seek(cursor.from, first + window);
        cursor.bound = highestScore(cursor, this.#rounding * Number.EPSILON);
        total += cursor.bound;
      }
      if (total > 0 && total >= best.least) this.#searchWindow(cursors, first, norms, best, accepts);
    }
    for (const { postings } of lists) postings.release();
  }

  #searchWindow(
    cursors: readonly Cursor[],
    first: number,
    norms: Norms,
    best: BestHits,
    accepts: ((slot: number) => boolean) | undefined,
  ): void {
    let minScore = best.least;
    const total = sumOfBounds(cursors);
    const optional = chooseNonEssential(cursors, minScore);
    const rest = sumOfBounds(optional);
    for (const cursor of cursors)
      if (!optional.includes(cursor))
        this.#addScores(cursor, first, norms, minScore - (total - cursor.bound));
    let candidateCount = 0;
    const matches = this.#matches;
    const scores = this.#scores;
    for (let i = 0; i < matches.length; i++) {
      let bits = matches[i] ?? 0;
      if (bits === 0) continue;
      matches[i] = 0;
      for (; bits !== 0; bits &= bits - 1) {
        const at = i * 32 + 31 - Math.clz32(bits & -bits);
        const score = scores[at] ?? 0;
        scores[at] = 0;
        if (score + rest < minScore || (accepts !== undefined && !accepts(first + at))) continue;
        if (optional.length === 0) {
          best.offer(first + at, score);
          minScore = best.least;
        } else {
          this.#candidates[candidateCount] = first + at;
          this.#candidateScores[candidateCount++] = score;
        }
      }
    }
    for (const [i, cursor] of optional.entries())
      if (candidateCount > 0)
        candidateCount = this.#lookUp(
          cursor,
          candidateCount,
          norms,
          minScore - sumOfBounds(optional.slice(i + 1)),
        );
    for (let i = 0; i < candidateCount; i++)
      best.offer(this.#candidates[i] ?? 0, this.#candidateScores[i] ?? 0);
  }

  /** Adds the scores of a list's blocks that may score at least `minScore`. */
  #addScores(
    { postings, weight, looseness, from, to }: Cursor,
    first: number,
    { constant, byLength, lengths }: Norms,
    minScore: number,
  ): void {
    const rounding = this.#rounding;
    const scores = this.#scores;
    const matches = this.#matches;
    const leastLevel = minScore / (weight * looseness * LEVEL_SHARE);
    for (let i = from; i < to;) {
      const number = i >>> BLOCK_BITS;
      const start = number * BLOCK_POSTINGS;
      const end = Math.min(to, start + BLOCK_POSTINGS);
      if (postings.level(number) < leastLevel) {
        i = end;
        continue;
      }
      this.#work.postings += end - i;
      postings.load(number);
      const block = postings.postings;
      for (; i < end; i++) {
        const posting = block[i - start] ?? 0;
        const at = numberSlot(posting) - first;
        const score = scoreOf(posting, weight, constant, byLength, lengths);
        scores[at] = (scores[at] ?? 0) + (score + rounding - rounding);
        matches[at >>> 5] = (matches[at >>> 5] ?? 0) | (1 << at);
      }
    }
  }

  /** Adds a list's scores to those of the candidates, and returns the number of those with at least `minScore`. */
  #lookUp(
    { postings, weight }: Cursor,
    candidateCount: number,
    { constant, byLength, lengths }: Norms,
    minScore: number,
  ): number {
    const rounding = this.#rounding;
    const candidates = this.#candidates;
    const scores = this.#candidateScores;
    this.#work.lookups += candidateCount;
    let remaining = 0;
    for (let candidate = 0; candidate < candidateCount; candidate++) {
      const slot = candidates[candidate] ?? 0;
      let score = scores[candidate] ?? 0;
      const posting = postings.find(slot);
      if (posting !== 0) score += scoreOf(posting, weight, constant, byLength, lengths) + rounding - rounding;
      if (score < minScore) continue;
      candidates[remaining] = slot;
      scores[remaining++] = score;
    }
    return remaining;
  }
}

/**
 * Returns lists that together score less than `minScore`, the ones with the highest bounds first. Prefers lists with many
 * postings for their bound, as these are the ones that take time.
 */
function chooseNonEssential(cursors: readonly Cursor[], least: number): Cursor[] {
  let rest = 0;
  const optional = cursors
    .filter(({ bound }) => bound > 0)
    .sort((a, b) => (b.to - b.from) / b.bound - (a.to - a.from) / a.bound)
    .filter(({ bound }) => {
      if (rest + bound >= least) return false;
      rest += bound;
      return true;
    })
    .sort((a, b) => b.bound - a.bound);
  const skipped = numberOfPostings(optional);
  return skipped > LOOKUP_COST * (numberOfPostings(cursors) - skipped) ? optional : [];
}

function numberOfPostings(cursors: readonly Cursor[]): number {
  return cursors.reduce((sum, { from, to }) => sum + to - from, 0);
}

function sumOfBounds(cursors: readonly Cursor[]): number {
  return cursors.reduce((sum, { bound }) => sum + bound, 0);
}

/** Returns the maximum score of a posting in the range. `step` covers its rounding. */
function highestScore({ postings, from, to, weight, looseness }: Cursor, step: number): number {
  if (from === to) return 0;
  let highest = 0;
  const last = (to - 1) >>> BLOCK_BITS;
  for (let block = from >>> BLOCK_BITS; block <= last; block++)
    highest = Math.max(highest, postings.level(block));
  return weight * looseness * LEVEL_SHARE * highest + step;
}
