import { crc32 } from 'node:zlib';

/** A snapshot that is damaged, cut short or of another version: the index has to be made anew. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

const MAGIC = 0x4f4e4958;
/** Counts up when the layout changes, and when the tokenizer would make other terms of a text. */
const VERSION = 5;
/** Magic, version, revision, length of the content, checksum of all but itself. */
const HEADER = 4 + 4 + 8 + 8 + 4;

/** Puts a header before a snapshot's content that tells damage, and the store's revision that it holds. */
export function frameSnapshot(content: Uint8Array, revision: number): Uint8Array {
  const bytes = new Uint8Array(HEADER + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, VERSION);
  view.setFloat64(8, revision);
  view.setFloat64(16, content.length);
  bytes.set(content, HEADER);
  view.setUint32(24, checksum(bytes));
  return bytes;
}

/** @throws SnapshotError where the bytes are not whole, or of another version. */
export function unframeSnapshot(bytes: Uint8Array): { content: Uint8Array; revision: number } {
  if (bytes.length < HEADER) throw new SnapshotError('The snapshot of the index is cut short.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0) !== MAGIC) throw new SnapshotError('This is no snapshot of an index.');
  if (view.getUint32(4) !== VERSION)
    throw new SnapshotError('The snapshot of the index is of another version.');
  if (view.getFloat64(16) !== bytes.length - HEADER || view.getUint32(24) !== checksum(bytes))
    throw new SnapshotError('The snapshot of the index is damaged.');
  return { content: bytes.subarray(HEADER), revision: view.getFloat64(8) };
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(HEADER), crc32(bytes.subarray(0, HEADER - 4)));
}
