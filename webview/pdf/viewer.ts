import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { h, render } from 'preact';
import type { Params } from '../../src/messages/rpc.ts';
import type { PdfHostApi } from '../../src/messages/viewer.ts';
import { FindPanel } from './find-panel.tsx';
import type { KeyActions } from './key-meanings.ts';
import { listenForKeys } from './keys.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { PdfPages, type KeptPosition, type PagesListener, type Place } from './pdf-pages.ts';
import { offerSelection } from './selection.tsx';
import { Toolbar } from './toolbar.tsx';

/** What a viewer is kept as across reloads of its window. */
export interface KeptView extends KeptPosition {
  readonly isOutlineOpen?: boolean | undefined;
}

export interface ViewerOptions {
  readonly title: string;
  readonly isInverted: boolean;
  readonly kept: KeptView | undefined;
  readonly onKeep: (view: KeptView) => void;
  readonly onInverted: (inverted: boolean) => void;
  readonly onRun: (command: Params<PdfHostApi['run']>['command']) => void;
}

/** Where the reader is is kept once they have stayed there for so many milliseconds. */
const KEPT_AFTER = 250;

/** Shows an open PDF with all that stands around its pages: toolbar, search, outline. */
export function showPdf(root: Element, pdf: PDFDocumentProxy, options: ViewerOptions): PdfPages {
  const { title, kept, onInverted, onRun } = options;
  const bar = element(root, 'bar');
  const body = element(root, 'body');
  const side = element(body, 'side');
  const container = makeContainer(element(body, 'frame'), title);
  const keep = keeper(options.onKeep);
  let isInverted = options.isInverted;
  let place: Place | undefined;

  const draw = (): void => {
    if (place === undefined) return;
    container.classList.toggle('inverted', isInverted);
    keep({ isOutlineOpen: outline.isOpen === true });
    const toolbar = h(Toolbar, {
      pages,
      place,
      isOutlineOpen: outline.isOpen,
      isInverted,
      onOutline: () => actions.toggleOutline(),
      onFind: () => actions.find(),
      onColours: () => actions.toggleColours(),
    });
    render([toolbar, search.bar], bar);
  };
  const listener: PagesListener = {
    onPlace(changed) {
      place = changed;
      draw();
    },
    onPosition(position) {
      keep(position);
    },
    onFound(found) {
      search.tell(found);
    },
  };
  const pages = new PdfPages(container, pdf, listener, kept);
  const search = new FindPanel(pages.find, container, draw);
  const outline = new OutlinePanel(side, (item) => void pages.goToItem(item), draw);
  const actions: KeyActions = {
    find() {
      search.open();
    },
    closeFind: () => search.close(),
    findNext(isBackwards) {
      search.step(isBackwards);
    },
    toggleOutline() {
      outline.toggle(container);
    },
    toggleColours() {
      isInverted = !isInverted;
      onInverted(isInverted);
      draw();
    },
    goToPage() {
      bar.querySelector<HTMLInputElement>('.page-number')?.focus();
    },
    addSelection() {
      onRun('addSelection');
    },
    askAboutSelection() {
      onRun('askAboutSelection');
    },
  };

  listenForKeys(container, pages, actions);
  offerSelection(container, onRun);
  container.focus();
  pages.outline().then(
    (items) => outline.take(items, kept?.isOutlineOpen === true),
    // One that is damaged is none.
    () => undefined,
  );
  return pages;
}

/** Gathers what changes of a view, and keeps it a moment later. */
function keeper(onKeep: (view: KeptView) => void): (changed: Partial<KeptView>) => void {
  let view: KeptView = { page: 1 };
  let isWaiting = false;
  return (changed) => {
    view = { ...view, ...changed };
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      onKeep(view);
    }, KEPT_AFTER);
  };
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
