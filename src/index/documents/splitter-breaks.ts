import { closesBlock } from '../../core/language/code-lines.ts';
import { LineScanner, linesIn, type LineKind } from '../../core/language/markdown-lines.ts';
import type { TextFormat } from '../../core/language/units.ts';

/** Quality of a position for the start of a passage; higher is better. */
export const BreakRank = {
  /** Line of code. */
  line: 1,
  /** Sentence, list item, table row, or code after a blank line. */
  part: 2,
  /** Paragraph, or top-level code after a blank line. */
  block: 3,
  /** Block that makes no sense when split: a table, or a code block in Markdown. */
  whole: 4,
} as const;

/** Starts of lines at which a passage may begin, ascending, with their ranks. */
export interface Breaks {
  readonly offsets: readonly number[];
  readonly ranks: readonly number[];
}

/** Finds the positions where a text may be split, except sentences within paragraphs. Takes linear time. */
export function findBreaks(text: string, format: TextFormat): Breaks {
  const offsets: number[] = [];
  const ranks: number[] = [];
  const rankLine = format === 'code' ? rankOfCode : markdownRanks();
  let afterBlank = true;
  for (const { start, end } of linesIn(text)) {
    const line = text.slice(start, end);
    const rank = rankLine(line, afterBlank);
    afterBlank = line.trim() === '';
    if (afterBlank || rank === 0) continue;
    offsets.push(start);
    ranks.push(rank);
  }
  return { offsets, ranks };
}

function rankOfCode(line: string, afterBlank: boolean): number {
  if (!afterBlank) return BreakRank.line;
  return /^\s/.test(line) || closesBlock(line) ? BreakRank.part : BreakRank.block;
}

/** Returns a function that ranks successive lines of prose and Markdown; 0 for a continuation line. */
function markdownRanks(): (line: string, afterBlank: boolean) => number {
  const scanner = new LineScanner();
  let last: LineKind = 'blank';
  return (line, afterBlank) => {
    const kind = scanner.take(line);
    const before = last;
    last = kind;
    const wasInTable = before === 'row' || before === 'rule';
    switch (kind) {
      case 'code':
      case 'closing':
        return afterBlank ? BreakRank.part : BreakRank.line;
      case 'opening':
        return BreakRank.whole;
      case 'row':
      case 'rule':
        return wasInTable ? BreakRank.part : BreakRank.whole;
      case 'item':
        return BreakRank.part;
      default:
        return afterBlank || before === 'closing' || wasInTable ? BreakRank.block : 0;
    }
  };
}
