import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MapView } from '../../src/features/artifacts/protocol.ts';
import { relationStatement, type DocumentPlace, type SourceDrift } from '../../src/core/domain/artifact.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { drawGraph } from './graph-layout.ts';
import { pan } from './pan.ts';
import { TermGraph, useGraph, withQuote } from './term-graph.tsx';
import { useZoom } from './zoom.ts';
import { drawSvg, findEnds, foldedAtFirst, layoutMap, linesWithin, ROW, type Box } from './layout.ts';

/** Maximum number of nodes shown at first, and distance outside of the view that is still drawn, in CSS pixels. */
const MAX_INITIAL_NODES = 60;
const AROUND = 400;
/** Maximum number of removed titles in the message. */
const MAX_REMOVED_SHOWN = 10;
const NO_NODES: MapView['map']['nodes'] = [];

interface MapProps {
  readonly view: MapView;
  /** Differences between the current sources and those of the map. */
  readonly difference: SourceDrift | undefined;
  /** Titles, with their parents' titles, that are new since the previous version. */
  readonly fresh: ReadonlySet<string>;
  /** Titles that are no longer in the map. */
  readonly removedTitles: readonly string[];
  readonly onOpen: (place: DocumentPlace, beside: boolean) => void;
  readonly onUpdateFromSources: () => void;
  readonly onSaveSvg: (svg: string) => void;
  readonly onOpenMarkdown: () => void;
}

