import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedModel, MeaningApi } from '../service/api.ts';
import { bytesOfModel, type OfferedModel } from '../service/catalog.ts';
import type { Params } from '../../../core/rpc/rpc.ts';
import { isDiskFull, NotebookError } from '../../../core/domain/errors.ts';
import { fileLength } from '../../../core/domain/regular-file.ts';
import { replaceFile } from '../../../core/domain/write-file.ts';
import { diskFullError } from '../../../parsers/web/fetch-file.ts';
import {
  downloadFile,
  inOneWindow,
  ensureFreeSpace,
  type Fetching,
  type Origin,
} from '../../../platform/fetched-files.ts';
import { NOTES_FILE, type InstalledModel, type InstalledModels } from './installed-models.ts';
import { fileAddress } from './model-origin.ts';

/** Options and services to download a model. */
export interface ModelFetching extends Fetching {
  readonly models: InstalledModels;
  readonly userAgent: string;
  /** Verifies a model in the process that reads models. */
  readonly check: (params: Params<MeaningApi['check']>, signal: AbortSignal) => Promise<CheckedModel>;
}

/**
 * Downloads and verifies a model. Resumes a partial download, and waits if another window downloads it.
 * @throws NotebookError `cancelled`, `disk-full`, `damaged`, and errors of the server; the partial download stays
 * unless it is damaged
 */
export async function fetchModel(
  model: OfferedModel,
  origin: Origin,
  fetching: ModelFetching,
): Promise<InstalledModel> {
  const { models } = fetching;
  try {
    await mkdir(models.folder, { recursive: true });
    return await inOneWindow(join(models.folder, `${model.name}.lock`), fetching, async () => {
      const installed = await models.find(model.name);
      // Another window may have downloaded it meanwhile.
      return installed ?? (await downloadModel(model, origin, fetching));
    });
  } catch (error) {
    // A NotebookError may already state how much space is needed.
    throw isDiskFull(error) && !(error instanceof NotebookError) ? diskFullError(error) : error;
  }
}

/** Returns how many bytes of a model have been downloaded. */
export async function fetchedBytes(
  { name, files }: OfferedModel,
  { folder }: InstalledModels,
): Promise<number> {
  const lengths = await Promise.all(files.map((file) => fileLength(join(folder, `${name}.part`, file.name))));
  return lengths.reduce((sum, length) => sum + length, 0);
}

async function downloadModel(
  model: OfferedModel,
  origin: Origin,
  fetching: ModelFetching,
): Promise<InstalledModel> {
  const { name, licence, languages, path, files } = model;
  const { models, userAgent, check, signal, onProgress } = fetching;
  await ensureFreeSpace(name, bytesOfModel(model) - (await fetchedBytes(model, models)), models.folder);
  const part = join(models.folder, `${name}.part`);
  await mkdir(part, { recursive: true });
  let before = 0;
  for (const file of files) {
    const progress = (bytes: number): void => onProgress(before + bytes);
    const from: Origin =
      origin.kind === 'local'
        ? { kind: 'local', path: join(origin.path, path, file.name) }
        : { kind: 'web', url: fileAddress(`${path}/${file.name}`, origin.url) };
    const to = join(part, file.name);
    await downloadFile(from, { to, bytes: file.bytes, userAgent, signal, onProgress: progress });
    before += file.bytes;
    progress(0);
  }
  try {
    const checked = await check({ folder: part, files }, signal);
    const notes = { name, licence, languages, bytes: bytesOfModel(model), ...checked };
    await replaceFile(join(part, NOTES_FILE), JSON.stringify(notes));
    const folder = join(models.folder, name);
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
    return { ...notes, folder };
  } catch (error) {
    // Deletes a partial download that began with another file's bytes, because it can never become valid.
    if (error instanceof NotebookError && (error.code === 'damaged' || error.code === 'unsupported'))
      await rm(part, { recursive: true, force: true });
    throw error;
  }
}
