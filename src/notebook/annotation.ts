import type { PageRectangle } from './locator.ts';

/** What people make on a page of a PDF, by the names that the format has for it. */
export type AnnotationKind =
  | 'highlight'
  | 'underline'
  | 'strikeout'
  | 'squiggly'
  | 'box'
  | 'note'
  | OthersKind;

/** Text and drawings on a page, which are shown, listed and found here, and changed in the program that made them. */
export type OthersKind = 'text' | 'drawing';

/**
 * Four corners in points of the unrotated page, as one reads the words between them: upper left, upper right, lower left,
 * lower right, each as x and y from the page's lower left.
 */
export type Quad = readonly [number, number, number, number, number, number, number, number];

/** What stands marked on a page. */
export interface Annotation {
  readonly kind: AnnotationKind;
  /** One-based. */
  readonly page: number;
  readonly quads: readonly Quad[];
  /** `#rrggbb`. */
  readonly colour: string;
  /** The words below it; '' where there are none. */
  readonly words: string;
  /** What its maker says of it; '' where they say nothing. */
  readonly remark: string;
}

/**
 * An annotation by its key: how it is wanted, or null where it is to be gone. Those that were in the file when it was opened
 * have pdf.js's name of their object as key (`12R`).
 */
export type WantedAnnotations = readonly (readonly [key: string, annotation: Annotation | null])[];

/** A change of one annotation, which can be undone: how it was and how it is to be; null where there is none. */
export interface AnnotationEdit {
  readonly key: string;
  readonly before: Annotation | null;
  readonly after: Annotation | null;
}

/** What a file is to be changed by, so that it holds what is wanted. `ref` names the object that it is thought to be. */
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

/** The colours that are offered, in their order, each with the word by which people know it. */
export const HIGHLIGHT_COLOURS = [
  { name: 'yellow', colour: '#ffe066' },
  { name: 'green', colour: '#a3e58f' },
  { name: 'blue', colour: '#9dd0ff' },
  { name: 'pink', colour: '#ffb3d1' },
] as const;

/** Whether annotations of a kind are not changed here: nobody but the program that drew them can draw them anew. */
export function isOthers(kind: AnnotationKind): kind is OthersKind {
  return kind === 'text' || kind === 'drawing';
}

/** Corners may be this far from each other, in points, where two annotations are one: files round them. */
const SAME_WITHIN = 1;

/** Whether two annotations mark the same place in the same way. */
export function isSamePlace(a: Annotation, b: Annotation): boolean {
  const [one, other] = [annotationBounds(a), annotationBounds(b)];
  return (
    a.kind === b.kind &&
    a.page === b.page &&
    one.every((value, index) => Math.abs(value - (other[index] ?? NaN)) <= SAME_WITHIN)
  );
}

/** Whether nothing of an annotation would have to be written for it to become the other. */
export function isSameAnnotation(a: Annotation | null, b: Annotation | null): boolean {
  if (a === null || b === null) return a === b;
  return isSamePlace(a, b) && a.colour === b.colour && a.remark === b.remark;
}

/** What is marked where the notebook keeps what is wanted instead of what a file has, in the order of the pages. */
export function annotationsWanted(
  inFile: readonly { readonly ref: string; readonly annotation: Annotation }[],
  wanted: WantedAnnotations,
): Annotation[] {
  const changed = new Set(wanted.map(([key]) => key));
  const kept = wanted.flatMap(([, annotation]) => annotation ?? []);
  const byPage = Map.groupBy(kept, ({ page }) => page);
  const left = inFile.flatMap(({ ref, annotation }) => {
    const isKept = byPage.get(annotation.page)?.some((other) => isSamePlace(annotation, other)) === true;
    return changed.has(ref) || isKept ? [] : [annotation];
  });
  return [...left, ...kept].sort((a, b) => a.page - b.page);
}

/** The rectangle around all of an annotation, in points: left, bottom, right, top. */
export function annotationBounds({ quads }: Pick<Annotation, 'quads'>): [number, number, number, number] {
  const xs = quads.flatMap((quad) => quad.filter((_, index) => index % 2 === 0));
  const ys = quads.flatMap((quad) => quad.filter((_, index) => index % 2 === 1));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The rectangle around four corners. */
export function quadRectangle(quad: Quad, page: number): PageRectangle {
  const xs = quad.filter((_, index) => index % 2 === 0);
  const ys = quad.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { page, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
