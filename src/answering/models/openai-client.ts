import OpenAI from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';
import { endpointFetch } from './endpoint-fetch.ts';

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
    fetch: withBoundedRetries(endpointFetch(baseUrl)),
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
  const all: Record<string, string | null> = { ...headers };
  if (key === '' || keyHeader !== undefined) all['Authorization'] ??= null;
  if (key !== '' && keyHeader !== undefined) all[keyHeader] = key;
  for (const [name, value] of Object.entries(all))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value ?? ''))
      throw new NotebookError(
        'unsupported',
        t('The endpoint header {0} isn’t valid. Correct it in Settings.', name.replace(/[^\x20-\x7e]/g, '?')),
        { action: 'openSettings' },
      );
  return all;
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

/** Lets the client retry only if the server requests a short pause and a retry can help. */
function withBoundedRetries(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 429) return response;
    const pause = Number.parseFloat(response.headers.get('retry-after') ?? '0');
    const body = await response.text();
    const headers = new Headers(response.headers);
    if (pause > MAX_RETRY_SECONDS || body.includes('insufficient_quota'))
      headers.set('x-should-retry', 'false');
    return new Response(body, { status: response.status, headers });
  };
}
