// The viewer's components take the library from the global that this import sets.
import 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { AnnotationMode } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { EventBus, PDFLinkService, PDFViewer } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { PdfMark } from '../../src/messages/viewer.ts';
import { placeOf } from './mark-places.ts';

/** Where the reader is. */
export interface Place {
  readonly page: number;
  readonly pages: number;
  /** The page's printed number, where it differs. */
  readonly label: string | undefined;
  /** 1 is the printed size. */
  readonly scale: number;
}

/** As wide as the window, but hardly larger than printed. */
const initialScale = 'auto';
const fitWidth = 'page-width';

/** How far below the upper edge marked words are brought to stand. */
const shareAboveMark = 1 / 3;

/** The pages of a PDF in one column, drawn as they come into view, with marks on them. */
export class PdfPages {
  readonly #viewer: PDFViewer;
  readonly #document: PDFDocumentProxy;
  readonly #container: HTMLDivElement;
  #labels: readonly string[] | null = null;
  #mark: PdfMark | undefined;

  constructor(container: HTMLDivElement, document: PDFDocumentProxy, onPlace: (place: Place) => void) {
    const eventBus = new EventBus();
    const links = new PDFLinkService({ eventBus });
    links.externalLinkEnabled = false;
    this.#container = container;
    this.#document = document;
    this.#viewer = new PDFViewer({
      container,
      eventBus,
      linkService: links,
      annotationMode: AnnotationMode.ENABLE,
      enableAutoLinking: false,
      removePageBorders: true,
    });
    links.setViewer(this.#viewer);
    const tell = (): void => {
      onPlace(this.place);
    };
    eventBus.on('pagesinit', () => {
      this.#viewer.currentScaleValue = initialScale;
    });
    for (const event of ['pagesinit', 'pagechanging', 'scalechanging']) eventBus.on(event, tell);
    for (const event of ['pagerendered', 'scalechanging', 'rotationchanging']) {
      eventBus.on(event, () => {
        this.#drawMark();
      });
    }
    this.#viewer.setDocument(document);
    links.setDocument(document);
    new ResizeObserver(() => {
      const { currentScaleValue } = this.#viewer;
      if (currentScaleValue === initialScale || currentScaleValue === fitWidth) {
        this.#viewer.currentScaleValue = currentScaleValue;
      }
    }).observe(container);
    void document.getPageLabels().then((labels) => {
      this.#labels = labels;
      tell();
    });
  }

  get place(): Place {
    const page = this.#viewer.currentPageNumber;
    const label = this.#labels?.[page - 1];
    return {
      page,
      pages: this.#document.numPages,
      label: label === undefined || label === '' || label === String(page) ? undefined : label,
      scale: this.#viewer.currentScale,
    };
  }

  /** Goes to a page by its number; numbers past the ends go to the ends. */
  goTo(page: number): void {
    this.#viewer.currentPageNumber = Math.max(1, Math.min(page, this.#document.numPages));
  }

  /** The page with a printed number, or of that number from the first one. */
  pageOf(written: string): number | undefined {
    const labelled = this.#labels?.indexOf(written.trim()) ?? -1;
    if (labelled !== -1) return labelled + 1;
    const number = Number(written);
    return Number.isInteger(number) && number >= 1 && number <= this.#document.numPages ? number : undefined;
  }

  zoomIn(): void {
    this.#viewer.increaseScale();
  }

  zoomOut(): void {
    this.#viewer.decreaseScale();
  }

  fitWidth(): void {
    this.#viewer.currentScaleValue = fitWidth;
  }

  /** Zooms by a factor around a point of the window, as a pinch or a wheel does. */
  zoomAt(factor: number, x: number, y: number): void {
    this.#viewer.updateScale({ scaleFactor: factor, origin: [x, y], drawingDelay: 400 });
  }

  /** Marks words and brings them into view. */
  async reveal(mark: PdfMark): Promise<void> {
    this.#mark = mark;
    await this.#viewer.firstPagePromise;
    await this.#ensureSize(mark.page);
    this.goTo(mark.page);
    this.#drawMark();
    this.#scrollToMark();
    const { scrollTop } = this.#container;
    // Until all pages are known those before this one may still change their size.
    await this.#viewer.pagesPromise;
    if (this.#mark !== mark || this.#container.scrollTop !== scrollTop) return;
    this.#drawMark();
    this.#scrollToMark();
  }

  async #ensureSize(page: number): Promise<void> {
    const view = this.#pageView(page);
    if (view === undefined || view.pdfPage) return;
    const loaded = await this.#document.getPage(page);
    if (!view.pdfPage) view.setPdfPage(loaded);
  }

  #pageView(page: number): PDFPageView | undefined {
    return this.#viewer.getPageView(page - 1) as PDFPageView | undefined;
  }

  /** A page that is drawn anew drops what it held, so that marks are put on it again each time. */
  #drawMark(): void {
    for (const old of this.#container.querySelectorAll('.mark')) old.remove();
    for (const rectangle of this.#mark?.rectangles ?? []) {
      const view = this.#pageView(rectangle.page);
      if (view === undefined) continue;
      const { left, top, width, height } = placeOf(rectangle, view.viewport);
      const element = document.createElement('div');
      element.className = 'mark';
      element.style.left = percent(left);
      element.style.top = percent(top);
      element.style.width = percent(width);
      element.style.height = percent(height);
      view.div.append(element);
    }
  }

  #scrollToMark(): void {
    const first = this.#container.querySelector('.mark')?.getBoundingClientRect();
    if (first === undefined) return;
    const window = this.#container.getBoundingClientRect();
    this.#container.scrollTop += first.top - window.top - window.height * shareAboveMark;
    if (first.left < window.left) this.#container.scrollLeft += first.left - window.left - 16;
    else if (first.right > window.right) this.#container.scrollLeft += first.right - window.right + 16;
  }
}

function percent(share: number): string {
  return `${String(share * 100)}%`;
}
