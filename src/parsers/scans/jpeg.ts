import { readOrientation, readResolution, tiffDirectories } from './exif.ts';
import { refuseLarge, Refusal, type PicturePage } from './picture-page.ts';

const COLOR_SPACES: Readonly<Record<number, string>> = {
  1: '/DeviceGray',
  3: '/DeviceRGB',
  // Only Adobe programs write four colors, and they write them inverted.
  4: '/DeviceCMYK /Decode [1 0 1 0 1 0 1 0]',
};

/** Returns a JPEG picture unchanged, because PDF supports the format. @throws Refusal `damaged`, `unsupported` */
export function jpegPage(bytes: Buffer): PicturePage {
  let orientation: number | undefined;
  let dotsPerInch: PicturePage['dotsPerInch'];
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) throw new Refusal('damaged');
    const marker = bytes[at + 1] ?? 0;
    // Skip padding, and markers without a length.
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      const length = bytes.readUInt16BE(at + 2);
      const segment = bytes.subarray(at + 4, at + 2 + length);
      if (marker === 0xe0 && segment.toString('latin1', 0, 5) === 'JFIF\0' && segment.length >= 12)
        dotsPerInch ??= readDensity(segment);
      if (marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0') {
        const [tags] = tiffDirectories(segment.subarray(6));
        orientation = tags && readOrientation(tags);
        dotsPerInch ??= tags && readResolution(tags);
      }
      if (isFrame(marker) && segment.length >= 6)
        return { ...readFrame(bytes, marker, segment), orientation, dotsPerInch };
      if (marker === 0xda || length < 2) throw new Refusal('damaged');
      at += 2 + length;
    }
  }
  throw new Refusal('damaged');
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readFrame(
  bytes: Buffer,
  marker: number,
  segment: Buffer,
): Pick<PicturePage, 'width' | 'height' | 'parts'> {
  const height = segment.readUInt16BE(1);
  const width = segment.readUInt16BE(3);
  refuseLarge(width, height);
  const colours = COLOR_SPACES[segment[5] ?? 0];
  // PDF supports only baseline, extended, and progressive JPEG with 8 bits.
  if (marker > 0xc2 || segment[0] !== 8 || colours === undefined) throw new Refusal('unsupported');
  const entries = `/Filter /DCTDecode /BitsPerComponent 8 /ColorSpace ${colours}`;
  return { width, height, parts: [{ left: 0, top: 0, width, height, entries, bytes }] };
}

function readDensity(segment: Buffer): PicturePage['dotsPerInch'] {
  const perInch = { 1: 1, 2: 2.54 }[segment[7] ?? 0];
  if (perInch === undefined) return undefined;
  return [segment.readUInt16BE(8) * perInch, segment.readUInt16BE(10) * perInch];
}
