/** Entry of a PDF's outline; `dest` is its destination for pdf.js. */
export interface OutlineItem {
  readonly title: string;
  readonly dest: string | unknown[] | null;
  /** Negative if the PDF wants the entries below it to be folded. */
  readonly count?: number | undefined;
  readonly items: readonly OutlineItem[];
}

/** Visible entry, and its level, from 1. */
interface OutlineRow {
  readonly item: OutlineItem;
  readonly level: number;
  readonly isOpen: boolean;
}

/** Effect of a key in an outline: the focus moves to another row, or an entry is folded, unfolded, or opened. */
export type OutlineStep =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'fold' | 'goTo' | 'unfold'; readonly item: OutlineItem };

/** Returns the entries that are initially unfolded. */
export function unfoldedAtFirst(items: readonly OutlineItem[]): Set<OutlineItem> {
  const unfolded = items.filter((item) => item.items.length > 0 && (item.count ?? 0) > 0);
  return new Set([...unfolded, ...items.flatMap((item) => [...unfoldedAtFirst(item.items)])]);
}

/** Returns the visible rows, from top to bottom. */
export function visibleRows(
  items: readonly OutlineItem[],
  unfolded: ReadonlySet<OutlineItem>,
  level = 1,
): OutlineRow[] {
  return items.flatMap((item) => {
    const isOpen = unfolded.has(item);
    return [{ item, level, isOpen }, ...(isOpen ? visibleRows(item.items, unfolded, level + 1) : [])];
  });
}

/** Returns the effect of a key on a row; undefined if it has none. */
export function outlineStep(
  key: string,
  rows: readonly OutlineRow[],
  index: number,
): OutlineStep | undefined {
  const row = rows[index];
  if (row === undefined) return undefined;
  const { item, level, isOpen } = row;
  const focus = (to: number): OutlineStep | undefined =>
    to >= 0 && to < rows.length ? { kind: 'focus', index: to } : undefined;
  switch (key) {
    case 'ArrowDown':
      return focus(index + 1);
    case 'ArrowUp':
      return focus(index - 1);
    case 'Home':
      return focus(0);
    case 'End':
      return focus(rows.length - 1);
    case 'ArrowRight':
      if (item.items.length === 0) return undefined;
      return isOpen ? focus(index + 1) : { kind: 'unfold', item };
    case 'ArrowLeft':
      return isOpen
        ? { kind: 'fold', item }
        : focus(rows.findLastIndex((candidate, i) => i < index && candidate.level < level));
    case 'Enter':
    case ' ':
      return { kind: 'goTo', item };
    default:
      return undefined;
  }
}
