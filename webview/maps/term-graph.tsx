import { t } from '@vscode/l10n';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { relationStatement, type DocumentPlace, type MapNode } from '../../src/core/domain/artifact.ts';
import { labelLines, makeGraph, LABEL_HEIGHT, roomFor, type SizedGraph } from './graph-layout.ts';
import { pan } from './pan.ts';
import { useZoom, type Zoom } from './zoom.ts';

/** Minimum size of a graph, in CSS pixels. It is smaller for a few terms, and scrolls in a smaller window. */
const MIN_WIDTH = 520;
const MIN_HEIGHT = 360;
/** Minimum width of a graph in a narrow window, where it is as tall as a row for each term. */
const MIN_NARROW_WIDTH = 220;
const NARROW_ROW = 36;

/** Graph of a concept map, with the size available for it and its scale. */
interface ShownGraph extends SizedGraph {
  readonly area: RefObject<HTMLDivElement | null>;
  readonly zoom: Zoom;
}

/** Lays out a concept map's graph in the available room at its original size. */
export function useGraph(nodes: readonly MapNode[]): ShownGraph {
  const area = useRef<HTMLDivElement>(null);
  const zoom = useZoom(area);
  const isAsItIs = zoom.scale === 1;
  const [[width, height], setSize] = useState<readonly [number, number]>([MIN_WIDTH, MIN_HEIGHT]);
  useLayoutEffect(() => {
    const element = area.current;
    // Don't measure a zoomed graph. Its scroll bars reduce the room and would change the layout.
    if (element === null || !isAsItIs) return undefined;
    const measure = (): void => {
      const { clientWidth, clientHeight } = element;
      const count = nodes.filter(({ depth }) => depth === 0).length;
      const room = roomFor(count);
      if (clientWidth < Math.min(MIN_WIDTH, room.width)) {
        setSize([Math.max(MIN_NARROW_WIDTH, clientWidth), Math.max(clientHeight, count * NARROW_ROW)]);
        return;
      }
      const least = [Math.min(MIN_WIDTH, room.width), Math.min(MIN_HEIGHT, room.height)] as const;
      setSize([Math.max(least[0], clientWidth), Math.max(least[1], clientHeight)]);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [nodes, isAsItIs]);
  const graph = useMemo(() => makeGraph(nodes, width, height), [nodes, width, height]);
  return { ...graph, width, height, area, zoom };
}

interface GraphProps {
  readonly graph: ShownGraph;
  readonly nodes: readonly MapNode[];
  /** Title of the active node in the list. */
  readonly active: string;
  readonly onTerm: (index: number, beside: boolean) => void;
  readonly onPlace: (place: DocumentPlace, beside: boolean) => void;
}

/**
 * Shows the terms of a concept map as a graph. The list next to it contains the same for keyboards and screen readers.
 */
export function TermGraph({ graph, nodes, active, onTerm, onPlace }: GraphProps): JSX.Element {
  const { terms, lines, width, height, area, zoom } = graph;
  const { scale } = zoom;
  const [pointed, setPointed] = useState<number>();
  const [pointedLine, setPointedLine] = useState<number>();
  const shown = pointed ?? terms.findIndex(({ index }) => nodes[index]?.title === active);
  const near = new Set(
    lines.flatMap(({ from, to }) => (from === shown || to === shown ? [from, to] : [])),
  ).add(shown);
  const labels = useMemo(
    () => labelLines({ terms, lines }, ({ from, to }) => from === shown || to === shown, pointedLine),
    [terms, lines, shown, pointedLine],
  );
  const isBeside = (event: MouseEvent): boolean => event.ctrlKey || event.metaKey;
  return (
    <div
      class="graph"
      ref={area}
      role="group"
      tabIndex={0}
      aria-label={t('Graph')}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !zoom.byKey(event.key, graph)) return;
        event.preventDefault();
      }}
      onPointerDown={(event) => pan(event, area.current, '.term, .line')}
      onWheel={zoom.onWheel}
    >
      <svg
        width={width * scale}
        height={height * scale}
        viewBox={`0 0 ${String(width)} ${String(height)}`}
        role="img"
        aria-label={t(
          'Graph of terms that appear together. The list next to the graph has the same content.',
        )}
      >
        {lines.map(({ from, to, place, relation, quote }, line) => {
          const [a, b] = [terms[from], terms[to]];
          if (a === undefined || b === undefined) return null;
          const [parent, child] = [nodes[a.index]?.title ?? '', nodes[b.index]?.title ?? ''];
          const statement =
            relation === undefined
              ? t('{0} and {1} appear together', parent, child)
              : relationStatement({ title: child, relation }, parent);
          const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
          return (
            <g
              key={`${String(from)} ${String(to)}`}
              class={from === shown || to === shown ? 'line near' : 'line'}
              onPointerEnter={() => setPointedLine(line)}
              onPointerLeave={() => setPointedLine(undefined)}
              onClick={(event) => {
                if (place !== undefined) onPlace(place, isBeside(event));
              }}
            >
              <title>{withQuote(statement, quote)}</title>
              <line class="seen" {...ends} />
              <line class="hit" {...ends} />
            </g>
          );
        })}
        {labels.map(({ line, label, x, y }) => {
          const { from, to } = lines[line] ?? {};
          return (
            <text
              key={line}
              class={from === shown || to === shown || line === pointedLine ? 'relation near' : 'relation'}
              x={x}
              y={y}
              text-anchor="middle"
              dominant-baseline="central"
            >
              {label}
            </text>
          );
        })}
        {terms.map(({ index, label, x, y, width: wide }, number) => (
          <g
            key={index}
            class={`term${near.has(number) ? ' near' : ''}${number === shown ? ' active' : ''}`}
            transform={`translate(${String(x)} ${String(y)})`}
            onPointerEnter={() => setPointed(number)}
            onPointerLeave={() => setPointed(undefined)}
            onClick={(event) => onTerm(index, isBeside(event))}
          >
            <title>{nodes[index]?.title}</title>
            <rect x={-wide / 2} y={-LABEL_HEIGHT / 2} width={wide} height={LABEL_HEIGHT} rx={4} />
            <text text-anchor="middle" dominant-baseline="central">
              {label}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Returns a tooltip for a relation, with the words of the source below it. */
export function withQuote(statement: string, quote: string | undefined): string {
  return quote === undefined ? statement : `${statement}\n${quote}`;
}
