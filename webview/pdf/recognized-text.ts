import type { PageNumber } from '../../src/core/domain/page-number.ts';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { RunDirection } from '../../src/core/domain/document.ts';
import type { RecognizedRun } from '../../src/core/domain/pdf-map.ts';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

const FONT = 'recognised';
/** Height of the letters above the lower edge of their box, as a share of its height. */
const DESCENT = 0.2;

/**
 * Makes words from text recognition searchable, selectable, and copyable like the PDF's own text, by passing them to
 * pdf.js as the texts of these pages.
 */
export function withRecognizedText(
  pdf: PDFDocumentProxy,
  pages: readonly number[],
  wordsOn: (page: PageNumber) => Promise<readonly RecognizedRun[]>,
): void {
  const recognised = new Set(pages);
  const getPage = pdf.getPage.bind(pdf);
  pdf.getPage = async (number) => {
    const page = await getPage(number);
    if (!recognised.delete(number)) return page;
    const content = textContent(await wordsOn(number));
    page.getTextContent = () => Promise.resolve(content);
    page.streamTextContent = () =>
      new ReadableStream({
        start(stream) {
          stream.enqueue(content);
          stream.close();
        },
      });
    return page;
  };
}

/** Converts words to the text content of a page in pdf.js. */
function textContent(words: readonly RecognizedRun[]): TextContent {
  return {
    items: words.flatMap(({ text, separator, rectangle: { x, y, width, height }, direction }, index) => {
      const isSideways = direction === RunDirection.topToBottom || direction === RunDirection.bottomToTop;
      const size = isSideways ? width : height;
      const item = {
        str: text,
        dir: direction === RunDirection.rightToLeft ? 'rtl' : 'ltr',
        width: isSideways ? height : width,
        height: size,
        transform: makeTransform({ x, y, width, height }, direction),
        fontName: FONT,
        hasEOL: separator === '\n',
      };
      const next = words[index + 1]?.rectangle;
      if (separator !== ' ' || isSideways || next === undefined || next.x < x + width) return [item];
      const gap = {
        ...item,
        str: ' ',
        width: next.x - x - width,
        transform: makeTransform({ x: x + width, y, width: 0, height }, direction),
      };
      return [item, gap];
    }),
    styles: { [FONT]: { ascent: 1 - DESCENT, descent: -DESCENT, vertical: false, fontFamily: 'sans-serif' } },
    lang: null,
  };
}

/** Returns the transform of a letter that is one point high. */
function makeTransform(
  { x, y, width, height }: Pick<RecognizedRun['rectangle'], 'x' | 'y' | 'width' | 'height'>,
  direction: number,
): number[] {
  switch (direction) {
    case RunDirection.topToBottom:
      return [0, -width, width, 0, x + DESCENT * width, y + height];
    case RunDirection.bottomToTop:
      return [0, width, -width, 0, x + (1 - DESCENT) * width, y];
    default:
      return [height, 0, 0, height, x, y + DESCENT * height];
  }
}
