import type { FileHandle } from 'node:fs/promises';
import * as v from 'valibot';
import { parseBounded } from '../../../core/domain/bounded-json.ts';
import { anyFields } from '../../../core/domain/json-schemas.ts';
import { notAModel } from './not-a-model.ts';

/** Tensor of a safetensors file, with the offset of its numbers. They are little-endian, row by row. */
export interface Tensor {
  readonly type: NumberType;
  readonly shape: readonly number[];
  readonly at: number;
}

/** Number format of a tensor. */
export type NumberType = 'F16' | 'F32' | 'F64' | 'I32' | 'I64' | 'I8';

/** Bytes per number. */
export const TENSOR_BYTES: Readonly<Record<NumberType, number>> = {
  F16: 2,
  F32: 4,
  F64: 8,
  I32: 4,
  I64: 8,
  I8: 1,
};

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const ofKnownNumbers = v.object({ dtype: v.picklist(['F16', 'F32', 'F64', 'I32', 'I64', 'I8']) });
const placed = v.object({ shape: v.array(count), data_offsets: v.tuple([count, count]) });

/** Maximum header size in bytes; models only have a handful of tensors. */
const MAX_HEADER_BYTES = 1_000_000;
const BOUNDS = { depth: 4, values: 10_000 };

/** Reads the header of a safetensors file and checks the length of its tensors. @throws NotebookError `damaged` */
export async function readTensors(file: FileHandle, name: string): Promise<ReadonlyMap<string, Tensor>> {
  const { size } = await file.stat();
  const start = Buffer.alloc(8);
  await file.read(start, 0, 8, 0);
  const headerLength = size < 8 ? 0 : Number(start.readBigUInt64LE());
  if (headerLength < 2 || headerLength > MAX_HEADER_BYTES || 8 + headerLength > size)
    throw notAModel(name, `Its header has ${String(headerLength)} bytes.`);
  const header = Buffer.alloc(headerLength);
  await file.read(header, 0, headerLength, 8);
  const tensors = new Map<string, Tensor>();
  for (const [tensor, spec] of Object.entries(
    v.parse(anyFields, parseHeader(header.toString('utf8'), name)),
  )) {
    if (tensor === '__metadata__') continue;
    // A tensor with an unsupported type may not be needed.
    if (!v.is(ofKnownNumbers, spec)) continue;
    if (!v.is(placed, spec)) throw notAModel(name, `${tensor} does not say where it stands.`);
    const { dtype: type, shape, data_offsets: offsets } = spec;
    const [from, to] = offsets;
    const length = shape.reduce((product, dimension) => product * dimension, TENSOR_BYTES[type]);
    if (to - from !== length || 8 + headerLength + to > size)
      throw notAModel(name, `${tensor} does not stand where it is said to.`);
    tensors.set(tensor, { type, shape, at: 8 + headerLength + from });
  }
  return tensors;
}

function parseHeader(header: string, name: string): unknown {
  try {
    return parseBounded(header, BOUNDS);
  } catch (error) {
    throw notAModel(name, String(error));
  }
}

/** Converts little-endian bytes to numbers. */
export function tensorNumbers(bytes: Buffer, type: NumberType): Float32Array {
  const own = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  switch (type) {
    case 'F32':
      return new Float32Array(own);
    case 'F16':
      return new Float32Array(new Float16Array(own));
    case 'F64':
      return new Float32Array(new Float64Array(own));
    case 'I8':
      return new Float32Array(new Int8Array(own));
    case 'I32':
      return new Float32Array(new Int32Array(own));
    case 'I64':
      return Float32Array.from(new BigInt64Array(own), Number);
  }
}
