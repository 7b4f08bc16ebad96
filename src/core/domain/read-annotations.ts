import type { PageNumber } from './page-number.ts';
import * as v from 'valibot';
import { isOthers, type Annotation, type AnnotationKind, type Quad } from './annotation.ts';

/** Annotation of a file, and pdf.js's name of its object: `12R`. */
export interface FileAnnotation {
  readonly ref: string;
  readonly annotation: Annotation;
}

const kinds: Readonly<Record<string, AnnotationKind>> = {
  Highlight: 'highlight',
  Underline: 'underline',
  StrikeOut: 'strikeout',
  Squiggly: 'squiggly',
  Square: 'box',
  Text: 'note',
  FreeText: 'text',
  ...Object.fromEntries(
    ['Ink', 'Circle', 'Line', 'Polygon', 'PolyLine', 'Stamp', 'Caret'].map((name) => [name, 'drawing']),
  ),
};

/** A page with more annotations, or an annotation with more corners or text, is malicious. */
const MAX_ANNOTATIONS_PER_PAGE = 10_000;
const MAX_CORNERS = 8_000;
const MAX_TEXT_LENGTH = 20_000;

const text = v.fallback(v.object({ str: v.string() }), { str: '' });

const annotationSchema = v.looseObject({
  id: v.string(),
  subtype: v.picklist(Object.keys(kinds)),
  rect: v.tuple([v.number(), v.number(), v.number(), v.number()]),
  quadPoints: v.fallback(v.nullable(v.custom<ArrayLike<number>>(isNumbers)), null),
  color: v.fallback(v.nullable(v.custom<ArrayLike<number>>(isNumbers)), null),
  contentsObj: text,
  overlaidText: v.fallback(v.string(), ''),
  hidden: v.fallback(v.boolean(), false),
  inReplyTo: v.fallback(v.nullable(v.string()), null),
});

/**
 * Returns a page's annotations from pdf.js's data, without links, fields, hidden ones, and drawings without text.
 * Replies become a part of the annotation's comment.
 */
export function annotationsOn(page: PageNumber, rawAnnotations: readonly unknown[]): FileAnnotation[] {
  const answers = new Map<string, string>();
  const annotations = rawAnnotations
    .slice(0, MAX_ANNOTATIONS_PER_PAGE)
    .flatMap((rawAnnotation): FileAnnotation[] => {
      if (!isOfKind(rawAnnotation)) return [];
      const read = v.safeParse(annotationSchema, rawAnnotation);
      if (!read.success || read.output.hidden) return [];
      const { id, subtype, rect, quadPoints, color, contentsObj, overlaidText, inReplyTo } = read.output;
      const kind = kinds[subtype];
      const remark = contentsObj.str.slice(0, MAX_TEXT_LENGTH).replace(/\r\n?/g, '\n').trim();
      if (inReplyTo !== null) {
        answers.set(inReplyTo, [answers.get(inReplyTo), remark].filter((part) => part).join('\n'));
        return [];
      }
      if (kind === undefined) return [];
      const written = kind === 'text' ? contentsObj.str : overlaidText;
      const words = written.slice(0, MAX_TEXT_LENGTH).replace(/\s+/g, ' ').trim();
      const hasQuads = kind !== 'box' && !isOthers(kind);
      const quads = quadPoints === null || !hasQuads ? [quadAround(rect)] : readQuads(quadPoints);
      return [
        {
          ref: id,
          annotation: {
            kind,
            page,
            quads,
            colour: readColor(color),
            words,
            // The contents of a text annotation are its text.
            remark: kind === 'text' || remark === words ? '' : remark,
          },
        },
      ];
    });
  const answered = annotations.map(({ ref, annotation }) => {
    const answer = answers.get(ref);
    if (answer === undefined) return { ref, annotation };
    const remark = [annotation.remark, answer].filter((part) => part !== '').join('\n');
    return { ref, annotation: { ...annotation, remark } };
  });
  return answered.filter(
    ({ annotation: { kind, words, remark } }) => !isOthers(kind) || words !== '' || remark !== '',
  );
}

/** Reports whether an annotation isn't a link or field, which are most annotations of many files. */
function isOfKind(rawAnnotation: unknown): boolean {
  const { subtype } = (rawAnnotation ?? {}) as { readonly subtype?: unknown };
  return typeof subtype === 'string' && Object.hasOwn(kinds, subtype);
}

/** Returns the corners of a rectangle from its left, bottom, right, and top. */
export function quadAround([x1, y1, x2, y2]: readonly [number, number, number, number]): Quad {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [bottom, top] = [Math.min(y1, y2), Math.max(y1, y2)];
  return [left, top, right, top, left, bottom, right, bottom];
}

function readQuads(numbers: ArrayLike<number>): Quad[] {
  const quads: Quad[] = [];
  const at = (index: number): number => numbers[index] ?? 0;
  for (let i = 0; i + 7 < Math.min(numbers.length, MAX_CORNERS); i += 8)
    quads.push([at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5), at(i + 6), at(i + 7)]);
  return quads;
}

function readColor(colour: ArrayLike<number> | null): string {
  const part = (index: number): string =>
    Math.max(0, Math.min(Math.round(colour?.[index] ?? 0), 255))
      .toString(16)
      .padStart(2, '0');
  return colour === null || colour.length < 3 ? '#ffff00' : `#${part(0)}${part(1)}${part(2)}`;
}

function isNumbers(value: unknown): boolean {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  return isList && Array.from(value as ArrayLike<unknown>).every((item) => typeof item === 'number');
}
