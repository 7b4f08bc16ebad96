import { intersection, isEmpty, type Box, type Mask } from './coverage.ts';

/** Picture of one byte per pixel, row by row: 0 is black, 255 white. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Area of a surface to draw on: a box, limited by the coverage of at most two masks. */
interface Clip {
  readonly box: Box;
  readonly masks: readonly Mask[];
}

/** Function that mixes a gray with the one below, both from 0 to 255. */
export type Blend = (source: number, below: number) => number;

/** PDF's blend modes by pdf.js's names. Other modes are drawn without blending. */
export const blends: Readonly<Record<string, Blend>> = {
  multiply: (source, below) => (source * below) / 255,
  screen: (source, below) => source + below - (source * below) / 255,
  darken: Math.min,
  lighten: Math.max,
};

/** Returns a picture of one gray, 0 to 255, with whole pixels and at least one in each direction. */
export function makeSurface(width: number, height: number, grey: number): GrayPicture {
  const [columns, rows] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
  return { width: columns, height: rows, pixels: new Uint8Array(columns * rows).fill(grey) };
}

/** Returns the box of a whole picture. */
export function boxOfSurface({ width, height }: GrayPicture): Box {
  return { left: 0, top: 0, right: width, bottom: height };
}

/**
 * Paints the pixels of a mask within a clip: with one gray, or with a gray for each pixel that is multiplied by its
 * coverage. `alpha` is 0 to 1.
 */
export function paint(
  surface: GrayPicture,
  mask: Mask,
  clip: Clip,
  ink: number | Uint8Array,
  alpha: number,
  blend: Blend | undefined,
): void {
  const box = intersection(intersection(mask, clip.box), boxOfSurface(surface));
  if (isEmpty(box)) return;
  const { pixels, width } = surface;
  const [first, second] = clip.masks;
  for (let y = box.top; y < box.bottom; y++) {
    let from = (y - mask.top) * (mask.right - mask.left) + box.left - mask.left;
    let to = y * width + box.left;
    for (let x = box.left; x < box.right; x++, from++, to++) {
      const covered = mask.values[from] ?? 0;
      if (covered === 0) continue;
      let part = (covered * alpha) / 255;
      if (first) part *= valueAt(first, x, y) / 255;
      if (second) part *= valueAt(second, x, y) / 255;
      const below = pixels[to] ?? 0;
      const grey = typeof ink === 'number' ? ink : ((ink[from] ?? 0) * 255) / covered;
      const mixed = blend ? blend(grey, below) : grey;
      pixels[to] = below + (mixed - below) * part + 0.5;
    }
  }
}

/** Returns how much of a pixel a mask covers; 0 outside its box. */
export function valueAt({ left, top, right, bottom, values }: Mask, x: number, y: number): number {
  if (x < left || x >= right || y < top || y >= bottom) return 0;
  return values[(y - top) * (right - left) + x - left] ?? 0;
}
