import type { PDFDocumentProxy } from 'pdfjs-dist';
import * as v from 'valibot';

const attachedFile = v.looseObject({ filename: v.string() });
const attachments = v.record(v.string(), attachedFile);
const fileAnnotation = v.looseObject({ subtype: v.literal('FileAttachment'), file: attachedFile });

/** Returns the names of the files in a PDF, and those found on its pages. */
export async function attachedFiles(pdf: PDFDocumentProxy, onPages: readonly string[]): Promise<string[]> {
  const rawAttachments: unknown = await pdf.getAttachments().catch(() => null);
  const read = v.safeParse(attachments, rawAttachments);
  const names = read.success ? Object.values(read.output).map(({ filename }) => filename) : [];
  return [...new Set([...names, ...onPages])].map((name) => name.replace(/[\p{Cc}\s]+/gu, ' ').trim());
}

/** Returns the names of the files that a page's annotations contain. */
export function filesOnPage(annotations: readonly unknown[]): string[] {
  return annotations.flatMap((annotation) => {
    // Most annotations are links, so don't validate all their fields.
    if ((annotation as { readonly subtype?: unknown } | null)?.subtype !== 'FileAttachment') return [];
    const read = v.safeParse(fileAnnotation, annotation);
    return read.success ? [read.output.file.filename] : [];
  });
}
