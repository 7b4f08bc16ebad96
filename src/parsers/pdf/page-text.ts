import type { PageViewport, PDFPageProxy } from 'pdfjs-dist';
import type { TextItem, TextStyle } from 'pdfjs-dist/types/src/display/api.js';
import type { Fragment, TextDirection } from './fragment.ts';
import { filledFields } from './form-fields.ts';
import { multiply, readingFrame, wordsInFrame, type Matrix } from './frame.ts';
import { countWide, plainLetters } from './letters.ts';
import { VERTICAL_MIDDLE, withVerticalText } from './vertical.ts';

interface PageText {
  readonly width: number;
  readonly height: number;
  /** `true` if its fonts don't name their letters, so that the text consists of glyph numbers instead of words. */
  readonly isGarbled: boolean;
  readonly fragments: readonly Fragment[];
}

/** Returns the text of a page in the file's order, and the values in its form. */
export async function textOfPage(page: PDFPageProxy, hasForm: boolean): Promise<PageText> {
  const content = await page.getTextContent({ disableNormalization: true });
  const items = content.items.filter((item) => 'str' in item);
  const viewport = page.getViewport({ scale: 1 });
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = page.view;
  const codeFonts = findCodeFonts(items, content.styles);
  const fragments: Fragment[] = [];
  const isMirrored = hasMirroredBrackets(items);
  for (const item of items) {
    if (item.str.trim() === '') {
      const last = fragments.at(-1);
      if (last && item.str !== '') last.spaceAfter = true;
      continue;
    }
    const fragment = makeFragment(
      item.dir === 'rtl' ? { ...item, str: logicalOrder(item.str, isMirrored) } : item,
      content.styles[item.fontName],
      codeFonts.has(item.fontName),
      viewport,
    );
    if (fragment) fragments.push(fragment);
  }
  const isGarbled = isNoText(items.map(({ str }) => str).join(''));
  const fields = hasForm ? await filledFields(page, viewport, isGarbled ? [] : fragments) : [];
  return {
    width: x1 - x0,
    height: y1 - y0,
    isGarbled,
    fragments: [...(isGarbled ? [] : withVerticalText(fragments, viewport.width)), ...fields],
  };
}

const BRACKETS = '()[]{}<>«»‹›';
/** Brackets at the wrong and at the right end of a word. */
const WRONG_BRACKET = /(?<=^|\s)[)\]}»](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[([{«](?=\s|$)/gu;
const RIGHT_BRACKET = /(?<=^|\s)[([{«](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[)\]}»](?=[\s.,:;،؛]|$)/gu;

/**
 * Reports whether the brackets of right-to-left text open where they should close. Most programs name their shapes, and
 * pdf.js doesn't mirror them.
 */
function hasMirroredBrackets(items: readonly TextItem[]): boolean {
  let [wrong, right] = [0, 0];
  for (const { str, dir } of items) {
    if (dir !== 'rtl') continue;
    wrong += str.match(WRONG_BRACKET)?.length ?? 0;
    right += str.match(RIGHT_BRACKET)?.length ?? 0;
  }
  return wrong > right;
}

/** Returns right-to-left text with its brackets mirrored, and with the marks of a letter before the next space. */
function logicalOrder(text: string, isMirrored: boolean): string {
  const ordered = text.replace(/(\s+)(\p{M}+)/gu, '$2$1');
  if (!isMirrored) return ordered;
  return ordered.replace(/[()[\]{}<>«»‹›]/g, (bracket) => {
    const at = BRACKETS.indexOf(bracket);
    return BRACKETS.charAt(at % 2 === 0 ? at + 1 : at - 1);
  });
}

/**
 * Share of characters that aren't letters, "\uf0b7\uf061", above which a page was written without naming its letters.
 */
const MAX_UNKNOWN_RATIO = 0.3;

function isNoText(text: string): boolean {
  const unknown = text.match(/[\p{Cc}\p{Co}\ufffd]/gu)?.length ?? 0;
  return unknown > 0 && unknown > MAX_UNKNOWN_RATIO * text.replace(/ /g, '').length;
}

/** Returns the monospaced fonts, without those of scripts that have no others. */
function findCodeFonts(
  items: readonly TextItem[],
  styles: Readonly<Record<string, TextStyle>>,
): ReadonlySet<string> {
  const letters = new Map<string, { all: number; wide: number }>();
  for (const { str, fontName } of items) {
    if (styles[fontName]?.fontFamily !== 'monospace') continue;
    const { all, wide } = letters.get(fontName) ?? { all: 0, wide: 0 };
    letters.set(fontName, { all: all + str.length, wide: wide + countWide(str) });
  }
  return new Set([...letters].flatMap(([font, { all, wide }]) => (2 * wide < all ? [font] : [])));
}

/** Minimum font size of visible text, in points. Programs hide smaller text for search engines. */
const MIN_FONT_SIZE = 0.5;
/** Maximum slope of a line, some six degrees, as on a page that lay askew on a scanner. */
const TILT = 0.1;

function makeFragment(
  item: TextItem,
  style: TextStyle | undefined,
  monospaced: boolean,
  view: PageViewport,
): Fragment | undefined {
  const transform = item.transform as unknown as Matrix;
  const matrix = multiply(view.transform as unknown as Matrix, transform);
  const size = Math.hypot(matrix[2], matrix[3]);
  if (!(size > MIN_FONT_SIZE)) return undefined;
  const vertical = style?.vertical === true;
  const rightToLeft = item.dir === 'rtl';
  const length = vertical ? item.height : item.width;
  const way = findWay(matrix, vertical);
  // The origin of a vertical glyph is at the middle of its top.
  const feet = vertical ? matrix[4] - VERTICAL_MIDDLE * size : matrix[4];
  const left = { across: matrix[4], turned: matrix[4], down: matrix[5], up: view.height - matrix[5] }[way];
  const baseline = { across: matrix[5], turned: matrix[5], down: view.width - feet, up: feet }[way];
  const frame = readingFrame(transform, style, length, vertical);
  return {
    words: wordsInFrame(plainLetters(item.str), frame, rightToLeft, monospaced),
    way,
    left,
    right: left + length,
    baseline,
    size,
    rightToLeft,
    monospaced,
    font: item.fontName,
    spaceAfter: item.str.trimEnd() !== item.str,
  };
}

function findWay([x, y]: Matrix, vertical: boolean): TextDirection {
  if (x > 0 && Math.abs(y) <= TILT * x) return vertical ? 'down' : 'across';
  if (vertical || Math.abs(x) > TILT * Math.abs(y)) return 'turned';
  return y > 0 ? 'down' : 'up';
}
