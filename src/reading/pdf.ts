import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ReadDocument } from '../notebook/document.ts';
import { NotebookError, throwIfCancelled } from '../notebook/errors.ts';
import type { PageFrame, PdfText } from './pdf/document-text.ts';
import { writeText } from './pdf/document-text.ts';
import { loadPdf, openingError } from './pdf/engine.ts';
import { segmentsOf, turnedSegmentsOf } from './pdf/lines.ts';
import { textOfPage } from './pdf/page-text.ts';
import { inReadingOrder } from './pdf/reading-order.ts';
import type { PageLines } from './pdf/repeated-lines.ts';
import { withoutRepeatedLines } from './pdf/repeated-lines.ts';

export interface PdfContext {
  readonly signal?: AbortSignal | undefined;
  readonly report?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Reads a PDF page by page. Pages that cannot be read or hold no text are named in the warnings. */
export async function readPdf(bytes: Uint8Array, name: string, context: PdfContext): Promise<ReadDocument> {
  const task = await loadPdf(bytes);
  try {
    const pdf = await task.promise.catch((error: unknown) => {
      throw openingError(error, name);
    });
    const { pages, frames, unreadable } = await readPages(pdf, context);
    if (unreadable.length === pages.length) throw openingError(undefined, name);
    const written = writeText(withoutRepeatedLines(pages), frames);
    const blank = pages.flatMap(({ lines }, index) =>
      lines.length === 0 && !unreadable.includes(index + 1) ? [index + 1] : [],
    );
    if (blank.length === pages.length) {
      throw new NotebookError(
        'too-short',
        `${name} holds no text; it may be a scan, so add a copy that went through text recognition.`,
      );
    }
    return {
      title: (await declaredTitle(pdf)) ?? largestOnFirstPage(written),
      mediaType: 'application/pdf',
      format: 'prose',
      languageId: undefined,
      ...written,
      warnings: warningsOf(blank, unreadable),
    };
  } finally {
    await task.destroy();
  }
}

interface ReadPages {
  readonly pages: PageLines[];
  readonly frames: PageFrame[];
  /** One-based. */
  readonly unreadable: number[];
}

async function readPages(pdf: PDFDocumentProxy, { signal, report }: PdfContext): Promise<ReadPages> {
  const labels = await pdf.getPageLabels().catch(() => null);
  const read: ReadPages = { pages: [], frames: [], unreadable: [] };
  for (let number = 1; number <= pdf.numPages; number++) {
    // pdf.js goes on in microtasks here; this lets a request to stop come in.
    await nextTurn();
    throwIfCancelled(signal);
    const label = labels?.[number - 1] ?? undefined;
    try {
      const page = await pdf.getPage(number);
      const { width, height, fragments } = await textOfPage(page);
      const upright = inReadingOrder(segmentsOf(fragments));
      const turned = turnedSegmentsOf(fragments).flatMap((segment) => inReadingOrder([segment]));
      read.pages.push({ height: page.getViewport({ scale: 1 }).height, lines: [...upright, ...turned] });
      read.frames.push({ width, height, label });
      page.cleanup();
    } catch {
      read.pages.push({ height: 1, lines: [] });
      read.frames.push({ width: 612, height: 792, label });
      read.unreadable.push(number);
    }
    report?.({ done: number, total: pdf.numPages });
  }
  return read;
}

async function declaredTitle(pdf: PDFDocumentProxy): Promise<string | undefined> {
  const metadata = await pdf.getMetadata().catch(() => undefined);
  const declared = (metadata?.info as { Title?: unknown } | undefined)?.Title;
  const title = typeof declared === 'string' ? declared.replace(/\s+/g, ' ').trim() : '';
  // Programs put a file's name there, or a word that says nothing.
  const says =
    /\p{L}{2}/u.test(title) && !/^(?:untitled|microsoft \w+ - |about:|https?:|[^ ]+\.\w{2,5}$)/i.test(title);
  return says ? title : undefined;
}

function largestOnFirstPage({ headings, map }: PdfText): string | undefined {
  const end = map.pages[1]?.start ?? Infinity;
  const first = headings.filter(({ offset }) => offset < end);
  return first.toSorted((a, b) => a.level - b.level)[0]?.title;
}

function warningsOf(blank: readonly number[], unreadable: readonly number[]): string[] {
  const warnings: string[] = [];
  if (blank.length === 1) warnings.push(`Page ${listed(blank)} holds no text; it may be a scan.`);
  if (blank.length > 1) warnings.push(`Pages ${listed(blank)} hold no text; they may be scans.`);
  if (unreadable.length === 1) warnings.push(`Page ${listed(unreadable)} is damaged and could not be read.`);
  if (unreadable.length > 1) warnings.push(`Pages ${listed(unreadable)} are damaged and could not be read.`);
  return warnings;
}

/** `2, 5 and 7–9` */
function listed(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const words = ranges.flatMap(([from, to]) => {
    if (from === to) return [String(from)];
    return to === from + 1 ? [String(from), String(to)] : [`${String(from)}–${String(to)}`];
  });
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}` : (words[0] ?? '');
}
