import { constants, deflateSync, inflateSync } from 'node:zlib';
import { refuseLarge, Refusal, type PicturePage } from './picture-page.ts';

interface Png {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly isInterlaced: boolean;
  /** Number of stored values per pixel. */
  readonly values: number;
  readonly palette: Buffer;
  readonly transparency: Buffer;
  readonly dotsPerInch: PicturePage['dotsPerInch'];
  readonly packed: Buffer;
}

const GREY = 0;
const COLORS = 2;
const INDEXED = 3;
const GREY_AND_ALPHA = 4;

const METRES_PER_INCH = 0.0254;

/** Returns a PNG picture, unchanged if possible. PDF supports its filters, but not its alpha or interlacing. */
export function pngPage(bytes: Buffer): PicturePage {
  const png = parse(bytes);
  const { width, height, depth, colorType, transparency, dotsPerInch } = png;
  const hasAlpha = colorType >= GREY_AND_ALPHA;
  const part = { left: 0, top: 0, width, height };
  if (png.isInterlaced || hasAlpha) {
    const unpacked = unpackedRows(png);
    const isGray = colorType === GREY || colorType === GREY_AND_ALPHA;
    const rows = hasAlpha ? overWhite(unpacked, png.values, depth) : unpacked;
    const bits = hasAlpha ? 8 : depth;
    const entries = `/Filter /FlateDecode /BitsPerComponent ${String(bits)} /ColorSpace ${
      hasAlpha ? (isGray ? '/DeviceGray' : '/DeviceRGB') : colorSpace(png)
    }`;
    return { width, height, dotsPerInch, parts: [{ ...part, entries, bytes: deflateSync(rows) }] };
  }
  // One color can mark transparent pixels.
  const key =
    transparency.length > 0 && colorType !== INDEXED
      ? `/Mask [${Array.from({ length: png.values }, (_, i) => {
          const value = String(transparency.length >= 2 * i + 2 ? transparency.readUInt16BE(2 * i) : 0);
          return `${value} ${value}`;
        }).join(' ')}]`
      : '';
  const shape = `/Colors ${String(png.values)} /BitsPerComponent ${String(depth)} /Columns ${String(width)}`;
  const entries =
    `/Filter /FlateDecode /DecodeParms << /Predictor 15 ${shape} >> ` +
    `/BitsPerComponent ${String(depth)} /ColorSpace ${colorSpace(png)} ${key}`;
  return { width, height, dotsPerInch, parts: [{ ...part, entries, bytes: png.packed }] };
}

function parse(bytes: Buffer): Png {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') throw new Refusal('damaged');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, colorType = 0, , , interlacing] = bytes.subarray(24, 29);
  const values = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colorType];
  if (values === undefined || ![1, 2, 4, 8, 16].includes(depth)) throw new Refusal('damaged');
  refuseLarge(width, height);
  const chunks: Buffer[] = [];
  let palette: Buffer = Buffer.alloc(0);
  let transparency: Buffer = Buffer.alloc(0);
  let dotsPerInch: PicturePage['dotsPerInch'];
  for (let at = 33; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') chunks.push(data);
    if (type === 'PLTE') palette = data;
    if (type === 'tRNS') transparency = data;
    if (type === 'pHYs' && length === 9 && data[8] === 1)
      dotsPerInch = [data.readUInt32BE(0) * METRES_PER_INCH, data.readUInt32BE(4) * METRES_PER_INCH];
    if (type === 'IEND') break;
    at += 12 + length;
  }
  const packed = Buffer.concat(chunks);
  if (packed.length === 0 || (colorType === INDEXED && palette.length < 3)) throw new Refusal('damaged');
  const isInterlaced = interlacing === 1;
  return {
    width,
    height,
    depth,
    colorType,
    isInterlaced,
    values,
    palette,
    transparency,
    dotsPerInch,
    packed,
  };
}

