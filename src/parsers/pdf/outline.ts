import type { PageIndex } from '../../core/domain/page-number.ts';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { withTimeout } from './with-timeout.ts';

/** Bookmark of a PDF, and its target. */
export interface OutlineEntry {
  readonly title: string;
  /** Level, from 1 for the outermost. */
  readonly level: number;
  readonly page: PageIndex;
  /** Position in points from the page's lower edge, if the file names it. */
  readonly top: number | undefined;
}

/** Maximum time for reading an outline, which can be hostile, in milliseconds. After it, the outline is ignored. */
const TIMEOUT_MS = 20_000;
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 6;

type Node = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/** Returns the bookmarks of a PDF that point to its pages, in order; empty if they can't be read. */
export async function readPdfOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  try {
    return await withTimeout(TIMEOUT_MS, readOutline(pdf));
  } catch {
    // A PDF is readable without its bookmarks.
    return [];
  }
}

async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const add = async (nodes: readonly Node[], level: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= MAX_ENTRIES) return;
      const title = node.title.replace(/[\s\p{Cc}]+/gu, ' ').trim();
      const place = title === '' ? undefined : await findPlace(pdf, node.dest);
      if (place !== undefined) entries.push({ title, level, ...place });
      if (level < MAX_DEPTH) await add(node.items as readonly Node[], level + 1);
    }
  };
  // Contrary to its types, pdf.js returns null if there is no outline.
  const nodes = (await pdf.getOutline()) as readonly Node[] | null;
  await add(nodes ?? [], 1);
  return entries;
}

async function findPlace(
  pdf: PDFDocumentProxy,
  destination: Node['dest'],
): Promise<Pick<OutlineEntry, 'page' | 'top'> | undefined> {
  try {
    const explicit: unknown =
      typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
    if (!Array.isArray(explicit)) return undefined;
    const [target, fit, ...numbers] = explicit as readonly unknown[];
    const page = await findPage(pdf, target);
    if (page === undefined || page < 0 || page >= pdf.numPages) return undefined;
    const kind = isNamed(fit) ? fit.name : '';
    const top = kind === 'XYZ' ? numbers[1] : /^FitB?H$/.test(kind) ? numbers[0] : undefined;
    return { page, top: typeof top === 'number' ? top : undefined };
  } catch {
    // The other bookmarks may be valid.
    return undefined;
  }
}

async function findPage(pdf: PDFDocumentProxy, target: unknown): Promise<number | undefined> {
  if (Number.isInteger(target)) return Number(target);
  return isReference(target) ? pdf.getPageIndex(target) : undefined;
}

function isReference(value: unknown): value is { readonly num: number; readonly gen: number } {
  return typeof value === 'object' && value !== null && 'num' in value && 'gen' in value;
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}
