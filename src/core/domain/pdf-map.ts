import { pageIndexOf } from './page-number.ts';
import type { OffsetMap, PdfPage } from './document.ts';
import type { PageRectangle } from './locator.ts';
import type { Span } from '../language/span.ts';

/** Run of a text in one line on a page; `direction` is one of `RunDirection`. */
export interface PlacedRun extends Span {
  readonly rectangle: PageRectangle;
  readonly direction: number;
}

/** Recognized word on a page, and the separator before the next one. */
export interface RecognizedRun extends Omit<PlacedRun, keyof Span> {
  readonly text: string;
  readonly separator: '' | ' ' | '\n';
}

/**
 * Returns a mapping to the pages of a PDF for a text from some of them. `runs` ascend; `labels` are printed numbers by
 * one-based page. The page sizes only cover the runs.
 */
export function mapOfRuns(
  runs: readonly PlacedRun[],
  labels: Readonly<Record<number, string>>,
): Extract<OffsetMap, { kind: 'pdf' }> {
  const byPage = Map.groupBy(runs, ({ rectangle }) => rectangle.page);
  const last = Math.max(0, ...byPage.keys());
  const pages = Array.from({ length: last }, (_, index): PdfPage => {
    const on = byPage.get(index + 1) ?? [];
    return {
      width: Math.max(0, ...on.map(({ rectangle: { x, width } }) => x + width)),
      height: Math.max(0, ...on.map(({ rectangle: { y, height } }) => y + height)),
      label: labels[index + 1],
      start: on[0]?.start ?? 0,
    };
  });
  return {
    kind: 'pdf',
    pages,
    starts: Uint32Array.from(runs, ({ start }) => start),
    ends: Uint32Array.from(runs, ({ end }) => end),
    pageOf: Uint16Array.from(runs, ({ rectangle }) => pageIndexOf(rectangle.page)),
    boxes: Float32Array.from(runs.flatMap(({ rectangle: { x, y, width, height } }) => [x, y, width, height])),
    directions: Uint8Array.from(runs, ({ direction }) => direction),
  };
}
