import type { MapNode } from '../notebook/studio.ts';
import { making, plainTerm } from './sheet.ts';
import { headingPlace, placeIn, type StudioDocument } from './studio-document.ts';

/** A map has at most so many nodes. */
const MOST_NODES = 10_000;
const LONGEST_TITLE = 200;

/** A document as a node, and its headings below it, in their order. Levels that are left out leave no gap. */
function outlineDocument(document: StudioDocument): MapNode[] {
  const begin = headingPlace(document, { offset: 0 }) ?? placeIn(document, { start: 0, end: 0 });
  const nodes: MapNode[] = [{ title: document.title, depth: 0, place: begin }];
  const open: number[] = [];
  for (const heading of document.headings) {
    while ((open.at(-1) ?? 0) >= heading.level) open.pop();
    const title = plainTerm(heading.title).slice(0, LONGEST_TITLE);
    if (title === '') continue;
    open.push(heading.level);
    nodes.push({ title, depth: open.length, place: headingPlace(document, heading) });
  }
  return nodes;
}

/** The headings of all documents, as a map; documents without headings are named where others have some. */
export const mindMap = making(outlineDocument, (parts) => {
  const nodes = parts.flat();
  const hasHeadings = parts.some((part) => part.length > 1);
  return {
    nodes: hasHeadings ? nodes.slice(0, MOST_NODES) : [],
    omitted: Math.max(0, nodes.length - MOST_NODES),
  };
});
