import type { MapNode } from '../../src/core/domain/artifact.ts';

/** Sizes of a drawn map, in CSS pixels. */
export const ROW = 28;
const WIDTH = 224;
const GAP = 40;
const MARGIN = 12;
/** Minimum width of a map with two levels side by side. A narrower map is an indented list. */
const MIN_WIDTH_BESIDE = 2 * MARGIN + 2 * WIDTH + GAP;
const INDENT = 20;
const MIN_NODE_WIDTH = 120;
/** Number of rows above which their middle may be out of view. */
const TALL = 16;

/** Visible node, its position, and its parent. */
interface PlacedNode {
  /** Index among the map's nodes. */
  readonly index: number;
  readonly x: number;
  /** Middle of the node. */
  readonly y: number;
  readonly width: number;
  /** Index of its parent among the visible nodes; -1 for a root. */
  readonly parent: number;
  /** Position among its siblings, counted from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
}

/**
 * Line that connects a node with its children: vertical at `x` from `top` to `bottom`, and joined at `y` by the line
 * of the node.
 */
interface Trunk {
  readonly x: number;
  readonly y: number;
  readonly top: number;
  readonly bottom: number;
}

/** Part of a drawn map, in CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Visible part of a map in reading order, and its size in CSS pixels. */
interface Layout {
  readonly placed: readonly PlacedNode[];
  readonly trunks: readonly Trunk[];
  readonly width: number;
  readonly height: number;
  /** Distance of a node from the edge of its parent, with the line in the middle. */
  readonly gap: number;
}

/** Returns for each node the end of its subtree: the index of the first node after it. */
export function findEnds(nodes: readonly MapNode[]): Uint32Array {
  const ends = new Uint32Array(nodes.length).fill(nodes.length);
  const open: number[] = [];
  for (const [index, { depth }] of nodes.entries()) {
    while (open.length > 0 && (nodes[open.at(-1) ?? 0]?.depth ?? 0) >= depth) ends[open.pop() ?? 0] = index;
    open.push(index);
  }
  return ends;
}

/** Maximum number of documents for which a map initially shows the main sections, whatever their number. */
const MAX_FEW_ROOTS = 3;

/**
 * Returns the nodes to fold initially, so that about `limit` are visible. A map of a few documents shows at least two
 * levels, unless `limit` is 1.
 */
export function foldedAtFirst(nodes: readonly MapNode[], ends: Uint32Array, limit: number): Set<number> {
  const roots = nodes.filter(({ depth }) => depth === 0).length;
  const shallowest = limit > 1 && roots <= MAX_FEW_ROOTS ? 1 : 0;
  let deepest = 0;
  for (let shown = 0; ; deepest++) {
    const here = nodes.filter(({ depth }) => depth === deepest).length;
    if (here === 0 || (deepest > shallowest && shown + here > limit)) break;
    shown += here;
  }
  const folded = new Set<number>();
  for (const [index, { depth }] of nodes.entries())
    if (depth >= deepest - 1 && (ends[index] ?? 0) > index + 1) folded.add(index);
  return folded;
}

/**
 * Places the visible nodes without overlaps, in linear time. If `windowWidth` CSS pixels aren't enough for two levels
 * side by side, the nodes are an indented list of rows. Otherwise, nodes without visible children get one row each,
 * and other nodes are in the middle of their children, or near the first one if there are many. Tree libraries such
 * as d3-hierarchy's `cluster` always use the middle, so nearly all positions would have to be computed again.
 */
export function layoutMap(
  nodes: readonly MapNode[],
  ends: Uint32Array,
  isFolded: (index: number) => boolean,
  windowWidth = Infinity,
): Layout {
  const isList = windowWidth < MIN_WIDTH_BESIDE;
  interface Open {
    readonly at: number;
    readonly end: number;
  }
  const placed: { -readonly [K in keyof PlacedNode]: PlacedNode[K] }[] = [];
  const children: (number[] | undefined)[] = [];
  const roots: number[] = [];
  const open: Open[] = [];
  let rows = 0;
  for (let index = 0; index < nodes.length;) {
    while ((open.at(-1)?.end ?? Infinity) <= index) open.pop();
    const end = ends[index] ?? nodes.length;
    const isLeaf = end === index + 1 || isFolded(index);
    const parent = open.at(-1)?.at ?? -1;
    const siblings = parent < 0 ? roots : (children[parent] ??= []);
    siblings.push(placed.length);
    const x = MARGIN + open.length * (isList ? INDENT : WIDTH + GAP);
    placed.push({
      index,
      x,
      width: isList ? Math.max(MIN_NODE_WIDTH, windowWidth - MARGIN - x) : WIDTH,
      y: isLeaf || isList ? MARGIN + rows * ROW + ROW / 2 : 0,
      parent,
      position: siblings.length,
      siblings: 0,
    });
    if (isLeaf || isList) rows++;
    if (!isLeaf) open.push({ at: placed.length - 1, end });
    index = isLeaf ? end : index + 1;
  }
  for (const group of [roots, ...children]) {
    if (group === undefined) continue;
    for (const at of group) {
      const node = placed[at];
      if (node !== undefined) node.siblings = group.length;
    }
  }
  const trunks: Trunk[] = [];
  // The children of a node come after it.
  for (let at = placed.length - 1; at >= 0; at--) {
    const node = placed[at];
    const own = children[at];
    const [first, last] = [placed[own?.[0] ?? -1], placed[own?.at(-1) ?? -1]];
    if (node === undefined || first === undefined || last === undefined) continue;
    if (isList) {
      // The line begins below the node, and the node covers what is drawn at its height.
      trunks.push({ x: node.x + INDENT / 2, y: node.y, top: node.y + ROW / 2, bottom: last.y });
      continue;
    }
    const isTall = last.y - first.y > TALL * ROW;
    node.y = isTall ? first.y : (first.y + last.y) / 2;
    trunks.push({ x: node.x + WIDTH + GAP / 2, y: node.y, top: first.y, bottom: last.y });
  }
  const width = placed.reduce((most, node) => Math.max(most, node.x + node.width), 0) + MARGIN;
  return { placed, trunks, width, height: 2 * MARGIN + rows * ROW, gap: isList ? INDENT : GAP };
}

/** Returns the lines of a map within a box as an SVG path, so that its size doesn't grow with the map. */
export function linesWithin({ placed, trunks, gap }: Layout, box: Box): string {
  const isBeside = (x: number): boolean => x >= box.left && x - gap / 2 <= box.right;
  const isWithin = (y: number): boolean => y >= box.top && y <= box.bottom;
  let path = '';
  for (const { x, y, top, bottom } of trunks) {
    if (!isBeside(x)) continue;
    if (isWithin(y)) path += `M${String(x - gap / 2)} ${String(y)}H${String(x)}`;
    const [from, to] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    if (from < to) path += `M${String(x)} ${String(from)}V${String(to)}`;
  }
  for (const { x, y, parent } of placed)
    if (parent >= 0 && isBeside(x) && isWithin(y))
      path += `M${String(x - gap / 2)} ${String(y)}H${String(x)}`;
  return path;
}

/** Maximum number of characters of a title that fit, approximately. */
const MAX_LABEL_LENGTH = 30;

/**
 * Returns a map with everything unfolded as a separate picture, with dark text on a transparent background, light in
 * dark mode.
 */
export function drawSvg(title: string, nodes: readonly MapNode[], layout: Layout): string {
  const { placed, width, height } = layout;
  const lines = linesWithin(layout, { left: 0, top: 0, right: width, bottom: height });
  const labels = placed.map(({ index, x, y }) => {
    const words = nodes[index]?.title ?? '';
    const label =
      words.length > MAX_LABEL_LENGTH ? `${words.slice(0, MAX_LABEL_LENGTH).toWellFormed()}…` : words;
    return `<text x="${String(x + 4)}" y="${String(y + 4)}"><title>${escapeXml(words)}</title>${escapeXml(label)}</text>`;
  });
  return toSvg(title, layout, 'path{fill:none;stroke:#888}', '', [`<path d="${lines}"/>`, ...labels]);
}

/** Returns a drawing as a picture with a title. Its text is light in dark mode. */
export function toSvg(
  title: string,
  { width, height }: Pick<Layout, 'height' | 'width'>,
  style: string,
  darkStyle: string,
  drawn: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>text{font:13px sans-serif;fill:#222}${style}@media(prefers-color-scheme:dark){text{fill:#ddd}${darkStyle}}</style>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** Escapes text for XML. */
export function escapeXml(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
