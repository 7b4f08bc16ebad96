import { isUtf16 } from './text-decoding.ts';

/** What files of Word, Excel and PowerPoint from before 2007 are, and newer ones that a password protects. */
export const olderOffice = 'an older Office file';

/** The first bytes of formats that are not text, and what users call them. */
const signatures: readonly (readonly [prefix: string, name: string])[] = [
  ['\x89PNG\r\n', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['II*\0', 'a TIFF image'],
  ['MM\0*', 'a TIFF image'],
  ['\0\0\x01\0', 'an icon'],
  ['PK\x03\x04', 'a zip archive'],
  ['PK\x05\x06', 'a zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['BZh', 'a bzip2 archive'],
  ['\xfd7zXZ', 'an xz archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['Rar!\x1a', 'a RAR archive'],
  ['\x28\xb5\x2f\xfd', 'a Zstandard archive'],
  ['\x7fELF', 'a program'],
  ['\xcf\xfa\xed\xfe', 'a program'],
  ['\xca\xfe\xba\xbe', 'a program'],
  ['\0asm', 'a WebAssembly module'],
  ['SQLite format 3\0', 'a SQLite database'],
  ['wOFF', 'a font'],
  ['wOF2', 'a font'],
  ['OggS', 'an audio file'],
  ['ID3', 'an audio file'],
  ['fLaC', 'an audio file'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', olderOffice],
];

/** What bytes that are not text are, in a few words with an article; undefined for text. */
export function binaryKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1');
  const signature = signatures.find(([prefix]) => head.startsWith(prefix));
  if (signature) return signature[1];
  if (head.startsWith('RIFF') || head.startsWith('ftyp', 4)) return 'an image, audio or video file';
  if (isUtf16(bytes)) return undefined;
  const sample = bytes.subarray(0, 64 * 1024);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return 'a binary file';
    if (byte < 32 && !(byte >= 7 && byte <= 13) && byte !== 27) controls++;
  }
  return controls > 0.02 * sample.length ? 'a binary file' : undefined;
}