function colorSpace({ colorType, palette, transparency }: Png): string {
  if (colorType === GREY) return '/DeviceGray';
  if (colorType === COLORS) return '/DeviceRGB';
  const colours = Math.floor(palette.length / 3);
  // Blend transparent palette colors with white.
  const opaquePalette = palette.subarray(0, 3 * colours).map((value, i) => {
    const alpha = transparency[Math.floor(i / 3)] ?? 255;
    return Math.round((value * alpha + 255 * (255 - alpha)) / 255);
  });
  return `[/Indexed /DeviceRGB ${String(colours - 1)} <${Buffer.from(opaquePalette).toString('hex')}>]`;
}

/** Passes of an interlaced picture: the first column and row, and the steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Returns all rows without filters, one after the other; missing rows of a truncated picture are zero. */
function unpackedRows(png: Png): Buffer {
  const { width, height, depth, values, isInterlaced } = png;
  const bits = depth * values;
  const rowLength = (columns: number): number => Math.ceil((columns * bits) / 8);
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  const sizes = passes.map(([x, y, stepX, stepY]) => ({
    columns: Math.max(0, Math.ceil((width - x) / stepX)),
    rows: Math.max(0, Math.ceil((height - y) / stepY)),
  }));
  const expected = sizes.reduce(
    (sum, { columns, rows }) => sum + (columns > 0 ? rows * (1 + rowLength(columns)) : 0),
    0,
  );
  const data = inflateImage(png.packed, expected);
  const pixelBytes = Buffer.alloc(height * rowLength(width));
  const nearby = Math.max(1, bits >> 3);
  let at = 0;
  for (const [index, [x0, y0, stepX, stepY]] of passes.entries()) {
    const { columns = 0, rows = 0 } = sizes[index] ?? {};
    if (columns === 0) continue;
    const length = rowLength(columns);
    let above: Buffer = Buffer.alloc(length);
    for (let row = 0; row < rows && at + 1 + length <= data.length; row++, at += 1 + length) {
      const line = data.subarray(at + 1, at + 1 + length);
      unfilter(data[at] ?? 0, line, above, nearby);
      above = line;
      const start = (y0 + row * stepY) * rowLength(width);
      if (!isInterlaced) line.copy(pixelBytes, start);
      else
        for (let i = 0; i < columns; i++)
          copyBits(line, i * bits, pixelBytes, start, (x0 + i * stepX) * bits, bits);
    }
  }
  return pixelBytes;
}

function inflateImage(packed: Buffer, limit: number): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: limit + 1024, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // The compressed data is invalid or larger than the picture.
    throw new Refusal('damaged');
  }
}

function copyBits(
  from: Buffer,
  fromBit: number,
  to: Buffer,
  start: number,
  toBit: number,
  bits: number,
): void {
  if (bits >= 8) {
    from.copy(to, start + (toBit >> 3), fromBit >> 3, (fromBit + bits) >> 3);
    return;
  }
  const value = ((from[fromBit >> 3] ?? 0) >> (8 - bits - (fromBit & 7))) & ((1 << bits) - 1);
  const at = start + (toBit >> 3);
  to[at] = (to[at] ?? 0) | (value << (8 - bits - (toBit & 7)));
}

/** Reverses a row's filter in place. The same value of the previous pixel is `nearby` bytes before. */
function unfilter(filter: number, line: Buffer, above: Buffer, nearby: number): void {
  for (let i = 0; i < line.length; i++) {
    const left = i < nearby ? 0 : (line[i - nearby] ?? 0);
    const up = above[i] ?? 0;
    const corner = i < nearby ? 0 : (above[i - nearby] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, filter === 4 ? paeth(left, up, corner) : 0][filter] ?? 0;
    line[i] = (line[i] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Blends pixels whose last value is their alpha with white, and returns them without alpha in 8 bits. */
function overWhite(rows: Buffer, values: number, depth: number): Buffer {
  const step = depth / 8;
  const pixels = Math.floor(rows.length / (values * step));
  const opaque = Buffer.alloc(pixels * (values - 1));
  for (let pixel = 0, to = 0, at = 0; pixel < pixels; pixel++, at += values * step) {
    const alpha = rows[at + (values - 1) * step] ?? 0;
    for (let value = 0; value < values - 1; value++)
      opaque[to++] = ((rows[at + value * step] ?? 0) * alpha + 255 * (255 - alpha)) / 255 + 0.5;
  }
  return opaque;
}
