import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import {
  connectionError,
  statusError,
  timeoutError,
  tooLargeError,
  unsupportedError,
} from './fetch-errors.ts';
import type { Fetch } from './guarded-fetch.ts';
import type { HttpAnswer } from './http-answer.ts';

/** Response to a successful request. */
export interface FetchedPage {
  readonly bytes: Uint8Array;
  /** Media type from the server, with its charset if known, for example `text/html; charset=utf-8`. */
  readonly mediaType: string;
  /** URL after redirects, without a fragment. */
  readonly url: string;
  /** Identifiers of this version on the server, for the next request. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** Result of a request: a page, the news that the known version is current, or a redirect. */
export type Fetched =
  | { readonly kind: 'page'; readonly page: FetchedPage }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly to: string };

export interface FetchPageOptions {
  /** See `guardedFetch`. */
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each attempt, including the body. */
  readonly timeoutMilliseconds?: number;
  readonly maximumBytes?: number;
  /** Waits between attempts; `isBusy` is `true` if the whole server is busy. */
  readonly delay?: (milliseconds: number, signal: AbortSignal | undefined, isBusy: boolean) => Promise<void>;
}

export interface FetchAddressOptions extends FetchPageOptions {
  /** Headers besides the default ones: the client's name, and the known version. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URL that redirected here. */
  readonly from?: URL | undefined;
  /**
   * Returns the maximum number of bytes to download for a media type, or undefined to refuse the type. By default, it
   * is `maximumBytes` for texts, PDFs, and other readable types.
   */
  readonly mostBytes?: (mediaType: string) => number | undefined;
  /** `true` to read the beginning of a longer response instead of refusing it. */
  readonly takesBeginning?: boolean;
  /** Maximum number of retries if a server is busy or fails. */
  readonly retries?: number;
  /** Runs each attempt when its turn comes. */
  readonly inTurn?: <T>(attempt: () => Promise<T>) => Promise<T>;
}

const RETRIED_STATUSES = new Set([429, 500, 502, 503, 504, 522, 524]);
const USUAL_RETRIES = 5;
const MAX_REDIRECTS = 20;
const MAX_DELAY_MS = 60_000;
const USUAL_MOST = 20 * 1024 * 1024;

const READABLE_TYPES =
  /^(?:text\/|application\/(?:pdf|xhtml\+xml|xml|json|yaml|x-yaml|toml|javascript|typescript|octet-stream|epub\+zip|rtf|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)[\w.-]*|[\w.-]+\+(?:xml|json))(?:;|$)|$)/i;

/**
 * Downloads a web page or file over HTTP and follows redirects. Retries if a server is busy or fails, after the delay
 * that it requests.
 * @throws NotebookError
 */
export async function fetchPage(address: string, options: FetchPageOptions): Promise<FetchedPage> {
  let at = address;
  let from: URL | undefined;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const fetched = await fetchAddress(at, { ...options, from });
    if (fetched.kind === 'page') return fetched.page;
    if (fetched.kind === 'unchanged') throw statusError(304, new URL(at));
    from = new URL(at);
    at = fetched.to;
  }
  throw new NotebookError(
    'server',
    t(
      '{0} redirects endlessly. The page may require sign-in or cookies. Save it from your browser and add the file instead.',
      new URL(address).host,
    ),
  );
}

/** Requests an address like `fetchPage`, but returns a redirect instead of following it. @throws NotebookError */
export async function fetchAddress(address: string, options: FetchAddressOptions): Promise<Fetched> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new NotebookError(
      'unsupported',
      t('“{0}” isn’t a valid URL. Enter a URL that starts with http:// or https://.', address),
    );
  }
  const { delay = wait, retries = USUAL_RETRIES, inTurn = atOnce } = options;
  for (let attempt = 0; ; attempt++) {
    throwIfCanceled(options.signal);
    const tried = await inTurn(() => tryOnce(url, options));
    if (tried.kind !== 'failure') return tried;
    if (attempt === retries || !tried.again) throw tried.error;
    const pause = tried.retryAfter ?? Math.min(MAX_DELAY_MS, 1000 * 2 ** attempt);
    await delay(pause, options.signal, tried.isBusy);
  }
}

const atOnce = <T>(attempt: () => Promise<T>): Promise<T> => attempt();

type Attempt =
  | Fetched
  | {
      readonly kind: 'failure';
      readonly error: NotebookError;
      readonly again: boolean;
      readonly retryAfter: number | undefined;
      readonly isBusy: boolean;
    };

const failure = (error: NotebookError, again = false, retryAfter?: number, isBusy = false): Attempt => ({
  kind: 'failure',
  error,
  again,
  retryAfter,
  isBusy,
});

async function tryOnce(url: URL, options: FetchAddressOptions): Promise<Attempt> {
  const { signal, timeoutMilliseconds = 30_000, maximumBytes = USUAL_MOST } = options;
  const usual = (mediaType: string): number | undefined =>
    READABLE_TYPES.test(mediaType) ? maximumBytes : undefined;
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await options.fetch(url, {
      headers: {
        accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5',
        ...options.headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      from: options.from,
    });
    const { status, headers } = response;
    if (!response.ok) {
      await response.body?.cancel();
      if (status === 304) return { kind: 'unchanged' };
      const location = status >= 300 && status < 400 ? headers.get('location') : null;
      const to = location === null ? null : URL.parse(location, url.href);
      if (to !== null) return { kind: 'moved', to: to.href };
      const retryAfter = readRetryAfter(headers);
      const isBusy = status === 429 || retryAfter !== undefined;
      return failure(statusError(status, url), RETRIED_STATUSES.has(status), retryAfter, isBusy);
    }
    const mediaType = headers.get('content-type') ?? '';
    const declaredLength = Number(headers.get('content-length') ?? 0);
    const maxBytes = (options.mostBytes ?? usual)(mediaType);
    const { takesBeginning = false } = options;
    if (maxBytes === undefined || (declaredLength > maxBytes && !takesBeginning)) {
      await response.body?.cancel();
      return failure(
        maxBytes === undefined ? unsupportedError(url, mediaType) : tooLargeError(url, maxBytes),
      );
    }
    const bytes = await readBody(response, maxBytes, takesBeginning);
    if (!bytes) return failure(tooLargeError(url, maxBytes));
    return {
      kind: 'page',
      page: {
        bytes,
        mediaType,
        url: url.href.replace(/#.*$/s, ''),
        etag: headers.get('etag') ?? undefined,
        lastModified: headers.get('last-modified') ?? undefined,
      },
    };
  } catch (error) {
    throwIfCanceled(signal);
    if (error instanceof NotebookError) return failure(error);
    return failure(
      timeout.aborted ? timeoutError(url, timeoutMilliseconds, error) : connectionError(url, error),
    );
  }
}

/** Reads the body. For a longer one than allowed, returns its beginning or undefined, and doesn't download the rest. */
async function readBody(
  { body }: HttpAnswer,
  maximumBytes: number,
  takesBeginning: boolean,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const remainingBytes = maximumBytes - length;
    if (chunk.length > remainingBytes && !takesBeginning) return undefined;
    chunks.push(chunk.subarray(0, remainingBytes));
    length += Math.min(remainingBytes, chunk.length);
    if (chunk.length > remainingBytes) break;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Returns the delay that a server requests, in milliseconds, at most a minute. The header contains seconds or a date.
 */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value.trim()) ? 1000 * Number(value) : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(MAX_DELAY_MS, Math.max(0, milliseconds));
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    // Only a cancellation ends the wait early.
    throwIfCanceled(signal);
  }
}
