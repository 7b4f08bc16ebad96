import { figuresAt } from '../../core/language/figures.ts';
import type { Span } from '../../core/language/span.ts';
import type { CitedFigure, FigurePicture, PlacedFigure } from '../../core/domain/figure.ts';
import { locate, formatLocator } from '../../core/domain/locator.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';

/** Word files, which have their pictures next to the captions. */
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** Maximum length of a caption in a citation, in UTF-16 code units. */
const MAX_WORDS_LENGTH = 500;

/** Returns the figure that a span of a document shows, or otherwise names, if a picture of it is available. */
export function figureAt(document: StoredDocument, span: Span): PlacedFigure | undefined {
  if (document.map.kind === 'cells') {
    const output = outputAt(document, span);
    if (output !== undefined) return output;
  }
  if (!mayShowFigures(document)) return undefined;
  const { entry, figures, text, map } = document;
  for (const index of figuresAt(figures, span)) {
    const figure = figures.figures[index];
    const picture = figure && findPicture(document, figure.caption, figure.image?.source);
    if (figure === undefined || picture === undefined) continue;
    const { name, caption, image } = figure;
    const quote = text.slice(caption.start, caption.end);
    return {
      name,
      words: (image?.start === caption.start ? image.description : quote).slice(0, MAX_WORDS_LENGTH),
      start: caption.start,
      span: caption,
      quote,
      locator: locate(text, map, caption),
      uri: entry.uri,
      mediaType: entry.mediaType,
      picture,
    };
  }
  return undefined;
}

/** Returns the part of a figure that a citation stores. */
export function citedFigure({ name, words, start }: PlacedFigure): CitedFigure {
  return { name, words, start };
}

function mayShowFigures(document: StoredDocument): boolean {
  const { entry, format, map } = document;
  return format !== 'code' && (map.kind === 'pdf' || entry.mediaType === WORD_TYPE || document.hasPictures);
}

/** Text that libraries print for a picture: `<Figure size 640x480 with 1 Axes>`. */
const PICTURE_OUTPUT = /^<(?:Figure size|Axes|IPython\.core\.display\.(?:Image|SVG)|PIL\.|matplotlib\.)/;

/** Returns the output of the cell that contains a span, if the output is a picture. */
function outputAt({ entry, map, text }: StoredDocument, span: Span): PlacedFigure | undefined {
  const locator = locate(text, map, span);
  if (map.kind !== 'cells' || locator.kind !== 'cell') return undefined;
  for (const [run, start] of map.starts.entries()) {
    const output = (map.outputs?.[run] ?? 0) - 1;
    if (map.cells[run] !== locator.cell || output < 0) continue;
    const at = { start, end: start + (map.lengths[run] ?? 0) };
    const quote = text.slice(at.start, at.end);
    if (!PICTURE_OUTPUT.test(quote)) continue;
    const place = locate(text, map, at);
    return {
      name: '',
      words: formatLocator(place, []),
      start,
      span: at,
      quote,
      locator: place,
      uri: entry.uri,
      mediaType: entry.mediaType,
      picture: { kind: 'cell', cell: locator.cell, output },
    };
  }
  return undefined;
}

function findPicture(
  { entry, text, map }: StoredDocument,
  caption: Span,
  source: string | undefined,
): FigurePicture | undefined {
  if (source !== undefined) {
    // Remote pictures only load when the user opens them.
    const isHere =
      /^data:image\//i.test(source) || (entry.uri !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(source));
    return isHere && !/^https?:/i.test(entry.uri) ? { kind: 'address', address: source } : undefined;
  }
  if (entry.mediaType === WORD_TYPE && entry.uri !== '')
    return { kind: 'caption', words: text.slice(caption.start, caption.end) };
  const locator = map.kind === 'pdf' ? locate(text, map, caption) : undefined;
  return locator?.kind === 'pdf' ? { kind: 'page', caption: locator } : undefined;
}