/** Shows a map as a tree that can be unfolded, searched, and followed to the sources. Renders only the visible part. */
export function TopicMap(props: MapProps): JSX.Element {
  const { view, difference, fresh, removedTitles, onOpen, onUpdateFromSources, onSaveSvg, onOpenMarkdown } =
    props;
  const { nodes, omitted } = view.map;
  const ends = useMemo(() => findEnds(nodes), [nodes]);
  const [folded, setFolded] = useState(() => foldedAtFirst(nodes, ends, MAX_INITIAL_NODES));
  const [active, setActive] = useState(0);
  const [words, setWords] = useState('');
  const canvas = useRef<HTMLDivElement>(null);
  const zoom = useZoom(canvas);
  const { scale } = zoom;
  const isGraph = view.kind === 'conceptMap';
  const graph = useGraph(isGraph ? nodes : NO_NODES);
  const [box, setBox] = useState<Box>({ left: 0, top: 0, right: 2_000, bottom: 2_000 });

  useEffect(() => {
    setFolded(foldedAtFirst(nodes, ends, MAX_INITIAL_NODES));
    setActive(0);
  }, [nodes, ends]);

  const matches = useMemo(() => {
    const sought = words.trim().toLowerCase();
    if (sought === '') return [];
    return nodes.flatMap(({ title }, index) => (title.toLowerCase().includes(sought) ? [index] : []));
  }, [nodes, words]);
  const isFound = useMemo(() => new Set(matches), [matches]);
  const [windowWidth, setWindowWidth] = useState(() => window.innerWidth);
  const layout = useMemo(
    () => layoutMap(nodes, ends, (index) => folded.has(index), windowWidth),
    [nodes, ends, folded, windowWidth],
  );
  const { placed } = layout;
  const activeAt = Math.max(
    0,
    placed.findLastIndex(({ index }) => index <= active),
  );

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const measure = (): void => {
      setWindowWidth(element.clientWidth);
      const [left, top] = [element.scrollLeft / scale, element.scrollTop / scale];
      const [width, height] = [element.clientWidth / scale, element.clientHeight / scale];
      setBox((before) => {
        const isNear =
          Math.abs(before.left + AROUND - left) < AROUND / 2 &&
          Math.abs(before.top + AROUND - top) < AROUND / 2;
        const isSame =
          before.right - before.left === width + 2 * AROUND &&
          before.bottom - before.top === height + 2 * AROUND;
        if (isNear && isSame) return before;
        return {
          left: left - AROUND,
          top: top - AROUND,
          right: left + width + AROUND,
          bottom: top + height + AROUND,
        };
      });
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      resized.disconnect();
    };
  }, [scale]);

  /** Scrolls a visible node into view. */
  const reveal = (at: number): void => {
    const node = placed[at];
    const element = canvas.current;
    if (node === undefined || element === null) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
    const [x, y] = [node.x * scale, node.y * scale];
    if (y - ROW < scrollTop || y + ROW > scrollTop + clientHeight) element.scrollTop = y - clientHeight / 2;
    if (x < scrollLeft || x + node.width * scale > scrollLeft + clientWidth)
      element.scrollLeft = Math.max(0, x - 48);
  };
  useLayoutEffect(() => {
    reveal(activeAt);
    // Only when another node becomes active, or when the visible nodes change.
  }, [active, placed]);

  const fold = (index: number, isFolding: boolean): void => {
    const next = new Set(folded);
    if (isFolding) next.add(index);
    else next.delete(index);
    setFolded(next);
    setActive(index);
  };
  /** Unfolds all ancestors of a node. */
  const goTo = (index: number): void => {
    const next = new Set(folded);
    let depth = nodes[index]?.depth ?? 0;
    for (let above = index - 1; above >= 0 && depth > 0; above--) {
      const own = nodes[above]?.depth ?? 0;
      if (own >= depth) continue;
      next.delete(above);
      depth = own;
    }
    setFolded(next);
    setActive(index);
  };
  const goToFound = (step: 1 | -1): void => {
    const next =
      step === 1
        ? (matches.find((index) => index > active) ?? matches[0])
        : (matches.findLast((index) => index < active) ?? matches.at(-1));
    if (next !== undefined) goTo(next);
  };
  const hasChildren = (index: number): boolean => (ends[index] ?? 0) > index + 1;
  const open = (index: number, beside: boolean): void => {
    const place = nodes[index]?.place;
    if (place !== undefined) onOpen(place, beside);
  };

  /** Zooms the graph of a concept map, or the tree of another map, for the buttons. Keys zoom the one with the focus. */
  const zoomBy = (key: string): void => {
    if (isGraph) graph.zoom.byKey(key, graph);
    else zoom.byKey(key, layout);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const node = placed[activeAt];
    if (node === undefined) return;
    const { index } = node;
    const move = (at: number): void => {
      const to = placed[Math.max(0, Math.min(placed.length - 1, at))];
      if (to !== undefined) setActive(to.index);
    };
    if (!event.ctrlKey && !event.metaKey && zoom.byKey(event.key, layout)) {
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case 'ArrowDown':
        move(activeAt + 1);
        break;
      case 'ArrowUp':
        move(activeAt - 1);
        break;
      case 'Home':
        move(0);
        break;
      case 'End':
        move(placed.length - 1);
        break;
      case 'ArrowRight':
        if (hasChildren(index) && folded.has(index)) fold(index, false);
        else if (hasChildren(index)) move(activeAt + 1);
        break;
      case 'ArrowLeft':
        if (hasChildren(index) && !folded.has(index)) fold(index, true);
        else if (node.parent >= 0) move(node.parent);
        break;
      case 'Enter':
        open(index, event.ctrlKey || event.metaKey);
        break;
      case ' ':
        if (hasChildren(index)) fold(index, !folded.has(index));
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const isDrawn = ({ x, y, width }: (typeof placed)[number]): boolean =>
    x + width >= box.left && x <= box.right && y + ROW >= box.top && y - ROW <= box.bottom;
  const drawn = placed.flatMap((node, at) => (at === activeAt || isDrawn(node) ? [{ node, at }] : []));
  const area = {
    left: Math.max(0, box.left),
    top: Math.max(0, box.top),
    right: Math.min(layout.width, box.right),
    bottom: Math.min(layout.height, box.bottom),
  };
  const size = [Math.max(0, area.right - area.left), Math.max(0, area.bottom - area.top)] as const;
  const changed = difference === undefined ? 0 : difference.added + difference.changed + difference.removed;

  return (
    <div class="map">
      <header>
        <h1 class="ellipsis">{view.title}</h1>
        <p class="of ellipsis">{view.of}</p>
        <div class="tools" role="toolbar" aria-label={t('Map')}>
          <input
            type="search"
            class="search"
            placeholder={t('Search the map')}
            aria-label={t('Search the map')}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') goToFound(event.shiftKey ? -1 : 1);
            }}
          />
          <span class="count" role="status">
            {words.trim() === ''
              ? ''
              : matches.length === 0
                ? t('No results')
                : t('{0} found', matches.length)}
          </span>
          <IconButton icon="expand-all" label={t('Expand All')} onPress={() => setFolded(new Set())} />
          <IconButton
            icon="collapse-all"
            label={t('Collapse All')}
            onPress={() => setFolded(foldedAtFirst(nodes, ends, 1))}
          />
          <IconButton icon="zoom-out" label={t('Zoom Out (-)')} onPress={() => zoomBy('-')} />
          <IconButton icon="zoom-in" label={t('Zoom In (+)')} onPress={() => zoomBy('+')} />
          <IconButton icon="screen-normal" label={t('Fit to Window (9)')} onPress={() => zoomBy('9')} />
          <IconButton
            icon="file-media"
            label={t('Export as SVG')}
            onPress={() =>
              onSaveSvg(
                isGraph
                  ? drawGraph(view.title, nodes, graph)
                  : drawSvg(
                      view.title,
                      nodes,
                      layoutMap(nodes, ends, (index) => folded.has(index)),
                    ),
              )
            }
          />
          <IconButton icon="markdown" label={t('Open as Markdown')} onPress={onOpenMarkdown} />
        </div>
        {changed > 0 && difference !== undefined && (
          <p class="changed" role="status">
            <span>
              {t(
                'Out of date. Sources: {0} changed, {1} new, {2} removed.',
                difference.changed,
                difference.added,
                difference.removed,
              )}
            </span>{' '}
            <button type="button" class="link" onClick={onUpdateFromSources}>
              {t('Update from Sources')}
            </button>
          </p>
        )}
        {(fresh.size > 0 || removedTitles.length > 0) && (
          <p class="of since" role="status">
            {[
              ...(fresh.size > 0 ? [t('{0} new, highlighted in the map.', fresh.size)] : []),
              ...(removedTitles.length > 0
                ? [
                    t(
                      'Removed: {0}.',
                      [
                        ...removedTitles.slice(0, MAX_REMOVED_SHOWN),
                        ...(removedTitles.length > MAX_REMOVED_SHOWN
                          ? [t('{0} more', removedTitles.length - MAX_REMOVED_SHOWN)]
                          : []),
                      ].join(', '),
                    ),
                  ]
                : []),
            ].join(' ')}
          </p>
        )}
        {omitted > 0 && <p class="of ellipsis">{t('Entries not shown: {0}.', omitted)}</p>}
      </header>
      <div class={isGraph ? 'body beside' : 'body'}>
        {isGraph && (
          <TermGraph
            graph={graph}
            nodes={nodes}
            active={nodes[placed[activeAt]?.index ?? 0]?.title ?? ''}
            onTerm={(index, beside) => {
              goTo(index);
              open(index, beside);
            }}
            onPlace={onOpen}
          />
        )}
        <div
          ref={canvas}
          class="canvas"
          role="tree"
          tabIndex={0}
          aria-label={view.title}
          aria-activedescendant={`node-${String(placed[activeAt]?.index ?? 0)}`}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => pan(event, canvas.current, '.node')}
          onWheel={zoom.onWheel}
        >
          <div
            class="ground"
            role="presentation"
            style={{
              width: `${String(layout.width * scale)}px`,
              height: `${String(layout.height * scale)}px`,
            }}
          />
          <div class="drawn" role="presentation" style={{ transform: `scale(${String(scale)})` }}>
            <svg
              class="lines"
              width={size[0]}
              height={size[1]}
              viewBox={[area.left, area.top, ...size].join(' ')}
              style={{ transform: `translate(${String(area.left)}px, ${String(area.top)}px)` }}
              aria-hidden="true"
            >
              <path d={linesWithin(layout, area)} />
            </svg>
            {drawn.map(({ node: { index, x, y, width, parent, position, siblings }, at }) => {
              const node = nodes[index];
              const above = nodes[placed[parent]?.index ?? -1]?.title ?? '';
              const statement = node === undefined ? '' : relationStatement(node, above);
              const canUnfold = hasChildren(index);
              const isFolded = folded.has(index);
              const classes = [
                'node',
                at === activeAt ? 'active' : '',
                isFound.has(index) ? 'found' : '',
                fresh.size > 0 && fresh.has(titlePath(nodes, index)) ? 'fresh' : '',
              ];
              return (
                <div
                  key={index}
                  id={`node-${String(index)}`}
                  class={classes.join(' ')}
                  role="treeitem"
                  aria-level={(node?.depth ?? 0) + 1}
                  aria-posinset={position}
                  aria-setsize={siblings}
                  aria-selected={at === activeAt}
                  {...(canUnfold && { 'aria-expanded': !isFolded })}
                  {...(node?.relation !== undefined && { 'aria-label': statement })}
                  title={withQuote(statement, node?.quote)}
                  style={{
                    width: `${String(width)}px`,
                    transform: `translate(${String(x)}px, ${String(y - ROW / 2)}px)`,
                  }}
                  onClick={(event) => {
                    setActive(index);
                    open(index, event.ctrlKey || event.metaKey);
                  }}
                >
                  {node?.relation?.isReversed === false && (
                    <span class="relation">{node.relation.words}</span>
                  )}
                  <span class="title ellipsis">{node?.title}</span>
                  {node?.relation?.isReversed === true && (
                    <span class="relation">
                      {node.relation.words} {above}
                    </span>
                  )}
                  {canUnfold && (
                    <span
                      class={`twistie codicon codicon-${isFolded ? 'chevron-right' : 'chevron-down'}`}
                      aria-hidden="true"
                      title={isFolded ? t('Expand') : t('Collapse')}
                      onClick={(event) => {
                        event.stopPropagation();
                        fold(index, !isFolded);
                      }}
                    />
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Returns the titles from the root to a node, which identify it. */
export function titlePath(nodes: MapView['map']['nodes'], index: number): string {
  const path = [nodes[index]?.title ?? ''];
  let depth = nodes[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0 && depth > 0; above--) {
    const node = nodes[above];
    if (node === undefined || node.depth >= depth) continue;
    path.push(node.title);
    depth = node.depth;
  }
  return path.reverse().join('\n');
}
