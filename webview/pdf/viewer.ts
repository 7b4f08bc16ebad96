import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { h, render } from 'preact';
import type { PdfMarked, PdfPosition, PdfSelection, ViewerCommand } from '../../src/features/pdf/protocol.ts';
import {
  HIGHLIGHT_COLORS,
  type AnnotationEdit,
  type AnnotationKind,
} from '../../src/core/domain/annotation.ts';
import type { FieldEdit } from '../../src/core/domain/form-states.ts';
import { AnnotationCard } from './annotation-card.tsx';
import { markedWords } from './annotation-list.ts';
import { AnnotationsPanel } from './annotations-panel.tsx';
import { BoxTool } from './box-tool.ts';
import { FindPanel } from './find-panel.tsx';
import type { KeyActions } from './key-meanings.ts';
import { listenForKeys } from './keys.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { PdfPages, type PagesListener, type Place } from './pdf-pages.ts';
import { offerSelection } from './selection.tsx';
import { ThumbnailsPanel } from './thumbnails-panel.ts';
import { Toolbar } from './toolbar.tsx';

/** State of a viewer that survives reloads of its window. */
export interface StoredView extends PdfPosition {
  readonly isOutlineOpen?: boolean | undefined;
}

interface ViewerOptions {
  readonly title: string;
  readonly isInverted: boolean;
  readonly savedView: StoredView | undefined;
  readonly onKeep: (view: StoredView) => void;
  readonly onInverted: (inverted: boolean) => void;
  readonly onRun: (command: ViewerCommand) => void;
  readonly onPosition: (position: PdfPosition) => void;
  /** Adds annotations to a note, once the contents of boxes are drawn. */
  readonly onMarked: (marked: Promise<readonly PdfMarked[]>) => void;
  readonly onEdit: (edit: AnnotationEdit) => void;
  readonly onFillIn: (edit: FieldEdit) => void;
}

/** Delay before a new reading position is saved, in milliseconds. */
const SAVE_DELAY_MS = 250;

/** Open PDF in the viewer. */
export interface ShownPdf {
  readonly pages: PdfPages;
  /** Returns the selection, or else the words of the annotation with an open card. */
  selection(): PdfSelection;
  /** Adds the selected entries of the highlight list to a note. */
  addListed(): Promise<void>;
  /** Turns typed text into an edit. */
  flush(): void;
}

