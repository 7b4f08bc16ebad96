import { partsOfPacks } from '../core/language/words/pack-words.ts';
import { pageIndexOf } from '../core/domain/page-number.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { t } from '@vscode/l10n';
import { mergeAnnotations, type AnnotationsByKey } from '../core/domain/annotation.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError, throwIfCanceled } from '../core/domain/errors.ts';
import { annotationsOn, type FileAnnotation } from '../core/domain/read-annotations.ts';
import { bibliographyOfPdf } from './bibliography/pdf-bibliography.ts';
import { placeFormLines, readDynamicForm } from './pdf/dynamic-form.ts';
import { attachedFiles, filesOnPage } from './pdf/attached-files.ts';
import { writeText, type PageFrame, type PdfText } from './pdf/document-text.ts';
import { GatheredLines } from './pdf/gathered-lines.ts';
import { lookAtEmptyPages } from './pdf/empty-pages.ts';
import { readPdfOutline } from './pdf/outline.ts';
import { damagedError, openPdf, openSalvaged, type OpenPdf } from './pdf/open.ts';
import { MAX_TEXT_LENGTH } from './markdown-writer.ts';
import { linesOfPage } from './pdf/page-lines.ts';
import { textOfPage } from './pdf/page-text.ts';
import type { PageLines } from './pdf/repeated-lines.ts';
import { listPages, listNames, describeWarnings } from './pdf/warnings.ts';
import { withTimeout } from './pdf/with-timeout.ts';
import { fragmentsOfRecognized, type RecognizedPage } from './scans/recognized-page.ts';

export interface PdfContext {
  readonly password?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly report?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Recognition results so far for pages without text, by page number; undefined without text recognition. */
  readonly recognised?: ReadonlyMap<number, RecognizedPage> | undefined;
  /** Changes to its annotations that the notebook saved. */
  readonly storedAnnotations?: AnnotationsByKey | undefined;
}

/** Maximum time for pdf.js to read a page, in milliseconds. After it, the page counts as damaged. */
const PAGE_TIMEOUT_MS = 30_000;

/** Maximum number of pages, and maximum reading time in milliseconds. Later pages are left out. */
const MAX_PAGES = 20_000;
const MAX_READING_LENGTH = 15 * 60_000;

/** Number of pages after which pdf.js frees its caches. */
const PAGES_PER_CLEANUP = 100;

/**
 * Reads a PDF page by page. The warnings list pages that can't be read or have no text, and those whose text is to be
 * recognized.
 * @throws NotebookError `encrypted`, `unsupported`, `damaged`, `too-short` if there is no text at all, or `cancelled`.
 */
export async function readPdf(bytes: Uint8Array, name: string, context: PdfContext): Promise<ReadDocument> {
  const opened = await openPdf(bytes, name, context.password);
  try {
    const document = await readOpen(opened, name, context);
    if (document !== undefined) return document;
  } finally {
    await opened.task.destroy();
  }
  const salvaged = opened.isSalvaged ? undefined : await openSalvaged(bytes, context.password);
  try {
    const document = salvaged && (await readOpen(salvaged, name, context));
    if (document !== undefined) return document;
  } finally {
    await salvaged?.task.destroy();
  }
  throw damagedError(name, undefined);
}

