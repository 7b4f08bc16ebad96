import type { OffsetMap, Places } from '../core/domain/document.ts';

/** Collector of the runs of a canonical text that match its original letter for letter, by offsets in the original. */
export class LineRuns {
  readonly #original: string;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #lines: number[] = [];
  readonly #characters: number[] = [];
  #line = 0;
  #lineStart = 0;
  #scanned = 0;

  constructor(original: string) {
    this.#original = original;
  }

  /** Adds a run. `start` is an offset in the canonical text, `from` in the original. Both ascend from call to call. */
  add(start: number, length: number, from: number): void {
    if (length === 0) return;
    this.#moveTo(from);
    this.#starts.push(start);
    this.#lengths.push(length);
    this.#lines.push(this.#line);
    this.#characters.push(from - this.#lineStart);
  }

  /** Adds the runs of a text that was extracted from a span of the original with letters removed or inserted. */
  addExtracted(start: number, text: string, from: number, to: number): void {
    let runStart = 0;
    let at = from;
    for (let i = 0; i <= text.length; i++) {
      const isSame = i < text.length && at < to && text[i] === this.#original[at] && text[i] !== '\n';
      if (isSame) {
        at++;
        continue;
      }
      this.add(start + runStart, i - runStart, at - (i - runStart));
      const tokenIndex = this.#next(text[i], at, to);
      if (tokenIndex === undefined) runStart = i + 1;
      else {
        at = tokenIndex + 1;
        runStart = i;
      }
    }
  }

  /** Returns the map from the text to lines of the original. */
  makeMap(places?: Places): Extract<OffsetMap, { kind: 'aligned' }> {
    return {
      kind: 'aligned',
      starts: Uint32Array.from(this.#starts),
      lengths: Uint32Array.from(this.#lengths),
      lines: Uint32Array.from(this.#lines),
      characters: Uint32Array.from(this.#characters),
      places,
    };
  }

  /**
   * Returns the next position of a letter in the original, at most a few letters further; undefined for an inserted
   * letter.
   */
  #next(letter: string | undefined, from: number, to: number): number | undefined {
    if (letter === undefined || letter === '\n') return undefined;
    for (let at = from; at < Math.min(to, from + 8); at++) if (this.#original[at] === letter) return at;
    return undefined;
  }

  #moveTo(offset: number): void {
    for (; this.#scanned < offset; this.#scanned++) {
      const unit = this.#original.charCodeAt(this.#scanned);
      if (unit === 10 || (unit === 13 && this.#original.charCodeAt(this.#scanned + 1) !== 10)) {
        this.#line++;
        this.#lineStart = this.#scanned + 1;
      }
    }
  }
}
