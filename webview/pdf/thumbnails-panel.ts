import { pageIndexOf, type PageNumber } from '../../src/core/domain/page-number.ts';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { t } from '@vscode/l10n';

/** Width of a drawn page, in pixels. Before a page's size is known, its space follows the first page. */
const WIDTH = 120;

/** Thumbnails next to the pages, drawn as they come into view and dropped when they leave it. */
export class ThumbnailsPanel {
  readonly #side: HTMLElement;
  readonly #pdf: PDFDocumentProxy;
  readonly #pageLabel: (page: PageNumber) => string;
  readonly #onGoTo: (page: PageNumber) => void;
  readonly #onChange: () => void;
  #visibility: IntersectionObserver | undefined;
  #isOpen = false;

  constructor(
    side: HTMLElement,
    pdf: PDFDocumentProxy,
    pageLabel: (page: PageNumber) => string,
    onGoTo: (page: PageNumber) => void,
    onChange: () => void,
  ) {
    this.#side = side;
    this.#pdf = pdf;
    this.#pageLabel = pageLabel;
    this.#onGoTo = onGoTo;
    this.#onChange = onChange;
    side.hidden = true;
  }

  /** `true` if the panel is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens at a page and takes the focus, or closes and returns the focus to the pages. */
  toggle(pages: HTMLElement, page: PageNumber): void {
    this.#isOpen = !this.#isOpen;
    this.#side.hidden = !this.#isOpen;
    this.#onChange();
    if (this.#isOpen) void this.#fill(page);
    else {
      this.#visibility?.disconnect();
      this.#side.replaceChildren();
      pages.focus();
    }
  }

  async #fill(page: PageNumber): Promise<void> {
    const { width, height } = (await this.#pdf.getPage(1)).getViewport({ scale: 1 });
    if (!this.#isOpen) return;
    const list = document.createElement('ul');
    list.className = 'thumbnails';
    list.role = 'listbox';
    list.ariaLabel = t('Pages');
    list.style.setProperty('--height', `${String(Math.round((WIDTH * height) / width))}px`);
    this.#visibility = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) void this.#draw(target);
          else target.querySelector('canvas')?.remove();
      },
      { root: this.#side, rootMargin: '100px' },
    );
    for (let number = 1; number <= this.#pdf.numPages; number++) {
      const item = document.createElement('li');
      item.role = 'option';
      item.tabIndex = number === page ? 0 : -1;
      item.ariaSelected = String(number === page);
      item.ariaLabel = t('Page {0}', this.#pageLabel(number));
      item.dataset['number'] = String(number);
      item.dataset['label'] = this.#pageLabel(number);
      list.append(item);
      this.#visibility.observe(item);
    }
    list.addEventListener('click', ({ target }) => {
      const item = target instanceof Element ? target.closest('li') : null;
      if (item !== null) this.#take(item);
    });
    list.addEventListener('keydown', (event) => {
      const { target } = event;
      if (!(target instanceof HTMLLIElement)) return;
      const next = {
        ArrowDown: target.nextElementSibling,
        ArrowUp: target.previousElementSibling,
        Home: list.firstElementChild,
        End: list.lastElementChild,
      }[event.key];
      if (next instanceof HTMLLIElement) this.#focus(next);
      else if (event.key === 'Enter') this.#take(target);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.#side.replaceChildren(list);
    const first = list.children[pageIndexOf(page)];
    if (first instanceof HTMLLIElement) this.#focus(first);
  }

  #focus(item: HTMLLIElement): void {
    for (const other of item.parentElement?.querySelectorAll<HTMLLIElement>('[tabindex="0"]') ?? []) {
      other.tabIndex = -1;
      other.ariaSelected = 'false';
    }
    item.tabIndex = 0;
    item.ariaSelected = 'true';
    item.focus();
    item.scrollIntoView({ block: 'nearest' });
  }

  #take(item: HTMLLIElement): void {
    this.#focus(item);
    this.#onGoTo(Number(item.dataset['number']));
  }

  async #draw(item: Element): Promise<void> {
    if (!(item instanceof HTMLElement) || item.querySelector('canvas') !== null) return;
    const canvas = document.createElement('canvas');
    item.append(canvas);
    try {
      const page = await this.#pdf.getPage(Number(item.dataset['number']));
      const scale = WIDTH / page.getViewport({ scale: 1 }).width;
      const viewport = page.getViewport({ scale });
      [canvas.width, canvas.height] = [Math.round(viewport.width), Math.round(viewport.height)];
      // Skip pages that have left the view meanwhile.
      if (canvas.isConnected) await page.render({ canvas, viewport }).promise;
    } catch {
      // A damaged page stays white.
    }
  }
}
