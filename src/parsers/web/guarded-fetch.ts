import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestPlainly, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { ACCEPTED_ENCODINGS, readAnswer, type HttpAnswer } from './http-answer.ts';
import { hostAndPort, isPrivateHost, isPrivateNumber } from './private-addresses.ts';

/** Maximum time to wait for a name lookup before a request, in milliseconds; see `guardedFetch`. */
const LOOK_UP_TIMEOUT_MS = 3_000;

/** Function that returns the IP addresses of a host name, and throws if there are none. */
export type AddressLookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Options of a request. */
interface GuardedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** URL that redirected here. */
  readonly from?: URL | undefined;
  /** Body of a POST request. */
  readonly body?: string | undefined;
}

/**
 * Function that requests a URL once, like `fetch` with `redirect: 'manual'`.
 * @throws NotebookError `forbidden`, and connection errors
 */
export type Fetch = (url: URL, request: GuardedRequest) => Promise<HttpAnswer>;

/** Returns every address of a name from this machine's own lookup. */
export const lookUp: AddressLookup = (hostname) => lookup(hostname, { all: true });

/**
 * Returns the fetch function for all addresses that sources name. It allows hosts on the internet, and hosts on this
 * machine or in private networks only with the user's consent, each with its port (see `hostAndPort`). The IP address
 * of the connection decides: a name is looked up once, and the connection uses the checked result, so that a second
 * lookup can't return another address.
 *
 * VS Code routes requests of Node's `http` and `https` through its proxy, adds its certificates, and preserves their
 * `lookup` (it drops the one of a dispatcher that `fetch` gets). A proxy looks up names itself: then the lookup here
 * only protects names that it knows, and a slow or failed lookup doesn't block the request. A direct connection waits
 * for the lookup, however long, and fails with it.
 */
export function guardedFetch(agreed: readonly string[], lookUpName: AddressLookup = lookUp): Fetch {
  return async (url, { headers, signal, from, body }) => {
    const isAgreed = agreed.includes(hostAndPort(url)) || agreed.includes(plainForm(url));
    const mayReach = (number: string): boolean => isAgreed || !isPrivateNumber(number);
    if (!isAgreed && isPrivateHost(url.hostname)) throw privateError(url, from);
    if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
      return send(url, { headers, signal, mayReach, body });
    const judged = lookUpName(url.hostname).then((addresses) => {
      if (!addresses.every(({ address }) => mayReach(address))) throw privateError(url, from);
      return addresses;
    });
    await Promise.race([
      judged.catch(rethrowRefusal),
      sleep(LOOK_UP_TIMEOUT_MS, undefined, { signal, ref: false }),
    ]);
    return send(url, { headers, signal, mayReach, body, lookup: handingOver(judged) });
  };
}

/**
 * Returns the host and port of the plain HTTP address that redirects to a secure one, on servers that upgrade requests.
 */
function plainForm({ protocol, port, hostname }: URL): string {
  return protocol === 'https:' && port === '' ? `${hostname}:80` : '';
}

/** Ignores a failed lookup: the connection reports it if it needs the lookup at all. */
function rethrowRefusal(error: unknown): void {
  if (error instanceof NotebookError) throw error;
}

/** Returns the error for a private host without the user's consent. */
function privateError({ host, href }: URL, from: URL | undefined): NotebookError {
  return new NotebookError(
    'forbidden',
    from === undefined
      ? t(
          '{0} is on this machine or on a private network, and you haven’t allowed access to it. Try again, then allow access.',
          host,
        )
      : t(
          '{0} redirects to {1}, which is on this machine or on a private network. Open Notebook didn’t follow the redirect. To read the page, add its URL directly.',
          from.host,
          href.slice(0, 200),
        ),
  );
}

/** Returns a Node `lookup` function for addresses that are already looked up and checked. */
function handingOver(judged: Promise<readonly LookupAddress[]>): LookupFunction {
  return (_hostname, { all, family }, callback) => {
    judged.then(
      (addresses) => {
        const ofFamily =
          family === 4 || family === 6
            ? addresses.filter((candidate) => candidate.family === family)
            : addresses;
        const [first] = ofFamily;
        if (first === undefined)
          callback(Object.assign(new Error('No address.'), { code: 'ENOTFOUND' }), '', 0);
        else if (all === true) callback(null, [...ofFamily]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly mayReach: (number: string) => boolean;
  readonly body: string | undefined;
  readonly lookup?: LookupFunction;
}

async function send(url: URL, sent: Sent): Promise<HttpAnswer> {
  try {
    return await sendOnce(url, sent);
  } catch (error) {
    // A server can close an idle connection at the moment of its reuse.
    if (error instanceof ReusedConnectionError && !sent.signal.aborted) return sendOnce(url, sent);
    throw error;
  }
}

/** Error of a reused connection that broke off before the response. */
class ReusedConnectionError extends Error {}

function sendOnce(
  url: URL,
  { headers, signal, mayReach, body, lookup: ownLookup }: Sent,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const request = (isSecure ? requestSecurely : requestPlainly)({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      ...(url.port !== '' && { port: url.port }),
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': 'node',
        'accept-language': '*',
        'accept-encoding': ACCEPTED_ENCODINGS,
        ...headers,
      },
      ...(ownLookup && { lookup: ownLookup }),
    });
    // Don't pass the signal to the request: it would pass it on to a connection that other requests reuse.
    const abort = (): void => {
      request.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal.addEventListener('abort', abort, { once: true });
    request.once('close', () => signal.removeEventListener('abort', abort));
    // Check the IP address of a reused connection that another request opened. Connections to a proxy are never
    // reused.
    request.once('socket', (socket: Socket) => {
      const number = socket.remoteAddress;
      if (request.reusedSocket && (number === undefined || !mayReach(number)))
        request.destroy(privateError(url, undefined));
    });
    request.once('error', (error) => {
      const isReused = request.reusedSocket && !(error instanceof NotebookError);
      reject(isReused ? new ReusedConnectionError(error.message, { cause: error }) : error);
    });
    request.once('response', (answer: IncomingMessage) => resolve(readAnswer(answer)));
    request.end(body);
  });
}
