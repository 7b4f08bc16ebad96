// The viewer's components use the library from the global that this import sets.
import { pageIndexOf, type PageNumber } from '../../src/core/domain/page-number.ts';
import { AnnotationMode, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  EventBus,
  PDFViewer,
  RenderingStates,
  ScrollMode,
  SpreadMode,
  type PDFPageView,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { PdfMarks, PdfPosition, PdfMarked, PdfSelection } from '../../src/features/pdf/protocol.ts';
import { annotationBounds, quadRectangle, type Annotation } from '../../src/core/domain/annotation.ts';
import type { FieldEdit } from '../../src/core/domain/form-states.ts';
import { RunDirection } from '../../src/core/domain/document.ts';
import { PICTURE_LIMITS } from '../../src/core/domain/note-pictures.ts';
import { drawBox } from '../figure/draw-box.ts';
import { boundDrawnPages, drawAtRest } from './drawn-pages.ts';
import type { MatchState } from './match-state.ts';
import { PdfFind } from './find.ts';
import type { OutlineItem } from './outline.ts';
import { markBox } from './mark-places.ts';
import type { BoxPage } from './box-tool.ts';
import { PageAnnotations, type AnnotationListener } from './page-annotations.ts';
import { PageFields } from './page-fields.ts';
import { nameLinks, PageLinks } from './page-links.ts';
import { PageMarks } from './page-marks.ts';
import { selectionIn } from './selection.tsx';
import { NavigationHistory } from './navigation-history.ts';
import { Zoom } from './zoom.ts';

/** Reading position. */
export interface Place {
  readonly page: PageNumber;
  readonly pages: number;
  /** Printed number of the page, if it differs. */
  readonly label: string | undefined;
  /** 1 is the printed size. */
  readonly scale: number;
  /** `true` if a page is as wide as the window. */
  readonly isWide: boolean;
  /** `true` if two pages are side by side. */
  readonly isDouble: boolean;
  /** `true` if the reader jumped here from another position, or back from one. */
  readonly hasBack: boolean;
  readonly hasForward: boolean;
  /** Number of marked citations, and the index of the current one. */
  readonly marks: number;
  readonly currentMark: number;
}

/** Callbacks for changes of the pages. */
export interface PagesListener extends AnnotationListener {
  onPlace(place: Place): void;
  onPosition(position: PdfPosition): void;
  onFound(state: MatchState): void;
  onFillIn(edit: FieldEdit): void;
}

interface ViewArea {
  readonly location: { readonly pageNumber: number; readonly left: number; readonly top: number };
}

/** Distance of an annotation from the upper edge after scrolling, in points. */
const SCROLL_MARGIN = 100;

/** Maximum number of pixels of a page's picture. Above that, only the visible part is sharp. */
const MAX_PIXELS = 2 ** 21;

/** Pages of a PDF in one column with marks, drawn as they come into view. */
export class PdfPages {
  readonly #viewer: PDFViewer;
  readonly #document: PDFDocumentProxy;
  readonly #container: HTMLDivElement;
  readonly #links: PageLinks;
  readonly #marks: PageMarks;
  readonly #listener: PagesListener;
  readonly annotations: PageAnnotations;
  readonly fields: PageFields;
  readonly find: PdfFind;
  readonly zoom: Zoom;
  readonly #trail = new NavigationHistory<PdfPosition>();
  #position: PdfPosition | undefined;
  #labels: readonly string[] | null = null;
  /** Zoom that the presentation replaced. */
  #zoomBefore: string | undefined;
  #shown: PdfMarks = { marks: [], current: 0 };

  /** Creates the viewer; `start` contains the initial scale. */
  constructor(
    container: HTMLDivElement,
    document: PDFDocumentProxy,
    listener: PagesListener,
    start: PdfPosition | undefined,
  ) {
    const eventBus = new EventBus();
    const links = new PageLinks(eventBus, () => this.#leave());
    links.externalLinkEnabled = false;
    this.#container = container;
    this.#document = document;
    this.#links = links;
    this.#listener = listener;
    this.#marks = new PageMarks(container, (page) => this.#pageView(page));
    this.find = new PdfFind(eventBus, links, container, (state) => listener.onFound(state));
    this.#viewer = new PDFViewer({
      container,
      eventBus,
      linkService: links,
      findController: this.find.controller,
      maxCanvasPixels: MAX_PIXELS,
      annotationMode: AnnotationMode.ENABLE_FORMS,
      enableAutoLinking: false,
      removePageBorders: true,
    });
    links.setViewer(this.#viewer);
    nameLinks(container, document, eventBus, (page) => this.#pageLabel(page));
    boundDrawnPages(this.#viewer, eventBus);
    drawAtRest(this.#viewer);
    this.zoom = new Zoom(this.#viewer, container);
    this.annotations = new PageAnnotations(container, document, this.#viewer, eventBus, listener);
    this.fields = new PageFields(container, document, eventBus, (edit) => listener.onFillIn(edit));
    const notifyChange = (): void => this.#notify();
    eventBus.on('pagesinit', () => {
      this.zoom.start(start?.scale);
    });
    eventBus.on('updateviewarea', ({ location }: ViewArea) => {
      const { pageNumber: page, left, top } = location;
      this.#position = { page, left, top, scale: this.zoom.value, isDouble: this.#isDouble };
      listener.onPosition(this.#position);
    });
    if (start?.isDouble === true) this.#viewer.spreadMode = SpreadMode.ODD;
    for (const event of ['pagesinit', 'pagechanging', 'scalechanging']) eventBus.on(event, notifyChange);
    for (const event of ['pagerendered', 'scalechanging', 'rotationchanging']) {
      eventBus.on(event, () => {
        this.#marks.draw();
      });
    }
    this.#viewer.setDocument(document);
    links.setDocument(document);
    void document.getPageLabels().then((labels) => {
      this.#labels = labels;
      notifyChange();
    });
  }

  /** Visible page, and the reading position on it. */
  get place(): Place {
    const page = this.#viewer.currentPageNumber;
    const label = this.#pageLabel(page);
    return {
      page,
      pages: this.#document.numPages,
      label: label === String(page) ? undefined : label,
      scale: this.zoom.scale,
      isWide: this.zoom.isWide,
      isDouble: this.#isDouble,
      hasBack: this.#trail.hasBack,
      hasForward: this.#trail.hasForward,
      marks: this.#marks.count,
      currentMark: this.#marks.current,
    };
  }

  get #isDouble(): boolean {
    return this.#viewer.spreadMode !== SpreadMode.NONE;
  }

  /** Shows two pages side by side, or one. */
  toggleDouble(): void {
    this.#viewer.spreadMode = this.#isDouble ? SpreadMode.NONE : SpreadMode.ODD;
    if (this.#position !== undefined)
      this.#listener.onPosition({ ...this.#position, isDouble: this.#isDouble });
    this.#notify();
  }

  /** Starts or ends the presentation, which shows one whole page at a time. Its end restores the zoom. */
  present(isPresenting: boolean): void {
    const page = this.#viewer.currentPageNumber;
    if (isPresenting) this.#zoomBefore = this.zoom.value;
    this.#viewer.scrollMode = isPresenting ? ScrollMode.PAGE : ScrollMode.VERTICAL;
    this.zoom.start(isPresenting ? 'page-fit' : this.#zoomBefore);
    // A change of scale scrolls to the last position that pdf.js stored. After quick page turns, that position can be
    // on an earlier page.
    this.#viewer.currentPageNumber = page;
  }

  /** `true` if one page is shown at a time. */
  get isPresenting(): boolean {
    return this.#viewer.scrollMode === ScrollMode.PAGE;
  }

  /** Goes back to the position before a jump, or forward again. */
  async step(direction: 'back' | 'forward'): Promise<void> {
    this.#viewer.update();
    if (this.#position === undefined) return;
    const place = this.#trail.step(direction, this.#position);
    if (place !== undefined) await this.restore(place);
    this.#notify();
  }

  /** Jumps to a page, and saves the position to go back to. */
  jumpTo(page: PageNumber): void {
    this.#leave();
    this.goTo(page);
  }

  #leave(): void {
    // Update now, or the viewer reports the position a frame later.
    this.#viewer.update();
    if (this.#position !== undefined) this.#trail.leave(this.#position);
    this.#notify();
  }

  /** Goes to a page by its number; numbers past the ends go to the ends. */
  goTo(page: PageNumber): void {
    this.#viewer.currentPageNumber = Math.max(1, Math.min(page, this.#document.numPages));
  }

  /** Finds the page with a printed number, or else the page at that position. */
  findPage(written: string): number | undefined {
    const labelled = this.#labels?.indexOf(written.trim()) ?? -1;
    if (labelled !== -1) return labelled + 1;
    const number = Number(written);
    return Number.isInteger(number) && number >= 1 && number <= this.#document.numPages ? number : undefined;
  }

  /** Goes to a page as soon as the pages before it are laid out. */
  async show(page: PageNumber): Promise<void> {
    await this.#viewer.firstPagePromise;
    await this.#ensureSize(page);
    this.goTo(page);
  }

  /** Restores a reading position, or goes to the end of a PDF that has become shorter. */
  async restore({ page, left, top }: PdfPosition): Promise<void> {
    await this.show(page);
    if (page > this.#document.numPages || left === undefined || top === undefined) return;
    this.#viewer.scrollPageIntoView({
      pageNumber: page,
      destArray: [null, { name: 'XYZ' }, left, top, null],
      allowNegativeOffset: true,
    });
  }

  /** Selected text in the pages. */
  get selection(): PdfSelection {
    return selectionIn(this.#container, {
      pageLabel: (page) => this.#pageLabel(page),
      boxOn: (page, rectangle) => {
        const view = this.#pageView(page);
        if (view === undefined) throw new Error(`There is no page ${String(page)}.`);
        return markBox(rectangle, view.viewport, view.div.getBoundingClientRect());
      },
    });
  }

  /** Returns the words of an annotation like a selection. */
  toSelection({ page, words, quads }: Annotation): PdfSelection {
    const label = this.#pageLabel(page);
    // Distribute the words evenly over the lines, because their exact positions are unknown.
    const share = words.length / Math.max(1, quads.length);
    return {
      text: words,
      pages: this.pageNumber(page),
      runs: quads.map((quad, index) => ({
        start: Math.round(index * share),
        end: Math.round((index + 1) * share),
        rectangle: quadRectangle(quad, page),
        direction: RunDirection.leftToRight,
      })),
      labels: label === undefined ? {} : { [page]: label },
    };
  }

  /** Returns the content of an annotation. For a box, this includes a picture of the page without annotations. */
  async toMarked(annotation: Annotation): Promise<PdfMarked> {
    const { kind, page, words, remark } = annotation;
    const [left, bottom, right, top] = annotationBounds(annotation);
    const region = { page, x: left, y: bottom, width: right - left, height: top - bottom };
    if (kind !== 'box') return { region, words, remark };
    const box = { left, bottom, right, top };
    const picture = await drawBox(await this.#document.getPage(page), box, PICTURE_LIMITS);
    return { region, words, remark, picture };
  }

  /** Returns the outline; empty if the PDF has none. */
  async outline(): Promise<readonly OutlineItem[]> {
    // The declared type omits null, the result for a PDF without an outline.
    const outline = (await this.#document.getOutline()) as readonly OutlineItem[] | null;
    return outline ?? [];
  }

  /** Goes to the target of an outline item. */
  async goToItem({ dest }: OutlineItem): Promise<void> {
    if (dest !== null) await this.#links.goToDestination(dest);
  }

  /** Goes to the next marked words, or the previous ones, and wraps around at the end. */
  async stepMark(step: 1 | -1): Promise<void> {
    const { count, current } = this.#marks;
    if (count > 0) await this.reveal({ ...this.#shown, current: (current + step + count) % count });
  }

  /** Marks words and brings the current ones into view. */
  async reveal(marks: PdfMarks): Promise<void> {
    this.#shown = marks;
    this.#marks.show(marks);
    this.#notify();
    const current = this.#marks.currentMark;
    if (current === undefined) return;
    await this.show(current.page);
    this.#marks.draw();
    this.#marks.scrollToCurrent();
    const { scrollTop } = this.#container;
    // Earlier pages can change their size until all pages are loaded.
    await this.#viewer.pagesPromise;
    if (this.#shown !== marks || this.#container.scrollTop !== scrollTop) return;
    this.#marks.draw();
    this.#marks.scrollToCurrent();
  }

  /** Finds the page that contains an element. */
  pageIn(element: Element): BoxPage | undefined {
    const page = element instanceof HTMLElement ? Number(element.dataset['pageNumber']) : NaN;
    const view = Number.isInteger(page) ? this.#pageView(page) : undefined;
    return view && { page, div: view.div, viewport: view.viewport };
  }

  /** Returns a page's printed number, or its index if it has none. */
  pageNumber(page: PageNumber): string {
    return this.#pageLabel(page) ?? String(page);
  }

  /** Scrolls an annotation into view and focuses it. */
  async showAnnotation(key: string): Promise<void> {
    const annotation = this.annotations.find(key)?.annotation;
    const quad = annotation?.quads[0];
    if (annotation === undefined || quad === undefined) return;
    this.#leave();
    await this.show(annotation.page);
    this.#viewer.scrollPageIntoView({
      pageNumber: annotation.page,
      destArray: [null, { name: 'XYZ' }, quad[0], quad[1] + SCROLL_MARGIN, null],
      allowNegativeOffset: true,
    });
    await this.#waitUntilDrawn(annotation.page);
    this.annotations.focus(key);
  }

  /** Resolves once a page is drawn. */
  async #waitUntilDrawn(page: PageNumber): Promise<void> {
    const view = this.#pageView(page);
    for (let tries = 0; tries < 50 && view?.renderingState !== RenderingStates.FINISHED; tries++)
      await new Promise((resolve) => setTimeout(resolve, 40));
  }

  #pageLabel(page: PageNumber): string | undefined {
    const label = this.#labels?.[pageIndexOf(page)];
    return label === '' ? undefined : label;
  }

  #notify(): void {
    this.#listener.onPlace(this.place);
  }

  async #ensureSize(page: PageNumber): Promise<void> {
    const view = this.#pageView(page);
    if (view === undefined || view.pdfPage) return;
    const loaded = await this.#document.getPage(page);
    if (!view.pdfPage) view.setPdfPage(loaded);
  }

  #pageView(page: PageNumber): PDFPageView | undefined {
    return this.#viewer.getPageView(pageIndexOf(page)) as PDFPageView | undefined;
  }
}
