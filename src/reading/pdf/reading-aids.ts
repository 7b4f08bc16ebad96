import type { Segment } from './lines.ts';
import { textOf } from './lines.ts';

const kana = /^[\u3041-\u30ff]+$/;
/** No page has more of one with more of the other; comparing all of hostile ones would take hours. */
const mostCompared = 4_000_000;
const ideograph = /[\u3400-\u9fff\uf900-\ufaff]/;

/** Segments without the small kana above ideographs that say how these are read: they would part a line from the next. */
export function withoutReadingAids(segments: readonly Segment[]): readonly Segment[] {
  const aids = new Set(segments.filter((segment) => kana.test(textOf(segment))));
  if (aids.size === 0) return segments;
  const bases = segments.filter((segment) => ideograph.test(textOf(segment)));
  if (aids.size * bases.length > mostCompared) return segments;
  return segments.filter(
    (segment) => !aids.has(segment) || !bases.some((base) => standsAbove(segment, base)),
  );
}

function standsAbove(aid: Segment, base: Segment): boolean {
  const rise = (base.baseline - aid.baseline) / base.size;
  return (
    aid.size <= 0.65 * base.size && rise > 0.7 && rise < 1.4 && aid.left < base.right && base.left < aid.right
  );
}
