import OpenAI from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';

/** The client insists on a key; without one, the header that would carry it is left out. */
const NO_KEY = 'none';
/** A server that asks for a longer pause than this is reported instead of waited for. */
const LONGEST_RETRY_SECONDS = 30;

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  readonly retries: number;
}

/**
 * A client of an OpenAI-compatible endpoint.
 * @throws NotebookError where the key or the address can't be one.
 */
export function createClient(options: ClientOptions): OpenAI {
  const key = options.apiKey?.trim() ?? '';
  // Checked here, because what the platform says of such a header or address repeats it.
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new NotebookError('unauthorized', t('The API key has characters that no key has. Set a new one.'), {
      action: 'setApiKey',
    });
  }
  if (!URL.canParse(options.baseUrl)) {
    throw new NotebookError(
      'connection',
      t("The model's address is not a web address. Correct it in the settings."),
      {
        action: 'openSettings',
      },
    );
  }
  return new OpenAI({
    baseURL: options.baseUrl,
    // Nothing is taken from the environment: what is sent where is the user's choice alone.
    apiKey: key === '' ? NO_KEY : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(key === '' && { defaultHeaders: { Authorization: null } }),
    fetch: withBoundedRetries(options.fetch),
    maxRetries: options.retries,
    logLevel: 'off',
  });
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
