import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, statfs, writeFile, open, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import type { CheckedModel, MeaningApi } from '../../meaning/api.ts';
import { bytesOfModel, type OfferedModel } from '../../meaning/catalogue.ts';
import type { Params } from '../../messages/rpc.ts';
import { isDiskFull, NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import { diskFullError, fetchFile } from '../../reading/web/fetch-file.ts';
import { guardedFetch } from '../../reading/web/guarded-fetch.ts';
import { hostAndPort } from '../../reading/web/private-addresses.ts';
import { NOTES_FILE, type InstalledModel, type InstalledModels } from './installed-models.ts';
import { fileAddress, fileLength, type Origin } from './model-origin.ts';

/** What it takes to bring a model to this machine. */
export interface Fetching {
  readonly models: InstalledModels;
  readonly userAgent: string;
  /** Asks the process that reads models. */
  readonly check: (params: Params<MeaningApi['check']>, signal: AbortSignal) => Promise<CheckedModel>;
  readonly signal: AbortSignal;
  /** Gets how many bytes are there. */
  readonly onProgress: (bytes: number) => void;
  /** Another window is at it. */
  readonly onWait: () => void;
}

/**
 * Brings a model here, going on from what has come of it, and checks it. Where another window is at it, waits for that.
 * @throws NotebookError `cancelled`, `disk-full`, `damaged` and what an address may answer; what has come stays, unless
 * it is damaged
 */
export async function fetchModel(
  model: OfferedModel,
  origin: Origin,
  fetching: Fetching,
): Promise<InstalledModel> {
  const { models } = fetching;
  try {
    await mkdir(models.folder, { recursive: true });
    return await inOneWindow(join(models.folder, `${model.name}.lock`), fetching, async () => {
      const there = await models.find(model.name);
      // Another window has fetched it meanwhile.
      return there ?? (await bring(model, origin, fetching));
    });
  } catch (error) {
    throw isDiskFull(error) ? diskFullError(error) : error;
  }
}

/** How much of a model has come. */
export async function bytesThere(
  { name, files }: OfferedModel,
  { folder }: InstalledModels,
): Promise<number> {
  const lengths = await Promise.all(files.map((file) => fileLength(join(folder, `${name}.part`, file.name))));
  return lengths.reduce((sum, length) => sum + length, 0);
}

async function bring(model: OfferedModel, origin: Origin, fetching: Fetching): Promise<InstalledModel> {
  const { name, licence, languages, path, files } = model;
  const { models, userAgent, check, signal, onProgress } = fetching;
  await makeSureOfRoom(model, models);
  const part = join(models.folder, `${name}.part`);
  await mkdir(part, { recursive: true });
  let before = 0;
  for (const file of files) {
    const progress = (bytes: number): void => {
      onProgress(before + bytes);
    };
    const to = join(part, file.name);
    if (origin.kind === 'folder') await copy(join(origin.path, path, file.name), to, signal, progress);
    else
      await fetchFile(fileAddress(`${path}/${file.name}`, origin.url).href, {
        // The user set this host, also where it is of a private network.
        fetch: guardedFetch([hostAndPort(origin.url)]),
        path: to,
        bytes: file.bytes,
        headers: { 'user-agent': userAgent },
        signal,
        onProgress: progress,
      });
    before += file.bytes;
    progress(0);
  }
  try {
    const checked = await check({ folder: part, files }, signal);
    const notes = { name, licence, languages, bytes: bytesOfModel(model), ...checked };
    await writeFile(join(part, NOTES_FILE), JSON.stringify(notes));
    const folder = join(models.folder, name);
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
    return { ...notes, folder };
  } catch (error) {
    // What was begun with bytes of another file would never come right.
    if (error instanceof NotebookError && (error.code === 'damaged' || error.code === 'unsupported'))
      await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** There is room for what is missing. */
async function makeSureOfRoom(model: OfferedModel, models: InstalledModels): Promise<void> {
  const missing = bytesOfModel(model) - (await bytesThere(model, models));
  const { bavail, bsize } = await statfs(models.folder);
  if (bavail * bsize >= missing) return;
  throw new NotebookError(
    'disk-full',
    t(
      'The disk has no room for {0}: it takes {1}, and {2} are free. Make room, then fetch it again.',
      model.name,
      megabytes(missing),
      megabytes(bavail * bsize),
    ),
  );
}

/** A number of bytes, in whole megabytes as disks count them. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString(undefined, { maximumFractionDigits: bytes < 10e6 ? 1 : 0 })} MB`;
}

async function copy(
  from: string,
  to: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  let there = 0;
  const reading = createReadStream(from);
  reading.on('data', ({ length }) => onProgress((there += length)));
  try {
    await pipeline(reading, createWriteStream(to), { signal });
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new NotebookError('not-found', t('{0} is not there. Correct the list of models.', from), {
        cause: error,
      });
    throw error;
  }
}

/** How often whoever holds it shows that it is there, and how long it may not before it counts as gone, in milliseconds. */
const BEAT = 2_000;
const GONE_AFTER = 15_000;
/** How often it is looked whether it is free, in milliseconds. */
const LOOK = 300;

/**
 * Does some work while no other window on this machine does the same; waits for one that does, and tells so. A window
 * that was killed is waited for no longer than some seconds.
 */
async function inOneWindow<T>(
  path: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
  work: () => Promise<T>,
): Promise<T> {
  while (!(await isTaken(path))) {
    throwIfCancelled(signal);
    onWait();
    await sleep(LOOK, undefined, { signal }).catch(() => undefined);
    throwIfCancelled(signal);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, BEAT);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

/** Whether the lock was free and is taken now. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > GONE_AFTER) {
    // Of several windows that see it one takes it away.
    const aside = `${path}.${randomUUID()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { force: true });
  }
  return false;
}
