import {
  annotationBounds,
  type Annotation,
  isOthers,
  type AnnotationKind,
  type OthersKind,
  type Quad,
} from '../../../core/domain/annotation.ts';
import {
  decimal,
  Malformed,
  raw,
  refTo,
  textString,
  withEntries,
  type PdfDictionary,
  type PdfValue,
} from './values.ts';

const SUBTYPES: Record<Exclude<AnnotationKind, OthersKind>, string> = {
  highlight: 'Highlight',
  underline: 'Underline',
  strikeout: 'StrikeOut',
  squiggly: 'Squiggly',
  box: 'Square',
  note: 'Text',
};

/** Width of the lines of boxes, in points, and of underlines, as a share. */
const BOX_LINE = 2;
const UNDERLINE_SHARE = 1 / 14;

/** Returns the annotation kind of a subtype; undefined for links, fields, and others that aren't annotations here. */
export function kindOfSubtype(subtype: string | undefined): AnnotationKind | undefined {
  const entry = Object.entries(SUBTYPES).find(([, name]) => name === subtype);
  return entry?.[0] as AnnotationKind | undefined;
}

/**
 * Returns an annotation's dictionary, and its appearance stream; `appearance` is the object number of that stream.
 * @throws Malformed for a kind that only other programs can draw
 */
export function writtenAnnotation(
  annotation: Annotation,
  names: { readonly key: string; readonly page: PdfValue; readonly appearance: number; readonly date: Date },
): PdfDictionary {
  const { kind } = annotation;
  if (isOthers(kind)) throw new Malformed('Text and drawings are written by others.');
  return withEntries(
    { kind: 'dictionary', entries: new Map() },
    {
      Type: { kind: 'name', name: 'Annot' },
      Subtype: { kind: 'name', name: SUBTYPES[kind] },
      ...(annotation.kind !== 'box' && { QuadPoints: numbers(annotation.quads.flat()) }),
      ...(annotation.kind === 'box' && { BS: raw(`<< /W ${decimal(BOX_LINE)} >>`) }),
      P: names.page,
      F: raw('4'),
      NM: textString(names.key),
      CreationDate: dateString(names.date),
      ...changedEntries(annotation, names),
    },
  );
}

/** Returns the dictionary entries that depend on the color and the comment. */
export function changedEntries(
  annotation: Annotation,
  { appearance, date }: { readonly appearance: number; readonly date: Date },
): Record<string, PdfValue | undefined> {
  return {
    Rect: numbers(outerBounds(annotation)),
    C: numbers(colorParts(annotation)),
    Contents: textString(annotation.remark),
    // Remove the formatted version of the text, which readers would show instead.
    RC: undefined,
    M: dateString(date),
    AP: { kind: 'dictionary', entries: new Map([['N', refTo(appearance)]]) },
  };
}

/**
 * Returns the dictionary entries that depend on the color and the comment, for a kind whose appearance another program
 * draws.
 */
export function changedRemark(
  { remark, colour }: Annotation,
  date: Date,
): Record<string, PdfValue | undefined> {
  return {
    C: numbers(colorParts({ colour })),
    Contents: textString(remark),
    RC: undefined,
    M: dateString(date),
  };
}

/** Returns an annotation's appearance stream with its dictionary. */
export function writeAppearance(annotation: Annotation): string {
  const colour = colorParts(annotation).map(decimal).join(' ');
  const drawn =
    annotation.kind === 'highlight'
      ? `/G gs ${colour} rg ${annotation.quads.map(drawArea).join(' ')} f`
      : annotation.kind === 'box'
        ? `${colour} RG ${decimal(BOX_LINE)} w ${annotation.quads.map((quad) => drawArea(insideBy(quad, BOX_LINE / 2))).join(' ')} S`
        : `${colour} RG ${annotation.quads.map((quad) => drawLine(annotation.kind, quad)).join(' ')}`;
  const bounds = outerBounds(annotation).map(decimal).join(' ');
  const resources = '/Resources << /ExtGState << /G << /Type /ExtGState /BM /Multiply >> >> >>';
  return `<< /Type /XObject /Subtype /Form /FormType 1 /BBox [${bounds}] ${resources} /Length ${String(drawn.length)} >>\nstream\n${drawn}\nendstream`;
}

/** Reports whether Open Notebook draws a kind itself. For notes, each reader has its own icon. */
export function isDrawn(kind: AnnotationKind): boolean {
  return kind !== 'note' && kind !== 'squiggly';
}

/** Returns the rectangle around the drawing, including line widths: left, bottom, right, top. */
function outerBounds(annotation: Annotation): number[] {
  const [left, bottom, right, top] = annotationBounds(annotation);
  const more = annotation.kind === 'box' || annotation.kind === 'highlight' ? 0 : 1;
  return [left - more, bottom - more, right + more, top + more];
}

function drawArea([x1, y1, x2, y2, x3, y3, x4, y4]: Quad): string {
  const point = (x: number, y: number, operator: string): string => `${decimal(x)} ${decimal(y)} ${operator}`;
  return [point(x1, y1, 'm'), point(x2, y2, 'l'), point(x4, y4, 'l'), point(x3, y3, 'l'), 'h'].join(' ');
}

/** Returns a rectangle that is smaller on all sides. */
function insideBy([x1, y1, x2, y2, x3, y3, x4, y4]: Quad, less: number): Quad {
  return [x1 + less, y1 - less, x2 - less, y2 - less, x3 + less, y3 + less, x4 - less, y4 + less];
}

/** Returns the operations for a line below words or through them. */
function drawLine(kind: AnnotationKind, [x1, y1, x2, y2, x3, y3, x4, y4]: Quad): string {
  const width = Math.max(0.5, Math.hypot(x1 - x3, y1 - y3) * UNDERLINE_SHARE);
  const up = kind === 'strikeout' ? 0.45 : UNDERLINE_SHARE;
  const between = (low: number, high: number): string => decimal(low + (high - low) * up);
  return `${decimal(width)} w ${between(x3, x1)} ${between(y3, y1)} m ${between(x4, x2)} ${between(y4, y2)} l S`;
}

/**
 * Returns the parts of a color, rounded up to the written digits: some readers cut off further digits and would show a
 * darker color.
 */
function colorParts({ colour }: Pick<Annotation, 'colour'>): number[] {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) || 0;
    return Math.ceil((1_000 * part) / 255) / 1_000;
  });
}

function numbers(values: readonly number[]): PdfValue {
  return { kind: 'array', items: values.map((value) => raw(decimal(value))) };
}

function dateString(date: Date): PdfValue {
  return raw(`(D:${date.toISOString().replace(/[-:T]|\..*/g, '')}Z)`);
}
