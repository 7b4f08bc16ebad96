import * as v from 'valibot';
import type { AlignedRuns, OffsetMap, Places, SpokenTimes } from '../../core/domain/document.ts';
import { mapSchema } from '../store/sources/map-schema.ts';

/** Bytes in base64. */
const bytes = v.pipe(
  v.string(),
  v.transform((base64) => new Uint8Array(Buffer.from(base64, 'base64'))),
);
const exportedMap = mapSchema({
  bytes,
  shorts: v.pipe(
    bytes,
    v.transform(({ buffer }) => new Uint16Array(buffer)),
  ),
  words: v.pipe(
    bytes,
    v.transform(({ buffer }) => new Uint32Array(buffer)),
  ),
  floats: v.pipe(
    bytes,
    v.transform(({ buffer }) => new Float32Array(buffer)),
  ),
});

/** Converts an offset map to plain JSON, with arrays of numbers as base64 of their little-endian bytes. */
export function mapToJson(map: OffsetMap): Record<string, unknown> {
  return packedFields(map);
}

function packedFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return [];
      if (ArrayBuffer.isView(value)) return [[name, packArray(value)]];
      const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [[name, isRecord ? packedFields(value) : value]];
    }),
  );
}

/**
 * Parses a map for a text with a length in UTF-16 code units. Its runs are within the text.
 * @throws Error if it isn't valid
 */
export function mapFromJson(json: unknown, length: number): OffsetMap {
  const map = v.parse(exportedMap, json);
  if (!fits(map, length)) throw new Error('The runs of a text do not fit it.');
  return map;
}

function fits(map: OffsetMap, length: number): boolean {
  switch (map.kind) {
    case 'text':
      return true;
    case 'saved':
      return placesFit(map.places, length) && timesFit(map.spoken, length);
    case 'aligned':
      return runsFit(map, length) && placesFit(map.places, length);
    case 'cells': {
      const { starts, cells, outputs = cells } = map;
      return runsFit(map, length) && [cells, outputs].every((list) => list.length === starts.length);
    }
    case 'pdf': {
      const { pages, starts, ends, pageOf, boxes, directions, confidences = directions } = map;
      return (
        ascend(starts, length) &&
        pages.every(({ start }) => start <= length) &&
        [ends, pageOf, directions, confidences].every((list) => list.length === starts.length) &&
        boxes.length === 4 * starts.length &&
        ends.every((end) => end <= length) &&
        pageOf.every((page) => page < pages.length)
      );
    }
  }
}

function runsFit({ starts, lengths, lines, characters }: AlignedRuns, length: number): boolean {
  return (
    ascend(starts, length) && [lengths, lines, characters].every((list) => list.length === starts.length)
  );
}

function placesFit(stretches: Places | undefined, length: number): boolean {
  if (stretches === undefined) return true;
  return ascend(stretches.starts, length) && stretches.labels.length === stretches.starts.length;
}

function timesFit(spoken: SpokenTimes | undefined, length: number): boolean {
  if (spoken === undefined) return true;
  const { starts, from, to } = spoken;
  return ascend(starts, length) && [from, to].every((list) => list.length === starts.length);
}

function packArray(array: ArrayBufferView): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
}

function ascend(starts: Uint32Array, length: number): boolean {
  return starts.every((start, index) => start >= (starts[index - 1] ?? 0) && start <= length);
}
