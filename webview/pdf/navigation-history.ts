/** Maximum number of saved positions. The oldest are dropped. */
const MAX_POSITIONS = 100;

/** History of positions that a reader jumped from, like a browser's history. */
export class NavigationHistory<P> {
  readonly #back: P[] = [];
  readonly #forward: P[] = [];

  /** `true` if there is a position to go back to. */
  get hasBack(): boolean {
    return this.#back.length > 0;
  }

  /** `true` if there is a position to go forward to. */
  get hasForward(): boolean {
    return this.#forward.length > 0;
  }

  /** Saves the position before a jump, and clears the positions to go forward to. */
  leave(place: P): void {
    this.#back.push(place);
    if (this.#back.length > MAX_POSITIONS) this.#back.shift();
    this.#forward.length = 0;
  }

  /** Returns the position to go back or forward to; undefined if there is none. */
  step(direction: 'back' | 'forward', from: P): P | undefined {
    const [stack, other] = direction === 'back' ? [this.#back, this.#forward] : [this.#forward, this.#back];
    const place = stack.pop();
    if (place !== undefined) other.push(from);
    return place;
  }
}
