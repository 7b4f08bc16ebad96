import { pageIndexOf, pageNumberOf, type PageNumber } from '../../core/domain/page-number.ts';
import { firstIndex } from '../../core/language/first-index.ts';
import type { OffsetMap } from '../../core/domain/document.ts';
import type { Span } from '../../core/language/span.ts';
import { RECOGNITION_WEIGHTS } from '../../core/domain/recognition-weights.ts';
import type { RecognizedRun } from '../../core/domain/pdf-map.ts';

/** Confidence of text that the file itself contains. */
const WRITTEN = 100;

/** Returns the words within a span of a document for which text recognition is uncertain. */
export function doubtfulWords(map: OffsetMap, { start, end }: Span): Span[] {
  if (map.kind !== 'pdf' || map.confidences === undefined) return [];
  const { starts, ends, confidences } = map;
  const words: Span[] = [];
  const first = firstIndex(ends.length, (run) => (ends[run] ?? 0) > start);
  for (let run = first; (starts[run] ?? end) < end; run++)
    if ((confidences[run] ?? WRITTEN) < RECOGNITION_WEIGHTS.doubtful)
      words.push({ start: Math.max(start, starts[run] ?? 0), end: Math.min(end, ends[run] ?? 0) });
  return words;
}

/** Returns the pages of a PDF with recognized text, counted from one. */
export function recognizedPages(map: OffsetMap): number[] {
  if (map.kind !== 'pdf' || map.confidences === undefined) return [];
  const pages = new Set<number>();
  for (const [run, confidence] of map.confidences.entries())
    if (confidence < WRITTEN) pages.add(pageNumberOf(map.pageOf[run] ?? 0));
  return [...pages];
}

/** Returns the recognized words on a page, counted from one, in order. */
export function recognizedWords(text: string, map: OffsetMap, page: PageNumber): RecognizedRun[] {
  if (map.kind !== 'pdf' || map.confidences === undefined) return [];
  const words: RecognizedRun[] = [];
  for (
    let run = map.pageOf.indexOf(pageIndexOf(page));
    run >= 0 && map.pageOf[run] === pageIndexOf(page);
    run++
  ) {
    const [start = 0, end = 0] = [map.starts[run], map.ends[run]];
    const [x = 0, y = 0, width = 0, height = 0] = map.boxes.subarray(4 * run, 4 * run + 4);
    const separator = text.slice(end, map.starts[run + 1] ?? end);
    words.push({
      text: text.slice(start, end),
      separator: separator.includes('\n') ? '\n' : separator === '' ? '' : ' ',
      rectangle: { page, x, y, width, height },
      direction: map.directions[run] ?? 0,
    });
  }
  return words;
}
