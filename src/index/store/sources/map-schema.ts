import * as v from 'valibot';
import type { OffsetMap } from '../../../core/domain/document.ts';

/** Schemas for stored arrays of numbers. */
interface StoredArrays {
  readonly bytes: v.GenericSchema<unknown, Uint8Array>;
  readonly shorts: v.GenericSchema<unknown, Uint16Array>;
  readonly words: v.GenericSchema<unknown, Uint32Array>;
  readonly floats: v.GenericSchema<unknown, Float32Array>;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const finite = v.pipe(v.number(), v.finite());

/** Returns the schema of a stored offset map. It doesn't check that the map fits its text. */
export function mapSchema({
  bytes,
  shorts,
  words,
  floats,
}: StoredArrays): v.GenericSchema<unknown, OffsetMap> {
  const places = v.optional(v.object({ starts: words, labels: v.array(v.string()) }));
  const spoken = v.optional(v.object({ starts: words, from: floats, to: floats }));
  const runs = { starts: words, lengths: words, lines: words, characters: words };
  const page = v.object({
    width: finite,
    height: finite,
    label: v.nullish(v.string(), () => undefined),
    start: count,
  });
  return v.variant('kind', [
    v.object({ kind: v.literal('text'), origin: v.object({ line: count, character: count }) }),
    v.object({ kind: v.literal('saved'), places, spoken }),
    v.object({ kind: v.literal('aligned'), ...runs, places }),
    v.object({ kind: v.literal('cells'), ...runs, cells: words, outputs: v.exactOptional(words) }),
    v.object({
      kind: v.literal('pdf'),
      pages: v.array(page),
      starts: words,
      ends: words,
      pageOf: shorts,
      boxes: floats,
      directions: bytes,
      confidences: v.exactOptional(bytes),
    }),
  ]);
}
