import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PDFLinkService, type EventBus } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { t } from '@vscode/l10n';

type Destination = Parameters<PDFLinkService['goToDestination']>[0];

/** Follows links within the PDF, with a notification before. */
export class PageLinks extends PDFLinkService {
  readonly #onFollow: () => void;

  constructor(eventBus: EventBus, onFollow: () => void) {
    super({ eventBus });
    this.#onFollow = onFollow;
  }

  override async goToDestination(destination: Destination): Promise<void> {
    this.#onFollow();
    await super.goToDestination(destination);
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
  pageLabel: (page: number) => string | undefined,
): void {
  eventBus.on('annotationlayerrendered', ({ pageNumber }: { readonly pageNumber: number }) => {
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
