import { pageIndexOf, type PageNumber } from '../../src/core/domain/page-number.ts';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  PDFLinkService,
  type EventBus,
  type PDFPageView,
  type PDFViewer,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { t } from '@vscode/l10n';

interface PageEvent {
  readonly pageNumber: number;
}

type Destination = Parameters<PDFLinkService['goToDestination']>[0];

/** Follows links within the PDF, with a notification before. */
export class PageLinks extends PDFLinkService {
  readonly #onFollow: () => void;
  /** Ends the wait for the text of the target page. */
  #wait = new AbortController();

  constructor(eventBus: EventBus, onFollow: () => void) {
    super({ eventBus });
    this.#onFollow = onFollow;
  }

  /** Goes to the target of a link, whose text gets the focus for screen readers. Ignores a target without a page. */
  override async goToDestination(destination: Destination): Promise<void> {
    this.#onFollow();
    this.#wait.abort();
    const wait = new AbortController();
    this.#wait = wait;
    const { viewer, pdf } = this.#parts;
    const target = typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
    const page = target === null ? undefined : await pageOfDestination(pdf, target);
    if (target === null || page === undefined || wait.signal.aborted) return;
    viewer.scrollPageIntoView({ pageNumber: page, destArray: target });
    this.#focusText(page, wait);
  }

  /**
   * Focuses the text of a page once it's drawn, unless the reader has gone to another page. The library would focus a
   * page whenever it's drawn again, and scroll back to it.
   */
  #focusText(page: PageNumber, wait: AbortController): void {
    const focus = (): void => {
      const text = (this.#parts.viewer.getPageView(pageIndexOf(page)) as PDFPageView | undefined)?.textLayer
        ?.div;
      text?.focus({ preventScroll: true });
      // The text is hidden, and can't have the focus, while the page is drawn at another scale.
      if (text !== undefined && document.activeElement === text) wait.abort();
    };
    const { signal } = wait;
    const onChange = ({ pageNumber }: PageEvent): void => {
      if (pageNumber !== page) wait.abort();
    };
    const onDrawn = ({ pageNumber }: PageEvent): void => {
      if (pageNumber === page) focus();
    };
    this.eventBus.on('pagechanging', onChange, { signal });
    this.eventBus.on('textlayerrendered', onDrawn, { signal });
    focus();
  }

  /** The viewer and the PDF, whose types the library does not declare. */
  get #parts(): { readonly viewer: PDFViewer; readonly pdf: PDFDocumentProxy } {
    return { viewer: this.pdfViewer as PDFViewer, pdf: this.pdfDocument as PDFDocumentProxy };
  }
}

/**
 * Names a link after its target page if pdf.js found no text for it, because screen readers need a name. `pageLabel`
 * returns a page's printed number.
 */
export function nameLinks(
  container: HTMLElement,
  pdf: PDFDocumentProxy,
  eventBus: EventBus,
  pageLabel: (page: PageNumber) => string | undefined,
): void {
  eventBus.on('annotationlayerrendered', ({ pageNumber }: PageEvent) => {
    // A viewer that was closed meanwhile has no pages.
    (async () => {
      for (const { id, dest } of await linksWithin(pdf, pageNumber)) {
        const selector = `.annotationLayer a[data-element-id="${CSS.escape(id)}"]:not([title], [aria-label])`;
        const link = container.querySelector(selector);
        if (link === null) continue;
        const page = await pageOfDestination(pdf, dest);
        if (page !== undefined) link.ariaLabel = t('Page {0}', pageLabel(page) ?? page);
      }
    })().catch(() => undefined);
  });
}

async function linksWithin(
  pdf: PDFDocumentProxy,
  pageNumber: number,
): Promise<readonly { readonly id: string; readonly dest: Destination }[]> {
  const page = await pdf.getPage(pageNumber);
  const annotations: readonly { readonly id: string; readonly dest?: Destination | null }[] =
    await page.getAnnotations();
  return annotations.flatMap(({ id, dest }) => (dest ? [{ id, dest }] : []));
}

async function pageOfDestination(pdf: PDFDocumentProxy, dest: Destination): Promise<number | undefined> {
  const target: unknown = (typeof dest === 'string' ? await pdf.getDestination(dest) : dest)?.[0];
  if (typeof target === 'number') return target + 1;
  if (!isReference(target)) return undefined;
  // A link in a damaged PDF may not lead to a page.
  return pdf.getPageIndex(target).then(
    (index) => index + 1,
    () => undefined,
  );
}

function isReference(target: unknown): target is { readonly num: number; readonly gen: number } {
  return typeof target === 'object' && target !== null && 'num' in target && 'gen' in target;
}
