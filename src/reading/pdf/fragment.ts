/** A rectangle in PDF points of the unrotated page, origin at the lower left: x, y, width, height. */
export type Box = readonly [number, number, number, number];

/**
 * How a line runs on the page as one sees it: from side to side; down, as in vertical writing, with its feet to the left;
 * up, with its feet to the right; or at another angle, which stands by itself as axis labels and stamps do.
 */
export type Way = 'across' | 'down' | 'up' | 'turned';

/**
 * Words of a page that were written together, where they stand as one sees the page (points, origin at the upper left) –
 * for lines that run up or down, as one sees it turned so that they run across.
 */
export interface Fragment {
  readonly words: readonly Word[];
  readonly way: Way;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** The font's size in points. */
  readonly size: number;
  readonly rightToLeft: boolean;
  readonly monospaced: boolean;
  /** Tells fonts of one page apart; undefined where it changes. */
  readonly font: string | undefined;
  /** The file itself has a space behind it. */
  spaceAfter: boolean;
}

export interface Word {
  readonly text: string;
  /** What parts it from the word before it. */
  readonly before: '' | ' ' | '\t';
  readonly box: Box;
  readonly direction: number;
  /** How sure text recognition is of it, from 0 to 100; undefined where the file itself says it. */
  readonly confidence?: number;
}
