import { HINT_COUNT, contentHints, NO_HINT, type Hints } from './hints.ts';
import type { PageElement, PageText } from './page-tree.ts';
import { countText, type TextCounts } from './text-counts.ts';

/** Element that lays out blocks, with statistics of its content. */
export interface Container extends Totals {
  readonly element: PageElement;
  readonly parent: Container | undefined;
  /** Nesting depth, in containers. */
  readonly depth: number;
  /** Distance of each hint, in containers upward; `NO_HINT` without the hint. */
  readonly hints: Hints;
  /** Identifier of the kind of place: tags and classes of the element and of the containers around it. */
  readonly signature: string;
  /** Indexes of the first and the last block inside; blocks are in page order. */
  from: number;
  to: number;
}

/** Sums over the blocks of a container. */
interface Totals {
  words: number;
  linkWords: number;
  sentenceEnds: number;
  /** Number of words in blocks that are long enough to be sentences. */
  proseWords: number;
  headings: number;
  images: number;
}

/** Text that is laid out together: a paragraph, an item, a cell, or a label. */
export interface Block extends TextCounts {
  readonly container: Container;
  readonly texts: readonly PageText[];
  readonly text: string;
  readonly linkWords: number;
  /** `true` if all of its text is inside inline elements of this kind, such as `A` or `STRONG`. */
  readonly isLink: boolean;
  readonly isEmphasized: boolean;
}

const INLINE = new Set(
  'A ABBR B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK MATH NOBR PICTURE Q RB RUBY RT RP S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR BR IMG X-TEX'.split(
    ' ',
  ),
);

const EMPHASIS = new Set(['B', 'STRONG', 'EM', 'I']);
/**
 * Share of emphasized text from which a block is emphasized, if only a colon or number follows: "<b>Opening
 * hours</b>:".
 */
const SHARE_EMPHASIZED = 0.9;
/** Minimum number of words of prose, and maximum share of link words, which excludes "Home News Sport Weather". */
const MIN_WORDS = 12;
const MAX_LINKS = 0.5;

/** Returns the blocks of a page in order, and their containers, outermost first. */
export function cutBlocks(root: PageElement): { blocks: readonly Block[]; containers: readonly Container[] } {
  const blocks: Block[] = [];
  const containers: Container[] = [];
  let texts: PageText[] = [];
  let parts: string[] = [];
  let linkText: string[] = [];
  let emphasized = 0;

  const end = (container: Container): void => {
    const text = parts.join('').replace(/\s+/g, ' ').trim();
    const counts = countText(text);
    if (counts.words > 0) {
      const linkWords = Math.min(counts.words, countText(linkText.join(' ')).words);
      const block: Block = {
        ...counts,
        container,
        texts,
        text,
        linkWords,
        isLink: linkWords === counts.words,
        isEmphasized: emphasized >= SHARE_EMPHASIZED * text.length,
      };
      blocks.push(block);
      for (let at: Container | undefined = container; at; at = at.parent) addTo(at, block, blocks.length - 1);
    }
    if (texts.length > 0) [texts, parts, linkText, emphasized] = [[], [], [], 0];
  };

  const walk = (element: PageElement, container: Container, inLink: boolean, strong: boolean): void => {
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) {
        texts.push(node);
        parts.push(node.data);
        if (inLink) linkText.push(node.data);
        if (strong) emphasized += node.data.length;
        continue;
      }
      if (node.nodeName === 'IMG')
        for (let at: Container | undefined = container; at; at = at.parent) at.images++;
      const isLink = inLink || (node.nodeName === 'A' && node.attributes.has('href'));
      if (INLINE.has(node.nodeName)) {
        if (node.nodeName === 'BR') parts.push(' ');
        walk(node, container, isLink, strong || EMPHASIS.has(node.nodeName));
        continue;
      }
      end(container);
      const inner = makeContainer(node, container);
      containers.push(inner);
      walk(node, inner, isLink, strong);
      end(inner);
    }
  };

  const top = makeContainer(root, undefined);
  containers.push(top);
  walk(root, top, false, false);
  end(top);
  return { blocks, containers };
}

function makeContainer(element: PageElement, parent: Container | undefined): Container {
  const classes = (element.attributes.get('class') ?? '').split(/\s+/, 2)[0] ?? '';
  // Ignore numbers in class names, which only distinguish elements of one kind.
  const name = `${element.nodeName}.${classes.replace(/\d+/g, '')}`;
  const above = parent?.signature.split('>').slice(-2).join('>') ?? '';
  const hints = new Uint8Array(HINT_COUNT).fill(NO_HINT);
  if (parent)
    for (let i = 0; i < HINT_COUNT; i++) hints[i] = Math.min(NO_HINT, (parent.hints[i] ?? NO_HINT) + 1);
  for (const hint of contentHints(element)) hints[hint] = 0;
  return {
    element,
    parent,
    depth: (parent?.depth ?? -1) + 1,
    hints,
    signature: `${above}>${name}`,
    words: 0,
    linkWords: 0,
    sentenceEnds: 0,
    proseWords: 0,
    headings: 0,
    images: 0,
    from: -1,
    to: -1,
  };
}

/** Reports whether a block contains sentences, not links. */
export function isProse({ words, linkWords }: Block): boolean {
  return words >= MIN_WORDS && linkWords < MAX_LINKS * words;
}

function addTo(container: Container, block: Block, index: number): void {
  container.words += block.words;
  container.linkWords += block.linkWords;
  container.sentenceEnds += block.sentenceEnds;
  if (isProse(block)) container.proseWords += block.words;
  if (/^H[1-6]$/.test(block.container.element.nodeName)) container.headings++;
  if (container.from < 0) container.from = index;
  container.to = index;
}
