import type { Span } from '../../core/language/span.ts';
import { continuesStatement, leadsIn } from '../../core/language/code-lines.ts';
import { linesIn } from '../../core/language/markdown-lines.ts';

/** Maximum number of lines in a block: a function that fits into a window of the editor. */
const MAX_LINES = 30;
/** Blocks with fewer lines are joined with their neighbors: three imports, two constants. */
const MIN_LINES = 3;

/** Line of code with its position and indentation. */
interface Line extends Span {
  readonly indent: number;
  readonly isBlank: boolean;
}

/**
 * Splits code into blocks of whole lines: functions and classes with their comments if they are short, or else their
 * parts.
 */
export function codeBlocks(text: string): Span[] {
  const lines = Array.from(linesIn(text), ({ start, end }): Line => {
    const words = text.slice(start, end);
    const indent = words.length - words.trimStart().length;
    return { start, end: start + words.trimEnd().length, indent, isBlank: words.trim() === '' };
  });
  return cut(text, lines).flatMap((block) => {
    const first = block.find((line) => !line.isBlank);
    const last = block.findLast((line) => !line.isBlank);
    return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
  });
}

function cut(text: string, lines: readonly Line[]): Line[][] {
  const filled = lines.filter((line) => !line.isBlank);
  if (filled.length === 0) return [];
  const outermost = Math.min(...filled.map(({ indent }) => indent));
  const blocks = atIndent(text, lines, outermost);
  if (blocks.length === 1)
    return lines.length <= MAX_LINES ? [[...lines]] : cutInside(text, lines, outermost);
  return joinShort(blocks).flatMap((block) =>
    block.length <= MAX_LINES ? [block] : cutInside(text, block, outermost),
  );
}

/** Starts a block at every line with this indentation that neither closes a block nor follows its own comment. */
function atIndent(text: string, lines: readonly Line[], indent: number): Line[][] {
  const blocks: Line[][] = [];
  let leads = false;
  for (const line of lines) {
    const words = text.slice(line.start, line.end);
    const begins = !line.isBlank && line.indent === indent && !continuesStatement(words) && !leads;
    const block = blocks.at(-1);
    if (begins || block === undefined) blocks.push([line]);
    else block.push(line);
    if (!line.isBlank) leads = line.indent === indent && leadsIn(words);
    else leads = false;
  }
  return blocks;
}

/** Joins blocks of few lines, such as imports and constants, unless a blank line separates them. */
function joinShort(blocks: readonly Line[][]): Line[][] {
  const joined: Line[][] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isSeparated = last?.at(-1)?.isBlank ?? true;
    const areShort =
      last !== undefined && block.length < MIN_LINES && last.length + block.length <= MAX_LINES / 2;
    if (last !== undefined && areShort && !isSeparated) last.push(...block);
    else joined.push([...block]);
  }
  return joined;
}

/** Splits a long block into its nested blocks, with its head in the first one, or else into ranges of whole lines. */
function cutInside(text: string, lines: readonly Line[], indent: number): Line[][] {
  const deeper = lines.filter((line) => !line.isBlank && line.indent > indent).map((line) => line.indent);
  if (deeper.length === 0) return stretches(lines);
  const next = Math.min(...deeper);
  const from = lines.findIndex((line) => !line.isBlank && line.indent === next);
  const inner = joinShort(atIndent(text, lines.slice(from), next));
  if (inner.length < 2) return stretches(lines);
  const [first = [], ...others] = inner;
  return [[...lines.slice(0, from), ...first], ...others].flatMap((block) =>
    block.length <= MAX_LINES ? [block] : block.length < lines.length ? cut(text, block) : stretches(block),
  );
}

function stretches(lines: readonly Line[]): Line[][] {
  const parts: Line[][] = [];
  for (let from = 0; from < lines.length; from += MAX_LINES) parts.push(lines.slice(from, from + MAX_LINES));
  return parts;
}
