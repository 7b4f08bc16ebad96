import OpenAI from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';
import { endpointFetch } from './endpoint-fetch.ts';

/** The client insists on a key; without one, the header that would carry it is left out. */
const NO_KEY = 'none';
/** A server that asks for a longer pause than this is reported instead of waited for. */
const LONGEST_RETRY_SECONDS = 30;

/** An OpenAI-compatible endpoint, and what its requests carry. */
export interface EndpointAccess {
  /** For example `https://api.openai.com/v1`, or `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string;
  /** Left out where the server asks for none. */
  readonly apiKey?: string | undefined;
  /** The header that carries the key, where it is not a bearer's. */
  readonly keyHeader?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Azure's `api-version`, sent with every request. */
  readonly apiVersion?: string | undefined;
}

/**
 * A client of an OpenAI-compatible endpoint.
 * @throws NotebookError where the key, the address or a header can't be one.
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
    // Nothing is taken from the environment: what is sent where is the user's choice alone.
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
 * The headers of the user's, and the key in the one that the endpoint looks for it; null leaves a header out.
 * @throws NotebookError `unauthorized` where the key has characters that no header takes
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

/** Checked here, because what the platform says of such a header repeats it. */
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

/** Lets the client retry only where the server asks for a short pause and a retry can help. */
function withBoundedRetries(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 429) return response;
    const pause = Number.parseFloat(response.headers.get('retry-after') ?? '0');
    const body = await response.text();
    const headers = new Headers(response.headers);
    if (pause > LONGEST_RETRY_SECONDS || body.includes('insufficient_quota'))
      headers.set('x-should-retry', 'false');
    return new Response(body, { status: response.status, headers });
  };
}
