import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable } from './embedding-table.ts';
import * as v from 'valibot';
import { fields } from '../../../core/domain/json-schemas.ts';
import { notAModel } from './not-a-model.ts';
import { readTokenizer } from './tokenizer.ts';
import { checksumError, computeChecksum } from '../../../core/domain/checksum.ts';
import type { CheckedModel, ModelFile } from './api.ts';

const modelConfig = fields({ normalize: v.boolean() });

/** Static model: the vector of a text is the mean of its tokens' vectors. */
export interface StaticModel {
  readonly dimension: number;
  /** Returns the embedding of a text; undefined if the model knows none of its tokens. */
  readonly embed: (text: string) => Float32Array | undefined;
  readonly close: () => Promise<void>;
}

/** Maximum number of tokens per text, as in Model2Vec. */
const MAX_TOKENS = 512;

/** Maximum size of a tokenizer; one with half a million pieces has about 20 MB. */
const MAX_TOKENIZER_LENGTH = 200_000_000;

/** Word that every model knows. */
const ANY_WORD = 'the';

/** Opens a Model2Vec model in a folder; the caller must close it. @throws NotebookError `damaged`, `unsupported` */
export async function openStaticModel(folder: string): Promise<StaticModel> {
  const normalizes = readNormalizes(await readFile(join(folder, 'config.json'), 'utf8'));
  const json = await readFile(join(folder, 'tokenizer.json'), 'utf8');
  if (json.length > MAX_TOKENIZER_LENGTH) throw notAModel('tokenizer.json', 'It is too long.');
  const tokenizer = readTokenizer(json);
  const table = await openTable(join(folder, 'model.safetensors'));
  const { dimension, tokenVector: embed } = table;
  if (table.tokens < tokenizer.size) {
    await table.close();
    throw notAModel('model.safetensors', `${String(tokenizer.size)} tokens, ${String(table.tokens)} rows.`);
  }
  return {
    dimension,
    close: table.close,
    embed: (text) => {
      const tokens = tokenizer.tokenize(text, MAX_TOKENS);
      // Count the tokens first, as two thirds of them repeat in a text.
      const counts = new Map<number, number>();
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      const sum = new Float64Array(dimension);
      for (const [token, count] of counts) {
        const row = embed(token);
        if (row !== undefined)
          for (let at = 0; at < dimension; at++) sum[at] = (sum[at] ?? 0) + count * (row[at] ?? 0);
      }
      return average(sum, tokens.length, normalizes);
    },
  };
}

/** Returns the mean of a sum of vectors, normalized to length one if requested. */
function average(sum: Float64Array, count: number, normalizes: boolean): Float32Array | undefined {
  let squares = 0;
  for (const value of sum) squares += value * value;
  if (count === 0 || squares === 0) return undefined;
  const by = normalizes ? Math.sqrt(squares) : count;
  const mean = new Float32Array(sum.length);
  for (let at = 0; at < sum.length; at++) mean[at] = (sum[at] ?? 0) / by;
  return mean;
}

function readNormalizes(config: string): boolean {
  try {
    return v.parse(modelConfig, JSON.parse(config)).normalize !== false;
  } catch (error) {
    throw notAModel('config.json', String(error));
  }
}

/**
 * Checks that a model's files match their checksums and that the model works.
 * @throws NotebookError `damaged`, `unsupported`
 */
export async function checkModel(
  folder: string,
  files: readonly ModelFile[],
  signal?: AbortSignal,
): Promise<CheckedModel> {
  let sha256 = '';
  for (const { name, sha256: expected } of files) {
    const checksum = await computeChecksum(join(folder, name), signal);
    if (expected !== undefined && checksum !== expected) throw checksumError(name);
    if (name === 'model.safetensors') sha256 = checksum;
  }
  const model = await openStaticModel(folder);
  try {
    if (model.embed(ANY_WORD)?.every(Number.isFinite) !== true)
      throw notAModel('model.safetensors', 'It has no vector for a common word.');
    return { dimension: model.dimension, sha256 };
  } finally {
    await model.close();
  }
}
