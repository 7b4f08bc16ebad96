import { createHash } from 'node:crypto';

/** Returns a unit vector of a text's words: equal for the same text, and similar for texts that share words. */
export function hashVector(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = createHash('sha1').update(word).digest();
    const place = hash.readUInt32LE(0) % dimensions;
    vector[place] = (vector[place] ?? 0) + ((hash[4] ?? 0) % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
