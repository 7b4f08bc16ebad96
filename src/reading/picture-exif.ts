const IMAGE_DESCRIPTION = 0x010e;
const USER_COMMENT = 0x9286;
const EXIF_DIRECTORY = 0x8769;

/** The comment and the description that a JPEG picture holds. */
export function exifDescription(bytes: Uint8Array): string[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  for (let at = 2; at + 4 <= view.length && view[at] === 0xff;) {
    const marker = view[at + 1] ?? 0;
    // The picture itself begins.
    if (marker === 0xda) break;
    const length = view.readUInt16BE(at + 2);
    const segment = view.subarray(at + 4, at + 2 + Math.max(2, length));
    if (marker === 0xfe) texts.push(segment.toString('utf8'));
    if (marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0')
      texts.push(...textsOfTiff(segment.subarray(6)));
    at += 2 + Math.max(2, length);
  }
  return texts;
}

function textsOfTiff(tiff: Buffer): string[] {
  if (tiff.length < 8) return [];
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const two = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const four = (at: number): number => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const texts: string[] = [];
  let directory = four(4);
  // The main directory, and the one of the camera's settings that it may name.
  for (let i = 0; i < 2 && directory > 0 && directory + 2 <= tiff.length; i++) {
    const entries = Math.min(two(directory), Math.floor((tiff.length - directory - 2) / 12));
    let next = 0;
    for (let entry = 0; entry < entries; entry++) {
      const at = directory + 2 + 12 * entry;
      const [tag, count] = [two(at), four(at + 4)];
      const value = count <= 4 ? at + 8 : four(at + 8);
      if (tag === EXIF_DIRECTORY) next = four(at + 8);
      if (tag === IMAGE_DESCRIPTION) texts.push(ended(tiff.toString('utf8', value, value + count)));
      if (tag === USER_COMMENT && tiff.toString('latin1', value, value + 5) === 'ASCII')
        texts.push(ended(tiff.toString('utf8', value + 8, value + count)));
    }
    directory = next;
  }
  return texts;
}

function ended(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
