/** Number of 32-bit words in a cell: the postings of a block, with 16 bits each. */
export const CELL_WORDS = 64;
const PAGE_CELL_BITS = 10;
const PAGE_CELLS = 2 ** PAGE_CELL_BITS;

/** Page of cells, as words and as half-words. */
interface Page {
  readonly words: Uint32Array;
  readonly halves: Uint16Array;
}

/** Cells of blocks, in pages, so that more of them never move the others. */
export class BlockCells {
  readonly #pages: Page[] = [];
  #used = 0;

  /** Returns the number of the first of one or two new cells, which are next to each other. */
  append(count: 1 | 2): number {
    if ((this.#used & (PAGE_CELLS - 1)) + count > PAGE_CELLS) this.#used++;
    const cell = this.#used;
    this.#used += count;
    if (this.#pages.length * PAGE_CELLS < this.#used) {
      const words = new Uint32Array(PAGE_CELLS * CELL_WORDS);
      this.#pages.push({ words, halves: new Uint16Array(words.buffer) });
    }
    return cell;
  }

  /** Returns the page of a cell. @throws RangeError if there is no such cell */
  pageOf(cell: number): Page {
    const page = this.#pages[cell >>> PAGE_CELL_BITS];
    if (page === undefined) throw new RangeError(`There is no cell ${String(cell)}.`);
    return page;
  }
}

/** Returns the index of a cell's first word in its page. */
export function wordOfCell(cell: number): number {
  return (cell & (PAGE_CELLS - 1)) * CELL_WORDS;
}
