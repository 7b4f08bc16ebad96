import type { ColumnLine } from './column-lines.ts';

type Kind = 'symbol' | 'dash' | 'number' | 'letter';

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['symbol', /^[•▪‣◦●○■□➢➤✓✔·\u25aa\u25fe\uf0a7\uf0b7\uf0d8\uf0fc]$/],
  ['dash', /^[–—*-]$/],
  ['number', /^(?:\(?\d{1,3}[.)]|\[\d+\])$/],
  ['letter', /^\(?[a-zA-Z][.)]$/],
];

/** Maximum length of a marker, except for a number in brackets, in UTF-16 code units. */
const MAX_MARK_LENGTH = 5;

/** Returns the kind of marker at the start of a list item; undefined for other lines. */
export function kindOfItem({ words }: ColumnLine): Kind | undefined {
  const first = words[0]?.text ?? '';
  if (words.length < 2 || (first.length > MAX_MARK_LENGTH && !first.startsWith('['))) return undefined;
  return KINDS.find(([, mark]) => mark.test(first))?.[0];
}

/** Maximum depth of lists to distinguish. */
const MAX_LIST_DEPTH = 8;

interface OpenList {
  readonly kind: Kind;
  /** Start of its items, in points; smaller values are further outside. */
  readonly begin: number;
}

/** Lists around a line of a document, from outermost to innermost, by the indentation of their items. */
export class OpenLists {
  #lists: OpenList[] = [];
  #last: ColumnLine | undefined;

  /** Reports whether a line, the next of the document, is another item of an open list. */
  continues(line: ColumnLine): boolean {
    this.#goTo(line);
    const kind = kindOfItem(line);
    return this.#lists.some(
      (list) => list.kind === kind && Math.abs(list.begin - startEdge(line)) <= tolerance(line),
    );
  }

  /** Adds a line that begins a paragraph or is separate. For an item, returns the number of lists around its own. */
  take(line: ColumnLine): number | undefined {
    this.#goTo(line);
    const begin = startEdge(line);
    const kind = kindOfItem(line);
    this.#lists = this.#lists.filter((list) => list.begin < begin - tolerance(line));
    return kind === undefined ? undefined : Math.min(MAX_LIST_DEPTH, this.#lists.push({ kind, begin }) - 1);
  }

  #goTo(line: ColumnLine): void {
    const last = this.#last;
    this.#last = line;
    if (last === undefined || last.column === line.column) return;
    const areBeside = line.column.left >= last.column.right || last.column.left >= line.column.right;
    if (!areBeside) return;
    const shift = startEdge({ ...line, ...line.column }) - startEdge({ ...last, ...last.column });
    this.#lists = this.#lists.map((list) => ({ ...list, begin: list.begin + shift }));
  }
}

function startEdge({ left, right, rightToLeft }: Pick<ColumnLine, 'left' | 'right' | 'rightToLeft'>): number {
  return rightToLeft ? -right : left;
}

/**
 * Maximum difference between the starts of a list's numbers, in font sizes, because they align at their end: "9." and
 * "10.".
 */
const NUMBERS_APART = 0.8;

function tolerance({ size }: ColumnLine): number {
  return NUMBERS_APART * size;
}
