import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { readOrientation, readResolution, tiffDirectories, type Tags } from './exif.ts';
import { refuseLarge, Refusal, type PicturePage } from './picture-page.ts';

let decoder: string | undefined;
let loading: Promise<(bytes: ArrayBuffer) => Promise<unknown>> | undefined;

/** Sets the path of the program that decompresses WebP pictures: `webp_dec.wasm` of @jsquash/webp. */
export function setWebpDecoder(file: string): void {
  decoder = file;
}

/** Returns a decompressed WebP picture on white. @throws Refusal `damaged`, `unsupported`, `too-large` */
export async function webpPage(bytes: Buffer): Promise<PicturePage> {
  const { width, height, tags } = parse(bytes);
  refuseLarge(width, height);
  loading ??= loadDecoder();
  const decode = await loading;
  // A picture that can't be decoded is refused below.
  const picture = await decode(new Uint8Array(bytes).buffer).catch(() => undefined);
  if (!isPicture(picture) || picture.data.length !== 4 * width * height) throw new Refusal('damaged');
  const entries = '/Filter /FlateDecode /BitsPerComponent 8 /ColorSpace /DeviceRGB';
  const packed = deflateSync(overWhite(picture.data));
  return {
    width,
    height,
    orientation: tags && readOrientation(tags),
    dotsPerInch: tags && readResolution(tags),
    parts: [{ left: 0, top: 0, width, height, entries, bytes: packed }],
  };
}

async function loadDecoder(): Promise<(bytes: ArrayBuffer) => Promise<unknown>> {
  if (decoder === undefined) throw new Error('setWebpDecoder must be called before a WebP picture is read.');
  const { default: decode, init } = await import('@jsquash/webp/decode.js');
  await init(new WebAssembly.Module(await readFile(decoder)));
  return decode;
}

function isPicture(picture: unknown): picture is { readonly data: Uint8ClampedArray } {
  return picture instanceof Object && 'data' in picture && picture.data instanceof Uint8ClampedArray;
}

function overWhite(pixels: Uint8ClampedArray): Uint8Array {
  const opaque = new Uint8Array((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    const alpha = pixels[from + 3] ?? 255;
    for (let i = 0; i < 3; i++)
      opaque[to++] = ((pixels[from + i] ?? 0) * alpha + 255 * (255 - alpha)) / 255 + 0.5;
  }
  return opaque;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly tags: Tags | undefined;
}

/** Reads the dimensions from the first chunk, which has one of three types. */
function parse(bytes: Buffer): Header {
  if (bytes.length < 30) throw new Refusal('damaged');
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ')
    return {
      width: bytes.readUInt16LE(26) & 0x3fff,
      height: bytes.readUInt16LE(28) & 0x3fff,
      tags: undefined,
    };
  if (kind === 'VP8L') {
    const sizes = bytes.readUInt32LE(21);
    return { width: 1 + (sizes & 0x3fff), height: 1 + ((sizes >>> 14) & 0x3fff), tags: undefined };
  }
  if (kind !== 'VP8X') throw new Refusal('damaged');
  // Reject animations.
  if ((bytes[20] ?? 0) & 2) throw new Refusal('unsupported');
  return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3), tags: readExif(bytes) };
}

function readExif(bytes: Buffer): Tags | undefined {
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') {
      const data = bytes.subarray(at + 8, at + 8 + length);
      return tiffDirectories(data.toString('latin1', 0, 6) === 'Exif\0\0' ? data.subarray(6) : data)[0];
    }
    at += 8 + length + (length & 1);
  }
  return undefined;
}
