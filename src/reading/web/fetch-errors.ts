import { t } from '@vscode/l10n';
import { NotebookError, type ErrorCode } from '../../notebook/errors.ts';

/** The status of an answer that is none of success, as the cause of an error. */
class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${String(status)}`);
    this.status = status;
  }
}

/** The HTTP status that an error of this module rests on, or undefined where no answer came. */
export function httpStatus(error: unknown): number | undefined {
  return error instanceof NotebookError && error.cause instanceof StatusError
    ? error.cause.status
    : undefined;
}

/** What a status that is none of success means. */
export function statusError(status: number, { host }: URL): NotebookError {
  const cause = new StatusError(status);
  const failure = (code: ErrorCode, sentence: string, action?: 'tryAgain'): NotebookError =>
    new NotebookError(code, sentence, { ...(action && { action }), cause });
  switch (status) {
    case 401:
      return failure(
        'unauthorized',
        t('{0} asks for a sign-in (401); save the page as a file and add that instead.', host),
      );
    case 403:
      return failure(
        'forbidden',
        t(
          '{0} does not let this page be read (403); save it from the browser and add the file instead.',
          host,
        ),
      );
    case 404:
      return failure('not-found', t('{0} has no such page (404); check the address.', host));
    case 410:
      return failure('not-found', t('{0} has removed this page (410); check whether it has moved.', host));
    case 429:
      return failure(
        'rate-limited',
        t('{0} takes no more requests for now (429); try again in some minutes.', host),
        'tryAgain',
      );
    default:
      return status >= 500
        ? failure(
            'server',
            t('{0} could not deliver the page ({1}); try again later.', host, status),
            'tryAgain',
          )
        : failure('server', t('{0} refused the request ({1}); check the address.', host, status));
  }
}

/** More came than is taken. */
export function tooLargeError({ host }: URL, maximumBytes: number): NotebookError {
  const limit = Math.round(maximumBytes / 1024 / 1024);
  return new NotebookError(
    'too-large',
    t(
      'The page at {0} is larger than {1} MB, which is the limit; download it and add a part of it.',
      host,
      limit,
    ),
  );
}

/** What came is of a type that can't be read. */
export function unsupportedError({ host }: URL, mediaType: string): NotebookError {
  const type = mediaType.replace(/;.*/, '');
  return new NotebookError(
    'unsupported',
    t('The address at {0} leads to {1}, which cannot be read; add a web page, a text or a PDF.', host, type),
  );
}

/** Nothing came in time. */
export function timeoutError({ host }: URL, milliseconds: number, cause: unknown): NotebookError {
  return new NotebookError(
    'timeout',
    t('{0} did not answer within {1} seconds; try again.', host, milliseconds / 1000),
    {
      action: 'tryAgain',
      cause,
    },
  );
}

/** No connection came about, or it broke; `cause` tells why. */
export function connectionError({ host }: URL, cause: unknown): NotebookError {
  const code = findErrorCode(cause);
  const options = { action: 'tryAgain', cause } as const;
  if (/^(?:ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/.test(code)) {
    return new NotebookError(
      'connection',
      t('{0} was not found; check the address and the connection to the internet.', host),
      options,
    );
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return new NotebookError(
      'connection',
      t(
        'The secure connection to {0} could not be trusted ({1}); check the proxy and certificate settings.',
        host,
        code,
      ),
      options,
    );
  }
  if (/^(?:ECONNREFUSED|ERR_CONNECTION_REFUSED)$/.test(code)) {
    return new NotebookError(
      'connection',
      t('{0} refused the connection; check the address and try again.', host),
      options,
    );
  }
  return new NotebookError(
    'connection',
    code === ''
      ? t('{0} could not be reached; check the connection and the proxy settings.', host)
      : t('{0} could not be reached ({1}); check the connection and the proxy settings.', host, code),
    options,
  );
}

/** Fetch hides why it failed in the causes of its error. */
function findErrorCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    const named = /(?:net::)?(ERR_[A-Z_]+|E[A-Z]{4,})/.exec(at.message)?.[1];
    if (named !== undefined) return named;
  }
  return '';
}
