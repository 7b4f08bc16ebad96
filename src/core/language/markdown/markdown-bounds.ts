import type { Position } from 'unist';
import { closesFence, levelOfUnderline, openedFence, type Fence } from '../markdown-lines.ts';
import type { Element, Root, RootContent } from 'hast';

/**
 * Maximum steps, some tenths of a second. Within a block, parsers take time that grows with the square of its emphasis
 * marks and brackets. They also read to the end for every opened comment, instruction, or declaration, and for each
 * number of backticks that opens code.
 */
const MAX_STEPS = 20_000_000;
const STEPS_OF_EMPHASES = 3;
/** Steps for an underlined heading, which moves all headings before it. */
const STEPS_OF_UNDERLINES = 14;
/** Steps for a cell's bar or a formula's dollar. */
const STEPS_OF_MARK = 700;
const STEPS_OF_FOOTNOTE = 10_000;
/** Steps for a line with text outside of fenced code, and for each mark of an item or a quote. */
const STEPS_OF_LINE = 500;
/** Steps for a character that may begin code, HTML, or an address. */
const STEPS_OF_SPAN = 250;
const STEPS_OF_CHARACTER = 10;
/** Steps per pair of items, because each item moves the text after it. */
const STEPS_OF_ITEMS = 0.3;
/** Steps for a text that is parsed separately, however short it is. */
export const STEPS_OF_TEXT = 5_000;
const FOOTNOTE = /^ {0,3}\[\^[^\]]{1,200}\]:/;
/** Maximum depth of a rendered tree, because each level needs stack space. */
const MAX_DEPTH = 100;

/** Start of a new block, which resets the count. A number other than 1 starts a block only in a list. */
const BLOCK_START = /^[ \t]*(?:$|[-+*#>]\s|1[.)]\s)/;
const NEXT_NUMBER = /^[ \t]*\d{1,9}[.)]\s/;
const MARKER = '(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])';
const FIRST_MARKERS = new RegExp(`^(?:[ \\t]*${MARKER})*`);
const TOO_DEEP = new RegExp(
  `^(?:[ \\t]*${MARKER}){${String(MAX_DEPTH)}}|^[ \\t]{${String(2 * MAX_DEPTH)},}${MARKER}`,
  'm',
);

/**
 * Returns the steps that remain of `steps` after parsing this text; undefined if it needs more or is too deeply nested,
 * and would block the window.
 */
export function stepsLeft(markdown: string, steps = MAX_STEPS): number | undefined {
  if (TOO_DEEP.test(markdown)) return undefined;
  let remainingSteps = steps - STEPS_OF_TEXT - STEPS_OF_CHARACTER * markdown.length;
  let items = 0;
  let [length, emphases, brackets, opened] = [0, 0, 0, 0];
  let underlines = 0;
  /** Number of lines of the paragraph or quote, each of which may continue any line before it. */
  let lines = 0;
  let fence: Fence | undefined;
  const ticks = new Set<number>();
  const stepsOfBlock = (): number =>
    STEPS_OF_EMPHASES * emphases ** 2 + brackets ** 2 + (opened + ticks.size) * length;
  let isList = false;
  let isAfterBlank = true;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    const isNumbered = NEXT_NUMBER.test(line);
    if (BLOCK_START.test(line) || (isNumbered && (isList || isAfterBlank))) {
      remainingSteps -= stepsOfBlock();
      ticks.clear();
      length = emphases = brackets = opened = 0;
    }
    const isBlank = line.trim() === '';
    if (isNumbered) isList ||= isAfterBlank || /^[ \t]*1[.)]/.test(line);
    else if (isAfterBlank && !isBlank && !/^[ \t]/.test(line)) isList = false;
    if (!isAfterBlank && levelOfUnderline(line) !== undefined) underlines++;
    isAfterBlank = isBlank;
    if (fence === undefined) fence = outermostFence(line);
    else if (closesFence(line, fence)) fence = undefined;
    if (FOOTNOTE.test(line)) remainingSteps -= STEPS_OF_FOOTNOTE;
    if (BLOCK_START.test(line) && !line.trimStart().startsWith('>')) {
      remainingSteps -= lines ** 2;
      lines = 0;
    }
    if (fence === undefined) lines++;
    if (fence === undefined && !isBlank) {
      const markers = FIRST_MARKERS.exec(line)?.[0].trim() ?? '';
      const count = markers === '' ? 0 : markers.split(/[ \t]+|(?<=>)/).length;
      remainingSteps -= STEPS_OF_LINE * (1 + count);
      items += count;
    }
    length += line.length;
    for (const [run] of line.matchAll(/`+/g)) ticks.add(run.length);
    for (let i = 0; i < line.length; i++) {
      const character = line[i];
      if (character === '*' || character === '_' || character === '~') emphases++;
      else if (character === '[' || character === ']') brackets++;
      else if (character === '<' && (line[i + 1] === '!' || line[i + 1] === '?')) opened++;
      else if (character === '|' || character === '$') remainingSteps -= STEPS_OF_MARK;
      if (character === '`' || character === '<' || character === '@' || character === ':')
        remainingSteps -= STEPS_OF_SPAN;
    }
  }
  remainingSteps -=
    stepsOfBlock() + STEPS_OF_UNDERLINES * underlines ** 2 + lines ** 2 + STEPS_OF_ITEMS * items ** 2;
  return remainingSteps < 0 ? undefined : remainingSteps;
}

/** Returns the code block that a line opens for every parser, whatever comes before it. */
function outermostFence(line: string): Fence | undefined {
  return /^ {0,3}[`~]/.test(line) ? openedFence(line) : undefined;
}

/** Reports whether a tree is too deep to render. */
export function isBeyondDrawing(tree: Root): boolean {
  let level: (Element | Root)[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const below: Element[] = [];
    for (const { children } of level)
      for (const child of children) if (child.type === 'element') below.push(child);
    level = below;
  }
  return false;
}

/** Returns a tree that shows a text as written. */
export function asWritten(text: string): Root {
  const position = (): Position => ({
    start: { line: 1, column: 1, offset: 0 },
    end: { line: 1, column: 1, offset: text.length },
  });
  const paragraph: Element = {
    type: 'element',
    tagName: 'p',
    properties: { className: ['as-written'] },
    children: [{ type: 'text', value: text, position: position() }],
    position: position(),
  };
  return { type: 'root', children: [paragraph] };
}

/** Shifts the positions of a tree by an offset, in UTF-16 code units, to match a longer text. */
export function moveBy(node: Root | RootContent, offset: number): void {
  if (node.position?.start.offset !== undefined) node.position.start.offset += offset;
  if (node.position?.end.offset !== undefined) node.position.end.offset += offset;
  if ('children' in node) for (const child of node.children) moveBy(child, offset);
}
