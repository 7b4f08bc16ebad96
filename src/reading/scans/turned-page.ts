import type { DrawnPage } from './draw-page.ts';

/** A picture turned clockwise by some quarters of a turn. */
export function turned(picture: DrawnPage, quarters: number): DrawnPage {
  if (quarters === 0) return picture;
  const { width, height, pixels, dotsPerInch } = picture;
  const isOnSide = quarters % 2 === 1;
  const turnedWidth = isOnSide ? height : width;
  const turnedPixels = new Uint8Array(pixels.length);
  // Where the first pixel goes, and how far the next one to the right and the next one below stand from it.
  const [first, right, below] = (
    [
      [0, 1, width],
      [height - 1, height, -1],
      [pixels.length - 1, -1, -width],
      [(width - 1) * height, -height, 1],
    ] as const
  )[quarters % 4] ?? [0, 1, width];
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, to = first + y * below; x < width; x++, to += right)
      turnedPixels[to] = pixels[from++] ?? 255;
  return { width: turnedWidth, height: isOnSide ? width : height, pixels: turnedPixels, dotsPerInch };
}

/** A picture made smaller by a whole factor; each of its pixels is the mean of those that it takes the place of. */
export function shrunk(picture: DrawnPage, factor: number): DrawnPage {
  const width = Math.floor(picture.width / factor);
  const height = Math.floor(picture.height / factor);
  if (factor === 1 || width === 0 || height === 0) return picture;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = 0; dy < factor; dy++) {
        const row = (y * factor + dy) * picture.width + x * factor;
        for (let dx = 0; dx < factor; dx++) sum += picture.pixels[row + dx] ?? 255;
      }
      pixels[y * width + x] = sum / (factor * factor);
    }
  return { width, height, pixels, dotsPerInch: picture.dotsPerInch / factor };
}
