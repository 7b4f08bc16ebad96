import { APIConnectionError, APIError } from 'openai';
import { t } from '@vscode/l10n';
import { isLoopback } from '../../core/domain/web-address.ts';
import { NotebookError, type ErrorAction, type ErrorCode } from '../../core/domain/errors.ts';
import type { EndpointAccess } from './openai-client.ts';

type EndpointFailureKind = 'cut' | 'empty' | 'filtered' | 'foreign' | 'length' | 'silent';

/**
 * Failure of a reply that the endpoint didn't report as an error. `foreign`: it sent data other than a reply. `length`:
 * the reply reached the maximum length. `filtered`: a content filter ended it.
 */
export class EndpointFailure extends Error {
  readonly kind: EndpointFailureKind;

  constructor(kind: EndpointFailureKind) {
    super(kind);
    this.kind = kind;
  }
}

interface Circumstances {
  readonly access: Pick<EndpointAccess, 'apiKey' | 'baseUrl'>;
  /** Name of the model; undefined for a request to list the models. */
  readonly name: string | undefined;
  /** `true` if the endpoint had accepted the question. */
  readonly opened: boolean;
  /** `true` if a part of the reply had arrived. */
  readonly arrived: boolean;
}

/**
 * Returns the error for the user. Its message never repeats the endpoint's reply, which may contain the key or a whole
 * page.
 */