/** Shows an open PDF with everything around its pages: toolbar, search, outline, annotations. */
export function showPdf(root: Element, pdf: PDFDocumentProxy, options: ViewerOptions): ShownPdf {
  const { title, savedView: restoredView, onInverted, onRun, onEdit } = options;
  const bar = element(root, 'bar');
  const body = element(root, 'body');
  const side = element(body, 'side');
  const otherSide = element(body, 'side');
  const thumbnailSide = element(body, 'side');
  const container = makeContainer(element(body, 'frame'), title);
  const saveView = delaySaving(options.onKeep);
  let isInverted = options.isInverted;
  let place: Place | undefined;
  let colour: string = HIGHLIGHT_COLORS[0].colour;

  const draw = (): void => {
    if (place === undefined) return;
    container.classList.toggle('inverted', isInverted);
    saveView({ isOutlineOpen: outline.isOpen === true });
    const toolbar = h(Toolbar, {
      pages,
      place,
      isOutlineOpen: outline.isOpen,
      isInverted,
      areAnnotationsOpen: list.isOpen,
      isBoxing: boxes.isOn,
      onAnnotations: () => actions.toggleAnnotations(),
      onBox: () => actions.drawBox(),
      areThumbnailsOpen: thumbnails.isOpen,
      onThumbnails: () => actions.toggleThumbnails(),
      onOutline: () => actions.toggleOutline(),
      onFind: () => actions.find(),
      onColors: () => actions.toggleColors(),
      onPrint: () => onRun('print'),
    });
    render([toolbar, search.bar], bar);
  };
  const listener: PagesListener = {
    onPlace(changed) {
      place = changed;
      draw();
    },
    onPosition(position) {
      saveView(position);
      options.onPosition(position);
    },
    onFound(state) {
      search.update(state);
    },
    onAnnotations() {
      list.draw();
      if (card.key !== undefined) card.update(annotations.find(card.key));
    },
    onEdit,
    onFillIn: options.onFillIn,
    onPick(picked, at) {
      card.open(picked, at, false);
    },
  };
  const pages = new PdfPages(container, pdf, listener, restoredView);
  const { annotations } = pages;
  const addMarked = (keys: readonly string[]): void => {
    const marked = keys.flatMap((key) => annotations.find(key)?.annotation ?? []);
    if (marked.length > 0) options.onMarked(inTurn(marked, (annotation) => pages.toMarked(annotation)));
  };
  const card = new AnnotationCard(container, {
    change(shown, changes) {
      colour = changes.colour ?? colour;
      annotations.change(shown, changes);
    },
    remove(shown) {
      annotations.remove(shown);
    },
    run: onRun,
    addToNote({ key }) {
      addMarked([key]);
    },
    onClosed(key) {
      container.focus();
      annotations.focus(key);
    },
  });
  const list = new AnnotationsPanel(
    otherSide,
    annotations,
    {
      goTo: ({ key }) => void pages.showAnnotation(key),
      remove(shown) {
        annotations.remove(shown);
      },
      addToNote(listed) {
        addMarked(listed.map(({ key }) => key));
      },
      pageLabel: (page) => pages.pageNumber(page),
    },
    draw,
  );
  const thumbnails = new ThumbnailsPanel(
    thumbnailSide,
    pdf,
    (page) => pages.pageNumber(page),
    (page) => pages.jumpTo(page),
    draw,
  );
  /** Closes other panels, because only one fits next to the pages. */
  const closeOthers = (panel: 'outline' | 'annotations' | 'thumbnails'): void => {
    if (panel !== 'outline' && outline.isOpen === true) outline.toggle(container);
    if (panel !== 'annotations' && list.isOpen) list.toggle(container);
    if (panel !== 'thumbnails' && thumbnails.isOpen) thumbnails.toggle(container, pages.place.page);
  };
  const boxes = new BoxTool(
    container,
    (page) => pages.pageIn(page),
    (page, quads) => {
      const key = annotations.add({ kind: 'box', page, quads, colour, words: '', remark: '' });
      annotations.focus(key);
    },
    draw,
  );
  /** Highlights the selection. Returns the key of the first annotation. */
  const mark = (kind: AnnotationKind): string | undefined => {
    const { text, runs } = pages.selection;
    const keys = markedWords(text, runs).map((marked) =>
      annotations.add({ kind, colour, remark: '', ...marked }),
    );
    if (keys.length > 0) document.getSelection()?.removeAllRanges();
    return keys[0];
  };
  const search = new FindPanel(pages.find, container, draw);
  const outline = new OutlinePanel(side, (item) => void pages.goToItem(item), draw);
  const actions: KeyActions = {
    find() {
      search.open();
    },
    closeFind() {
      // The find bar is hidden in presentation mode.
      if (!pages.isPresenting) return search.close();
      actions.togglePresentation();
      return true;
    },
    findNext(isBackwards) {
      search.step(isBackwards);
    },
    toggleOutline() {
      closeOthers('outline');
      outline.toggle(container);
    },
    toggleColors() {
      isInverted = !isInverted;
      onInverted(isInverted);
      draw();
    },
    goToPage() {
      bar.querySelector<HTMLInputElement>('.page-number')?.focus();
    },
    highlight() {
      mark('highlight');
    },
    highlightIn(index) {
      colour = HIGHLIGHT_COLORS[index]?.colour ?? colour;
      const focused =
        document.activeElement instanceof HTMLElement ? document.activeElement.dataset['key'] : undefined;
      const shown = annotations.find(card.key ?? focused ?? '');
      if (shown === undefined) mark('highlight');
      else annotations.change(shown, { colour });
    },
    underline() {
      mark('underline');
    },
    remark() {
      const key = mark('highlight');
      const shown = key === undefined ? undefined : annotations.find(key);
      const at = key === undefined ? undefined : annotations.firstLinePlace(key);
      if (shown !== undefined && at !== undefined) card.open(shown, at, true);
    },
    drawBox() {
      boxes.toggle();
    },
    toggleAnnotations() {
      closeOthers('annotations');
      list.toggle(container);
    },
    toggleThumbnails() {
      closeOthers('thumbnails');
      thumbnails.toggle(container, pages.place.page);
    },
    togglePresentation() {
      const isPresenting = root.classList.toggle('presenting');
      pages.present(isPresenting);
      onRun('togglePresentation');
      container.focus();
    },
    addSelection() {
      onRun('addSelection');
    },
    askAboutSelection() {
      onRun('askAboutSelection');
    },
  };

  listenForKeys(container, pages, actions);
  offerSelection(container, {
    run: onRun,
    mark(kind, picked) {
      colour = picked ?? colour;
      mark(kind);
    },
    remark: () => actions.remark(),
  });
  // VS Code may open the page without the focus. It then stays elsewhere until the user comes here.
  if (document.hasFocus()) container.focus();
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) container.focus();
  });
  pages.outline().then(
    (items) => outline.take(items, restoredView?.isOutlineOpen === true),
    // Ignore a damaged outline.
    () => undefined,
  );
  return {
    pages,
    async addListed() {
      const { selected } = list;
      if (selected.length > 0) {
        addMarked(selected.map(({ key }) => key));
        return;
      }
      await annotations.loadAll(new AbortController().signal);
      addMarked(annotations.shown.map(({ key }) => key));
      // The empty list says how to highlight.
      if (annotations.shown.length === 0 && !list.isOpen) actions.toggleAnnotations();
    },
    flush() {
      card.flush();
      pages.fields.flush();
    },
    selection() {
      const { selection } = pages;
      const shown = selection.text === '' && card.key !== undefined ? annotations.find(card.key) : undefined;
      return shown === undefined ? selection : pages.toSelection(shown.annotation);
    },
  };
}

/** Draws pictures of pages one after another. */
async function inTurn<T, U>(items: readonly T[], make: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) results.push(await make(item));
  return results;
}

/** Collects changes of a view, and saves them after a delay. */
function delaySaving(onKeep: (view: StoredView) => void): (changed: Partial<StoredView>) => void {
  let view: StoredView = { page: 1 };
  let isWaiting = false;
  return (changed) => {
    view = { ...view, ...changed };
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      onKeep(view);
    }, SAVE_DELAY_MS);
  };
}

function makeContainer(frame: Element, title: string): HTMLDivElement {
  const container = element(frame, 'container');
  container.tabIndex = 0;
  container.role = 'document';
  container.ariaLabel = title;
  element(container, 'pdfViewer');
  // Links lead only to positions within the PDF, and the editor must not follow them.
  container.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) event.stopPropagation();
  });
  return container;
}

/** Appends a new element to another one. */
export function element(parent: Element, className: string): HTMLDivElement {
  const child = document.createElement('div');
  child.className = className;
  parent.append(child);
  return child;
}
