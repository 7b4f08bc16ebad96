import type { PageNumber } from './page-number.ts';
import type { PageRectangle } from './locator.ts';

/** Kinds of annotations on a PDF page, by their names in the format. */
export type AnnotationKind =
  | 'highlight'
  | 'underline'
  | 'strikeout'
  | 'squiggly'
  | 'box'
  | 'note'
  | OthersKind;

/**
 * Text and drawings on a page. Open Notebook shows, lists, and finds them, but only the program that made them can
 * change them.
 */
export type OthersKind = 'text' | 'drawing';

/**
 * Four corners in points of the unrotated page, in reading order: upper left, upper right, lower left, lower right,
 * each as x and y from the page's lower left.
 */
export type Quad = readonly [number, number, number, number, number, number, number, number];

/** Annotation on a page of a PDF. */
export interface Annotation {
  readonly kind: AnnotationKind;
  readonly page: PageNumber;
  readonly quads: readonly Quad[];
  /** `#rrggbb`. */
  readonly colour: string;
  /** Text below the annotation; '' if there is none. */
  readonly words: string;
  /** Comment of its author; '' if there is none. */
  readonly remark: string;
}

/**
 * Annotations by key; null for annotations to delete. An annotation that was in the file when it was opened has
 * pdf.js's name of its object as key (`12R`).
 */
export type AnnotationsByKey = readonly (readonly [key: string, annotation: Annotation | null])[];

/** Change of one annotation, which can be undone: its states before and after; null if there is no annotation. */
export interface AnnotationEdit {
  readonly key: string;
  readonly before: Annotation | null;
  readonly after: Annotation | null;
}

/** Change to write to a file. `ref` names the object that the annotation is expected to be. */
export type AnnotationChange =
  | { readonly kind: 'add'; readonly key: string; readonly annotation: Annotation }
  | {
      readonly kind: 'change';
      readonly key: string;
      readonly ref: string;
      readonly before: Annotation;
      readonly annotation: Annotation;
    }
  | { readonly kind: 'remove'; readonly key: string; readonly ref: string; readonly before: Annotation };

/** The available colors in order, each with its common name. */
export const HIGHLIGHT_COLORS = [
  { name: 'yellow', colour: '#ffe066' },
  { name: 'green', colour: '#a3e58f' },
  { name: 'blue', colour: '#9dd0ff' },
  { name: 'pink', colour: '#ffb3d1' },
] as const;

/**
 * Reports whether Open Notebook doesn't change annotations of a kind: only the program that drew them can redraw them.
 */
export function isOthers(kind: AnnotationKind): kind is OthersKind {
  return kind === 'text' || kind === 'drawing';
}

/** Maximum distance between corresponding corners of two equal annotations, in points: files round them. */
const SAME_WITHIN = 1;

/** Reports whether two annotations mark the same area in the same way. */
export function isSamePlace(a: Annotation, b: Annotation): boolean {
  const [one, other] = [annotationBounds(a), annotationBounds(b)];
  return (
    a.kind === b.kind &&
    a.page === b.page &&
    one.every((value, index) => Math.abs(value - (other[index] ?? NaN)) <= SAME_WITHIN)
  );
}

/** Reports whether two annotations are equal as far as they are written to a file. */
export function isSameAnnotation(a: Annotation | null, b: Annotation | null): boolean {
  if (a === null || b === null) return a === b;
  return isSamePlace(a, b) && a.colour === b.colour && a.remark === b.remark;
}

/** Returns the annotations of a file with the user's changes from the notebook applied, in page order. */
export function mergeAnnotations(
  inFile: readonly { readonly ref: string; readonly annotation: Annotation }[],
  changes: AnnotationsByKey,
): Annotation[] {
  const changed = new Set(changes.map(([key]) => key));
  const stored = changes.flatMap(([, annotation]) => annotation ?? []);
  const byPage = Map.groupBy(stored, ({ page }) => page);
  const unchanged = inFile.flatMap(({ ref, annotation }) => {
    const isInChanges = byPage.get(annotation.page)?.some((other) => isSamePlace(annotation, other)) === true;
    return changed.has(ref) || isInChanges ? [] : [annotation];
  });
  return [...unchanged, ...stored].sort((a, b) => a.page - b.page);
}

/** Returns the rectangle around an annotation, in points: left, bottom, right, top. */
export function annotationBounds({ quads }: Pick<Annotation, 'quads'>): [number, number, number, number] {
  const xs = quads.flatMap((quad) => quad.filter((_, index) => index % 2 === 0));
  const ys = quads.flatMap((quad) => quad.filter((_, index) => index % 2 === 1));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Returns the rectangle around four corners. */
export function quadRectangle(quad: Quad, page: PageNumber): PageRectangle {
  const xs = quad.filter((_, index) => index % 2 === 0);
  const ys = quad.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { page, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
