import { setTimeout as sleep } from 'node:timers/promises';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';

/** What an address gave. */
export interface FetchedPage {
  readonly bytes: Uint8Array;
  /** As the server names it, with its charset where given, for example `text/html; charset=utf-8`. */
  readonly mediaType: string;
  /** The address after redirects. */
  readonly url: string;
}

export interface FetchPageOptions {
  /** `globalThis.fetch`, which in the editor goes through its proxy and certificates. */
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal | undefined;
  /** For each attempt, body included. */
  readonly timeoutMilliseconds?: number;
  readonly maximumBytes?: number;
  /** Waits between attempts. */
  readonly delay?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

const retriedStatuses = new Set([429, 500, 502, 503, 504, 522, 524]);
const retries = 5;
const longestDelay = 60_000;

const readableTypes =
  /^(?:text\/|application\/(?:pdf|xhtml\+xml|xml|json|yaml|x-yaml|toml|javascript|typescript|octet-stream|[\w.-]+\+(?:xml|json))(?:;|$)|$)/i;

/** Fetches a web page or file over HTTP. Busy and failing servers are asked again, as late as they wish. */
export async function fetchPage(address: string, options: FetchPageOptions): Promise<FetchedPage> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new NotebookError(
      'unsupported',
      `“${address}” is not a web address; it must begin with http:// or https://.`,
    );
  }
  const delay = options.delay ?? wait;
  for (let attempt = 0; ; attempt++) {
    throwIfCancelled(options.signal);
    const tried = await tryOnce(url, options);
    if (tried.kind === 'page') return tried.page;
    if (attempt === retries || !tried.again) throw tried.error;
    await delay(tried.retryAfter ?? Math.min(longestDelay, 1000 * 2 ** attempt), options.signal);
  }
}

type Attempt =
  | { readonly kind: 'page'; readonly page: FetchedPage }
  | {
      readonly kind: 'failure';
      readonly error: NotebookError;
      readonly again: boolean;
      readonly retryAfter: number | undefined;
    };

const failure = (error: NotebookError, again = false, retryAfter?: number): Attempt => ({
  kind: 'failure',
  error,
  again,
  retryAfter,
});

async function tryOnce(url: URL, options: FetchPageOptions): Promise<Attempt> {
  const { signal, timeoutMilliseconds = 30_000, maximumBytes = 20 * 1024 * 1024 } = options;
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await options.fetch(url, {
      headers: { accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5' },
      redirect: 'follow',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status, headers } = response;
    if (!response.ok) {
      await response.body?.cancel();
      return failure(statusError(status, url), retriedStatuses.has(status), retryAfterOf(headers));
    }
    const mediaType = headers.get('content-type') ?? '';
    const declaredLength = Number(headers.get('content-length') ?? 0);
    if (!readableTypes.test(mediaType) || declaredLength > maximumBytes) {
      await response.body?.cancel();
      const tooLarge = declaredLength > maximumBytes;
      return failure(tooLarge ? tooLargeError(url, maximumBytes) : unsupportedError(url, mediaType));
    }
    const bytes = await bodyOf(response, maximumBytes);
    if (!bytes) return failure(tooLargeError(url, maximumBytes));
    return { kind: 'page', page: { bytes, mediaType, url: response.url || url.href } };
  } catch (error) {
    throwIfCancelled(signal);
    return failure(
      timeout.aborted ? timeoutError(url, timeoutMilliseconds, error) : connectionError(url, error),
    );
  }
}

/** The body, or undefined where it is longer than allowed; what comes after is not downloaded. */
async function bodyOf(response: Response, maximumBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (response.body) {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maximumBytes) return undefined;
      chunks.push(chunk);
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The wait that a server asks for in milliseconds, at most a minute; it names seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value.trim()) ? 1000 * Number(value) : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(longestDelay, Math.max(0, milliseconds));
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    throwIfCancelled(signal);
  }
}

function statusError(status: number, { host }: URL): NotebookError {
  switch (status) {
    case 401:
      return new NotebookError(
        'unauthorized',
        `${host} asks for a sign-in (401); save the page as a file and add that instead.`,
      );
    case 403:
      return new NotebookError(
        'forbidden',
        `${host} does not let this page be read (403); save it from the browser and add the file instead.`,
      );
    case 404:
      return new NotebookError('not-found', `${host} has no such page (404); check the address.`);
    case 410:
      return new NotebookError(
        'not-found',
        `${host} has removed this page (410); check whether it has moved.`,
      );
    case 429:
      return new NotebookError(
        'rate-limited',
        `${host} takes no more requests for now (429); try again in some minutes.`,
        {
          action: 'tryAgain',
        },
      );
    default:
      return status >= 500
        ? new NotebookError(
            'server',
            `${host} could not deliver the page (${String(status)}); try again later.`,
            {
              action: 'tryAgain',
            },
          )
        : new NotebookError('server', `${host} refused the request (${String(status)}); check the address.`);
  }
}

function tooLargeError({ host }: URL, maximumBytes: number): NotebookError {
  const limit = Math.round(maximumBytes / 1024 / 1024);
  return new NotebookError(
    'too-large',
    `The page at ${host} is larger than ${String(limit)} MB, which is the limit; download it and add a part of it.`,
  );
}

function unsupportedError({ host }: URL, mediaType: string): NotebookError {
  const type = mediaType.replace(/;.*/, '');
  return new NotebookError(
    'unsupported',
    `The address at ${host} leads to ${type}, which cannot be read; add a web page, a text or a PDF.`,
  );
}

function timeoutError({ host }: URL, milliseconds: number, cause: unknown): NotebookError {
  return new NotebookError(
    'timeout',
    `${host} did not answer within ${String(milliseconds / 1000)} seconds; try again.`,
    {
      action: 'tryAgain',
      cause,
    },
  );
}

function connectionError({ host }: URL, cause: unknown): NotebookError {
  const code = errorCodeOf(cause);
  const options = { action: 'tryAgain', cause } as const;
  if (/^(?:ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/.test(code)) {
    return new NotebookError(
      'connection',
      `${host} was not found; check the address and the connection to the internet.`,
      options,
    );
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return new NotebookError(
      'connection',
      `The secure connection to ${host} could not be trusted (${code}); check the proxy and certificate settings.`,
      options,
    );
  }
  if (/^(?:ECONNREFUSED|ERR_CONNECTION_REFUSED)$/.test(code)) {
    return new NotebookError(
      'connection',
      `${host} refused the connection; check the address and try again.`,
      options,
    );
  }
  return new NotebookError(
    'connection',
    `${host} could not be reached${code && ` (${code})`}; check the connection and the proxy settings.`,
    options,
  );
}

/** Fetch hides why it failed in the causes of its error. */
function errorCodeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    const named = /(?:net::)?(ERR_[A-Z_]+|E[A-Z]{4,})/.exec(at.message)?.[1];
    if (named !== undefined) return named;
  }
  return '';
}
