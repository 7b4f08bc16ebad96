import { forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { DocumentPlace, MapNode, MapRelation } from '../../src/core/domain/artifact.ts';
import { escapeXml, toSvg } from './layout.ts';

/** Height of a label and the gap around it, in CSS pixels, and the approximate width of a character. */
export const LABEL_HEIGHT = 22;
const CHARACTER = 7;
const PADDING = 8;
const MAX_LABEL_LENGTH = 24;
const APART = 6;
const STEPS = 300;
const SPREADING_STEPS = 200;
/** Height of the label of a line and average width of its characters, in CSS pixels, and its possible positions on the line. */
const RELATION_HEIGHT = 16;
const RELATION_CHARACTER = 6;
const RELATION_POSITIONS = [0.5, 0.42, 0.58, 0.34, 0.66];

/** Term with its position: the middle of its label, in CSS pixels. */
export interface GraphTerm {
  /** Index among the map's nodes. */
  readonly index: number;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Two related terms, by their indices among the graph's terms, and the cited text with both. */
export interface GraphLine {
  readonly from: number;
  readonly to: number;
  readonly place: DocumentPlace | undefined;
  /** Relation of `to` to `from`, its parent in the map. */
  readonly relation: MapRelation | undefined;
  readonly quote: string | undefined;
}

/** Label of a line, with its middle in CSS pixels. */
interface RelationLabel {
  /** Index of the line. */
  readonly line: number;
  /** Words of the relation, with an arrow to its object. */
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

export interface Graph {
  readonly terms: readonly GraphTerm[];
  readonly lines: readonly GraphLine[];
}

/** Graph with the size of its layout, in CSS pixels. */
export interface SizedGraph extends Graph {
  readonly width: number;
  readonly height: number;
}

/** Builds the graph of a concept map. Its outer nodes are terms, and its inner nodes are related terms. */
export function makeGraph(nodes: readonly MapNode[], width: number, height: number): Graph {
  const numbers = new Map<string, number>();
  const indexes: number[] = [];
  for (const depth of [0, 1])
    for (const [index, node] of nodes.entries())
      if (node.depth === depth && !numbers.has(node.title)) {
        numbers.set(node.title, indexes.length);
        indexes.push(index);
      }
  const lines: GraphLine[] = [];
  const known = new Set<string>();
  let outer = 0;
  for (const { title, depth, place, relation, quote } of nodes) {
    const number = numbers.get(title) ?? 0;
    if (depth === 0) {
      outer = number;
      continue;
    }
    const key = [Math.min(outer, number), Math.max(outer, number)].join(' ');
    if (known.has(key)) continue;
    known.add(key);
    lines.push({ from: outer, to: number, place, relation, quote });
  }
  const labels = indexes.map((index) => shortenTitle(nodes[index]?.title ?? ''));
  const widths = labels.map((label) => wideLength(label) * CHARACTER + 2 * PADDING);
  const places = spread(settle(indexes.length, lines), widths, width, height);
  const terms = indexes.map((index, number) => {
    const { x = 0, y = 0 } = places[number] ?? {};
    return { index, label: labels[number] ?? '', x, y, width: widths[number] ?? 0 };
  });
  return { terms, lines };
}

/** Part of a label, in CSS pixels. */
interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Labels the lines whose relations are known where there is room, beginning with those for which `isFirst` is true. The
 * line `always` is labeled even without room.
 */
export function labelLines(
  { terms, lines }: Graph,
  isFirst: (line: GraphLine) => boolean,
  always?: number,
): RelationLabel[] {
  const occupied: LabelBox[] = terms.map(({ x, y, width }) => ({ x, y, width, height: LABEL_HEIGHT }));
  const order = [...lines.entries()].sort(
    ([a, one], [b, other]) =>
      Number(b === always) - Number(a === always) || Number(isFirst(other)) - Number(isFirst(one)) || a - b,
  );
  return order.flatMap(([line, { from, to, relation }]): RelationLabel[] => {
    const [a, b] = [terms[from], terms[to]];
    if (a === undefined || b === undefined || relation === undefined) return [];
    const isRightward = relation.isReversed ? b.x <= a.x : a.x <= b.x;
    const words = shortenTitle(relation.words);
    const label = isRightward ? `${words} →` : `← ${words}`;
    const width = wideLength(label) * RELATION_CHARACTER;
    const boxes = RELATION_POSITIONS.map((share) => ({
      ...{ x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) },
      ...{ width, height: RELATION_HEIGHT },
    }));
    const box = boxes.find((candidate) => !occupied.some((other) => isOver(candidate, other)));
    const [middle] = boxes;
    const chosen = box ?? (line === always ? middle : undefined);
    if (chosen === undefined) return [];
    occupied.push(chosen);
    return [{ line, label, x: chosen.x, y: chosen.y }];
  });
}

function isOver(one: LabelBox, other: LabelBox): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    Math.abs(one.y - other.y) < (one.height + other.height) / 2
  );
}

