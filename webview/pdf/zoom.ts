import type { PDFViewer } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';

/** Initial scale: as wide as the window, but hardly larger than printed. */
const INITIAL_SCALE = 'auto';
const FIT_WIDTH = 'page-width';
const FIT_PAGE = 'page-fit';

/** Scales that follow the size of the window. */
const FITTING: readonly string[] = [INITIAL_SCALE, FIT_WIDTH, FIT_PAGE];

/** Delay before pages are redrawn after zooming by wheel or pinch, in milliseconds. Until then, they are stretched. */
const DRAWING_DELAY = 400;

/** Zoom of the pages. */
export class Zoom {
  readonly #viewer: PDFViewer;
  readonly #container: HTMLElement;
  /** Pending scale factor of a pinch that was too small to be visible. */
  #pending = 1;

  constructor(viewer: PDFViewer, container: HTMLElement) {
    this.#viewer = viewer;
    this.#container = container;
    new ResizeObserver(() => {
      const { currentScaleValue } = viewer;
      if (FITTING.includes(currentScaleValue)) viewer.currentScaleValue = currentScaleValue;
    }).observe(container);
  }

  /** 1 is the printed size. */
  get scale(): number {
    return this.#viewer.currentScale;
  }

  /** Scale as saved: a number, or a mode that follows the window. */
  get value(): string {
    return this.#viewer.currentScaleValue;
  }

  /** Applies a saved scale, or the initial one. */
  start(value: string | undefined): void {
    const isScale = value !== undefined && (FITTING.includes(value) || Number(value) > 0);
    this.#viewer.currentScaleValue = isScale ? value : INITIAL_SCALE;
  }

  /** Makes the pages larger by a step. */
  in(): void {
    this.#viewer.increaseScale();
  }

  /** Makes the pages smaller by a step. */
  out(): void {
    this.#viewer.decreaseScale();
  }

  /** `true` if a page is as wide as the window. */
  get isWide(): boolean {
    return this.value === FIT_WIDTH;
  }

  /** Fits the width of a page into the window, or the whole page if the width already fits. */
  fit(): void {
    this.#viewer.currentScaleValue = this.isWide ? FIT_PAGE : FIT_WIDTH;
  }

  /** Zooms by a factor around a point of the window. */
  at(factor: number, x: number, y: number): void {
    const page = pageAt(this.#container, x, y);
    const before = page?.getBoundingClientRect();
    const scale = this.scale;
    this.#pending *= factor;
    this.#viewer.updateScale({ scaleFactor: this.#pending, drawingDelay: DRAWING_DELAY });
    if (this.scale === scale) return;
    this.#pending = 1;
    const after = page?.getBoundingClientRect();
    if (before === undefined || after === undefined) return;
    this.#container.scrollBy(
      after.left + ((x - before.left) / before.width) * after.width - x,
      after.top + ((y - before.top) / before.height) * after.height - y,
    );
  }
}

/** Returns the page at a point of the window, or the nearest one below or above it. */
function pageAt(container: HTMLElement, x: number, y: number): Element | undefined {
  const under = document.elementFromPoint(x, y)?.closest('.page');
  if (under) return under;
  const pages = [...container.querySelectorAll('.page[data-loaded]')];
  const distance = (page: Element): number => {
    const { top, bottom } = page.getBoundingClientRect();
    return Math.max(top - y, y - bottom, 0);
  };
  return pages.toSorted((a, b) => distance(a) - distance(b))[0];
}
