import type { EventBus, PDFPageView, PDFViewer } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { pagesToDrop, type DrawnPage, type PageSpan } from './page-budget.ts';
import { selectedPages } from './selection.tsx';

/** Maximum bytes for the pictures of all drawn pages: two pages in the size of a window. */
const MAX_BYTES = 16 * 2 ** 20;

/** Maximum interval between two jumps that counts as scrolling past pages, in milliseconds. */
const FLIGHT_INTERVAL = 150;

/** Limits the number of drawn pages. Drops pictures and texts of invisible pages when they use too much memory. */
export function boundDrawnPages(viewer: PDFViewer, eventBus: EventBus): void {
  const bound = (): void => {
    const views = [...viewer.getCachedPageViews()] as PDFPageView[];
    const keep = pagesToKeep(viewer.container, views);
    if (keep === undefined) return;
    const dropped = pagesToDrop(views.map(drawnPage), keep, MAX_BYTES);
    for (const view of views) if (dropped.includes(pageNumber(view))) view.destroy();
  };
  for (const event of ['pagerendered', 'updateviewarea']) eventBus.on(event, bound);
}

/**
 * Draws nothing while pages move past quickly, as when dragging the scroll bar. The viewer checks again when they rest.
 */
export function drawAtRest(viewer: PDFViewer): void {
  const { container, renderingQueue } = viewer;
  if (renderingQueue === undefined) return;
  const draw = renderingQueue.renderHighestPriority.bind(renderingQueue);
  let top = 0;
  let jumpedAt = -Infinity;
  let isFlying = false;
  renderingQueue.renderHighestPriority = (visible) => {
    const moved = Math.abs(container.scrollTop - top);
    top = container.scrollTop;
    const now = performance.now();
    if (moved > container.clientHeight) {
      isFlying = now - jumpedAt < FLIGHT_INTERVAL;
      jumpedAt = now;
    } else if (now - jumpedAt > FLIGHT_INTERVAL / 2) isFlying = false;
    if (!isFlying) draw(visible);
  };
}

/** Returns the number of a page. Its declared type in the library is wrong. */
function pageNumber({ id }: PDFPageView): number {
  return Number(id);
}

function drawnPage(view: PDFPageView): DrawnPage {
  const pictures = [...view.div.querySelectorAll('canvas')];
  return {
    page: pageNumber(view),
    bytes: pictures.reduce((sum, { width, height }) => sum + 4 * width * height, 0),
  };
}

/**
 * Returns the visible pages, one page on either side, which is drawn ahead, and selected pages; undefined if nothing is
 * visible.
 */
function pagesToKeep(
  { scrollTop, clientHeight }: HTMLElement,
  views: readonly PDFPageView[],
): PageSpan | undefined {
  const visiblePages = views.filter(
    ({ div }) => div.offsetTop < scrollTop + clientHeight && div.offsetTop + div.offsetHeight > scrollTop,
  );
  if (visiblePages.length === 0) return undefined;
  const numbers = visiblePages.map(pageNumber);
  const selected = selectedPages();
  return {
    first: Math.min(...numbers.map((page) => page - 1), ...selected),
    last: Math.max(...numbers.map((page) => page + 1), ...selected),
  };
}
