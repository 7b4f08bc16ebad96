import type { Word } from './fragment.ts';
import type { ColumnLine } from './column-lines.ts';
import { least, median } from './numbers.ts';

/** Word of a line of code, and the number of spaces before it. */
interface SpacedWord {
  readonly word: Word;
  readonly spaces: number;
}

/** Block of code as lines of words; an empty one for a blank line. */
export type CodeLines = readonly (readonly SpacedWord[])[];

/** Maximum number of spaces between two words. A wider gap is a column, not indentation. */
const MAX_SPACES = 60;

/** Returns the end of the code that starts at a line: consecutive lines in a monospaced font. */
export function endOfCode(lines: readonly ColumnLine[], from: number): number {
  let to = from;
  while (to < lines.length) {
    const [line, previous] = [lines[to], lines[to - 1]];
    if (line?.monospaced !== true || line.way !== 'across') break;
    if (to > from && previous !== undefined) {
      const distance = line.baseline - previous.baseline;
      if (line.column !== previous.column || distance <= 0 || distance > 4 * line.size) break;
    }
    to++;
  }
  // A single line can be just a word of code in prose.
  return to - from >= 2 ? to : from;
}

/** Minimum line distance around a blank line of code, as a multiple of the smallest line distance. */
const BLANK_PITCH = 1.7;

/** Returns the lines of a block of code with spaces according to their positions. */
export function findCode(lines: readonly ColumnLine[]): CodeLines {
  const width = median(
    lines
      .flatMap(({ words }) => words.map(({ text, box }) => box[2] / text.length))
      .filter((letterWidth) => letterWidth > 0),
  );
  const left = least(lines.map((line) => line.left));
  const pitch = least(lines.slice(1).map(({ baseline }, index) => baseline - (lines[index]?.baseline ?? 0)));
  return lines.flatMap((line, index) => {
    const above = lines[index - 1];
    const isApart = above !== undefined && line.baseline - above.baseline > BLANK_PITCH * pitch;
    return isApart ? [[], measureSpaces(line, left, width)] : [measureSpaces(line, left, width)];
  });
}

function measureSpaces(line: ColumnLine, left: number, width: number): SpacedWord[] {
  return line.words.map((word, index) => {
    const previous = line.words[index - 1];
    const gap = previous === undefined ? line.left - left : word.box[0] - (previous.box[0] + previous.box[2]);
    const least = previous === undefined || word.before === '' ? 0 : 1;
    const spaces = width > 0 && word.before !== '' ? Math.round(gap / width) : 0;
    const indent = previous === undefined && width > 0 ? Math.round(gap / width) : spaces;
    return { word, spaces: Math.min(MAX_SPACES, Math.max(least, indent)) };
  });
}
