import { Readability } from '@mozilla/readability';
import type { Block } from './blocks.ts';
import { walkDescendants, type PageElement, type PageText } from './page-tree.ts';
import { ReadabilityElement, ReadabilityText, readabilityTree } from './readability-tree.ts';

/** Limits of a page. Readability visits the whole content of an element about once for each element that it checks. */
const MAX_NODES = 12_000;
const MAX_STEPS = 200_000;
const MAX_TEXT = 2_000_000;
const MAX_TITLE_LENGTH = 200;

/**
 * Returns the share of each block's letters that Readability extracts as the article. The shares are 0 if it finds no
 * article; the result is undefined for a page that would need too much time.
 */
export function readableShares(
  body: PageElement,
  title: string,
  blocks: readonly Block[],
): Float32Array | undefined {
  if (!isQuick(body)) return undefined;
  const texts = new Set<PageText>();
  const content = new Readability<ReadabilityElement>(makeDocument(body, title), {
    disableJSONLD: true,
    keepClasses: true,
    serializer: (node) => node as never,
  }).parse()?.content;
  if (content) collect(content, texts);
  return Float32Array.from(blocks, (block) => {
    let [extractedLength, totalLength] = [0, 0];
    for (const text of block.texts) {
      const { length } = text.data.trim();
      totalLength += length;
      if (texts.has(text)) extractedLength += length;
    }
    return totalLength > 0 ? extractedLength / totalLength : 0;
  });
}

/** Reports whether a page has few nodes and few deeply nested ones. */
function isQuick(body: PageElement): boolean {
  const depths = new Map<PageElement, number>([[body, 0]]);
  let [nodes, steps, text] = [0, 0, 0];
  for (const node of walkDescendants(body)) {
    const depth = (node.parentNode ? (depths.get(node.parentNode) ?? 0) : 0) + 1;
    nodes++;
    steps += depth;
    if (node.nodeType === 3) text += depth * node.data.length;
    else depths.set(node, depth);
    if (nodes > MAX_NODES || steps > MAX_STEPS || text > MAX_TEXT) return false;
  }
  return true;
}

function makeDocument(body: PageElement, title: string): never {
  const root = new ReadabilityElement('HTML');
  const copy = readabilityTree(body);
  root.appendChild(copy);
  return {
    // With this property Readability accepts trees that don't come from a browser, and renames their elements in
    // place.
    firstChild: { __JSDOMParser__: true },
    documentElement: root,
    body: copy,
    title: title.slice(0, MAX_TITLE_LENGTH),
    getElementsByTagName: (name: string) => root.getElementsByTagName(name),
    createElement: (name: string) => new ReadabilityElement(name),
    createTextNode: (text: string) => new ReadabilityText(text),
  } as never;
}

function collect(element: ReadabilityElement, texts: Set<PageText>): void {
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node instanceof ReadabilityElement) collect(node, texts);
    else if (node instanceof ReadabilityText && node.origin) texts.add(node.origin);
}
