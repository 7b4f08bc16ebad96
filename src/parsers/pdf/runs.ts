import type { PageIndex } from '../../core/domain/page-number.ts';
import type { OffsetMap, PdfPage } from '../../core/domain/document.ts';
import type { Word } from './fragment.ts';

export type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

/** Words of a text with their positions on the pages, in growing arrays. */
export class Runs {
  #count = 0;
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #runPages = new Uint16Array(1024);
  #boxes = new Float32Array(4 * 1024);
  #directions = new Uint8Array(1024);
  #confidences = new Uint8Array(1024);
  #isRecognized = false;

  /** Adds a word at `[start, end)` of the text, on a page. */
  add(start: number, end: number, { box, direction, confidence }: Word, page: PageIndex): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#runPages[this.#count] = page;
    // Faster than `set` with an array of four numbers.
    const at = 4 * this.#count;
    this.#boxes[at] = box[0];
    this.#boxes[at + 1] = box[1];
    this.#boxes[at + 2] = box[2];
    this.#boxes[at + 3] = box[3];
    this.#directions[this.#count] = direction;
    this.#confidences[this.#count] = confidence ?? 100;
    this.#isRecognized ||= confidence !== undefined;
    this.#count++;
  }

  /** Removes the last character of the last word, and a word of one character entirely. */
  shortenLast(): void {
    const last = this.#count - 1;
    if (last < 0) return;
    const end = (this.#ends[last] ?? 0) - 1;
    if (end <= (this.#starts[last] ?? 0)) this.#count--;
    else this.#ends[last] = end;
  }

  /** Returns the map from the text to these pages. */
  mapWith(pages: readonly PdfPage[]): PdfMap {
    return {
      kind: 'pdf',
      pages,
      starts: this.#starts.slice(0, this.#count),
      ends: this.#ends.slice(0, this.#count),
      pageOf: this.#runPages.slice(0, this.#count),
      boxes: this.#boxes.slice(0, 4 * this.#count),
      directions: this.#directions.slice(0, this.#count),
      ...(this.#isRecognized && { confidences: this.#confidences.slice(0, this.#count) }),
    };
  }

  #grow(): void {
    const length = 2 * this.#count;
    const copied = <T extends { set(from: T): void }>(into: T, from: T): T => {
      into.set(from);
      return into;
    };
    this.#starts = copied(new Uint32Array(length), this.#starts);
    this.#ends = copied(new Uint32Array(length), this.#ends);
    this.#runPages = copied(new Uint16Array(length), this.#runPages);
    this.#boxes = copied(new Float32Array(4 * length), this.#boxes);
    this.#directions = copied(new Uint8Array(length), this.#directions);
    this.#confidences = copied(new Uint8Array(length), this.#confidences);
  }
}
