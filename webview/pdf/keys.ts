import { keyMeaning, type KeyActions, type KeyMeaning } from './key-meanings.ts';
import type { PdfPages } from './pdf-pages.ts';

/** Handles keys, and zooms by the wheel. The browser handles scrolling. */
export function listenForKeys(container: HTMLElement, pages: PdfPages, actions: KeyActions): void {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const meaning = keyMeaning({
      key: event.key,
      withCommand: event.ctrlKey || event.metaKey,
      withShift: event.shiftKey,
      withAlt: event.altKey,
      isTyping:
        event.target instanceof HTMLInputElement ||
        event.target instanceof HTMLTextAreaElement ||
        event.target instanceof HTMLSelectElement,
      isPresenting: pages.isPresenting,
    });
    if (meaning === undefined || !act(meaning, pages, actions)) return;
    // Stop the event, because the editor would zoom its own window with some of these keys.
    event.preventDefault();
    event.stopPropagation();
  });
  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      pages.zoom.at(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    },
    { passive: false },
  );
}

/** Runs the action of a key, and reports whether there was anything to do. */
function act(meaning: KeyMeaning, pages: PdfPages, actions: KeyActions): boolean {
  switch (meaning) {
    case 'zoomIn':
      pages.zoom.in();
      return true;
    case 'zoomOut':
      pages.zoom.out();
      return true;
    case 'back':
    case 'forward':
      void pages.step(meaning);
      return true;
    case 'toggleDouble':
      pages.toggleDouble();
      return true;
    case 'fit':
      pages.zoom.fit();
      return true;
    case 'nextPage':
      pages.goTo(pages.place.page + 1);
      return true;
    case 'previousPage':
      pages.goTo(pages.place.page - 1);
      return true;
    case 'firstPage':
      pages.goTo(1);
      return true;
    case 'lastPage':
      pages.goTo(pages.place.pages);
      return true;
    case 'nextMark':
      void pages.stepMark(1);
      return true;
    case 'previousMark':
      void pages.stepMark(-1);
      return true;
    case 'findPrevious':
      actions.findNext(true);
      return true;
    case 'findNext':
      actions.findNext(false);
      return true;
    case 'colour1':
    case 'colour2':
    case 'colour3':
    case 'colour4':
      actions.highlightIn(Number(meaning.slice(-1)) - 1);
      return true;
    case 'closeFind':
      return actions.closeFind();
    default:
      actions[meaning]();
      return true;
  }
}
