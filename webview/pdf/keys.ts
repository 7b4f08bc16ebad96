import type { PdfPages } from './pdf-pages.ts';

/** Zooming by keys and by the wheel; scrolling is the window's own. */
export function listenForZoom(container: HTMLElement, pages: PdfPages): void {
  document.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLInputElement || event.altKey) return;
    const withCommand = event.ctrlKey || event.metaKey;
    const action = withCommand ? (event.key === '0' ? 'fit' : undefined) : zoomKeys[event.key];
    if (action === undefined) return;
    // Handled here alone: the editor would zoom its own window with some of these keys.
    event.preventDefault();
    event.stopPropagation();
    if (action === 'fit') pages.fitWidth();
    else if (action === 'in') pages.zoomIn();
    else pages.zoomOut();
  });
  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      pages.zoomAt(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    },
    { passive: false },
  );
}

const zoomKeys: Readonly<Record<string, 'in' | 'out'>> = { '+': 'in', '=': 'in', '-': 'out' };
