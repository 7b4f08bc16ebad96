import { t } from '@vscode/l10n';

/** What went wrong, for code that has to tell cases apart. */
export type ErrorCode =
  | 'binary'
  /** The worker that was asked went away; nothing is known of what it was asked. */
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
  /** The model takes no tools; it can be asked without them. */
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

/** The way out that the user is offered beside an error's sentence. */
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

/** An error whose message is one sentence that tells the user what happened and what to do. */
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

/** What an error says; whatever else was thrown as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error only says that the work was stopped on request. */
export function isCancelled(error: unknown): boolean {
  return (
    (error instanceof NotebookError && error.code === 'cancelled') ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

/** What work comes to; undefined where it was stopped on request. @throws whatever else it fails with */
export async function unlessCancelled<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  }
}

/** Whether a file could not be written for want of room. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT|disk-full)$/.test(String(error.code))
  );
}

/** Whether a worker went away in the middle of what it was asked; another one can be asked again. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof NotebookError && error.code === 'broken-off';
}

/** Throws a `cancelled` error where the signal was aborted. @throws NotebookError `cancelled` */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new NotebookError('cancelled', t('Stopped.'));
}
