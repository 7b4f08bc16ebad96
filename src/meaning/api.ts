/** The files of a model. */
export const MODEL_FILES = ['config.json', 'tokenizer.json', 'model.safetensors'] as const;

/** Whether a model may be called so: its name is that of its folder, too. */
export function isModelName(name: string): boolean {
  return /^[\w-][\w.-]{0,79}$/.test(name) && !/\.(?:part|lock)$/.test(name);
}

/** A file of a model, and what it must be. */
export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal digits; undefined where nobody says it: of files that are the user's own. */
  readonly sha256: string | undefined;
}

/** A model whose files are what they should be, and that works. */
export interface CheckedModel {
  readonly dimension: number;
  /** Of `model.safetensors`: which model this is, whatever it is called. */
  readonly sha256: string;
}

/** What the process is asked that reads models of meaning. */
export interface MeaningApi {
  /** Compares a model's files with their checksums, then has it tell the vector of a word. */
  readonly check: (params: { readonly folder: string; readonly files: readonly ModelFile[] }) => CheckedModel;
  /** The vectors of texts by the model in a folder; null for a text of which it knows no word. */
  readonly vectors: (params: {
    readonly folder: string;
    readonly texts: readonly string[];
  }) => readonly (Float32Array | null)[];
}