/** Reads an open PDF; undefined if no page can be read, or the pages of a damaged file have no content. */
async function readOpen(
  { pdf, bytes, isSalvaged }: OpenPdf,
  name: string,
  context: PdfContext,
): Promise<ReadDocument | undefined> {
  const { recognised } = context;
  const info = await readInfo(pdf);
  const form =
    info.IsXFAPresent === true && info.IsAcroFormPresent !== true
      ? await readDynamicForm(bytes, context.password)
      : undefined;
  const read = await readPages(pdf, info.IsAcroFormPresent === true, form, context);
  const { gathered, frames, annotations, garbled, damaged: unread, leftOut } = read;
  const { count } = gathered;
  if (unread.length === count) return undefined;
  const marks = mergeAnnotations(annotations, context.storedAnnotations ?? []).filter(
    ({ page }) => page <= frames.length,
  );
  const outline = await readPdfOutline(pdf);
  const withoutRunning = writeText(gathered, frames, outline, marks);
  const empty = withoutRunning.emptyPages.filter(
    (page) => !garbled.includes(page) && !unread.includes(page) && recognised?.has(page) !== true,
  );
  if (withoutRunning.emptyPages.length === count && isSalvaged) return undefined;
  const {
    images,
    drawings,
    damaged: undrawn,
  } = await lookAtEmptyPages(bytes, empty, {
    ...context,
    onPage: () => context.report?.({ done: count, total: count }),
  });
  const damaged = [...unread, ...undrawn].sort((a, b) => a - b);
  if (damaged.length === count) return undefined;
  const bare = empty.filter(
    (page) => ![...images, ...drawings, ...undrawn].includes(page) && !gathered.isBlank(pageIndexOf(page)),
  );
  // If nothing else is on most pages, the repeated lines aren't running headers but labels or tickets.
  const { emptyPages, ...written } =
    2 * bare.length > count ? writeText(gathered, frames, outline, marks, true) : withoutRunning;
  const isEmpty = emptyPages.length === count;
  const isPortfolio = info.IsCollectionPresent === true;
  const attached = await attachedFiles(pdf, read.attached);
  const waiting = recognised && [...images, ...drawings, ...garbled].sort((a, b) => a - b);
  if (isEmpty && (waiting ?? []).length === 0)
    throw recognised && recognised.size > 0
      ? nothingRecognizedError(name, recognised)
      : isPortfolio && attached.length > 0
        ? onlyPortfolioError(name, attached)
        : noTextError(name, images, garbled, count);
  const blank = empty.filter(
    (page) =>
      !images.includes(page) &&
      !undrawn.includes(page) &&
      waiting?.includes(page) !== true &&
      gathered.isBlank(pageIndexOf(page)),
  );
  const isScan = recognised !== undefined && (waiting?.length !== 0 || recognised.size > 0);
  const title = declaredTitle(info.Title) ?? largestOnFirstPage(written);
  const firstPage = written.text.slice(0, written.map.pages[1]?.start);
  return {
    title,
    bibliography: await bibliographyOfPdf(pdf, firstPage, title),
    mediaType: 'application/pdf',
    ...written,
    ...(isScan && { unrecognised: waiting }),
    warnings: describeWarnings({
      images: recognised ? [] : images,
      garbled: recognised ? [] : garbled,
      wordless: emptyPages.filter(
        (page) => recognised?.get(page)?.problem === undefined && recognised?.has(page),
      ),
      problems: [...(recognised ?? [])].flatMap(([, { problem }]) => problem ?? []),
      blank,
      form: form ? 'read' : isPlaceholder(info, written.text) ? 'unread' : undefined,
      attached,
      isPortfolio,
      damaged,
      salvaged: isSalvaged ? count : undefined,
      read: count,
      leftOut,
    }),
  };
}

interface ReadPages {
  readonly gathered: GatheredLines;
  readonly frames: PageFrame[];
  readonly annotations: FileAnnotation[];
  /** Names of files attached to places on pages. */
  readonly attached: string[];
  /** One-based page numbers. */
  readonly garbled: number[];
  readonly damaged: number[];
  /** Number of pages at the end that weren't read. */
  leftOut: number;
}

async function readPages(
  pdf: PDFDocumentProxy,
  hasForm: boolean,
  form: readonly string[] | undefined,
  { signal, report, recognised }: PdfContext,
): Promise<ReadPages> {
  const labels = await pdf.getPageLabels().catch(() => null);
  const began = performance.now();
  const total = Math.min(pdf.numPages, MAX_PAGES);
  const read: ReadPages = {
    gathered: new GatheredLines(total),
    frames: [],
    annotations: [],
    attached: [],
    garbled: [],
    damaged: [],
    leftOut: pdf.numPages,
  };
  for (let number = 1; number <= total; number++) {
    // pdf.js runs in microtasks only. Yield, so that a cancellation can arrive.
    await nextTurn();
    throwIfCanceled(signal);
    const label = labels?.[number - 1] ?? undefined;
    try {
      const { page, frame, annotations, attached, isGarbled } = await withTimeout(
        PAGE_TIMEOUT_MS,
        readPage(pdf, number, hasForm, number === 1 ? form : undefined, recognised?.get(number)),
      );
      read.gathered.add(page);
      read.frames.push({ ...frame, label });
      read.annotations.push(...annotations);
      read.attached.push(...attached);
      if (isGarbled) read.garbled.push(number);
    } catch {
      // The notebook lists the page as damaged. The other pages may be readable.
      read.gathered.add({ width: 1, height: 1, lines: [] });
      read.frames.push({ width: 612, height: 792, label });
      read.damaged.push(number);
    }
    // pdf.js caches fonts and page data to show pages again.
    if (number % PAGES_PER_CLEANUP === 0) await pdf.cleanup().catch(() => undefined);
    read.leftOut--;
    report?.({ done: number, total });
    if (read.gathered.length >= MAX_TEXT_LENGTH || performance.now() - began > MAX_READING_LENGTH) break;
  }
  return read;
}

interface ReadPage {
  /** Lines in reading order, and the height of the displayed page. */
  readonly page: PageLines;
  /** Page size in the file. */
  readonly frame: Pick<PageFrame, 'width' | 'height'>;
  readonly annotations: readonly FileAnnotation[];
  readonly attached: readonly string[];
  readonly isGarbled: boolean;
}

