import type { TextFormat } from '../../language/units.ts';

/** How good a place is to begin a passage at; higher is better. */
export const BreakRank = {
  /** A line of code. */
  line: 1,
  /** A sentence, a list item, a row of a table, code after a blank line. */
  part: 2,
  /** A paragraph, code of the outermost level after a blank line. */
  block: 3,
  /** A block that loses its sense when it is cut: a table, a block of code in Markdown. */
  whole: 4,
} as const;

/** Line starts where a passage may begin, ascending, with their ranks. */
export interface Breaks {
  readonly offsets: readonly number[];
  readonly ranks: readonly number[];
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const ITEM = /^[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]/;
const ROW = /^[ \t]*\|/;
const CLOSING = /^[)\]}]|^(?:end|fi|done|esac)\b/;

/** As much of a line as tells what it is. */
const LINE_START = 100;

/** Where a text may be cut, but for sentences within paragraphs. Takes time in proportion to the text. */
export function breaksOf(text: string, format: TextFormat): Breaks {
  const offsets: number[] = [];
  const ranks: number[] = [];
  const rankOf = format === 'code' ? rankOfCode : markdownRanks();
  let afterBlank = true;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, Math.min(next, start + LINE_START));
    const blank = line.trim() === '' && next - start <= LINE_START;
    const rank = rankOf(line, blank, afterBlank);
    if (!blank && rank > 0) {
      offsets.push(start);
      ranks.push(rank);
    }
    afterBlank = blank;
    start = next;
  }
  return { offsets, ranks };
}

function rankOfCode(line: string, _blank: boolean, afterBlank: boolean): number {
  if (!afterBlank) return BreakRank.line;
  return /^\s/.test(line) || CLOSING.test(line) ? BreakRank.part : BreakRank.block;
}

/** Ranks the lines of prose and Markdown one after another; 0 where a line only goes on. */
function markdownRanks(): (line: string, blank: boolean, afterBlank: boolean) => number {
  let fence: string | undefined;
  let afterFence = false;
  let inTable = false;
  return (line, blank, afterBlank) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      afterFence = mark?.startsWith(fence) ?? false;
      if (afterFence) fence = undefined;
      return afterBlank ? BreakRank.part : BreakRank.line;
    }
    const begins = afterBlank || afterFence;
    afterFence = false;
    const wasInTable = inTable;
    inTable = !blank && ROW.test(line);
    if (mark !== undefined) {
      fence = mark;
      return BreakRank.whole;
    }
    if (inTable) return wasInTable ? BreakRank.part : BreakRank.whole;
    if (ITEM.test(line)) return BreakRank.part;
    return begins || wasInTable ? BreakRank.block : 0;
  };
}
