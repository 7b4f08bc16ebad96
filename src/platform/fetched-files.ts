import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from '../core/domain/errors.ts';
import { createFile } from '../core/domain/write-file.ts';
import { fetchFile } from '../parsers/web/fetch-file.ts';
import { guardedFetch } from '../parsers/web/guarded-fetch.ts';
import { hostAndPort } from '../parsers/web/private-addresses.ts';

/** Origin of a download: a web URL, or a folder or file on this machine. */
export type Origin =
  | { readonly kind: 'local'; readonly path: string }
  | { readonly kind: 'web'; readonly url: URL };

/** Returns the origin that a setting names; `setting` is the key of the setting. @throws NotebookError `unsupported` */
export function readOrigin(address: string, setting: string): Origin {
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol)) return { kind: 'web', url };
  if (url?.protocol === 'file:') return { kind: 'local', path: fileURLToPath(url) };
  const path = address.replace(/^~(?=$|[/\\])/, homedir());
  if (isAbsolute(path)) return { kind: 'local', path };
  throw new NotebookError(
    'unsupported',
    t('“{0}” isn’t a URL or an absolute path. Correct {1} in Settings.', address, setting),
    { action: 'openSettings' },
  );
}

/** Returns the host or the path of an origin. */
export function describeOrigin(origin: Origin): string {
  return origin.kind === 'web' ? origin.url.host : origin.path;
}

/** Options of a download that the user can watch and stop. */
export interface Fetching {
  readonly signal: AbortSignal;
  /** Receives the number of downloaded bytes. */
  readonly onProgress: (bytes: number) => void;
  /** Called while another window downloads the same file. */
  readonly onWait: () => void;
}

/**
 * Downloads a file of a known length. Resumes a partial download from the web. The caller must verify the file.
 * @throws NotebookError `cancelled`, `disk-full`, `damaged`, `not-found`, and errors of the server; the partial file
 * stays
 */
export async function downloadFile(
  origin: Origin,
  {
    to,
    bytes,
    userAgent,
    signal,
    onProgress,
  }: Pick<Fetching, 'signal' | 'onProgress'> & {
    readonly to: string;
    readonly bytes: number;
    readonly userAgent: string;
  },
): Promise<void> {
  if (origin.kind === 'local') await copy(origin.path, to, signal, onProgress);
  else
    await fetchFile(origin.url.href, {
      // The user set this host, so it may be on a private network.
      fetch: guardedFetch([hostAndPort(origin.url)]),
      path: to,
      bytes,
      headers: { 'user-agent': userAgent },
      signal,
      onProgress,
    });
}

async function copy(
  from: string,
  to: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  let copiedBytes = 0;
  const chunks: AsyncIterable<Uint8Array> = createReadStream(from, { signal });
  try {
    await rm(to, { force: true });
    await createFile(
      to,
      (async function* () {
        for await (const chunk of chunks) {
          yield chunk;
          onProgress((copiedBytes += chunk.length));
        }
      })(),
    );
  } catch (error) {
    throwIfCanceled(signal);
    if (!(error instanceof Error && 'code' in error && /^(?:EACCES|EISDIR|ENOENT)$/.test(String(error.code))))
      throw error;
    throw new NotebookError(
      'not-found',
      t('Can’t read the file {0}. Check the download location in Settings.', from),
      { cause: error },
    );
  }
}

/** Checks that a folder has space for the missing bytes of a download. @throws NotebookError `disk-full` */
export async function ensureFreeSpace(name: string, missing: number, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= missing) return;
  throw new NotebookError(
    'disk-full',
    t(
      'Can’t download {0} because it needs {1}, and only {2} is free. Free up some space, then try again.',
      name,
      megabytes(missing),
      megabytes(bavail * bsize),
    ),
  );
}

/** Returns a number of bytes in whole megabytes, as disks count them. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString(undefined, { maximumFractionDigits: bytes < 10e6 ? 1 : 0 })} MB`;
}

/**
 * Interval at which the holder of a lock renews it, and the time after which an unrenewed lock expires, in
 * milliseconds.
 */
const HEARTBEAT_INTERVAL_MS = 2_000;
const LOCK_EXPIRY_MS = 15_000;
/** Interval at which a waiting window checks the lock, in milliseconds. */
const LOCK_CHECK_INTERVAL_MS = 300;

/**
 * Runs work while no other window on this machine does the same. Waits for a window that does, and reports the wait.
 * The wait for a window that was killed ends after some seconds.
 */
export async function inOneWindow<T>(
  path: string,
  { signal, onWait }: Pick<Fetching, 'signal' | 'onWait'>,
  action: () => Promise<T>,
): Promise<T> {
  while (!(await tryLock(path))) {
    throwIfCanceled(signal);
    onWait();
    // Only a cancellation ends the wait early.
    await sleep(LOCK_CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    throwIfCanceled(signal);
  }
  const beat = setInterval(() => {
    const now = new Date();
    // The next heartbeat tries again.
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_INTERVAL_MS);
  try {
    return await action();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

/** Acquires the lock if it is free; reports whether it succeeded. */
async function tryLock(path: string): Promise<boolean> {
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
  if (age > LOCK_EXPIRY_MS) {
    // Renaming ensures that only one of several windows removes the expired lock.
    const aside = `${path}.${randomUUID()}`;
    // Another window may have removed the lock first.
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { force: true });
  }
  return false;
}