/** Returns a graph as a separate picture in the size of its layout, in CSS pixels. */
export function drawGraph(title: string, nodes: readonly MapNode[], graph: SizedGraph): string {
  const { terms, lines, width, height } = graph;
  const drawnLines = lines.flatMap(({ from, to }) => {
    const [a, b] = [terms[from], terms[to]];
    if (a === undefined || b === undefined) return [];
    return `<line x1="${tenths(a.x)}" y1="${tenths(a.y)}" x2="${tenths(b.x)}" y2="${tenths(b.y)}"/>`;
  });
  const labels = terms.map(({ index, label, x, y, width: wide }) =>
    [
      `<g transform="translate(${tenths(x)} ${tenths(y)})"><title>${escapeXml(nodes[index]?.title ?? '')}</title>`,
      `<rect x="${tenths(-wide / 2)}" y="${tenths(-LABEL_HEIGHT / 2)}" width="${tenths(wide)}" height="${tenths(LABEL_HEIGHT)}" rx="4"/>`,
      `<text text-anchor="middle" dominant-baseline="central">${escapeXml(label)}</text></g>`,
    ].join(''),
  );
  const relations = labelLines(graph, () => true).map(
    ({ label, x, y }) =>
      `<text class="relation" x="${tenths(x)}" y="${tenths(y)}" text-anchor="middle" dominant-baseline="central">${escapeXml(label)}</text>`,
  );
  const style =
    'line{stroke:#888}rect{fill:#fff;stroke:#888}.relation{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:4px}';
  const drawn = [...drawnLines, ...relations, ...labels];
  return toSvg(title, { width, height }, style, 'rect{fill:#1f1f1f}.relation{stroke:#1f1f1f}', drawn);
}

function tenths(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}

interface Point {
  x: number;
  y: number;
}

/**
 * Places points so that connected ones are close to each other and all others apart. Deterministic for the same graph.
 */
function settle(count: number, lines: readonly GraphLine[]): Point[] {
  const points = Array.from({ length: count }, (): Partial<Point> => ({}));
  const links = lines.map(({ from, to }) => ({ source: from, target: to }));
  forceSimulation(points)
    .force('apart', forceManyBody().strength(-100))
    .force('connected', forceLink(links).distance(0).strength(1))
    .force('x', forceX().strength(0.05))
    .force('y', forceY().strength(0.05))
    .stop()
    .tick(STEPS);
  return points.map(({ x = 0, y = 0 }) => ({ x, y }));
}

/**
 * Scales the points to an area, and pushes their labels apart until none covers another, or as far as there is room.
 */
function spread(
  points: readonly Point[],
  widths: readonly number[],
  width: number,
  height: number,
): readonly Point[] {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [spanX, spanY] = [Math.max(1e-6, Math.max(...xs) - left), Math.max(1e-6, Math.max(...ys) - top)];
  // A small number of terms stays in the middle.
  const room = roomFor(points.length);
  const [areaX, areaY] = [Math.min(width, room.width), Math.min(height, room.height)];
  const within = (value: number, size: number, limit: number): number =>
    Math.min(Math.max(value, size / 2 + APART), Math.max(size / 2 + APART, limit - size / 2 - APART));
  const placed = points.map(({ x, y }, n): Point => ({
    x: within((width - areaX) / 2 + ((x - left) / spanX) * areaX, widths[n] ?? 0, width),
    y: within((height - areaY) / 2 + ((y - top) / spanY) * areaY, LABEL_HEIGHT, height),
  }));
  for (let step = 0; step < SPREADING_STEPS; step++) {
    let isCovered = false;
    for (const [from, a] of placed.entries())
      for (const [to, b] of placed.entries()) {
        if (to <= from) continue;
        const overX = ((widths[from] ?? 0) + (widths[to] ?? 0)) / 2 + APART - Math.abs(b.x - a.x);
        const overY = LABEL_HEIGHT + APART - Math.abs(b.y - a.y);
        if (overX <= 0 || overY <= 0) continue;
        isCovered = true;
        // Move the labels in the direction with less overlap.
        const [along, by] = overY < overX ? (['y', overY] as const) : (['x', overX] as const);
        const sign = a[along] < b[along] || (a[along] === b[along] && from < to) ? 1 : -1;
        a[along] -= (sign * by) / 2;
        b[along] += (sign * by) / 2;
      }
    for (const [n, point] of placed.entries()) {
      point.x = within(point.x, widths[n] ?? 0, width);
      point.y = within(point.y, LABEL_HEIGHT, height);
    }
    if (!isCovered) break;
  }
  return placed;
}

/** Returns the size of the area for a number of terms, in CSS pixels. */
export function roomFor(terms: number): { readonly width: number; readonly height: number } {
  const rows = Math.ceil(Math.sqrt(Math.max(1, terms)));
  return { width: 60 + 120 * rows, height: 60 + 90 * rows };
}

/** Returns the length of a label in characters of average width. Ideographs are twice as wide. */
function wideLength(label: string): number {
  return label.length + (label.match(/[\u2E80-\uFFDC]/g)?.length ?? 0);
}

function shortenTitle(title: string): string {
  return title.length > MAX_LABEL_LENGTH ? `${title.slice(0, MAX_LABEL_LENGTH - 1).toWellFormed()}…` : title;
}