export function toNotebookError(error: unknown, circumstances: Circumstances): NotebookError {
  if (error instanceof NotebookError) return error;
  const { access, opened, arrived } = circumstances;
  const apiKey = access.apiKey?.trim() ?? '';
  const host = shownAddress(access.baseUrl);
  const name = circumstances.name ?? host;
  const failure = (code: ErrorCode, message: string, action: ErrorAction): NotebookError =>
    new NotebookError(code, message, { action, cause: withoutKey(error, apiKey) });

  if (error instanceof EndpointFailure) {
    switch (error.kind) {
      case 'empty':
        return failure(
          'empty',
          t('{0} sent an empty answer. Try again, or pick another model.', name),
          'tryAgain',
        );
      case 'silent':
        return arrived
          ? failure(
              'stream-cut',
              t(
                'The model stopped responding before the answer was complete. The partial answer is kept. Try again.',
              ),
              'tryAgain',
            )
          : failure(
              'timeout',
              t('{0} didn’t respond in time. Try again, or pick a faster model.', name),
              'tryAgain',
            );
      case 'length':
        return failure(
          'stream-cut',
          t(
            '{0} reached its maximum output length, so the answer is incomplete. Ask for a shorter answer, or pick another model.',
            name,
          ),
          'pickModel',
        );
      case 'filtered':
        return failure(
          'stream-cut',
          t(
            'The content filter of {0} ended the answer early. Rephrase your question, or pick another model.',
            host,
          ),
          'pickModel',
        );
      case 'foreign':
        return foreign();
      case 'cut':
        return cut();
    }
  }
  if (arrived) return cut();
  const distrust = distrustIn(error);
  if (distrust !== undefined)
    return failure(
      'connection',
      t(
        'The certificate of {0} isn’t trusted ({1}). Add it to your system’s certificates, then restart VS Code.',
        host,
        distrust,
      ),
      'tryAgain',
    );
  if (error instanceof APIConnectionError)
    return failure(
      'connection',
      isHere(access.baseUrl)
        ? t('No response from {0}. Check that the server is running.', host)
        : t('No response from {0}. Check the URL and your connection, or pick another model.', host),
      'pickModel',
    );
  if (!(error instanceof APIError)) {
    if (error instanceof SyntaxError) return foreign();
    return opened
      ? cut()
      : failure('internal', t('The request to {0} failed. See the log for details.', host), 'showLog');
  }
  const errorText = `${error.code ?? ''} ${error.type ?? ''} ${error.message}`;
  switch (error.status as number | undefined) {
    case 401:
      return badKey();
    case 403:
      if (hasNoCredit(errorText)) return noCredit();
      return failure(
        'forbidden',
        circumstances.name === undefined
          ? t(
              '{0} doesn’t let this API key list its models. Set another key, or enter the model’s name.',
              host,
            )
          : t('The API key doesn’t have access to {0}. Set another key, or pick another model.', name),
        'setApiKey',
      );
    case 404:
      return failure(
        'not-found',
        circumstances.name === undefined
          ? t('{0} doesn’t list its models. Check the URL, which often ends in /v1.', host)
          : t('{0} has no model named {1}. Pick another model.', host, name),
        'pickModel',
      );
    case 402:
      return noCredit();
    case 429:
      return hasNoCredit(errorText)
        ? noCredit()
        : failure(
            'rate-limited',
            t('{0} is limiting requests. Wait a moment, then try again.', host),
            'tryAgain',
          );
    case 408:
      return failure('timeout', t('{0} didn’t respond in time. Try again.', name), 'tryAgain');
    case 413:
      return tooLong();
    default:
  }
  // Google reports a wrong key with the status of a wrong request.
  if (
    /api[ _]key (?:not valid|is invalid|not found|expired)|api_key_invalid|invalid api[ _]key/i.test(
      errorText,
    )
  )
    return badKey();
  if (error.status === 400 && hasNoCredit(errorText)) return noCredit();
  if (isTooLong(errorText)) return tooLong();
  const headers: unknown = error.headers;
  const location = Number(error.status) < 400 && headers instanceof Headers ? headers.get('location') : null;
  if (location !== null && URL.canParse(location)) return redirectError(shownAddress(location).slice(0, 200));
  if (error.status === undefined || Number(error.status) >= 500)
    return failure(
      'server',
      t('The server at {0} reported an error. Try again in a moment.', host),
      'tryAgain',
    );
  return failure(
    'unsupported',
    circumstances.name === undefined
      ? t('{0} doesn’t list its models. Check the URL, which often ends in /v1.', host)
      : t('{0} rejected the request for {1}. Check the model’s settings.', host, name),
    'openSettings',
  );

  function badKey(): NotebookError {
    return failure(
      'unauthorized',
      apiKey === ''
        ? t('{0} requires an API key. Set a key, then ask again.', host)
        : t('{0} rejected the API key. Set another key, then ask again.', host),
      'setApiKey',
    );
  }
  function redirectError(to: string): NotebookError {
    return failure(
      'forbidden',
      to === host
        ? t('{0} redirects endlessly. Check its URL in Settings.', host)
        : t(
            '{0} redirects to {1}. Open Notebook sends your key and your data only to the URL in Settings. If you trust {1}, change the URL there.',
            host,
            to,
          ),
      'openSettings',
    );
  }
  function noCredit(): NotebookError {
    return failure(
      'rate-limited',
      t('The account for this API key has no credit left. Add credit, or set another key.'),
      'setApiKey',
    );
  }
  function cut(): NotebookError {
    return failure(
      'stream-cut',
      t('The answer was interrupted. The partial answer is kept. Try again.'),
      'tryAgain',
    );
  }
  function foreign(): NotebookError {
    return failure(
      'server',
      t(
        '{0} doesn’t respond like an OpenAI-compatible server. Check the URL, which often ends in /v1.',
        host,
      ),
      'openSettings',
    );
  }
  function tooLong(): NotebookError {
    return failure(
      'too-large',
      t(
        'The question and its passages are too long for {0}. Reduce openNotebook.answer.tokens in Settings, or pick a model with a larger context window.',
        name,
      ),
      'openSettings',
    );
  }
}

/** Returns the platform's code for an untrusted certificate; undefined for other errors. */
function distrustIn(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

function isTooLong(errorText: string): boolean {
  return /context[_ ](?:length|window|size)|maximum (?:context|prompt|model) length|too many tokens|(?:prompt|input|string|request) (?:is )?too (?:long|large)|reduce the length|exceed\w{0,10} .{0,40}(?:tokens|context|length)|tokens.{0,40} must be <=|range of input length/i.test(
    errorText,
  );
}

function hasNoCredit(said: string): boolean {
  return /insufficient[_ ](?:quota|balance|credits?|funds)|billing|credit balance/i.test(said);
}

/** Returns the error for the log, without the key in case the endpoint repeated it. */
function withoutKey(error: unknown, apiKey: string): Error {
  const errorText = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Error((apiKey === '' ? errorText : errorText.replaceAll(apiKey, '…')).slice(0, 500));
}

/** Reports whether a URL belongs to this machine. */
function isHere(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? '';
  return isLoopback(hostname) || hostname === '0.0.0.0';
}

/** Returns the URL without a password or query. */
function shownAddress(baseUrl: string): string {
  try {
    const url = new URL(baseUrl);
    return `${url.protocol}//${url.host}`;
  } catch {
    // The setting can contain any text.
    return baseUrl;
  }
}
