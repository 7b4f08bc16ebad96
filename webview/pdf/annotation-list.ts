import type { PageNumber } from '../../src/core/domain/page-number.ts';
import {
  isSameAnnotation,
  isSamePlace,
  quadRectangle,
  type Annotation,
  type Quad,
  type AnnotationsByKey,
} from '../../src/core/domain/annotation.ts';
import { RunDirection } from '../../src/core/domain/document.ts';
import { around } from '../../src/core/domain/locator.ts';
import type { PlacedRun } from '../../src/core/domain/pdf-map.ts';
import { quadAround, type FileAnnotation } from '../../src/core/domain/read-annotations.ts';

/** Annotation as shown. */
export interface ShownAnnotation {
  readonly key: string;
  readonly annotation: Annotation;
  /** `true` if pdf.js draws it with its page, because the file already has the current version. */
  readonly isDrawn: boolean;
}

/** Annotations to show, and those of the file that pdf.js must not draw with their page. */
export interface AnnotationsShown {
  readonly shown: readonly ShownAnnotation[];
  readonly hidden: ReadonlySet<string>;
}

/**
 * Combines the annotations of the opened file with the changes. An annotation of the file is identified by the name of
 * its object, or by its position if another program has renamed it.
 */
export function annotationsShown(
  file: readonly FileAnnotation[],
  current: AnnotationsByKey,
  refs: Readonly<Record<string, string>>,
): AnnotationsShown {
  const unmatched = new Map(file.map((annotation) => [annotation.ref, annotation]));
  const shown: ShownAnnotation[] = [];
  const hidden = new Set<string>();
  for (const [key, annotation] of current) {
    const named = unmatched.get(refs[key] ?? key);
    const inFile =
      named ??
      (annotation &&
        [...unmatched.values()].find((candidate) => isSamePlace(candidate.annotation, annotation)));
    if (inFile !== undefined && inFile !== null) unmatched.delete(inFile.ref);
    const isDrawn =
      inFile !== undefined && inFile !== null && isSameAnnotation(inFile.annotation, annotation);
    if (inFile && !isDrawn) hidden.add(inFile.ref);
    if (annotation !== null) shown.push({ key, annotation, isDrawn });
  }
  for (const { ref, annotation } of unmatched.values()) shown.push({ key: ref, annotation, isDrawn: true });
  return { shown: shown.sort((a, b) => inReadingOrder(a.annotation, b.annotation)), hidden };
}

/** Compares by page, and from top to bottom on a page. */
function inReadingOrder(a: Annotation, b: Annotation): number {
  const top = ({ quads }: Annotation): number => Math.max(...(quads[0] ?? [0]).filter((_, i) => i % 2 === 1));
  return a.page - b.page || top(b) - top(a);
}

/** Returns the annotation at a point of a page, in points; the smallest if there are several. */
export function annotationAt(
  shown: readonly ShownAnnotation[],
  page: PageNumber,
  x: number,
  y: number,
): ShownAnnotation | undefined {
  const size = ({ annotation }: ShownAnnotation): number =>
    annotation.quads.reduce((sum, quad) => {
      const { width, height } = quadRectangle(quad, page);
      return sum + width * height;
    }, 0);
  return shown
    .filter(
      ({ annotation }) =>
        annotation.page === page &&
        annotation.quads.some((quad) => {
          const { x: left, y: bottom, width, height } = quadRectangle(quad, page);
          return x >= left && x <= left + width && y >= bottom && y <= bottom + height;
        }),
    )
    .toSorted((a, b) => size(a) - size(b))[0];
}

/** Words that are selected on one page. */
interface MarkedWords {
  readonly page: PageNumber;
  readonly quads: readonly Quad[];
  readonly words: string;
}

/** Converts selected text to highlights on each page: one quad per line. */
export function markedWords(text: string, runs: readonly PlacedRun[]): MarkedWords[] {
  return [...Map.groupBy(runs, ({ rectangle }) => rectangle.page)].map(([page, on]) => {
    const lines: PlacedRun[] = [];
    for (const run of on) {
      const last = lines.at(-1);
      if (last !== undefined && isOnLine(last, run))
        lines[lines.length - 1] = { ...last, rectangle: around(last.rectangle, run.rectangle) };
      else lines.push(run);
    }
    const [start, end] = [on[0]?.start ?? 0, on.at(-1)?.end ?? 0];
    return {
      page,
      quads: lines.map(readingQuad),
      words: text.slice(start, end).replace(/\s+/g, ' ').trim(),
    };
  });
}

function isSideways({ direction }: PlacedRun): boolean {
  return direction === RunDirection.topToBottom || direction === RunDirection.bottomToTop;
}

function isOnLine(a: PlacedRun, b: PlacedRun): boolean {
  if (isSideways(a) !== isSideways(b)) return false;
  const line = (
    run: PlacedRun,
  ): { readonly from: number; readonly to: number; readonly feet: number; readonly height: number } => {
    const { x, y, width, height } = run.rectangle;
    return isSideways(run)
      ? { from: y, to: y + height, feet: x, height: width }
      : { from: x, to: x + width, feet: y, height };
  };
  const [one, other] = [line(a), line(b)];
  const height = Math.max(one.height, other.height);
  const gap = Math.max(other.from - one.to, one.from - other.to);
  return Math.abs(one.feet - other.feet) < 0.4 * height && gap < 2 * height;
}

/** Returns the corners of a line in reading direction. */
function readingQuad({ rectangle: { x, y, width, height }, direction }: PlacedRun): Quad {
  const [right, top] = [x + width, y + height];
  switch (direction) {
    case RunDirection.bottomToTop:
      return [x, y, x, top, right, y, right, top];
    case RunDirection.topToBottom:
      return [right, top, right, y, x, top, x, y];
    default:
      return quadAround([x, y, right, top]);
  }
}
