import { t } from '@vscode/l10n';
import { NotebookError, type ErrorCode } from '../../core/domain/errors.ts';

/** HTTP status of a failed request, as the cause of an error. */
class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${String(status)}`);
    this.status = status;
  }
}

/** Returns the HTTP status behind an error of this module; undefined if there was no response. */
export function httpStatus(error: unknown): number | undefined {
  return error instanceof NotebookError && error.cause instanceof StatusError
    ? error.cause.status
    : undefined;
}

/** Returns the error for the HTTP status of a failed request. */
export function statusError(status: number, { host }: URL): NotebookError {
  const cause = new StatusError(status);
  const failure = (code: ErrorCode, sentence: string, action?: 'tryAgain'): NotebookError =>
    new NotebookError(code, sentence, { ...(action && { action }), cause });
  switch (status) {
    case 401:
      return failure(
        'unauthorized',
        t('{0} requires sign-in (401). Save the page from your browser and add the file instead.', host),
      );
    case 403:
      return failure(
        'forbidden',
        t(
          '{0} denied access to this page (403). Save the page from your browser and add the file instead.',
          host,
        ),
      );
    case 404:
      return failure('not-found', t('{0} has no such page (404). Check the URL.', host));
    case 410:
      return failure('not-found', t('{0} has removed this page (410). Check whether it has moved.', host));
    case 429:
      return failure(
        'rate-limited',
        t('{0} is limiting requests (429). Try again in a few minutes.', host),
        'tryAgain',
      );
    default:
      return status >= 500
        ? failure(
            'server',
            t('{0} couldn’t return the page ({1}). Try again later.', host, status),
            'tryAgain',
          )
        : failure('server', t('{0} rejected the request ({1}). Check the URL.', host, status));
  }
}

/** Returns the error for a response that is too large. */
export function tooLargeError({ host }: URL, maximumBytes: number): NotebookError {
  const limit = Math.round(maximumBytes / 1024 / 1024);
  return new NotebookError(
    'too-large',
    t('The page on {0} exceeds the limit of {1} MB. Download it, then add a part of it.', host, limit),
  );
}

/** Returns the error for a media type that can't be read. */
export function unsupportedError({ host }: URL, mediaType: string): NotebookError {
  const type = mediaType.replace(/;.*/, '');
  return new NotebookError(
    'unsupported',
    t('The URL on {0} returns an unsupported type ({1}). Add a web page, a text file, or a PDF.', host, type),
  );
}

/** Returns the error for a timeout. */
export function timeoutError({ host }: URL, milliseconds: number, cause: unknown): NotebookError {
  return new NotebookError(
    'timeout',
    t('{0} didn’t respond within {1} seconds. Try again.', host, milliseconds / 1000),
    {
      action: 'tryAgain',
      cause,
    },
  );
}

/** Returns the error for a connection that failed or broke off because of `cause`. */
export function connectionError({ host }: URL, cause: unknown): NotebookError {
  const code = findErrorCode(cause);
  const options = { action: 'tryAgain', cause } as const;
  if (/^(?:ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/.test(code)) {
    return new NotebookError(
      'connection',
      t('Can’t find {0}. Check the URL and your internet connection.', host),
      options,
    );
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return new NotebookError(
      'connection',
      t(
        'Can’t trust the secure connection to {0} ({1}). Check the proxy and certificate settings.',
        host,
        code,
      ),
      options,
    );
  }
  if (/^(?:ECONNREFUSED|ERR_CONNECTION_REFUSED)$/.test(code)) {
    return new NotebookError(
      'connection',
      t('{0} refused the connection. Check the URL, then try again.', host),
      options,
    );
  }
  return new NotebookError(
    'connection',
    code === ''
      ? t('Can’t reach {0}. Check your connection and the proxy settings.', host)
      : t('Can’t reach {0} ({1}). Check your connection and the proxy settings.', host, code),
    options,
  );
}

/** Returns the error code, which fetch hides in the causes of its error. */
function findErrorCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    const named = /(?:net::)?(ERR_[A-Z_]+|E[A-Z]{4,})/.exec(at.message)?.[1];
    if (named !== undefined) return named;
  }
  return '';
}
