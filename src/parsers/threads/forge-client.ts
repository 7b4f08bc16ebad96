import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import type { Fetch } from '../web/guarded-fetch.ts';
import type { HttpAnswer } from '../web/http-answer.ts';
import { mayCarryToken } from './may-carry-token.ts';

/** Maximum size of a response, in bytes and in values. */
const MAX_BYTES = 20 * 2 ** 20;
const BOUNDS = { depth: 30, values: 2_000_000 };

const TIMEOUT = 30_000;
const MAX_REDIRECTS = 3;

/** Options for requests to a forge. */
export interface ForgeOptions {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Token of the user's account, if they consented to its use. */
  readonly token: string | undefined;
}

/** Kind of content that a request is for. */
type ForgeTarget = 'repository' | 'thread';

export type Get = <T>(address: string, schema: v.GenericSchema<unknown, T>, body?: string) => Promise<T>;

/** Maximum number of bytes of an error response to read. */
const MAX_ERROR_BYTES = 4_096;

/** Returns the headers of a request to GitLab's API. */
export function gitLabHeaders(
  { api }: { readonly api: string },
  token: string | undefined,
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token !== undefined && mayCarryToken(api) && { 'private-token': token }),
  };
}

/** Returns a function that requests JSON from a forge's API. Its errors contain one sentence for the user. */
export function createRequest(
  name: string,
  target: ForgeTarget,
  options: ForgeOptions,
  headers: Readonly<Record<string, string>>,
): Get {
  return async (address, schema, body) => {
    const bytes = await requestBytes(name, target, options, headers, address, body);
    try {
      return v.parse(schema, parseBounded(Buffer.from(bytes).toString('utf8'), BOUNDS));
    } catch (error) {
      if (error instanceof NotebookError) throw error;
      throw requestError(name, target, error);
    }
  };
}

/** Sends a request to a forge. Errors contain one sentence for the user. @throws NotebookError */
export async function requestBytes(
  name: string,
  target: ForgeTarget,
  { fetch, signal, userAgent, token }: ForgeOptions,
  headers: Readonly<Record<string, string>>,
  address: string,
  body?: string,
): Promise<Uint8Array> {
  throwIfCanceled(signal);
  const timeout = AbortSignal.timeout(TIMEOUT);
  try {
    const how = {
      headers: { 'user-agent': userAgent, ...headers },
      signal: AbortSignal.any([signal, timeout]),
      body,
    };
    let at = new URL(address);
    let answer = await fetch(at, how);
    // Follow the redirect of a renamed repository, but never send the token to another host.
    for (let hop = 0; hop < MAX_REDIRECTS && answer.status >= 300 && answer.status < 400; hop++) {
      const to = URL.parse(answer.headers.get('location') ?? '', at.href);
      if (to?.origin !== at.origin) break;
      await answer.body?.cancel();
      at = to;
      answer = await fetch(at, how);
    }
    if (!answer.ok) {
      if ('private-token' in headers && (await refusesToken(answer)))
        throw new NotebookError(
          'unauthorized',
          t(
            '{0} rejected your token. The token may be mistyped or expired, or lack the read_api scope. Run “Manage GitLab Tokens…” to set another token.',
            name,
          ),
        );
      await answer.body?.cancel();
      const isSpent =
        answer.headers.get('x-ratelimit-remaining') === '0' ||
        answer.headers.get('ratelimit-remaining') === '0';
      throw responseError(name, target, answer.status, isSpent, token !== undefined);
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > MAX_BYTES)
        throw new NotebookError('too-large', t('The response from {0} is too large to read.', name));
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throwIfCanceled(signal);
    throw error instanceof NotebookError ? error : requestError(name, target, error);
  }
}

/** Reports whether the server rejected the token itself, not the permissions of its account. */
async function refusesToken({ status, body }: HttpAnswer): Promise<boolean> {
  if (status === 401) {
    await body?.cancel();
    return true;
  }
  if (status !== 403) return false;
  let reasonText = '';
  for await (const chunk of body ?? []) {
    reasonText += Buffer.from(chunk).toString('latin1');
    if (reasonText.length > MAX_ERROR_BYTES) break;
  }
  return reasonText.includes('insufficient_scope');
}

function requestError(name: string, target: ForgeTarget, cause: unknown): NotebookError {
  const message =
    target === 'thread'
      ? t('Can’t get this thread from {0}. Try again later.', name)
      : t('Can’t get this repository from {0}. Try again later.', name);
  return new NotebookError('server', message, { action: 'tryAgain', cause });
}

/** Returns the error for a failed request to a forge. */
export function responseError(
  name: string,
  target: ForgeTarget,
  status: number,
  isSpent: boolean,
  isSignedIn: boolean,
): NotebookError {
  const isThread = target === 'thread';
  if (isSpent || status === 429)
    return new NotebookError(
      'rate-limited',
      t('{0} is limiting requests. Refresh this source in an hour.', name),
      { action: 'tryAgain' },
    );
  if (status === 410 && isThread)
    return new NotebookError('not-found', t('This thread was removed from {0}.', name));
  if (status === 409) return new NotebookError('empty', t('This repository on {0} has no files yet.', name));
  if (status === 404 || status === 401 || status === 403 || status === 410) {
    if (isSignedIn)
      return new NotebookError(
        'not-found',
        isThread
          ? t('This thread doesn’t exist on {0}, or your account doesn’t have access to it.', name)
          : t(
              'This repository or folder doesn’t exist on {0}, or your account doesn’t have access to it.',
              name,
            ),
      );
    return new NotebookError(
      'unauthorized',
      isThread
        ? t('This thread isn’t publicly available on {0}. It may be private or deleted.', name)
        : t('This repository or folder isn’t publicly available on {0}. It may be private or deleted.', name),
    );
  }
  return new NotebookError(
    'server',
    isThread
      ? t('{0} couldn’t return the thread ({1}). Try again later.', name, status)
      : t('{0} couldn’t return the repository ({1}). Try again later.', name, status),
    { action: 'tryAgain' },
  );
}
