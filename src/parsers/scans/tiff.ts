import { readOrientation, readResolution, tiffDirectories, type Tags } from './exif.ts';
import { ASIDE, refuseLarge, Refusal, type PicturePage, type PicturePart } from './picture-page.ts';

/** Tag numbers of TIFF 6.0. */
const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const FILL_ORDER = 266;
const STRIP_OFFSETS = 273;
const VALUES = 277;
const STRIP_ROWS = 278;
const STRIP_BYTES = 279;
const PLANAR = 284;
const FAX_OPTIONS = 292;
const PREDICTOR = 317;
const COLOR_MAP = 320;
const TILE_WIDTH = 322;
const TILE_HEIGHT = 323;
const TILE_OFFSETS = 324;
const TILE_BYTES = 325;
const SAMPLE_FORMAT = 339;
const JPEG_TABLES = 347;
const SUBFILE = 254;

const WHITE_IS_ZERO = 0;
const INDEXED = 3;

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly values: number;
  readonly compression: number;
  readonly photometric: number;
}

/**
 * Returns the pictures of a TIFF file in their compressed form: PDF supports the same compression of strips and tiles.
 * @throws Refusal
 */
export function tiffPages(bytes: Buffer): PicturePage[] {
  const isLittle = bytes[0] === 0x49;
  const pages = tiffDirectories(bytes)
    // Skip thumbnails and masks between pages.
    .filter((tags) => ((tags.get(SUBFILE)?.[0] ?? 0) & 5) === 0 && tags.has(WIDTH) && tags.has(HEIGHT))
    .map((tags) => readPage(bytes, tags, isLittle));
  if (pages.length === 0) throw new Refusal('damaged');
  return pages;
}

function readPage(bytes: Buffer, tags: Tags, isLittle: boolean): PicturePage {
  const readNumber = (tag: number, otherwise: number): number => tags.get(tag)?.[0] ?? otherwise;
  const layout: Layout = {
    width: readNumber(WIDTH, 0),
    height: readNumber(HEIGHT, 0),
    bits: readNumber(BITS, 1),
    values: readNumber(VALUES, 1),
    compression: readNumber(COMPRESSION, 1),
    photometric: readNumber(PHOTOMETRIC, WHITE_IS_ZERO),
  };
  const { width, height, bits, values } = layout;
  refuseLarge(width, height);
  const isPlanar = values > 1 && readNumber(PLANAR, 1) === 2;
  if (isPlanar || readNumber(SAMPLE_FORMAT, 1) > 1 || ![1, 2, 4, 8, 16].includes(bits))
    throw new Refusal('unsupported');
  const isTiled = tags.has(TILE_OFFSETS);
  const partWidth = isTiled ? readNumber(TILE_WIDTH, 0) : width;
  const partHeight = isTiled ? readNumber(TILE_HEIGHT, 0) : Math.min(height, readNumber(STRIP_ROWS, height));
  refuseLarge(partWidth, partHeight);
  const offsets = tags.get(isTiled ? TILE_OFFSETS : STRIP_OFFSETS) ?? [];
  const lengths = tags.get(isTiled ? TILE_BYTES : STRIP_BYTES) ?? [];
  const perRow = Math.ceil(width / partWidth);
  if (offsets.length < perRow * Math.ceil(height / partHeight)) throw new Refusal('damaged');
  const { entries, prepare } = packing(tags, layout, isLittle);
  const parts: PicturePart[] = [];
  for (const [index, offset] of offsets.entries()) {
    const top = Math.floor(index / perRow) * partHeight;
    if (top >= height) break;
    const rows = isTiled ? partHeight : Math.min(partHeight, height - top);
    const end = offset + (lengths[index] ?? bytes.length);
    parts.push({
      left: (index % perRow) * partWidth,
      top,
      width: partWidth,
      height: rows,
      entries: entries(partWidth, rows),
      bytes: prepare(bytes.subarray(offset, end)),
      aside: colorFunction(layout),
    });
  }
  return { width, height, dotsPerInch: readResolution(tags), orientation: readOrientation(tags), parts };
}

interface Packing {
  readonly entries: (columns: number, rows: number) => string;
  readonly prepare: (part: Buffer) => Uint8Array;
}