async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  hasForm: boolean,
  /** Lines of the dynamic form, if the page is only a placeholder for it. */
  form: readonly string[] | undefined,
  recognised: RecognizedPage | undefined,
): Promise<ReadPage> {
  const page = await pdf.getPage(number);
  const { width, height, fragments: written, isGarbled } = await textOfPage(page, hasForm);
  const shown = page.getViewport({ scale: 1 });
  const isRecognized = recognised !== undefined && written.length === 0;
  const fragments = isRecognized ? fragmentsOfRecognized(recognised, shown) : written;
  const lines = form ? placeFormLines(form, { width, height }) : linesOfPage(fragments, shown.height);
  const rawAnnotations: unknown[] = await page.getAnnotations().catch(() => []);
  page.cleanup();
  return {
    page: { lines, width: shown.width, height: shown.height },
    frame: { width, height },
    annotations: annotationsOn(number, rawAnnotations),
    attached: filesOnPage(rawAnnotations),
    isGarbled: isGarbled && !isRecognized,
  };
}

function noTextError(
  name: string,
  images: readonly number[],
  garbled: readonly number[],
  pages: number,
): NotebookError {
  return new NotebookError('too-short', noTextSentence(name, images, garbled, pages));
}

function nothingRecognizedError(
  name: string,
  recognised: ReadonlyMap<number, RecognizedPage>,
): NotebookError {
  const problem = [...recognised.values()].find((page) => page.problem !== undefined)?.problem;
  return new NotebookError(
    'too-short',
    problem ??
      t(
        '{0} has no text, and text recognition found no words on its pages. Add a sharper copy, or run “Choose Text Recognition Languages…” to select its languages.',
        name,
      ),
  );
}

function noTextSentence(
  name: string,
  images: readonly number[],
  garbled: readonly number[],
  pages: number,
): string {
  if (images.length === 0)
    return garbled.length > 0
      ? t(
          'Can’t read the text of {0} because its fonts don’t identify their characters. Add a copy with recognized text (OCR).',
          name,
        )
      : t('{0} has no text. Add a copy with recognized text (OCR).', name);
  if (pages === 1)
    return t(
      '{0} has no text because its page is an image, such as a scan. Add a copy with recognized text (OCR).',
      name,
    );
  if (images.length === pages)
    return t(
      '{0} has no text because all {1} pages are images, such as scans. Add a copy with recognized text (OCR).',
      name,
      pages,
    );
  return images.length === 1
    ? t(
        '{0} has no text, and page {1} is an image, such as a scan. Add a copy with recognized text (OCR).',
        name,
        listPages(images),
      )
    : t(
        '{0} has no text, and pages {1} are images, such as scans. Add a copy with recognized text (OCR).',
        name,
        listPages(images),
      );
}

interface PdfInfo {
  readonly Title?: unknown;
  readonly IsAcroFormPresent?: unknown;
  readonly IsXFAPresent?: unknown;
  readonly IsCollectionPresent?: unknown;
}

async function readInfo(pdf: PDFDocumentProxy): Promise<PdfInfo> {
  // A PDF is readable without its metadata.
  const metadata = await pdf.getMetadata().catch(() => undefined);
  return metadata?.info ?? {};
}

/** Matches the text of the page that a dynamic form shows in programs without XFA. */
export const PLACEHOLDER = new RegExp(
  String.raw`^\s*(?:${partsOfPacks(({ pleaseWait }) => pleaseWait)})\b`,
  'i',
);
const ADOBE_PLACEHOLDER = /^\s*Please wait\.{3}\s+If this message is not eventually replaced/;
/** Maximum length of a placeholder's text, in UTF-16 code units. */
const MAX_PLACEHOLDER_LENGTH = 1_500;

/** Reports whether a file has only the placeholder page of a dynamic form. */
function isPlaceholder({ IsXFAPresent, IsAcroFormPresent }: PdfInfo, text: string): boolean {
  if (text.length > MAX_PLACEHOLDER_LENGTH) return false;
  if (ADOBE_PLACEHOLDER.test(text)) return true;
  return IsXFAPresent === true && (IsAcroFormPresent !== true || PLACEHOLDER.test(text));
}

function onlyPortfolioError(name: string, attached: readonly string[]): NotebookError {
  return new NotebookError(
    'too-short',
    t(
      '{0} is a portfolio without text of its own. Save its files from a PDF viewer, then add them as sources: {1}.',
      name,
      listNames(attached),
    ),
  );
}

function declaredTitle(declared: unknown): string | undefined {
  const title = typeof declared === 'string' ? declared.replace(/\s+/g, ' ').trim() : '';
  // Programs often write a file name or a meaningless word there.
  const says =
    /\p{L}{2}/u.test(title) && !/^(?:untitled|microsoft \w+ - |about:|https?:|[^ ]+\.\w{2,5}$)/i.test(title);
  return says ? title : undefined;
}

function largestOnFirstPage({ headings, map }: PdfText): string | undefined {
  const end = map.pages[1]?.start ?? Infinity;
  const first = headings.filter(({ offset }) => offset < end);
  return first.toSorted((a, b) => a.level - b.level)[0]?.title;
}
