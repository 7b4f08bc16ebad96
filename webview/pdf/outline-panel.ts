import { h, render } from 'preact';
import { OutlinePane } from './outline-pane.tsx';
import type { OutlineItem } from './outline.ts';

/** The outline beside the pages, which takes room only where the PDF has one and the reader wants it. */
export class OutlinePanel {
  readonly #side: HTMLElement;
  readonly #onGoTo: (item: OutlineItem) => void;
  readonly #onChange: () => void;
  #items: readonly OutlineItem[] = [];
  #isOpen = false;

  constructor(side: HTMLElement, onGoTo: (item: OutlineItem) => void, onChange: () => void) {
    this.#side = side;
    this.#onGoTo = onGoTo;
    this.#onChange = onChange;
    side.hidden = true;
  }

  /** Undefined where the PDF has no outline, or none that is read yet. */
  get isOpen(): boolean | undefined {
    return this.#items.length === 0 ? undefined : this.#isOpen;
  }

  take(items: readonly OutlineItem[], isOpen: boolean): void {
    this.#items = items;
    this.#isOpen = isOpen && items.length > 0;
    this.#draw();
  }

  /** Opens or closes it, and gives it the focus or the pages theirs back. */
  toggle(pages: HTMLElement): void {
    if (this.#items.length === 0) return;
    this.#isOpen = !this.#isOpen;
    this.#draw();
    const focused = this.#isOpen ? this.#side.querySelector<HTMLElement>('[tabindex="0"]') : pages;
    focused?.focus();
  }

  #draw(): void {
    this.#side.hidden = !this.#isOpen;
    render(this.#isOpen ? h(OutlinePane, { items: this.#items, onGoTo: this.#onGoTo }) : null, this.#side);
    this.#onChange();
  }
}
