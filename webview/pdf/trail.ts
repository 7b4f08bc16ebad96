/** More places are not kept, the oldest are dropped. */
const MOST = 100;

/** The places that a reader jumped away from, as a browser keeps pages. */
export class Trail<P> {
  readonly #back: P[] = [];
  readonly #forward: P[] = [];

  /** Whether there is a place to go back to. */
  get hasBack(): boolean {
    return this.#back.length > 0;
  }

  /** Whether there is a place to go forward to. */
  get hasForward(): boolean {
    return this.#forward.length > 0;
  }

  /** The reader jumps away from a place. */
  leave(place: P): void {
    this.#back.push(place);
    if (this.#back.length > MOST) this.#back.shift();
    this.#forward.length = 0;
  }

  /** Where to go back to, or forward again, from a place; undefined where there is nothing. */
  step(direction: 'back' | 'forward', from: P): P | undefined {
    const [taken, other] = direction === 'back' ? [this.#back, this.#forward] : [this.#forward, this.#back];
    const place = taken.pop();
    if (place !== undefined) other.push(from);
    return place;
  }
}
