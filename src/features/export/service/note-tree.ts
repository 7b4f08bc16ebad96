import { randomUUID } from 'node:crypto';
import type { Element, ElementContent, Root, RootContent } from 'hast';
import { markdownToHast } from '../../../core/language/markdown/markdown-tree.ts';
import { quoteOfFootnote, titleAndPlace } from '../../../core/domain/answer-markdown.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { withoutDeck } from '../../../core/domain/deck.ts';
import { withNumberedCitations } from '../../../core/domain/note-markdown.ts';
import type { ExportedFigure, ExportRequest } from './api.ts';

/**
 * Note as a tree that can't load or run anything. It has `cite` elements for its marks and `figure` elements for its
 * figures.
 */
interface NoteTree {
  readonly children: readonly RootContent[];
  /** Cited text; number `n` is at `n - 1`. */
  readonly citations: readonly Citation[];
  readonly figures: readonly ExportedFigure[];
}

/** Returns the tree of a note. Adds the title as a heading unless the note starts with one. */
export function noteTree({ title, text, citations, figures }: ExportRequest): NoteTree {
  // Text in the note can't refer to a random anchor.
  const anchor = `#${randomUUID()}-`;
  const numbered = withNumberedCitations(withoutDeck(text), citations, (number) => {
    const shown = String(number);
    return `[${shown}](${anchor}${shown})`;
  });
  const tree: Root = markdownToHast(numbered.text, { isGrowing: false, isEscaped: false });
  markCitations(tree, anchor);
  const [first] = tree.children.filter((child) => child.type === 'element');
  if (first?.tagName !== 'h1')
    tree.children.unshift({
      type: 'element',
      tagName: 'h1',
      properties: {},
      children: [{ type: 'text', value: title }],
    });
  const ids = numbered.citations.map(({ id }) => id);
  return {
    children: withFigures(tree.children, (number) => figures.findIndex(({ id }) => id === ids[number - 1])),
    citations: numbered.citations.map(({ citation }) => citation),
    figures,
  };
}

/** Converts links to an anchor to `cite` elements; in code, to plain numbers. */
function markCitations(parent: Element | Root, anchor: string): void {
  parent.children.forEach((child, index) => {
    if (child.type === 'text') child.value = withoutAnchors(child.value, anchor);
    if (child.type !== 'element') return;
    const { href } = child.properties;
    if (child.tagName === 'a' && typeof href === 'string' && href.startsWith(anchor)) {
      const number = Number(href.slice(anchor.length));
      parent.children[index] = { type: 'element', tagName: 'cite', properties: { number }, children: [] };
      return;
    }
    const { tex } = child.properties;
    if (typeof tex === 'string') child.properties['tex'] = withoutAnchors(tex, anchor);
    markCitations(child, anchor);
  });
}

function withoutAnchors(text: string, anchor: string): string {
  const [first = '', ...rest] = text.split(`(${anchor}`);
  return first + rest.map((part) => part.slice(part.indexOf(')') + 1)).join('');
}

/** Inserts each figure after the first block that cites it. */
function withFigures(
  blocks: readonly RootContent[],
  figureNumber: (number: number) => number,
): RootContent[] {
  const shown = new Set<number>();
  return blocks.flatMap((block): RootContent[] => {
    if (block.type !== 'element') return [block];
    const figures = [...new Set(citedIn(block).map(figureNumber))].filter(
      (index) => index >= 0 && !shown.has(index),
    );
    for (const index of figures) shown.add(index);
    return [
      block,
      ...figures.map((index): Element => ({
        type: 'element',
        tagName: 'figure',
        properties: { index },
        children: [],
      })),
    ];
  });
}

function citedIn(element: Element): number[] {
  if (element.tagName === 'cite') return [Number(element.properties['number'])];
  return element.children.flatMap((child) => (child.type === 'element' ? citedIn(child) : []));
}

/** Returns the text of a tree. */
export function plainWords(content: ElementContent | RootContent): string {
  if (content.type === 'text') return content.value;
  return content.type === 'element' ? content.children.map(plainWords).join('') : '';
}

/** Returns the parts of a source's footnote: its title and location, its web address, and the quote. */
export function footnoteParts(citation: Citation): {
  readonly where: string;
  readonly address: string | undefined;
  readonly quote: string;
} {
  const { uri, quote } = citation;
  return {
    where: titleAndPlace(citation),
    address: /^https?:\/\//i.test(uri) ? uri : undefined,
    quote: quoteOfFootnote(quote),
  };
}
