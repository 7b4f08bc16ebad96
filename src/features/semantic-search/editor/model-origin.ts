import { basename, join } from 'node:path';
import { t } from '@vscode/l10n';
import { isModelName, MODEL_FILES } from '../service/api.ts';
import {
  CATALOGUE_FILE,
  knownModels,
  MAX_CATALOG_LENGTH,
  parseCatalog,
  USUAL_ADDRESS,
  type OfferedModel,
} from '../service/catalog.ts';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import { fileLength, readRegularFile } from '../../../core/domain/regular-file.ts';
import { httpStatus } from '../../../parsers/web/fetch-errors.ts';
import { fetchPage } from '../../../parsers/web/fetch-page.ts';
import { guardedFetch } from '../../../parsers/web/guarded-fetch.ts';
import { hostAndPort } from '../../../parsers/web/private-addresses.ts';
import { readOrigin, type Origin } from '../../../platform/fetched-files.ts';

/** Returns the origin of models that the setting names. @throws NotebookError `unsupported` */
export function modelOrigin(address: string): Origin {
  return readOrigin(address, 'openNotebook.meaning.address');
}

/** Returns the models that an origin offers. @throws NotebookError */
export async function listedModels(origin: Origin, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  return origin.kind === 'local' ? modelsIn(origin.path) : modelsAt(origin.url, signal);
}

/** Returns the URL of a file of a model. */
export function fileAddress(file: string, url: URL): URL {
  return new URL(file, url.pathname.endsWith('/') ? url : new URL(`${url.pathname}/`, url));
}

/** Returns the models of a mirror: those of its own list, or the known ones. */
async function modelsAt(url: URL, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  if (url.origin === USUAL_ADDRESS) return knownModels();
  try {
    const { bytes } = await fetchPage(fileAddress(CATALOGUE_FILE, url).href, {
      // The user set this host, so it may be on a private network.
      fetch: guardedFetch([hostAndPort(url)]),
      signal,
      maximumBytes: MAX_CATALOG_LENGTH,
      timeoutMilliseconds: LIST_TIMEOUT,
    });
    return parseCatalog(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    if (isCanceled(error)) throw error;
    // A mirror with the same paths needs no list.
    if ([401, 403, 404, 410].includes(httpStatus(error) ?? 0)) return knownModels();
    throw error;
  }
}

/** Maximum time for the list, in milliseconds. */
const LIST_TIMEOUT = 10_000;

/**
 * Returns the models of a folder: those of its list, the folder itself if it is a model, or the known ones that it
 * contains.
 */
async function modelsIn(folder: string): Promise<readonly OfferedModel[]> {
  const list = await readRegularFile(join(folder, CATALOGUE_FILE), { maxBytes: MAX_CATALOG_LENGTH }).catch(
    () => undefined,
  );
  if (list !== undefined) return parseCatalog(new TextDecoder().decode(list));
  const known = knownModels();
  const own = basename(folder);
  const places = [
    { name: own, path: '.' },
    ...known.flatMap(({ name }) => [
      { name, path: name },
      { name, path: `minishlab/${name}` },
    ]),
  ];
  const models: OfferedModel[] = [];
  for (const { name, path } of places) {
    const lengths = await Promise.all(MODEL_FILES.map((file) => fileLength(join(folder, path, file))));
    if (lengths.includes(0) || !isModelName(name)) continue;
    const same = known.find((model) => model.name === name);
    const files = MODEL_FILES.map((file, at) => ({ name: file, bytes: lengths[at] ?? 0, sha256: undefined }));
    models.push(
      same === undefined
        ? { name, licence: t('not specified'), languages: '', path, files }
        : { ...same, path },
    );
  }
  if (models.length === 0)
    throw new NotebookError(
      'not-found',
      t(
        '{0} doesn’t contain a model. The folder needs {1}, or the files config.json, tokenizer.json, and model.safetensors. Correct openNotebook.meaning.address in Settings.',
        folder,
        CATALOGUE_FILE,
      ),
      { action: 'openSettings' },
    );
  return models;
}
