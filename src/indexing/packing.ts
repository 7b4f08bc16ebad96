import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { OffsetMap } from '../notebook/document.ts';

/** A text as it is kept: UTF-16 code units where it holds lone surrogates, which UTF-8 would lose, else UTF-8; deflated. */
export function packText(text: string): Uint8Array {
  const wellFormed = text.isWellFormed();
  const bytes = Buffer.from(text, wellFormed ? 'utf8' : 'utf16le');
  return Buffer.concat([Buffer.of(wellFormed ? 8 : 16), deflateRawSync(bytes, { level: 5 })]);
}

export function unpackText(packed: Uint8Array): string {
  const bytes = inflateRawSync(packed.subarray(1));
  return bytes.toString(packed[0] === 8 ? 'utf8' : 'utf16le');
}

/** An offset map as it is kept: structured clone, whose format later versions of Node go on reading, deflated. */
export function packMap(map: OffsetMap): Uint8Array {
  return deflateRawSync(serialize(map), { level: 5 });
}

export function unpackMap(packed: Uint8Array): OffsetMap {
  return deserialize(inflateRawSync(packed)) as OffsetMap;
}
