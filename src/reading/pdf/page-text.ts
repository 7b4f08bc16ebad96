import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextItem, TextStyle } from 'pdfjs-dist/types/src/display/api.js';
import { RunDirection } from '../../notebook/document.ts';

/** A rectangle in PDF points of the unrotated page, origin at the lower left: x, y, width, height. */
export type Box = readonly [number, number, number, number];

/** Words of a page that were written together, where they stand as one sees the page (points, origin at the upper left). */
export interface Fragment {
  readonly words: readonly Word[];
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** The font's size in points. */
  readonly size: number;
  readonly rightToLeft: boolean;
  readonly monospaced: boolean;
  /** Tells fonts of one page apart. */
  readonly font: string;
  /** Upright text runs along lines; turned text (margins, axis labels, vertical script) stands by itself. */
  readonly turned: boolean;
  /** The file itself has a space behind it. */
  spaceAfter: boolean;
}

export interface Word {
  readonly text: string;
  readonly box: Box;
  readonly direction: number;
}

export interface PageText {
  readonly width: number;
  readonly height: number;
  /** Its fonts do not say which letters they draw: the text is glyph numbers and no words. */
  readonly isGarbled: boolean;
  readonly fragments: readonly Fragment[];
}

type Matrix = readonly [number, number, number, number, number, number];

/** The text of a page as it is written in the file, in the file's order. */
export async function textOfPage(page: PDFPageProxy): Promise<PageText> {
  const content = await page.getTextContent({ disableNormalization: true });
  const viewport = page.getViewport({ scale: 1 });
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = page.view;
  const fragments: Fragment[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    if (item.str.trim() === '') {
      const last = fragments.at(-1);
      if (last && item.str !== '') last.spaceAfter = true;
      continue;
    }
    const fragment = fragmentOf(item, content.styles[item.fontName], viewport.transform as unknown as Matrix);
    if (fragment) fragments.push(fragment);
  }
  const isGarbled = isNoText(content.items.map((item) => ('str' in item ? item.str : '')).join(''));
  return { width: x1 - x0, height: y1 - y0, isGarbled, fragments: isGarbled ? [] : fragments };
}

function isNoText(text: string): boolean {
  const unknown = text.match(/[\p{Cc}\p{Co}\ufffd]/gu)?.length ?? 0;
  return unknown > 0.3 * text.replace(/ /g, '').length;
}

function fragmentOf(item: TextItem, style: TextStyle | undefined, view: Matrix): Fragment | undefined {
  const transform = item.transform as unknown as Matrix;
  const seen = multiply(view, transform);
  const size = Math.hypot(seen[2], seen[3]);
  if (!(size > 0.5)) return undefined;
  const vertical = style?.vertical === true;
  const rightToLeft = item.dir === 'rtl';
  const monospaced = style?.fontFamily === 'monospace';
  const turned = vertical || Math.abs(seen[1]) > 0.1 * Math.abs(seen[0]) || seen[0] < 0;
  const frame = frameOf(transform, style, vertical ? item.height : item.width, vertical);
  return {
    words: wordsOf(plain(item.str), frame, rightToLeft, monospaced),
    left: seen[4],
    right: seen[4] + item.width,
    baseline: seen[5],
    size,
    rightToLeft,
    monospaced,
    font: item.fontName,
    turned,
    spaceAfter: /\s$/.test(item.str),
  };
}

/**
 * The letters of a text that was brought into reading order: ligatures resolved. pdf.js would resolve them before, and
 * so turn the parts of right-to-left ones around; those that a file itself spells out, it turns in any case. Where that
 * gives an order which no Arabic word has, it is put right.
 */
function plain(text: string): string {
  return text
    .replace(/[\u00a0\u00b5\u2000-\u200a\u202f\u2126\ufb00-\ufb17\ufb1d-\ufdff\ufe70-\ufefc]+/g, (found) =>
      found.normalize('NFKC'),
    )
    .replace(/\u0627([\u0622\u0623\u0625])\u0644/g, '\u0627\u0644$1');
}

/** A rectangle along a line of text: a corner, the way the text advances and the way up, in PDF points. */
interface Frame {
  readonly origin: readonly [number, number];
  readonly advance: readonly [number, number];
  readonly up: readonly [number, number];
}

function frameOf(transform: Matrix, style: TextStyle | undefined, length: number, vertical: boolean): Frame {
  const [a, b, c, d, e, f] = transform;
  const along = Math.hypot(a, b) || 1;
  const size = Math.hypot(c, d);
  const [ux, uy] = [a / along, b / along];
  const [vx, vy] = [c / (size || 1), d / (size || 1)];
  if (vertical) {
    // The origin of a vertical glyph is the middle of its top.
    return {
      origin: [e - (ux * size) / 2, f - (uy * size) / 2],
      advance: [-vx * length, -vy * length],
      up: [ux * size, uy * size],
    };
  }
  const ascent = usable(style?.ascent, 0.8);
  const descent = usable(style?.descent, -0.2);
  return {
    origin: [e + vx * descent * size, f + vy * descent * size],
    advance: [ux * length, uy * length],
    up: [vx * (ascent - descent) * size, vy * (ascent - descent) * size],
  };
}

function usable(share: number | undefined, fallback: number): number {
  return share !== undefined && Number.isFinite(share) && share !== 0 && Math.abs(share) < 1.5
    ? share
    : fallback;
}

function wordsOf(text: string, frame: Frame, rightToLeft: boolean, monospaced: boolean): Word[] {
  const direction = directionOf(frame, rightToLeft);
  const total = widthOf(text, monospaced) || 1;
  const words: Word[] = [];
  for (const found of text.matchAll(/\S+/g)) {
    const from = widthOf(text.slice(0, found.index), monospaced) / total;
    const to = from + widthOf(found[0], monospaced) / total;
    const box = rightToLeft ? boxOf(frame, 1 - to, 1 - from) : boxOf(frame, from, to);
    words.push({ text: found[0], box, direction });
  }
  return words;
}

function directionOf({ advance: [x, y] }: Frame, rightToLeft: boolean): number {
  if (Math.abs(x) >= Math.abs(y))
    return x > 0 === rightToLeft ? RunDirection.rightToLeft : RunDirection.leftToRight;
  return y > 0 === rightToLeft ? RunDirection.topToBottom : RunDirection.bottomToTop;
}

function boxOf({ origin, advance, up }: Frame, from: number, to: number): Box {
  const xs = [from, to].flatMap((share) => [
    origin[0] + share * advance[0],
    origin[0] + share * advance[0] + up[0],
  ]);
  const ys = [from, to].flatMap((share) => [
    origin[1] + share * advance[1],
    origin[1] + share * advance[1] + up[1],
  ]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

/** About how wide a text is in a common font, in sizes of that font: pdf.js tells only the width of a whole run. */
function widthOf(text: string, monospaced: boolean): number {
  if (monospaced) return text.length;
  let width = 0;
  for (const character of text) {
    if (/[ \u00a0.,:;'’‘!|ijlI()[\]/ft-]/.test(character)) width += 0.3;
    else if (/[mwMW@%—]/.test(character)) width += 0.85;
    else if (/[\p{Lu}&]/u.test(character)) width += 0.68;
    else if (/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/.test(character)) width += 1;
    else if (/\p{M}/u.test(character)) width += 0;
    else width += 0.52;
  }
  return width;
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}
