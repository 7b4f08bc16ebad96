import { t } from '@vscode/l10n';
import { isMostlyUtf8, isUtf16 } from './text-decoding.ts';

/** Maximum share of control characters in a text that contains zeros. Programs that stop while writing leave zeros. */
const MAX_CONTROL_RATIO = 0.002;

/** User-facing names of binary files, by the kind that their first bytes show. */
const kinds = {
  png: () => t('a PNG image'),
  jpeg: () => t('a JPEG image'),
  gif: () => t('a GIF image'),
  tiff: () => t('a TIFF image'),
  icon: () => t('an icon'),
  zip: () => t('a zip archive'),
  gzip: () => t('a gzip archive'),
  bzip2: () => t('a bzip2 archive'),
  xz: () => t('an xz archive'),
  sevenZip: () => t('a 7-Zip archive'),
  rar: () => t('a RAR archive'),
  zstandard: () => t('a Zstandard archive'),
  program: () => t('a program'),
  webAssembly: () => t('a WebAssembly module'),
  database: () => t('a SQLite database'),
  font: () => t('a font'),
  audio: () => t('an audio file'),
  /** Word, Excel, and PowerPoint files from before 2007, and newer ones with a password. */
  olderOffice: () => t('an older Office file'),
  media: () => t('an image, audio, or video file'),
  binary: () => t('a binary file'),
} satisfies Record<string, () => string>;

type BinaryKind = keyof typeof kinds;

const ARCHIVES: ReadonlySet<BinaryKind> = new Set([
  'zip',
  'gzip',
  'bzip2',
  'xz',
  'sevenZip',
  'rar',
  'zstandard',
]);

/** First bytes of binary formats, and their kinds. */
const SIGNATURES: readonly (readonly [prefix: string, kind: BinaryKind])[] = [
  ['\x89PNG\r\n', 'png'],
  ['\xff\xd8\xff', 'jpeg'],
  ['GIF8', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['\0\0\x01\0', 'icon'],
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'],
  ['\x1f\x8b', 'gzip'],
  ['BZh', 'bzip2'],
  ['\xfd7zXZ', 'xz'],
  ['7z\xbc\xaf', 'sevenZip'],
  ['Rar!\x1a', 'rar'],
  ['\x28\xb5\x2f\xfd', 'zstandard'],
  ['\x7fELF', 'program'],
  ['\xcf\xfa\xed\xfe', 'program'],
  ['\xca\xfe\xba\xbe', 'program'],
  ['\0asm', 'webAssembly'],
  ['SQLite format 3\0', 'database'],
  ['wOFF', 'font'],
  ['wOF2', 'font'],
  ['OggS', 'audio'],
  ['ID3', 'audio'],
  ['fLaC', 'audio'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'olderOffice'],
];

/** Returns the kind of a binary file; undefined for text. */
export function binaryKind(bytes: Uint8Array): BinaryKind | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1');
  const signature = SIGNATURES.find(([prefix]) => head.startsWith(prefix));
  if (signature) return signature[1];
  if (head.startsWith('RIFF') || head.startsWith('ftyp', 4)) return 'media';
  if (isUtf16(bytes)) return undefined;
  const sample = bytes.subarray(0, 64 * 1024);
  let controls = 0;
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros++;
    else if (byte < 32 && !(byte >= 7 && byte <= 13) && byte !== 27) controls++;
  }
  const isBinary =
    zeros === 0
      ? controls > 0.02 * sample.length
      : zeros + controls > MAX_CONTROL_RATIO * sample.length || !isMostlyUtf8(sample);
  return isBinary ? 'binary' : undefined;
}

/** Returns the user-facing name of a kind, with an article. */
export function kindInWords(kind: BinaryKind): string {
  return kinds[kind]();
}

/** Reports whether a file of this kind contains other files. */
export function isArchive(kind: BinaryKind): boolean {
  return ARCHIVES.has(kind);
}
