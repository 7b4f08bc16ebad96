import * as v from 'valibot';
import type { Memento } from 'vscode';
import type { PdfPosition } from '../protocol.ts';

const KEY = 'openNotebook.pdfPositions';
/** Maximum number of files whose position is stored; the most recently opened ones. */
const MAX_POSITIONS = 300;

const number = v.optional(v.number());
const positionsSchema = v.array(
  v.tuple([
    v.string(),
    v.object({
      page: v.pipe(v.number(), v.integer(), v.minValue(1)),
      left: number,
      top: number,
      scale: v.optional(v.string()),
      isDouble: v.optional(v.boolean()),
    }),
  ]),
);

/** Reading positions in PDFs, by file URI. */
export class PdfPositions {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Returns the last reading position in a file; undefined if it isn't stored, or no longer. */
  of(uri: string): PdfPosition | undefined {
    return this.#all().find(([file]) => file === uri)?.[1];
  }

  /** Saves the reading position in a file, and deletes the oldest one if there are too many. */
  async keep(uri: string, position: PdfPosition): Promise<void> {
    const others = this.#all().filter(([file]) => file !== uri);
    await this.#memory.update(KEY, [...others, [uri, position]].slice(-MAX_POSITIONS));
  }

  #all(): readonly (readonly [string, PdfPosition])[] {
    const read = v.safeParse(positionsSchema, this.#memory.get(KEY));
    return read.success ? read.output : [];
  }
}
