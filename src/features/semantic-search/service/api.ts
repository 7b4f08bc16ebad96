/** Files of a model. */
export const MODEL_FILES = ['config.json', 'tokenizer.json', 'model.safetensors'] as const;

/** Reports whether a model can have this name, which is also the name of its folder. */
export function isModelName(name: string): boolean {
  return /^[\w-][\w.-]{0,79}$/.test(name) && !/\.(?:part|lock)$/.test(name);
}

/** File of a model with its expected size and checksum. */
export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  /** Checksum in hexadecimal digits; undefined for the user's own files. */
  readonly sha256: string | undefined;
}

/** Model whose files are intact and that works. */
export interface CheckedModel {
  readonly dimension: number;
  /** Checksum of `model.safetensors`, which identifies the model whatever its name. */
  readonly sha256: string;
}

/** API of the process that runs local embedding models. */
export interface MeaningApi {
  /** Compares a model's files with their checksums, then generates the embedding of a word as a test. */
  readonly check: (params: { readonly folder: string; readonly files: readonly ModelFile[] }) => CheckedModel;
  /** Returns the embeddings of texts by the model in a folder; null for a text without any known word. */
  readonly vectors: (params: {
    readonly folder: string;
    readonly texts: readonly string[];
  }) => readonly (Float32Array | null)[];
}
