import type { AlignedRuns, OffsetMap, PdfPage, Places } from '../../notebook/document.ts';
import { fieldsOf, listOf, numberOf, textOf } from './fields.ts';

/** An offset map as plain JSON: arrays of numbers as base64 of their little-endian bytes. */
export function mapToJson(map: OffsetMap): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return [];
      if (name === 'places' && isPlaces(value)) return [[name, { ...value, starts: packed(value.starts) }]];
      return [[name, ArrayBuffer.isView(value) ? packed(value) : value]];
    }),
  );
}

/**
 * The way back, for a text of a length in UTF-16 code units. Nothing in what it makes points beyond the text.
 * @throws Error where it is none.
 */
export function mapFromJson(json: unknown, length: number): OffsetMap {
  const fields = fieldsOf(json);
  switch (fields['kind']) {
    case 'text': {
      const origin = fieldsOf(fields['origin']);
      return { kind: 'text', origin: { line: count(origin['line']), character: count(origin['character']) } };
    }
    case 'saved':
      return { kind: 'saved', places: placesOf(fields['places'], length) };
    case 'aligned':
      return { kind: 'aligned', ...runsOf(fields, length), places: placesOf(fields['places'], length) };
    case 'cells': {
      const runs = runsOf(fields, length);
      const cells = wordsOf(fields['cells'], runs.starts.length);
      return fields['outputs'] === undefined
        ? { kind: 'cells', ...runs, cells }
        : { kind: 'cells', ...runs, cells, outputs: wordsOf(fields['outputs'], runs.starts.length) };
    }
    case 'pdf':
      return pdfMapOf(fields, length);
    default:
      throw new Error('There is no such map.');
  }
}

function pdfMapOf(fields: Readonly<Record<string, unknown>>, length: number): OffsetMap {
  const pages = listOf(fields['pages']).map((page): PdfPage => {
    const { width, height, label, start } = fieldsOf(page);
    return {
      width: numberOf(width),
      height: numberOf(height),
      label: label === undefined || label === null ? undefined : textOf(label),
      start: count(start, length),
    };
  });
  const starts = ascending(new Uint32Array(bytesOf(fields['starts'])), length);
  const ends = wordsOf(fields['ends'], starts.length);
  const pageOf = new Uint16Array(bytesOf(fields['pageOf']));
  const boxes = new Float32Array(bytesOf(fields['boxes']));
  const directions = new Uint8Array(bytesOf(fields['directions']));
  const fits =
    pageOf.length === starts.length &&
    boxes.length === 4 * starts.length &&
    directions.length === starts.length &&
    ends.every((end) => end <= length) &&
    pageOf.every((page) => page < pages.length);
  if (!fits) throw new Error('The runs of a PDF do not fit.');
  return { kind: 'pdf', pages, starts, ends, pageOf, boxes, directions };
}

function runsOf(fields: Readonly<Record<string, unknown>>, length: number): AlignedRuns {
  const starts = ascending(new Uint32Array(bytesOf(fields['starts'])), length);
  return {
    starts,
    lengths: wordsOf(fields['lengths'], starts.length),
    lines: wordsOf(fields['lines'], starts.length),
    characters: wordsOf(fields['characters'], starts.length),
  };
}

function placesOf(json: unknown, length: number): Places | undefined {
  if (json === undefined) return undefined;
  const fields = fieldsOf(json);
  const starts = ascending(new Uint32Array(bytesOf(fields['starts'])), length);
  const labels = listOf(fields['labels']).map((label) => textOf(label));
  if (labels.length !== starts.length) throw new Error('Places without labels.');
  return { starts, labels };
}

function isPlaces(value: unknown): value is Places {
  return typeof value === 'object' && value !== null && 'starts' in value && 'labels' in value;
}

function packed(array: ArrayBufferView): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
}

function bytesOf(json: unknown): ArrayBuffer {
  const bytes = Buffer.from(textOf(json), 'base64');
  return new Uint8Array(bytes).buffer;
}

function wordsOf(json: unknown, length: number): Uint32Array {
  const words = new Uint32Array(bytesOf(json));
  if (words.length !== length) throw new Error('The runs of a text do not fit.');
  return words;
}

function ascending(starts: Uint32Array, length: number): Uint32Array {
  let before = 0;
  for (const start of starts) {
    if (start < before || start > length) throw new Error('The runs of a text do not ascend.');
    before = start;
  }
  return starts;
}

/** A number to count with, at most `most`. */
function count(json: unknown, most = Number.MAX_SAFE_INTEGER): number {
  const value = numberOf(json);
  if (!Number.isSafeInteger(value) || value < 0 || value > most) throw new Error('That is no count.');
  return value;
}
