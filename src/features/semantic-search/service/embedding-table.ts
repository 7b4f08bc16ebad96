import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { notAModel } from './not-a-model.ts';
import { TENSOR_BYTES, tensorNumbers, readTensors, type Tensor } from './safetensors.ts';

/** Vectors of a model's tokens. */
interface EmbeddingTable {
  /** Number of tokens that have a vector. */
  readonly tokens: number;
  readonly dimension: number;
  /** Returns the weighted vector of a token; undefined if it has none. */
  readonly tokenVector: (token: number) => Float32Array | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Maximum size of the cached rows, in bytes. Rows are read on demand, so that a table of half a gigabyte only needs
 * memory for the words in use. All windows share the system's file cache.
 */
const MAX_CACHED_BYTES = 64 * 2 ** 20;

const FILE = 'model.safetensors';

/**
 * Opens a `model.safetensors`: a matrix with a row per token. A quantized vocabulary has shared rows (`mapping`) and a
 * weight per token (`weights`).
 * @throws NotebookError `damaged`
 */
export async function openTable(path: string): Promise<EmbeddingTable> {
  const file = await open(path, 'r');
  try {
    return await tableIn(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function tableIn(file: FileHandle): Promise<EmbeddingTable> {
  const tensors = await readTensors(file, FILE);
  const matrix = tensors.get('embeddings') ?? tensors.get('embedding.weight') ?? tensors.get('0');
  const [rows = 0, dimension = 0] = matrix?.shape ?? [];
  if (matrix?.shape.length !== 2 || rows === 0 || dimension === 0)
    throw notAModel(FILE, 'It has no matrix of embeddings.');
  const mapping = await readList(file, tensors.get('mapping'));
  const weights = await readList(file, tensors.get('weights'));
  const tokens = mapping?.length ?? rows;
  const rowBytes = dimension * TENSOR_BYTES[matrix.type];
  const maxRows = Math.max(1, Math.floor(MAX_CACHED_BYTES / (4 * dimension)));
  let cached: (Float32Array | undefined)[] = [];
  let count = 0;
  const buffer = Buffer.alloc(rowBytes);
  const tokenVector = (token: number): Float32Array | undefined => {
    const known = cached[token];
    if (known !== undefined) return known;
    const row = mapping?.[token] ?? token;
    if (token < 0 || token >= tokens || row < 0 || row >= rows) return undefined;
    if (readSync(file.fd, buffer, 0, rowBytes, matrix.at + row * rowBytes) < rowBytes)
      throw notAModel(FILE, 'It ends before its last row.');
    const vector = tensorNumbers(buffer, matrix.type);
    const weight = weights?.[token] ?? 1;
    if (weight !== 1) for (let at = 0; at < dimension; at++) vector[at] = (vector[at] ?? 0) * weight;
    if (++count > maxRows) {
      cached = [];
      count = 1;
    }
    cached[token] = vector;
    return vector;
  };
  return { tokens, dimension, tokenVector, close: () => file.close() };
}

/** Reads a tensor with one dimension. */
async function readList(file: FileHandle, tensor: Tensor | undefined): Promise<Float32Array | undefined> {
  if (tensor === undefined) return undefined;
  const bytes = Buffer.alloc((tensor.shape[0] ?? 0) * TENSOR_BYTES[tensor.type]);
  await file.read(bytes, 0, bytes.length, tensor.at);
  return tensorNumbers(bytes, tensor.type);
}
