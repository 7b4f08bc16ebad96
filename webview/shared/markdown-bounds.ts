import type { Position } from 'unist';
import type { Element, Root, RootContent } from 'hast';

/** More marks in one block take parsers time that grows with their square. */
const mostEmphases = 10_000;
const mostBrackets = 4_000;
/** Deeper trees are not drawn: every level takes a share of the stack. */
const deepest = 100;

/** What begins a block of its own, and with it the count anew. */
const blockStart = /^\s*(?:$|[-+*#>]\s|\d{1,9}[.)]\s)/;
const marker = '(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])';
const tooDeep = new RegExp(
  `^(?:[ \\t]*${marker}){${String(deepest)}}|^[ \\t]{${String(2 * deepest)},}${marker}`,
  'm',
);

/** Whether a text is more than Markdown can be expected to be, and would hold up the window. */
export function isBeyondParsing(markdown: string): boolean {
  if (tooDeep.test(markdown)) return true;
  let emphases = 0;
  let brackets = 0;
  for (const line of markdown.split('\n')) {
    if (blockStart.test(line)) emphases = brackets = 0;
    for (const character of line) {
      if (character === '*' || character === '_' || character === '~') emphases++;
      else if (character === '[' || character === ']') brackets++;
    }
    if (emphases > mostEmphases || brackets > mostBrackets) return true;
  }
  return false;
}

/** Whether a tree has more levels than can be drawn. */
export function isBeyondDrawing(tree: Root): boolean {
  let level: (Element | Root)[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const below: Element[] = [];
    for (const { children } of level)
      for (const child of children) if (child.type === 'element') below.push(child);
    level = below;
  }
  return false;
}

/** The tree of a text that is shown as it is written. */
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

/** Moves the positions of a tree, in UTF-16 code units, to where its text stands in a longer one. */
export function moveBy(node: Root | RootContent, offset: number): void {
  if (node.position?.start.offset !== undefined) node.position.start.offset += offset;
  if (node.position?.end.offset !== undefined) node.position.end.offset += offset;
  if ('children' in node) for (const child of node.children) moveBy(child, offset);
}
