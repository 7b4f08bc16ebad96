import { figuresOf } from '../../language/figures.ts';
import type { Span } from '../../language/span.ts';
import type { CitedFigure, FigurePicture, PlacedFigure } from '../../notebook/figure.ts';
import { locate } from '../../notebook/locator.ts';
import type { KeptDocument } from '../store/kept-document.ts';

/** So much of a caption is told with a citation, in UTF-16 code units. */
const LONGEST_WORDS = 500;

/** The figure that a span of a document shows or else names, where a picture of it is at hand. */
export function figureAt(document: KeptDocument, span: Span): PlacedFigure | undefined {
  if (!mayShowFigures(document)) return undefined;
  const { entry, figures, text, map } = document;
  for (const index of figuresOf(figures, span)) {
    const figure = figures.figures[index];
    const picture = figure && pictureOf(document, figure.caption, figure.image?.source);
    if (figure === undefined || picture === undefined) continue;
    const { name, caption, image } = figure;
    const quote = text.slice(caption.start, caption.end);
    return {
      name,
      words: (image?.start === caption.start ? image.description : quote).slice(0, LONGEST_WORDS),
      start: caption.start,
      span: caption,
      quote,
      locator: locate(text, map, caption),
      uri: entry.uri,
      picture,
    };
  }
  return undefined;
}

/** What of a figure is kept with a citation. */
export function citedFigure({ name, words, start }: PlacedFigure): CitedFigure {
  return { name, words, start };
}

function mayShowFigures({ format, map, text }: KeptDocument): boolean {
  return format !== 'code' && (map.kind === 'pdf' || /!\[|<img\s/i.test(text));
}

function pictureOf(
  { entry, text, map }: KeptDocument,
  caption: Span,
  source: string | undefined,
): FigurePicture | undefined {
  if (source !== undefined) {
    // What is elsewhere loads only where the user goes there.
    const isHere =
      /^data:image\//i.test(source) || (entry.uri !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(source));
    return isHere && !/^https?:/i.test(entry.uri) ? { kind: 'address', address: source } : undefined;
  }
  const locator = map.kind === 'pdf' ? locate(text, map, caption) : undefined;
  return locator?.kind === 'pdf' ? { kind: 'page', caption: locator } : undefined;
}
