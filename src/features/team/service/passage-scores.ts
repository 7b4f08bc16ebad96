import { BestHits } from '../../../index/search/lexical/best-hits.ts';
import type { Hit } from '../../../index/search/lexical/passage-index.ts';
import { addScores, MAX_BATCH_PASSAGES } from './postings.ts';

/** Tolerance for comparing scores, which are sums of rounded numbers. */
const ROUNDED = 1e-9;

/** Position of a passage in lists of postings: its window, and its index there. */
export interface Posting {
  readonly base: number;
  readonly place: number;
}

/** Scores of passages while postings are read. */
export class PassageScores {
  readonly #limit: number;
  readonly #windows = new Map<number, Float64Array>();
  /** Passages that can still be among the best; undefined while all can. */
  #candidates: readonly Posting[] | undefined;
  #best: BestHits | undefined;

  /** `limit` is the number of requested passages. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a list of postings to the scores of a window with `length` passages. */
  add(
    { base, passages }: { readonly base: number; readonly passages: number },
    postings: Uint8Array,
    weight: number,
  ): void {
    let scores = this.#windows.get(base);
    if (scores === undefined)
      this.#windows.set(
        base,
        (scores = new Float64Array(Math.max(0, Math.min(passages, MAX_BATCH_PASSAGES)))),
      );
    addScores(postings, weight, scores);
    this.#best = undefined;
  }

  /** Returns the minimum score of the best passages so far. */
  least(): number {
    return this.#hits().least;
  }

  /** Returns the passages with at least a score, which become the only candidates. */
  reaching(bound: number): readonly Posting[] {
    const least = Math.max(bound - ROUNDED, Number.MIN_VALUE);
    if (this.#candidates === undefined) {
      const candidates: Posting[] = [];
      for (const [base, scores] of this.#windows)
        for (let place = 0; place < scores.length; place++)
          if ((scores[place] ?? 0) >= least) candidates.push({ base, place });
      this.#candidates = candidates;
    } else this.#candidates = this.#candidates.filter((posting) => this.#score(posting) >= least);
    return this.#candidates;
  }

  /** Returns the bases of all windows with added postings. */
  bases(): number[] {
    return [...this.#windows.keys()];
  }

  /** Returns the best passages with their scores, best first. */
  best(): readonly Hit[] {
    return this.#hits()
      .sortHits()
      .map(([id, score]) => ({ id, score }));
  }

  #hits(): BestHits {
    if (this.#best !== undefined) return this.#best;
    const best = (this.#best = new BestHits(this.#limit));
    if (this.#candidates === undefined) {
      for (const [base, scores] of this.#windows)
        for (let place = 0; place < scores.length; place++) {
          const score = scores[place] ?? 0;
          if (score > 0 && score >= best.least) best.offer(base + place, score);
        }
    } else
      for (const posting of this.#candidates) best.offer(posting.base + posting.place, this.#score(posting));
    return best;
  }

  #score({ base, place }: Posting): number {
    return this.#windows.get(base)?.[place] ?? 0;
  }
}
