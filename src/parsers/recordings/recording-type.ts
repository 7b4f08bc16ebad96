import { nameEnding } from '../code.ts';

/** Brands of pictures in the container that MP4 videos have, too. */
const PICTURE_BRAND = /^(?:avif|avis|heic|heix|hevc|heim|heis|hevm|hevs|mif1|msf1|jxl |crx )$/;

/** Top-level atoms with which QuickTime files from before the brand start. */
const OLD_ATOM = /^(?:moov|mdat|wide|pnot)$/;

/**
 * Returns the media type of an audio or video file by its first bytes; undefined for other files. Containers of both
 * are audio if their brand or name says so; only their tracks show it for certain.
 */
export function recordingType(name: string, head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, 64)).toString('latin1');
  const ending = nameEnding(name);
  const atom = start.slice(4, 8);
  const brand = start.slice(8, 12);
  if (atom === 'ftyp') {
    if (PICTURE_BRAND.test(brand)) return undefined;
    if (brand === 'qt  ') return 'video/quicktime';
    return /^M4[AB] /.test(brand) || /^m4[ab]$/.test(ending) ? 'audio/mp4' : 'video/mp4';
  }
  if (OLD_ATOM.test(atom) && /^(?:mov|mp4|m4[abv])$/.test(ending)) return 'video/quicktime';
  if (start.startsWith('RIFF') && brand === 'WAVE') return 'audio/wav';
  if (start.startsWith('\x1a\x45\xdf\xa3')) return start.includes('webm') ? 'video/webm' : 'video/x-matroska';
  if (start.startsWith('OggS')) return ending === 'ogv' ? 'video/ogg' : 'audio/ogg';
  if (start.startsWith('fLaC')) return 'audio/flac';
  if (start.startsWith('ID3')) return ending === 'aac' ? 'audio/aac' : 'audio/mpeg';
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  // ADTS has no layer, and MPEG audio one of three.
  if ((second & 0xf6) === 0xf0) return ending === 'aac' ? 'audio/aac' : undefined;
  const isFrame = (second & 0x06) !== 0 && (second & 0x18) !== 0x08 && (third & 0xf0) !== 0xf0;
  return isFrame && ending === 'mp3' ? 'audio/mpeg' : undefined;
}
