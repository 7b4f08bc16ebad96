import type { Element, Root } from 'hast';
import type { Span } from '../../src/core/language/span.ts';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';

/** Paragraph, list, table, or similar block of a Markdown text that was already parsed. */
export interface Block extends Span {
  /** Offset of `source` in the text. `start` and `end` are offsets in the text. */
  readonly base: number;
  /** The Markdown that the positions in `tree` refer to. */
  readonly source: string;
  readonly tree: Root;
}

export interface ParsedText {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Parses all blocks of a Markdown text. */
export function parseBlocks(text: string): ParsedText {
  return { text, blocks: blocksFrom(text, 0, false) };
}

/**
 * Parses the new blocks of a text that grew. All blocks except the last are final and stay the same objects, so that
 * the work doesn't grow with the length of the text.
 */
export function extendBlocks(parsed: ParsedText, text: string): ParsedText {
  const last = parsed.blocks.at(-1);
  if (last === undefined || !text.startsWith(parsed.text)) return { text, blocks: blocksFrom(text, 0, true) };
  if (text.length === parsed.text.length) return parsed;
  return { text, blocks: [...parsed.blocks.slice(0, -1), ...blocksFrom(text, last.start, true)] };
}

function blocksFrom(text: string, base: number, isGrowing: boolean): Block[] {
  const source = text.slice(base);
  const elements = markdownToHast(source, { isGrowing, isEscaped: false }).children.filter(
    (child): child is Element => child.type === 'element',
  );
  const starts = elements.map((each, index) =>
    index === 0 ? 0 : (each.position?.start.offset ?? source.length),
  );
  return elements.map((element, index) => ({
    base,
    source,
    start: base + (starts[index] ?? 0),
    end: base + (starts[index + 1] ?? source.length),
    tree: { type: 'root', children: [element] },
  }));
}
