import type { Element, ElementContent, Properties, Root, RootContent, Text } from 'hast';
import { openedFence } from '../../src/core/language/markdown-lines.ts';
import type { Span } from '../../src/core/language/span.ts';
import { sourceOffsets } from './source-offsets.ts';

/** Element to add to a span of the source. Spans are ascending and don't overlap. */
export interface Annotation extends Span {
  /** Wrapper element of the rendered words of the span. */
  readonly wrap: { readonly tagName: string; readonly properties: Properties };
  /** Element that appears once after the last of these words. */
  readonly after: Element | undefined;
}

/** Node of the new tree with its ancestors, outermost first. */
type Place = readonly (Element | Root)[];

interface Walk {
  readonly source: string;
  readonly annotations: readonly Annotation[];
  /** Position of the last word of an annotation. */
  readonly lastPlaces: Map<Annotation, Place>;
  /** Current offset in the source. Texts without a position of their own are searched from here. */
  cursor: number;
}

/**
 * Returns the tree with the annotations in it, without changing the original.
 * @param tree result of `markdownToHast` for `source`, or a part of it
 * @param source the Markdown (or code) that the positions of the tree refer to
 */
export function annotate(tree: Root, source: string, annotations: readonly Annotation[]): Root {
  const trimmedRanges = annotations.map((each) => ({ ...each, ...trimSpan(each, source) }));
  const walk: Walk = { source, annotations: trimmedRanges, lastPlaces: new Map(), cursor: 0 };
  const root: Root = { ...tree, children: [] };
  root.children = copyChildren(tree, [root], { start: 0, end: source.length, isCode: false }, walk);
  for (const annotation of trimmedRanges) {
    if (annotation.after !== undefined) insertAfter(root, walk.lastPlaces.get(annotation), annotation.after);
  }
  return root;
}

function trimSpan(span: Span, source: string): Span {
  const text = source.slice(span.start, span.end);
  const start = span.start + (text.length - text.trimStart().length);
  return { start, end: Math.max(start, span.end - (text.length - text.trimEnd().length)) };
}

interface Scope extends Span {
  readonly isCode: boolean;
}

function copyChildren(parent: Element | Root, place: Place, scope: Scope, walk: Walk): ElementContent[] {
  return (parent.children as RootContent[]).flatMap((child): ElementContent[] => {
    if (child.type === 'text') return copyText(child, place, scope, walk);
    if (child.type !== 'element') return [];
    const own = readSpan(child);
    if (own !== undefined && !walk.annotations.some(({ start, end }) => start < own.end && own.start < end)) {
      walk.cursor = own.end;
      return [child];
    }
    if (child.tagName === 'formula' && own !== undefined) return wrapWhole(child, own, place, walk);
    const copy: Element = { ...child, children: [] };
    const isCode = scope.isCode || child.tagName === 'code';
    const inner: Scope = { ...(own ?? scope), isCode };
    if (own !== undefined) walk.cursor = contentStart(child, own, walk.source);
    copy.children = copyChildren(child, [...place, copy], inner, walk);
    if (own !== undefined) walk.cursor = own.end;
    return [copy];
  });
}

/** Marks a formula as a whole, whichever part of it an annotation covers. */
function wrapWhole(formula: Element, span: Span, place: Place, walk: Walk): ElementContent[] {
  walk.cursor = span.end;
  const annotation = walk.annotations.findLast(({ start, end }) => start < span.end && span.start < end);
  if (annotation === undefined) return [formula];
  const wrapped: Element = { type: 'element', ...copyWrap(annotation.wrap), children: [formula] };
  walk.lastPlaces.set(annotation, [...place, wrapped]);
  return [wrapped];
}

function copyWrap({ tagName, properties }: Annotation['wrap']): Annotation['wrap'] {
  return { tagName, properties: { ...properties } };
}

/** Returns the earliest start of an element's words: after the opening fence of code, else its own start. */
function contentStart(element: Element, span: Span, source: string): number {
  if (element.tagName !== 'code') return span.start;
  const words = source.slice(span.start, span.end);
  const lineEnd = words.indexOf('\n');
  if (lineEnd >= 0 && openedFence(words.slice(0, lineEnd)) !== undefined) return span.start + lineEnd + 1;
  // For inline code, or an incomplete block, skip the mark.
  return span.start + (openedFence(words)?.mark ?? /^`*/.exec(words)?.[0] ?? '').length;
}

function copyText(node: Text, place: Place, scope: Scope, walk: Walk): ElementContent[] {
  const own = readSpan(node);
  const isLayout = own === undefined && !scope.isCode && node.value.trim() === '';
  if (isLayout) return [node];
  const start = scope.isCode ? walk.cursor : (own?.start ?? walk.cursor);
  const end = own?.end ?? scope.end;
  const offsets = sourceOffsets(node.value, walk.source, start, end, scope.isCode);
  const last = offsets.at(-1);
  if (last !== undefined) walk.cursor = last + 1;
  return cut(node, offsets, place, walk);
}

/** Splits a text, and wraps the pieces within an annotation. */
function cut(node: Text, offsets: Uint32Array, place: Place, walk: Walk): ElementContent[] {
  const pieces: ElementContent[] = [];
  let from = 0;
  for (const annotation of walk.annotations) {
    const start = firstAtLeast(offsets, annotation.start, from);
    const end = firstAtLeast(offsets, annotation.end, start);
    if (start === end) continue;
    if (start > from) pieces.push({ type: 'text', value: node.value.slice(from, start) });
    const wrapped: Element = {
      type: 'element',
      ...copyWrap(annotation.wrap),
      children: [{ type: 'text', value: node.value.slice(start, end) }],
    };
    pieces.push(wrapped);
    walk.lastPlaces.set(annotation, [...place, wrapped]);
    from = end;
  }
  if (from === 0) return [node];
  if (from < node.value.length) pieces.push({ type: 'text', value: node.value.slice(from) });
  return pieces;
}

function firstAtLeast(offsets: Uint32Array, value: number, from: number): number {
  let low = from;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const CLOSED = new Set(['a', 'code', 'pre']);
const INLINE = new Set(['del', 'em', 'span', 'strong', 'sup']);

/** Inserts an element after a position: after emphasis that ends there, and never into a link or code. */
function insertAfter(root: Root, place: Place | undefined, element: Element): void {
  if (place === undefined) {
    root.children.push(line(element));
    return;
  }
  let depth = place.length - 1;
  for (let i = depth - 1; i > 0; i--) {
    const ancestor = place[i];
    if (ancestor?.type !== 'element') break;
    const endsHere =
      INLINE.has(ancestor.tagName) && depth === i + 1 && ancestor.children.at(-1) === place[depth];
    if (CLOSED.has(ancestor.tagName) || endsHere) depth = i;
  }
  const parent = place[depth - 1];
  const before = place[depth];
  if (parent === undefined || before?.type !== 'element') return;
  const children = parent.children as RootContent[];
  children.splice(children.indexOf(before) + 1, 0, before.tagName === 'pre' ? line(element) : element);
}

function line(element: Element): Element {
  return { type: 'element', tagName: 'p', properties: {}, children: [element] };
}

function readSpan(node: Element | Text): Span | undefined {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  return start === undefined || end === undefined ? undefined : { start, end };
}
