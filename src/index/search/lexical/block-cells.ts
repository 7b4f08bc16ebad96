/** Number of 32-bit words in a cell: the postings of a block, with 16 bits each. */
const CELL_WORDS = 64;
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
    if (this.#pages.length * PAGE_CELLS < this.#used) this.#pushPage(new Uint32Array(0));
    return cell;
  }

  /** Returns the words of all cells, page by page. */
  parts(): Uint32Array[] {
    return this.#pages.map(({ words }, page) =>
      words.subarray(0, (this.#used - page * PAGE_CELLS) * CELL_WORDS),
    );
  }

  /** Returns cells that use these words. */
  static from(words: Uint32Array): BlockCells {
    const cells = new BlockCells();
    const pageWords = PAGE_CELLS * CELL_WORDS;
    for (let first = 0; first < words.length; first += pageWords)
      cells.#pushPage(words.subarray(first, first + pageWords));
    cells.#used = words.length / CELL_WORDS;
    return cells;
  }

  /** Adds a page. The last one may have too few words, and is copied into a longer one. */
  #pushPage(cells: Uint32Array): void {
    let words = cells;
    if (cells.length < PAGE_CELLS * CELL_WORDS) {
      words = new Uint32Array(PAGE_CELLS * CELL_WORDS);
      words.set(cells);
    }
    const { buffer, byteOffset, length } = words;
    this.#pages.push({ words, halves: new Uint16Array(buffer, byteOffset, 2 * length) });
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
