import type { PdfMark, PdfMarks } from '../../messages/viewer.ts';
import type { Locator } from '../../notebook/locator.ts';

export type PdfLocator = Extract<Locator, { kind: 'pdf' }>;

/** The marks of a PDF: the words that were opened among all those that are cited of it, each once, from the first page on. */
export function collectMarks(opened: PdfLocator, all: readonly PdfLocator[]): PdfMarks {
  const marks = new Map<string, PdfMark>();
  for (const { page, rectangles } of [opened, ...all])
    marks.set(JSON.stringify([page, rectangles]), { page, rectangles });
  const shown = marks.get(JSON.stringify([opened.page, opened.rectangles]));
  const ordered = [...marks.values()].sort((a, b) => a.page - b.page || topOf(b) - topOf(a));
  return {
    marks: ordered,
    current: Math.max(
      0,
      ordered.findIndex((mark) => mark === shown),
    ),
  };
}

/** How high words stand on their page, in points from its lower edge. */
function topOf({ page, rectangles }: PdfMark): number {
  return Math.max(0, ...rectangles.filter((one) => one.page === page).map(({ y, height }) => y + height));
}
