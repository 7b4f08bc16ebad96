import type { PageNumber } from '../../src/core/domain/page-number.ts';
import { t } from '@vscode/l10n';
import type { Quad } from '../../src/core/domain/annotation.ts';
import { quadAround } from '../../src/core/domain/read-annotations.ts';
import { markBox } from './mark-places.ts';

/** Distance that an arrow key moves a side, and minimum size of a box, in pixels. */
const STEP = 8;
const MIN_BOX_SIZE = 6;

/** Visible page. */
export interface BoxPage {
  readonly page: PageNumber;
  readonly div: HTMLElement;
  readonly viewport: { convertToPdfPoint(x: number, y: number): unknown[] };
}

/**
 * Draws a box on a page, by dragging or by keys. Keys move a box that starts in the middle of the window, or resize it
 * with Shift. Enter accepts it, Escape cancels.
 */
export class BoxTool {
  readonly #container: HTMLElement;
  readonly #findPage: (element: Element) => BoxPage | undefined;
  readonly #onBox: (page: PageNumber, quads: readonly Quad[]) => void;
  readonly #onChange: () => void;
  #stop: AbortController | undefined;

  constructor(
    container: HTMLElement,
    findPage: (element: Element) => BoxPage | undefined,
    onBox: (page: PageNumber, quads: readonly Quad[]) => void,
    onChange: () => void,
  ) {
    this.#container = container;
    this.#findPage = findPage;
    this.#onBox = onBox;
    this.#onChange = onChange;
  }

  /** `true` while the tool is active. */
  get isOn(): boolean {
    return this.#stop !== undefined;
  }

  /** Starts or stops drawing. */
  toggle(): void {
    if (this.isOn) {
      this.#end();
      return;
    }
    const page = this.#pageInMiddle();
    if (page === undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#container.classList.add('boxing');
    document.getSelection()?.removeAllRanges();
    this.#draft(page, stop.signal);
    this.#onChange();
  }

  #end(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#container.classList.remove('boxing');
    this.#container.focus();
    this.#onChange();
  }

  #pageInMiddle(): BoxPage | undefined {
    const { left, top, width, height } = this.#container.getBoundingClientRect();
    const middle = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.page');
    const element = middle ?? this.#container.querySelector('.page');
    return element === null ? undefined : this.#findPage(element);
  }

  #draft(first: BoxPage, signal: AbortSignal): void {
    const draft = document.createElement('div');
    draft.className = 'box-draft';
    draft.tabIndex = 0;
    draft.role = 'application';
    draft.ariaLabel = t(
      'Box. Press the arrow keys to move it, or Shift with an arrow key to resize it. Press Enter to confirm, or Escape to cancel.',
    );
    let page = first;
    let box = this.#boxInMiddle(first.div);
    const draw = (): void => {
      // Appending the box again would remove the focus from it.
      if (draft.parentElement !== page.div) page.div.append(draft);
      const { style } = draft;
      [style.left, style.top] = [`${String(box.left)}px`, `${String(box.top)}px`];
      [style.width, style.height] = [`${String(box.width)}px`, `${String(box.height)}px`];
    };
    const take = (): void => {
      const { left, top, width, height } = box;
      this.#end();
      if (width < MIN_BOX_SIZE || height < MIN_BOX_SIZE) return;
      const on = { left, top, right: left + width, bottom: top + height };
      const { x, y, ...size } = markBox(on, page.viewport, { left: 0, top: 0 });
      this.#onBox(page.page, [quadAround([x, y, x + size.width, y + size.height])]);
    };
    draw();
    draft.focus({ preventScroll: true });
    signal.addEventListener('abort', () => {
      draft.remove();
    });
    draft.addEventListener('keydown', (event) => {
      const [x, y] = ARROWS[event.key] ?? [0, 0];
      if (event.key === 'Enter') take();
      else if (event.key === 'Escape') this.#end();
      else if (x === 0 && y === 0) return;
      else if (event.shiftKey)
        box = {
          ...box,
          width: Math.max(STEP, Math.min(box.width + x * STEP, page.div.clientWidth - box.left)),
          height: Math.max(STEP, Math.min(box.height + y * STEP, page.div.clientHeight - box.top)),
        };
      else
        box = {
          ...box,
          left: Math.max(0, Math.min(box.left + x * STEP, page.div.clientWidth - box.width)),
          top: Math.max(0, Math.min(box.top + y * STEP, page.div.clientHeight - box.height)),
        };
      event.preventDefault();
      event.stopPropagation();
      if (this.isOn) draw();
    });
    this.#container.addEventListener(
      'pointerdown',
      (event) => {
        const element = event.target instanceof Element ? event.target.closest('.page') : null;
        const under = element && this.#findPage(element);
        if (!under || event.button !== 0) return;
        event.preventDefault();
        page = under;
        const from = within(page.div, event);
        this.#container.addEventListener(
          'pointermove',
          (moved) => {
            const to = within(page.div, moved);
            box = {
              left: Math.min(from.x, to.x),
              top: Math.min(from.y, to.y),
              width: Math.abs(from.x - to.x),
              height: Math.abs(from.y - to.y),
            };
            draw();
          },
          { signal },
        );
        document.addEventListener('pointerup', take, { signal, once: true });
      },
      { signal },
    );
  }

  /** Returns a box in the middle of the visible part of a page, a third of its width and height. */
  #boxInMiddle(div: HTMLElement): { left: number; top: number; width: number; height: number } {
    const [page, window] = [div.getBoundingClientRect(), this.#container.getBoundingClientRect()];
    const [left, right] = [Math.max(page.left, window.left), Math.min(page.right, window.right)];
    const [top, bottom] = [Math.max(page.top, window.top), Math.min(page.bottom, window.bottom)];
    const [width, height] = [(right - left) / 3, (bottom - top) / 3];
    return { left: left - page.left + width, top: top - page.top + height, width, height };
  }
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the position of a pointer on a page, in pixels from the upper left, clamped to the page. */
function within(
  div: HTMLElement,
  { clientX, clientY }: MouseEvent,
): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = div.getBoundingClientRect();
  return { x: Math.max(0, Math.min(clientX - left, width)), y: Math.max(0, Math.min(clientY - top, height)) };
}
