import type { MapView } from '../../src/features/artifacts/protocol.ts';
import type { MapNode } from '../../src/core/domain/artifact.ts';
import type { HostScript } from './page-host.ts';

/** Returns a mind map or a concept map of some nodes. */
export function mapView(kind: MapView['kind'], nodes: readonly MapNode[]): MapView {
  return {
    ...{ kind, notebook: '', title: 'Map of the harbor', of: 'One source' },
    map: { nodes, omitted: 0, documents: [] },
  };
}

/** Returns a mind map of headings on three levels. */
export function manyHeadings(count: number): MapView {
  return mapView(
    'mindMap',
    Array.from({ length: count }, (_, n) => ({
      title: `Heading ${String(n)} of the harbor and its ships`,
      depth: n % 50 === 0 ? 0 : n % 5 === 0 ? 1 : 2,
      place: { documentId: 1, start: n, end: n + 1 },
    })),
  );
}

/** Answers a map's page as the extension does; an update brings `updated`. */
export function mapHost(view: MapView, updated = view): HostScript<'maps'> {
  return {
    ready: () => view,
    open: () => undefined,
    updateFromSources: () => updated,
    saveSvg: () => undefined,
    openMarkdown: () => undefined,
  };
}
