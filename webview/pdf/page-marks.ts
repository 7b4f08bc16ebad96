import type { PageNumber } from '../../src/core/domain/page-number.ts';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { PdfMark, PdfMarks } from '../../src/features/pdf/protocol.ts';
import { markPlace, type MarkPlace } from './mark-places.ts';

/** Distance of marked words from the upper edge after scrolling, as a share of the height. */
const SHARE_ABOVE = 1 / 3;

/** Marks over cited words; one of them is the current one. */
export class PageMarks {
  readonly #container: HTMLElement;
  readonly #findView: (page: PageNumber) => PDFPageView | undefined;
  #marks: PdfMarks = { marks: [], current: 0 };

  constructor(container: HTMLElement, findView: (page: PageNumber) => PDFPageView | undefined) {
    this.#container = container;
    this.#findView = findView;
  }

  /** Number of marks. */
  get count(): number {
    return this.#marks.marks.length;
  }

  /** Index of the current mark. */
  get current(): number {
    return this.#marks.current;
  }

  /** Current mark; undefined if there is none. */
  get currentMark(): PdfMark | undefined {
    return this.#marks.marks[this.#marks.current];
  }

  /** Replaces the marks. */
  show(marks: PdfMarks): void {
    this.#marks = marks;
    this.draw();
  }

  /** Draws all marks. Needed after each rendering of a page, which drops them. */
  draw(): void {
    for (const old of this.#container.querySelectorAll('.mark')) old.remove();
    for (const [index, mark] of this.#marks.marks.entries())
      this.#drawMark(mark, index === this.#marks.current);
  }

  #drawMark({ rectangles }: PdfMark, isCurrent: boolean): void {
    for (const rectangle of rectangles) {
      const view = this.#findView(rectangle.page);
      if (view === undefined) continue;
      const element = document.createElement('div');
      element.className = isCurrent ? 'mark current' : 'mark';
      placeAt(element, markPlace(rectangle, view.viewport));
      view.div.append(element);
    }
  }

  /** Scrolls the mark into view. */
  scrollToCurrent(): void {
    const first = this.#container.querySelector('.mark.current')?.getBoundingClientRect();
    if (first === undefined) return;
    const window = this.#container.getBoundingClientRect();
    this.#container.scrollTop += first.top - window.top - window.height * SHARE_ABOVE;
    if (first.left < window.left) this.#container.scrollLeft += first.left - window.left - 16;
    else if (first.right > window.right) this.#container.scrollLeft += first.right - window.right + 16;
  }
}

/** Positions an element on its page. */
export function placeAt({ style }: HTMLElement, { left, top, width, height }: MarkPlace): void {
  style.left = percent(left);
  style.top = percent(top);
  style.width = percent(width);
  style.height = percent(height);
}

function percent(share: number): string {
  return `${String(share * 100)}%`;
}
