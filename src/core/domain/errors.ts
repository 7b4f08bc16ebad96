import { t } from '@vscode/l10n';

/** Kinds of errors, for code that has to distinguish cases. */
export type ErrorCode =
  | 'binary'
  /** The worker ended during a request, and the result is unknown. */
  | 'broken-off'
  | 'cancelled'
  | 'conflict'
  | 'connection'
  | 'damaged'
  | 'disk-full'
  | 'empty'
  | 'encrypted'
  | 'exists'
  | 'forbidden'
  | 'internal'
  | 'model-missing'
  | 'needs-newer-editor'
  | 'newer-database'
  /** The recording has no captions and wasn't transcribed. */
  | 'no-transcript'
  /** The model doesn't support tools, but works without them. */
  | 'no-tools'
  | 'not-found'
  | 'older-database'
  | 'rate-limited'
  | 'server'
  | 'stream-cut'
  | 'timeout'
  | 'too-large'
  | 'too-short'
  | 'unauthorized'
  | 'unsupported';

/** Actions that can be offered with an error message. */
export const ERROR_ACTIONS = [
  'addAskedFile',
  'addSources',
  'openSettings',
  'pickModel',
  'pickScope',
  'setApiKey',
  'showLog',
  'tryAgain',
] as const;

export type ErrorAction = (typeof ERROR_ACTIONS)[number];

/** Error whose message is a sentence for the user: what happened, and what to do. */
export class NotebookError extends Error {
  override readonly name = 'NotebookError';
  readonly code: ErrorCode;
  readonly action: ErrorAction | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options?: { readonly action?: ErrorAction; readonly cause?: unknown },
  ) {
    super(message, { cause: options?.cause });
    this.code = code;
    this.action = options?.action;
  }
}

/** Returns the message of an error, or any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Reports whether an error only means that the work was canceled. */
export function isCanceled(error: unknown): boolean {
  return (
    (error instanceof NotebookError && error.code === 'cancelled') ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

/** Returns the result of the work; undefined if it was canceled. @throws every other error of the work */
export async function unlessCanceled<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isCanceled(error)) return undefined;
    throw error;
  }
}

/** Reports whether the disk was too full to write a file. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT|disk-full)$/.test(String(error.code))
  );
}

/** Reports whether a worker ended during a request; another worker can repeat it. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof NotebookError && error.code === 'broken-off';
}

/** Throws a `cancelled` error if the signal was aborted. @throws NotebookError `cancelled` */
export function throwIfCanceled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new NotebookError('cancelled', t('Stopped.'));
}
