// Small static models of the Model2Vec kind for tests.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_FILES, type ModelFile } from '../../src/features/semantic-search/service/api.ts';

/** A tensor to write: its numbers in rows. */
interface TestTensor {
  readonly type: 'F16' | 'F32' | 'F64' | 'I32' | 'I64' | 'I8';
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** Returns a safetensors file: the header of its tensors, then their numbers. */
function safetensors(tensors: Readonly<Record<string, TestTensor>>): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const [name, { type, shape, values }] of Object.entries(tensors)) {
    const bytes = toBytes(type, values);
    header[name] = { dtype: type, shape, data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(headerBytes.length));
  return Buffer.concat([length, headerBytes, ...parts]);
}

function toBytes(type: TestTensor['type'], values: readonly number[]): Buffer {
  switch (type) {
    case 'F32':
      return Buffer.from(Float32Array.from(values).buffer);
    case 'F16':
      return Buffer.from(Float16Array.from(values).buffer);
    case 'F64':
      return Buffer.from(Float64Array.from(values).buffer);
    case 'I8':
      return Buffer.from(Int8Array.from(values).buffer);
    case 'I32':
      return Buffer.from(Int32Array.from(values).buffer);
    case 'I64':
      return Buffer.from(BigInt64Array.from(values.map(BigInt)).buffer);
  }
}

/** Returns a tokenizer for whole words in lowercase. */
export function wordTokenizer(words: readonly string[]): unknown {
  return {
    version: '1.0',
    added_tokens: [{ id: 1, content: '[UNK]', special: true }],
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(['[PAD]', '[UNK]', ...words].map((word, id) => [word, id])),
    },
  };
}

export interface TestModel {
  readonly tokenizer: unknown;
  readonly tensors: Readonly<Record<string, TestTensor>>;
  readonly config?: unknown;
  /** Number of meaningless bytes that enlarge the file. */
  readonly ballast?: number;
}

/** Writes the files of a model into a folder, and returns their list. */
export function writeModel(folder: string, testModel: TestModel): ModelFile[] {
  mkdirSync(folder, { recursive: true });
  const { tokenizer, tensors, config = { normalize: true }, ballast = 0 } = testModel;
  const all =
    ballast === 0
      ? tensors
      : {
          ...tensors,
          ballast: { type: 'I8', shape: [ballast], values: new Array<number>(ballast).fill(7) } as const,
        };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(folder, 'model.safetensors'), safetensors(all));
  return describeFiles(folder);
}

/** Lists the files of a model with their lengths and checksums. */
export function describeFiles(folder: string): ModelFile[] {
  return MODEL_FILES.map((name) => ({
    name,
    bytes: statSync(join(folder, name)).size,
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }));
}

/** Returns a model whose words have these vectors. It doesn't know any others. */
export function modelOfWords(vectors: Readonly<Record<string, readonly number[]>>): TestModel {
  const rows = [zeros(vectors), zeros(vectors), ...Object.values(vectors)];
  return {
    tokenizer: wordTokenizer(Object.keys(vectors)),
    tensors: {
      embeddings: { type: 'F32', shape: [rows.length, rows[0]?.length ?? 0], values: rows.flat() },
    },
  };
}

function zeros(vectors: Readonly<Record<string, readonly number[]>>): number[] {
  return (Object.values(vectors)[0] ?? []).map(() => 0);
}

/** Returns the list of models in a mirror or a folder. */
export function makeCatalog(name: string, files: readonly ModelFile[], path = name): string {
  const described = Object.fromEntries(
    files.map(({ name: file, bytes, sha256 }) => [file, { bytes, sha256 }]),
  );
  return JSON.stringify({
    models: [{ name, path, licence: 'MIT', languages: 'English', files: described }],
  });
}