/** Returns the PDF filter and preparation for the parts of a picture. */
function packing(tags: Tags, layout: Layout, isLittle: boolean): Packing {
  const { bits, values, compression } = layout;
  const colours = `/BitsPerComponent ${String(bits)} ${colorSpace(tags, layout)}`;
  const isReversed = tags.get(FILL_ORDER)?.[0] === 2;
  const asItIs = (part: Buffer): Buffer => part;
  if (compression >= 2 && compression <= 4) {
    const options = tags.get(FAX_OPTIONS)?.[0] ?? 0;
    const scheme = compression === 4 ? -1 : compression === 3 && (options & 1) === 1 ? 4 : 0;
    const isAligned = compression === 2;
    return {
      entries: (columns, rows) =>
        `/Filter /CCITTFaxDecode /DecodeParms << /K ${String(scheme)} /Columns ${String(columns)} ` +
        `/Rows ${String(rows)} /EncodedByteAlign ${String(isAligned)} /EndOfBlock false >> ${colours}`,
      prepare: isReversed ? withReversedBits : asItIs,
    };
  }
  if (compression === 7) {
    const tables = Buffer.from(tags.get(JPEG_TABLES) ?? []);
    // Without its own marker, a JPEG of three colors is interpreted as YCbCr.
    const transform = layout.photometric === 2 ? '/DecodeParms << /ColorTransform 0 >>' : '';
    return {
      entries: () => `/Filter /DCTDecode ${transform} ${colours}`,
      // Insert the shared tables, which have a start and an end marker of their own.
      prepare: (part) =>
        tables.length > 4 ? Buffer.concat([tables.subarray(0, -2), part.subarray(2)]) : part,
    };
  }
  // PDF expects the higher byte first. The bytes can be swapped only in uncompressed data.
  const isExchanged = bits === 16 && isLittle;
  if (isExchanged && compression !== 1) throw new Refusal('unsupported');
  const filter = {
    1: '',
    5: '/Filter /LZWDecode',
    8: '/Filter /FlateDecode',
    32773: '/Filter /RunLengthDecode',
    32946: '/Filter /FlateDecode',
  }[compression];
  if (filter === undefined) throw new Refusal('unsupported');
  const isPredicted = tags.get(PREDICTOR)?.[0] === 2 && filter !== '' && compression !== 32773;
  return {
    entries: (columns) => {
      const predictor = isPredicted
        ? `/DecodeParms << /Predictor 2 /Colors ${String(values)} /BitsPerComponent ${String(bits)} /Columns ${String(columns)} >>`
        : '';
      return `${filter} ${predictor} ${colours}`;
    },
    prepare: isExchanged ? (part) => Buffer.from(part.subarray(0, part.length & ~1)).swap16() : asItIs,
  };
}

/**
 * Returns the number of values per color by the color type: white is zero, black is zero, red green blue, separations,
 * luminance.
 */
function valueCount(photometric: number): number {
  return [1, 1, 3, Infinity, Infinity, 4, 3][photometric] ?? Infinity;
}

function colorSpace(tags: Tags, { bits, values, compression, photometric }: Layout): string {
  if (photometric === INDEXED) {
    const map = tags.get(COLOR_MAP) ?? [];
    const count = 2 ** bits;
    if (values !== 1 || bits > 8 || map.length < 3 * count) throw new Refusal('unsupported');
    const colours = Array.from(
      { length: 3 * count },
      (_, i) => (map[(i % 3) * count + Math.floor(i / 3)] ?? 0) >> 8,
    );
    return `/ColorSpace [/Indexed /DeviceRGB ${String(count - 1)} <${Buffer.from(colours).toString('hex')}>]`;
  }
  const count = valueCount(photometric);
  const name = { 1: 'Gray', 3: 'RGB', 4: 'CMYK' }[count];
  // Only JPEG converts luminance and chrominance itself, and PDF supports up to 32 values.
  if (name === undefined || values < count || values > 32 || (photometric === 6 && compression !== 7))
    throw new Refusal('unsupported');
  // PDF shows the white of fax compression as white, whatever its number.
  const isInverted = photometric === WHITE_IS_ZERO && !(compression >= 2 && compression <= 4);
  const isFaxInverted = photometric === 1 && compression >= 2 && compression <= 4;
  const decode = isInverted || isFaxInverted ? `/Decode [${'1 0 '.repeat(values)}]` : '';
  if (values === count) return `/ColorSpace /Device${name} ${decode}`;
  // Ignore additional values, such as alpha.
  const names = Array.from({ length: values }, (_, i) => `/C${String(i)}`).join(' ');
  return `/ColorSpace [/DeviceN [${names}] /Device${name} ${ASIDE}] ${decode}`;
}

/** Returns the PDF function that keeps only the color values of a pixel. */
function colorFunction({ values, photometric }: Layout): PicturePart['aside'] {
  const count = valueCount(photometric);
  if (photometric === INDEXED || values <= count) return undefined;
  const entries = `/FunctionType 4 /Domain [${'0 1 '.repeat(values)}] /Range [${'0 1 '.repeat(count)}]`;
  return { entries, bytes: Buffer.from(`{ ${'pop '.repeat(values - count)}}`) };
}

function withReversedBits(part: Buffer): Buffer {
  return Buffer.from(part).map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) reversed |= 0x80 >> bit;
    return reversed;
  }) as Buffer;
}
