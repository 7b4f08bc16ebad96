/** Numbers by tag in a directory of a TIFF file, or in the one that cameras put into a JPEG picture. */
export type Tags = ReadonlyMap<number, readonly number[]>;

const MAX_DIRECTORIES = 2000;
/** Size in bytes of a value of each type: byte, text, short, long, two longs for a fraction, and untyped bytes. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

const ORIENTATION = 274;
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;
const RESOLUTION_UNIT = 296;

/**
 * Returns the consecutive directories of a TIFF file, one for each picture. Leaves out data beyond the end of the file,
 * and everything after a directory that repeats.
 */
export function tiffDirectories(tiff: Buffer): Tags[] {
  const mark = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (mark !== 'II' && mark !== 'MM')) return [];
  const isLittle = mark === 'II';
  const directories: Tags[] = [];
  const visitedOffsets = new Set<number>();
  let at = fourBytes(tiff, 4, isLittle);
  while (
    at >= 8 &&
    at + 2 <= tiff.length &&
    !visitedOffsets.has(at) &&
    visitedOffsets.size < MAX_DIRECTORIES
  ) {
    visitedOffsets.add(at);
    const count = Math.min(twoBytes(tiff, at, isLittle), Math.floor((tiff.length - at - 2) / 12));
    const tags = new Map<number, readonly number[]>();
    for (let i = 0; i < count; i++) {
      const entry = at + 2 + 12 * i;
      tags.set(twoBytes(tiff, entry, isLittle), readNumbers(tiff, entry, isLittle));
    }
    directories.push(tags);
    const next = at + 2 + 12 * count;
    at = next + 4 <= tiff.length ? fourBytes(tiff, next, isLittle) : 0;
  }
  return directories;
}

/** Returns the orientation of a picture, from 1 to 8 as in EXIF; 1 by default. */
export function readOrientation(tags: Tags): number {
  return tags.get(ORIENTATION)?.[0] ?? 1;
}

/** Returns the pixels per inch, across and down; undefined if the picture doesn't name them. */
export function readResolution(tags: Tags): readonly [number, number] | undefined {
  const across = tags.get(X_RESOLUTION)?.[0];
  const unit = tags.get(RESOLUTION_UNIT)?.[0] ?? 2;
  if (across === undefined || unit === 1) return undefined;
  const perInch = unit === 3 ? 2.54 : 1;
  return [across * perInch, (tags.get(Y_RESOLUTION)?.[0] ?? across) * perInch];
}

function readNumbers(tiff: Buffer, entry: number, isLittle: boolean): number[] {
  const type = twoBytes(tiff, entry + 2, isLittle);
  const size = SIZES[type] ?? 0;
  const count = fourBytes(tiff, entry + 4, isLittle);
  const at = size * count <= 4 ? entry + 8 : fourBytes(tiff, entry + 8, isLittle);
  if (size === 0 || at + size * count > tiff.length) return [];
  return Array.from({ length: count }, (_, i) => {
    const from = at + i * size;
    if (size === 1) return tiff[from] ?? 0;
    if (size === 2) return twoBytes(tiff, from, isLittle);
    if (size === 4) return fourBytes(tiff, from, isLittle);
    return fourBytes(tiff, from, isLittle) / fourBytes(tiff, from + 4, isLittle);
  });
}

function twoBytes(bytes: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

function fourBytes(bytes: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}
