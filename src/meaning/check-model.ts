import { join } from 'node:path';
import { checksumError, computeChecksum } from '../notebook/checksum.ts';
import type { CheckedModel, ModelFile } from './api.ts';
import { notAModel } from './not-a-model.ts';
import { openStaticModel } from './static-model.ts';

/** A word that every model knows something of. */
const ANY_WORD = 'the';

/**
 * Tells that a model's files are what they should be, and that it works.
 * @throws NotebookError `damaged`, `unsupported`
 */
export async function checkModel(
  folder: string,
  files: readonly ModelFile[],
  signal?: AbortSignal,
): Promise<CheckedModel> {
  let sha256 = '';
  for (const { name, sha256: expected } of files) {
    const found = await computeChecksum(join(folder, name), signal);
    if (expected !== undefined && found !== expected) throw checksumError(name);
    if (name === 'model.safetensors') sha256 = found;
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
