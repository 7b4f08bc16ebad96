/** Maximum pixels of an image, because a larger one needs too much memory. */
export const MAX_PIXELS = 50_000_000;

/**
 * Returns the size that a PNG, GIF, WebP, BMP, or JPEG declares, in pixels; undefined for other formats or without a
 * size.
 */
export function imageSize(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  if (bytes.length < 30) return undefined;
  if (start.startsWith('\u0089PNG')) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (start.startsWith('GIF8')) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (start.startsWith('BM'))
    return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return sizeOfWebp(view, start.slice(12, 16));
  return start.startsWith('\u00ff\u00d8') ? sizeOfJpeg(view) : undefined;
}

function sizeOfWebp(view: DataView, kind: string): { width: number; height: number } | undefined {
  const three = (at: number): number => view.getUint16(at, true) + 65_536 * view.getUint8(at + 2);
  if (kind === 'VP8X') return { width: three(24) + 1, height: three(27) + 1 };
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** Reads the size of a JPEG from the segment that begins its frame. */
function sizeOfJpeg(view: DataView): { width: number; height: number } | undefined {
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}
