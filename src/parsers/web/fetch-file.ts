import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { isDiskFull, NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import { settleFile, writeAll } from '../../core/domain/write-file.ts';
import { connectionError, timeoutError } from './fetch-errors.ts';
import type { Fetch } from './guarded-fetch.ts';
import type { HttpAnswer } from './http-answer.ts';

interface FetchFileOptions {
  /** See `guardedFetch`. */
  readonly fetch: Fetch;
  /** File to write to. The part that it already has isn't downloaded again. */
  readonly path: string;
  /** Length of the file. */
  readonly bytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the number of bytes in the file. */
  readonly onProgress?: (bytes: number) => void;
  /** Maximum time without new data, in milliseconds. */
  readonly patience?: number;
  /** Waits before a retry. */
  readonly delay?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const TIMEOUT_MS = 30_000;
/**
 * Maximum number of retries after an interruption, and the first delay in milliseconds, doubled after each retry
 * without new data.
 */
const RETRIES = 5;
const FIRST_DELAY = 1_000;
const MAX_REDIRECTS = 10;

/** Temporary failure, after which the download resumes. */
class PassingError extends Error {
  readonly notebookError: NotebookError;

  constructor(notebookError: NotebookError) {
    super(notebookError.message, { cause: notebookError });
    this.notebookError = notebookError;
  }
}

/**
 * Downloads a large file of a known length to the disk and follows redirects. Resumes after an interruption, and when
 * called again. The caller must verify the content.
 * @throws NotebookError `disk-full`, `damaged` if the file has another length; the part on the disk stays
 */
export async function fetchFile(address: string, options: FetchFileOptions): Promise<void> {
  const { path, bytes, signal, delay = wait } = options;
  for (let attempt = 0; ; attempt++) {
    throwIfCanceled(signal);
    const before = await readLength(path);
    if (before === bytes) return;
    try {
      await receive(address, before > bytes ? 0 : before, options);
      return;
    } catch (error) {
      throwIfCanceled(signal);
      if (!(error instanceof PassingError)) throw error;
      if ((await readLength(path)) > before) attempt = 0;
      if (attempt === RETRIES) throw error.notebookError;
      await delay(FIRST_DELAY * 2 ** attempt, signal);
    }
  }
}

/** Requests the missing part, and appends it. */
async function receive(address: string, from: number, options: FetchFileOptions): Promise<void> {
  const { path, bytes, signal, onProgress, patience = TIMEOUT_MS } = options;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), patience);
  let url = new URL(address);
  try {
    const combinedSignal = AbortSignal.any([signal, silence.signal]);
    const answered = await ask(url, from, options, combinedSignal);
    ({ url } = answered);
    const start = findStart(answered.answer, from, bytes, url);
    const file = await open(path, start === 0 ? 'w' : 'r+');
    try {
      let receivedBytes = start;
      for await (const chunk of answered.answer.body ?? []) {
        timer.refresh();
        if (receivedBytes + chunk.length > bytes) throw lengthError(url);
        await writeAll(file, chunk, receivedBytes);
        receivedBytes += chunk.length;
        onProgress?.(receivedBytes);
      }
      await settleFile(file, receivedBytes);
      if (receivedBytes < bytes)
        throw new PassingError(connectionError(url, new Error('It ended too early.')));
    } finally {
      await file.close();
    }
  } catch (error) {
    throwIfCanceled(signal);
    if (error instanceof NotebookError || error instanceof PassingError) throw error;
    if (isDiskFull(error)) throw diskFullError(error);
    const isOfNetwork = !(error instanceof Error && 'syscall' in error && error.syscall === 'open');
    if (!isOfNetwork) throw error;
    throw new PassingError(
      silence.signal.aborted ? timeoutError(url, patience, error) : connectionError(url, error),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Requests an address and follows its redirects. */
async function ask(
  address: URL,
  from: number,
  { fetch, headers }: FetchFileOptions,
  signal: AbortSignal,
): Promise<{ readonly answer: HttpAnswer; readonly url: URL }> {
  let url = address;
  let before: URL | undefined;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await fetch(url, {
      headers: {
        ...headers,
        accept: '*/*',
        // Ranges refer to the unencoded file.
        'accept-encoding': 'identity',
        ...(from > 0 && { range: `bytes=${String(from)}-` }),
      },
      signal,
      from: before,
    });
    const { ok, status } = answer;
    if (ok || status === 416) return { answer, url };
    await answer.body?.cancel();
    const location = status >= 300 && status < 400 ? answer.headers.get('location') : null;
    const to = location === null ? null : URL.parse(location, url.href);
    if (to === null || !/^https?:$/.test(to.protocol)) throw statusError(status, url);
    before = url;
    url = to;
  }
  throw new NotebookError(
    'server',
    t('{0} redirects endlessly and doesn’t return a file. Check the URL.', address.host),
  );
}

/** Returns the position in the file at which the response body starts. */
function findStart({ status, headers }: HttpAnswer, from: number, bytes: number, url: URL): number {
  if (status === 416) return restart(url);
  // Networks that require sign-in respond with their own page.
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) throw lengthError(url);
  const range = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '');
  const start = status === 206 && range !== null ? Number(range[1]) : 0;
  // The body isn't the requested range, so its bytes don't belong at this position.
  if (start !== 0 && start !== from) return restart(url);
  const length = headers.get('content-length');
  if (length !== null && start + Number(length) !== bytes) throw lengthError(url);
  return start;
}

function restart(url: URL): never {
  throw new PassingError(lengthError(url));
}

async function readLength(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // Nothing is downloaded yet.
    return 0;
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    // Only a cancellation ends the wait early.
    throwIfCanceled(signal);
  }
}

/** Returns the error for a full disk. */
export function diskFullError(cause: unknown): NotebookError {
  return new NotebookError(
    'disk-full',
    t('The disk is full. Free up some space, then start the download again. It resumes where it stopped.'),
    { cause },
  );
}

function lengthError({ host }: URL): NotebookError {
  return new NotebookError(
    'damaged',
    t('{0} returned a different file than requested. Check the URL, or sign in to your network.', host),
  );
}

function statusError(status: number, { host }: URL): NotebookError | PassingError {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return new NotebookError(
        'forbidden',
        t(
          '{0} denied the download of this file ({1}). Check the URL, or contact the server’s administrator.',
          host,
          status,
        ),
      );
    case 404:
    case 410:
      return new NotebookError('not-found', t('{0} has no such file ({1}). Check the URL.', host, status));
    case 429:
      return new NotebookError(
        'rate-limited',
        t('{0} is limiting requests (429). Try again in a few minutes.', host),
        { action: 'tryAgain' },
      );
    default: {
      const notebookError = new NotebookError(
        'server',
        t('{0} couldn’t return the file ({1}). Try again later.', host, status),
        { action: 'tryAgain' },
      );
      return status >= 500 ? new PassingError(notebookError) : notebookError;
    }
  }
}
