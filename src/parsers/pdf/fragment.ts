/** Rectangle in PDF points of the unrotated page, origin at the lower left: x, y, width, height. */
export type Box = readonly [number, number, number, number];

/**
 * Direction of a line on the displayed page: horizontal; down, as in vertical writing, with the baseline on the left;
 * up, with the baseline on the right; or at another angle, as in axis labels and stamps.
 */
export type TextDirection = 'across' | 'down' | 'up' | 'turned';

/**
 * Words of a page that were written together, with their position on the displayed page (points, origin at the upper
 * left). For lines that run up or down, the position refers to the page turned so that they are horizontal.
 */
export interface Fragment {
  readonly words: readonly Word[];
  readonly way: TextDirection;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Font size in points. */
  readonly size: number;
  readonly rightToLeft: boolean;
  readonly monospaced: boolean;
  /** Identifier of the font on its page; undefined if it changes. */
  readonly font: string | undefined;
  /** `true` if a space follows it in the file. */
  spaceAfter: boolean;
}

export interface Word {
  readonly text: string;
  /** Separator from the previous word. */
  readonly before: '' | ' ' | '\t';
  readonly box: Box;
  readonly direction: number;
  /** Confidence of the text recognition, from 0 to 100; undefined for text in the file itself. */
  readonly confidence?: number;
}
