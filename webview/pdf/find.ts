import {
  FindState,
  PDFFindController,
  type EventBus,
  type PDFLinkService,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { MatchState } from './match-state.ts';

interface FindEvent {
  readonly state?: number;
  readonly matchesCount: { readonly current: number; readonly total: number };
}

/** Finds words in all pages and marks each match. */
export class PdfFind {
  readonly controller: PDFFindController;
  readonly #eventBus: EventBus;
  readonly #container: HTMLElement;
  #query = '';

  constructor(
    eventBus: EventBus,
    linkService: PDFLinkService,
    container: HTMLElement,
    onFound: (state: MatchState) => void,
  ) {
    this.#eventBus = eventBus;
    this.#container = container;
    this.controller = new Finder(eventBus, linkService, container);
    let isSearching = false;
    const reportState = ({ state, matchesCount }: FindEvent): void => {
      if (state !== undefined) isSearching = state === FindState.PENDING;
      onFound({ isSearching, ...matchesCount });
    };
    eventBus.on('updatefindcontrolstate', reportState);
    eventBus.on('updatefindmatchescount', reportState);
  }

  /** Searches for a new query, from the visible page on. */
  search(query: string): void {
    this.#query = query;
    this.#dispatch('', false);
  }

  /** Goes to the next match, or the previous one, and wraps around at the end. */
  step(isBackwards: boolean): void {
    if (this.#query !== '') this.#dispatch('again', isBackwards);
  }

  /** Removes the marks, and keeps the current match selected so that keys can extend that selection. */
  async close(): Promise<void> {
    const match = matchIn(this.#container);
    this.#eventBus.dispatch('findbarclose', { source: this });
    if (match === undefined) return;
    // Closing the find bar replaces the text nodes in a microtask.
    await Promise.resolve();
    const text = match.line.firstChild;
    if (text instanceof Text && match.end <= text.length)
      document.getSelection()?.setBaseAndExtent(text, match.start, text, match.end);
  }

  #dispatch(type: '' | 'again', findPrevious: boolean): void {
    this.#eventBus.dispatch('find', {
      source: this,
      type,
      query: this.#query,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      findPrevious,
      matchDiacritics: false,
    });
  }
}

/** Distance of a match from the upper edge after scrolling, as a share of the height. */
const SHARE_ABOVE = 1 / 3;

/**
 * Scrolls matches into view within the pages, because the browser's own way would move the toolbar out of view as well.
 */
class Finder extends PDFFindController {
  readonly #container: HTMLElement;

  constructor(eventBus: EventBus, linkService: PDFLinkService, container: HTMLElement) {
    super({ eventBus, linkService });
    this.#container = container;
  }

  override scrollMatchIntoView(match: Parameters<PDFFindController['scrollMatchIntoView']>[0]): void {
    const element: unknown = match.element;
    if (!(element instanceof Element)) return;
    element.scrollIntoView = () => {
      const [place, window] = [element.getBoundingClientRect(), this.#container.getBoundingClientRect()];
      this.#container.scrollBy(
        place.left < window.left || place.right > window.right ? place.left - window.left - 16 : 0,
        place.top - window.top - window.height * SHARE_ABOVE,
      );
    };
    super.scrollMatchIntoView(match);
  }
}

/** Finds the line of the text layer with the current match, and the match's position in it. */
function matchIn(
  container: HTMLElement,
): { readonly line: Element; readonly start: number; readonly end: number } | undefined {
  const mark = container.querySelector('.highlight.selected.appended');
  const line = mark?.parentElement;
  if (!mark || !line) return undefined;
  const before = document.createRange();
  before.selectNodeContents(line);
  before.setEndBefore(mark);
  const start = before.toString().length;
  return { line, start, end: start + mark.textContent.length };
}
