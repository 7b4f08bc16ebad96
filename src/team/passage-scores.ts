import { BestHits } from '../indexing/search/lexical/best-hits.ts';
import type { Hit } from '../indexing/search/lexical/passage-index.ts';
import { addScores, MAX_BATCH_PASSAGES } from './postings.ts';

/** Scores are sums of rounded numbers. */
const ROUNDED = 1e-9;

/** A passage as lists of postings name it: its window, and its place there. */
export interface Posting {
  readonly base: number;
  readonly place: number;
}

/** The scores of passages while postings are gone through. */
export class PassageScores {
  readonly #limit: number;
  readonly #windows = new Map<number, Float64Array>();
  /** Those that may come among the best; undefined while all may. */
  #candidates: readonly Posting[] | undefined;
  #best: BestHits | undefined;

  /** `limit` is how many passages are wanted. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a list of postings to the scores of a window of so many passages. */
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

  /** The passages whose score reaches a bound; others are no candidates any more. */
  reaching(bound: number): readonly Posting[] {
    const least = Math.max(bound - ROUNDED, Number.MIN_VALUE);
    if (this.#candidates === undefined) {
      const candidates: Posting[] = [];
      for (const [base, scores] of this.#windows)
        for (let place = 0; place < scores.length; place++)
          if ((scores[place] ?? 0) >= least) candidates.push({ base, place });
      this.#candidates = candidates;
    } else this.#candidates = this.#candidates.filter((one) => this.#score(one) >= least);
    return this.#candidates;
  }

  /** The windows whose postings were added. */
  bases(): number[] {
    return [...this.#windows.keys()];
  }

  /** The numbers of the best passages with their scores, best first. */
  best(): readonly Hit[] {
    return this.#hits()
      .sorted()
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
    } else for (const one of this.#candidates) best.offer(one.base + one.place, this.#score(one));
    return best;
  }

  #score({ base, place }: Posting): number {
    return this.#windows.get(base)?.[place] ?? 0;
  }
}
