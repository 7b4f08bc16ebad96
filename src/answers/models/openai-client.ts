import OpenAI, { APIError } from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { endpointFetch } from './endpoint-fetch.ts';
import { errorIn, readErrorBody } from './server-replies.ts';

/** Placeholder for a missing key, which the client requires; the header for it is omitted then. */
const NO_KEY = 'none';
/** Maximum pause before a retry. A server that needs a longer one is reported as an error. */
const MAX_RETRY_SECONDS = 30;

/** OpenAI-compatible endpoint, and the data in its requests. */
export interface EndpointAccess {
  /** For example `https://api.openai.com/v1`, or `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string;
  /** Omitted if the server doesn't need one. */
  readonly apiKey?: string | undefined;
  /** Header for the key, if it isn't a bearer token. */
  readonly keyHeader?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Azure's `api-version`, sent with every request. */
  readonly apiVersion?: string | undefined;
}

/**
 * Creates a client of an OpenAI-compatible endpoint.
 * @throws NotebookError if the key, the URL, or a header is invalid
 */
export function createClient(access: EndpointAccess, retries: number): OpenAI {
  const { baseUrl, apiVersion } = access;
  if (!URL.canParse(baseUrl)) {
    throw new NotebookError('connection', t('The model’s URL isn’t valid. Correct it in Settings.'), {
      action: 'openSettings',
    });
  }
  return new OpenAI({
    baseURL: baseUrl,
    // Ignore environment variables: only the user's settings determine what is sent where.
    apiKey: checkedKey(access) || NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: requestHeaders(access),
    ...(apiVersion !== undefined && { defaultQuery: { 'api-version': apiVersion } }),
    fetch: withUsualErrors(endpointFetch(baseUrl)),
    maxRetries: retries,
    logLevel: 'off',
  });
}

/**
 * Returns the user's headers with the key in the header that the endpoint expects; null omits a header.
 * @throws NotebookError `unauthorized` if the key has characters that headers can't contain
 */
export function requestHeaders(access: EndpointAccess): Record<string, string | null> {
  const key = checkedKey(access);
  const { headers = {}, keyHeader } = access;
  const allHeaders: Record<string, string | null> = { ...headers };
  if (key === '' || keyHeader !== undefined) allHeaders['Authorization'] ??= null;
  if (key !== '' && keyHeader !== undefined) allHeaders[keyHeader] = key;
  for (const [name, value] of Object.entries(allHeaders))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value ?? ''))
      throw new NotebookError(
        'unsupported',
        t('The endpoint header {0} isn’t valid. Correct it in Settings.', name.replace(/[^\x20-\x7e]/g, '?')),
        { action: 'openSettings' },
      );
  return allHeaders;
}

/** Checks the key here, because the platform's error for such a header would repeat it. */
function checkedKey({ apiKey }: EndpointAccess): string {
  const key = apiKey?.trim() ?? '';
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new NotebookError(
      'unauthorized',
      t('The API key contains invalid characters. Set the key again.'),
      {
        action: 'setApiKey',
      },
    );
  }
  return key;
}

/**
 * Gives each error the form of OpenAI's, which the client reads, and lets the client retry only if the server requests a
 * short pause and a retry can help.
 */
function withUsualErrors(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status } = response;
    if (status < 400) return response;
    const error = readErrorBody(await response.text());
    const headers = new Headers(response.headers);
    const pause = Number.parseFloat(headers.get('retry-after') ?? '0');
    const hasNoCredit = `${error.code} ${error.type} ${error.message}`.includes('insufficient_quota');
    if (status === 429 && (pause > MAX_RETRY_SECONDS || hasNoCredit)) headers.set('x-should-retry', 'false');
    headers.set('content-type', 'application/json');
    return Response.json({ error }, { status, headers });
  };
}

/**
 * Throws the error in a reply with a status of success, as gateways send it after they have begun to stream.
 * @throws APIError with the status that the error names
 */
export function throwErrorIn(value: unknown, headers: Headers): void {
  const error = errorIn(value);
  if (error === undefined) return;
  const status = Number(error.code);
  if (status >= 400 && status < 600) throw APIError.generate(status, { error }, undefined, headers);
  if (error.type === 'invalid_request_error') throw APIError.generate(400, { error }, undefined, headers);
  throw new APIError(undefined, error, undefined, headers);
}
