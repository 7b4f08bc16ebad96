import * as v from 'valibot';
import type { Memento } from 'vscode';
import type { PdfPosition } from '../../messages/viewer.ts';

const KEY = 'openNotebook.pdfPositions';
/** So many files are known; of more, those that were open last. */
const MOST = 300;

const number = v.optional(v.number());
const kept = v.array(
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

/** Where the reader was in each PDF, by the files' URIs. */
export class PdfPositions {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Where a file was read last; undefined where it was not, or too long ago. */
  of(uri: string): PdfPosition | undefined {
    return this.#all().find(([file]) => file === uri)?.[1];
  }

  /** Keeps where a file is being read; the oldest goes where there are too many. */
  async keep(uri: string, position: PdfPosition): Promise<void> {
    const others = this.#all().filter(([file]) => file !== uri);
    await this.#memory.update(KEY, [...others, [uri, position]].slice(-MOST));
  }

  #all(): readonly (readonly [string, PdfPosition])[] {
    const read = v.safeParse(kept, this.#memory.get(KEY));
    return read.success ? read.output : [];
  }
}
