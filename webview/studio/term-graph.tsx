import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DocumentPlace, MapNode } from '../../src/notebook/studio.ts';
import { graphOf, LABEL_HEIGHT, roomFor } from './graph-layout.ts';

/** It need be no larger, in CSS pixels; in less room it is scrolled. */
const LEAST_WIDTH = 520;
const LEAST_HEIGHT = 360;

interface GraphProps {
  readonly nodes: readonly MapNode[];
  /** The title of the node that is active in the list. */
  readonly active: string;
  readonly onTerm: (index: number, beside: boolean) => void;
  readonly onPlace: (place: DocumentPlace, beside: boolean) => void;
}

/** The terms of a concept map as a graph to look at; the list beside it has the same for keyboards and screen readers. */
export function TermGraph({ nodes, active, onTerm, onPlace }: GraphProps): JSX.Element {
  const area = useRef<HTMLDivElement>(null);
  const [[width, height], setSize] = useState<readonly [number, number]>([LEAST_WIDTH, LEAST_HEIGHT]);
  const [pointed, setPointed] = useState<number>();
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const { clientWidth, clientHeight } = element;
      const room = roomFor(nodes.filter(({ depth }) => depth === 0).length);
      const least = [Math.min(LEAST_WIDTH, room.width), Math.min(LEAST_HEIGHT, room.height)] as const;
      setSize([Math.max(least[0], clientWidth), Math.max(least[1], clientHeight)]);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, [nodes]);
  const { terms, lines } = useMemo(() => graphOf(nodes, width, height), [nodes, width, height]);
  const shown = pointed ?? terms.findIndex(({ index }) => nodes[index]?.title === active);
  const near = new Set(
    lines.flatMap(({ from, to }) => (from === shown || to === shown ? [from, to] : [])),
  ).add(shown);
  const isBeside = (event: MouseEvent): boolean => event.ctrlKey || event.metaKey;
  return (
    <div class="graph" ref={area}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={t('Terms that stand together, as a graph; the list beside it has the same')}
      >
        {lines.map(({ from, to, place }) => {
          const [a, b] = [terms[from], terms[to]];
          if (a === undefined || b === undefined) return null;
          const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
          return (
            <g
              key={`${String(from)} ${String(to)}`}
              class={from === shown || to === shown ? 'line near' : 'line'}
              onClick={(event) => {
                if (place !== undefined) onPlace(place, isBeside(event));
              }}
            >
              <title>{t('{0} with {1}', nodes[a.index]?.title ?? '', nodes[b.index]?.title ?? '')}</title>
              <line class="seen" {...ends} />
              <line class="hit" {...ends} />
            </g>
          );
        })}
        {terms.map(({ index, label, x, y, width: wide }, number) => (
          <g
            key={index}
            class={`term${near.has(number) ? ' near' : ''}${number === shown ? ' active' : ''}`}
            transform={`translate(${String(x)} ${String(y)})`}
            onPointerEnter={() => {
              setPointed(number);
            }}
            onPointerLeave={() => {
              setPointed(undefined);
            }}
            onClick={(event) => {
              onTerm(index, isBeside(event));
            }}
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
