import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { parseBounded } from '../../../core/domain/bounded-json.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { isModelName, MODEL_FILES, type ModelFile } from './api.ts';

/** Model that can be downloaded. */
export interface OfferedModel {
  /** Name, also of the model's folder: letters, digits, `.`, `_`, and `-`. */
  readonly name: string;
  readonly licence: string;
  /** Supported languages, in a few words. */
  readonly languages: string;
  /** `true` if it's only useful for English. */
  readonly isEnglishOnly?: true;
  /** Path of its files below the download address. */
  readonly path: string;
  readonly files: readonly ModelFile[];
}

/** Default download address for models. */
export const USUAL_ADDRESS = 'https://huggingface.co';

/** List of models that a mirror or folder may provide. */
export const CATALOGUE_FILE = 'models.json';

/** Returns the recommended models, each with one revision and the checksums of its files. */
export function knownModels(): readonly OfferedModel[] {
  return [
    {
      name: 'potion-retrieval-32M',
      licence: 'MIT',
      languages: t('English'),
      isEnglishOnly: true,
      path: 'minishlab/potion-retrieval-32M/resolve/6fc8051fab2a1e0ee76689cf08c853792ac285e7',
      files: [
        {
          name: 'config.json',
          bytes: 202,
          sha256: '63c00d90824c832c04ec1d02b6a983fb90489bf049f29fbff15ba481b8a432ee',
        },
        {
          name: 'tokenizer.json',
          bytes: 1_493_150,
          sha256: '7d75cbc54318138807c401b0f0c9721117c628b39de8e8e0edb6cb17e0ee7d18',
        },
        {
          name: 'model.safetensors',
          bytes: 129_210_456,
          sha256: '07609e5bd33aad37900b3fd62f4ec96f6daec88ca4d46b9d8b928bfababf6ea0',
        },
      ],
    },
    {
      name: 'potion-multilingual-128M',
      licence: 'MIT',
      languages: t('101 languages'),
      path: 'minishlab/potion-multilingual-128M/resolve/73908c3438cf03b6a01bcb9611d62b23d0726f08',
      files: [
        {
          name: 'config.json',
          bytes: 271,
          sha256: '595e4cab2093732efd5dbe084fd5c1826b5eea693b73b4c1fd971672867d2e54',
        },
        {
          name: 'tokenizer.json',
          bytes: 18_616_131,
          sha256: '19f1909063da3cfe3bd83a782381f040dccea475f4816de11116444a73e1b6a1',
        },
        {
          name: 'model.safetensors',
          bytes: 512_361_560,
          sha256: '14b5eb39cb4ce5666da8ad1f3dc6be4346e9b2d601c073302fa0a31bf7943397',
        },
      ],
    },
  ];
}

/** Returns the size of all files of a model, in bytes. */
export function bytesOfModel({ files }: Pick<OfferedModel, 'files'>): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

const BOUNDS = { depth: 6, values: 5_000 };
/** Maximum length in characters. */
export const MAX_CATALOG_LENGTH = 200_000;
const MAX_FILE_LENGTH = 4_000_000_000;

const file = v.object({
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_FILE_LENGTH)),
  sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/i), v.toLowerCase()),
});
const shortText = v.fallback(
  v.pipe(
    v.string(),
    v.transform((text) => text.replace(/\s+/g, ' ').trim().slice(0, 80)),
  ),
  '',
);
const catalogue = v.object({
  models: v.array(
    v.pipe(
      v.object({
        name: v.pipe(v.string(), v.check(isModelName)),
        licence: shortText,
        languages: shortText,
        path: v.optional(
          v.pipe(
            v.string(),
            v.regex(/^[\w./-]+$/),
            v.check((path) => !/(?:^|\/)\.\.?(?:\/|$)/.test(path)),
          ),
        ),
        files: v.object({ 'config.json': file, 'tokenizer.json': file, 'model.safetensors': file }),
      }),
      v.transform(({ path, files, ...model }): OfferedModel => ({
        ...model,
        path: path ?? model.name,
        files: MODEL_FILES.map((name) => ({ name, ...files[name] })),
      })),
    ),
  ),
});

/**
 * Reads a list of models: `{ "models": [{ "name", "licence", "languages", "path", "files": { "config.json": { "bytes",
 * "sha256" }, … } }] }`. `path` defaults to the name.
 * @throws NotebookError `damaged` if it isn't such a list
 */
export function parseCatalog(json: string): readonly OfferedModel[] {
  try {
    if (json.length > MAX_CATALOG_LENGTH) throw new RangeError('It is too long.');
    return v.parse(catalogue, parseBounded(json, BOUNDS)).models;
  } catch (error) {
    throw new NotebookError(
      'damaged',
      t(
        '{0} at the model download address isn’t a valid list of models. Correct the file, or change openNotebook.meaning.address in Settings.',
        CATALOGUE_FILE,
      ),
      { action: 'openSettings', cause: error },
    );
  }
}
