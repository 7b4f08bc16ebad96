import { MAX_IMAGE_PIXELS } from '../pdf/engine.ts';

/** Picture as a page of a PDF. */
export interface PicturePage {
  /** Stored size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly dotsPerInch?: readonly [across: number, down: number] | undefined;
  /** Orientation as in EXIF and TIFF: 1 is upright. */
  readonly orientation?: number | undefined;
  /** Parts of the picture: the whole, or its strips or tiles. */
  readonly parts: readonly PicturePart[];
}

/** Part of a picture as a PDF image. */
export interface PicturePart {
  /** Position in pixels from the upper left. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Entries of its dictionary, without the dimensions and the length. */
  readonly entries: string;
  readonly bytes: Uint8Array;
  /** A stream that the entries refer to as `ASIDE`. */
  readonly aside?: { readonly entries: string; readonly bytes: Uint8Array } | undefined;
}

/** Placeholder in a part's entries for the number of its other stream. */
export const ASIDE = '(aside)';

/** Reason to reject a picture. A caller that knows the file name turns it into a sentence. */
export class Refusal extends Error {
  readonly code: 'damaged' | 'unsupported' | 'too-large';
  readonly width: number;
  readonly height: number;

  constructor(code: Refusal['code'], { width = 0, height = 0 } = {}) {
    super(code);
    this.code = code;
    this.width = width;
    this.height = height;
  }
}

/**
 * Rejects a picture by its header, before anything is unpacked.
 * @throws Refusal `damaged`, `too-large`
 */
export function refuseLarge(width: number, height: number): void {
  if (width === 0 || height === 0) throw new Refusal('damaged');
  if (width * height > MAX_IMAGE_PIXELS) throw new Refusal('too-large', { width, height });
}
