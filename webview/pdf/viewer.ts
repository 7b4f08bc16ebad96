import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { h, render } from 'preact';
import type { PdfHostApi } from '../../src/messages/viewer.ts';
import type { Found } from './found.ts';
import { FindBar } from './find-bar.tsx';
import { listenForKeys } from './keys.ts';
import { OutlinePane } from './outline-pane.tsx';
import type { OutlineItem } from './outline.ts';
import type { Place } from './pdf-pages.ts';
import { PdfPages } from './pdf-pages.ts';
import { offerSelection } from './selection.ts';
import { Toolbar } from './toolbar.tsx';

/** What a viewer is kept as across reloads of its window. */
export interface KeptView {
  readonly page: number;
  readonly isOutlineOpen?: boolean | undefined;
}

export interface ViewerOptions {
  readonly title: string;
  readonly isInverted: boolean;
  readonly kept: KeptView | undefined;
  readonly onKeep: (view: KeptView) => void;
  readonly onInverted: (inverted: boolean) => void;
  readonly onRun: (command: PdfHostApi['run']['params']['command']) => void;
}

const nothingFound: Found = { isSearching: false, current: 0, total: 0 };

/** Shows an open PDF with all that stands around its pages: toolbar, search, outline. */
export function showPdf(root: Element, pdf: PDFDocumentProxy, options: ViewerOptions): PdfPages {
  const { title, kept, onKeep, onInverted, onRun } = options;
  const bar = element(root, 'bar');
  const body = element(root, 'body');
  const side = element(body, 'side');
  side.hidden = true;
  const container = makeContainer(element(body, 'frame'), title);
  let isInverted = options.isInverted;
  let isOutlineOpen = false;
  let outline: readonly OutlineItem[] = [];
  let isFinding = false;
  let findRequests = 0;
  let query = '';
  let found = nothingFound;
  let place: Place | undefined;

  const draw = (): void => {
    if (place === undefined) return;
    container.classList.toggle('inverted', isInverted);
    onKeep({ page: place.page, isOutlineOpen });
    const toolbar = h(Toolbar, {
      pages,
      place,
      isOutlineOpen: outline.length === 0 ? undefined : isOutlineOpen,
      isInverted,
      onOutline: toggleOutline,
      onFind: find,
      onColours: toggleColours,
    });
    const findBar = h(FindBar, {
      requests: findRequests,
      query,
      found,
      onQuery: (typed) => {
        query = typed;
        found = nothingFound;
        pages.find.search(query);
        draw();
      },
      onStep: findNext,
      onClose: closeFind,
    });
    render([toolbar, isFinding ? findBar : undefined], bar);
  };
  const drawSide = (): void => {
    side.hidden = !isOutlineOpen;
    render(isOutlineOpen ? h(OutlinePane, { items: outline, onGoTo: goToItem }) : null, side);
    draw();
  };
  const pages = new PdfPages(container, pdf, {
    onPlace(changed) {
      place = changed;
      draw();
    },
    onFound(changed) {
      found = changed;
      draw();
    },
  });
  const goToItem = (item: OutlineItem): void => {
    void pages.goToItem(item);
  };
  function find(): void {
    const selected = document.getSelection()?.toString().trim() ?? '';
    const isNew = selected !== '' && selected.length < 100 && !selected.includes('\n');
    if (isNew) query = selected;
    isFinding = true;
    findRequests++;
    if (query !== '') pages.find.search(query);
    draw();
  }
  function findNext(isBackwards: boolean): void {
    if (isFinding) pages.find.step(isBackwards);
    else find();
  }
  function closeFind(): boolean {
    if (!isFinding) return false;
    isFinding = false;
    draw();
    container.focus();
    void pages.find.close();
    return true;
  }
  function toggleOutline(): void {
    if (outline.length === 0) return;
    isOutlineOpen = !isOutlineOpen;
    drawSide();
    const focused = isOutlineOpen ? side.querySelector<HTMLElement>('[tabindex="0"]') : container;
    focused?.focus();
  }
  function toggleColours(): void {
    isInverted = !isInverted;
    onInverted(isInverted);
    draw();
  }

  listenForKeys(container, pages, {
    find,
    closeFind,
    findNext,
    toggleOutline,
    toggleColours,
    goToPage() {
      bar.querySelector<HTMLInputElement>('.page-number')?.focus();
    },
    addSelection() {
      onRun('addSelection');
    },
    askAboutSelection() {
      onRun('askAboutSelection');
    },
  });
  offerSelection(container, onRun);
  container.focus();
  pages.outline().then(
    (items) => {
      outline = items;
      isOutlineOpen = items.length > 0 && kept?.isOutlineOpen === true;
      drawSide();
    },
    // One that is damaged is none.
    () => undefined,
  );
  return pages;
}

function makeContainer(frame: Element, title: string): HTMLDivElement {
  const container = element(frame, 'container');
  container.tabIndex = 0;
  container.role = 'document';
  container.ariaLabel = title;
  element(container, 'pdfViewer');
  // Links lead to places within the PDF alone; the editor is not to follow them.
  container.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) event.stopPropagation();
  });
  return container;
}

/** A new element at the end of another one. */
export function element(parent: Element, className: string): HTMLDivElement {
  const child = document.createElement('div');
  child.className = className;
  parent.append(child);
  return child;
}
