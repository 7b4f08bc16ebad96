import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError } from '../../../core/domain/errors.ts';
import { isLoopback, withoutEscapes } from '../../../core/domain/web-address.ts';

const webProxy = v.object({
  /** `http://name:password@proxy.example:3128`; the name and password may be left out. */
  url: v.string(),
  /** Value of `Proxy-Authorization`, used in place of name and password. */
  authorization: v.optional(v.string()),
  /** Hosts that bypass the proxy, by name or suffix; `*` for all. */
  without: v.pipe(v.array(v.string()), v.readonly()),
});

/** Web proxy from the editor's settings. */
export type Proxy = Readonly<v.InferOutput<typeof webProxy>>;

/**
 * An environment variable passes the settings to the process, because arguments are visible to others and this has a
 * password.
 */
const VARIABLE = 'OPEN_NOTEBOOK_PROXY';

/** Time limit for opening a tunnel, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Returns the environment variables of a process that uses a proxy. */
export function proxyEnvironment(proxy: Proxy | undefined): Readonly<Record<string, string>> {
  return proxy === undefined ? {} : { [VARIABLE]: JSON.stringify(proxy) };
}

/** Returns the proxy of this process. @throws NotebookError `unsupported` if its settings aren't valid */
export function proxyFromEnv(): Proxy | undefined {
  const value = process.env[VARIABLE];
  if (value === undefined) return undefined;
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), webProxy), value);
  // Don't connect without the proxy. That would reveal the host to others.
  if (!read.success) throw noProxy();
  return read.output;
}

function noProxy(): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'Can’t connect to the team database because the http.proxy setting isn’t a valid proxy URL. Correct the setting.',
    ),
  );
}

/** Reports whether a host is reached through the proxy. This machine and excluded hosts aren't. */
export function usesProxy({ without }: Proxy, host: string): boolean {
  const name = host.toLowerCase();
  if (isLoopback(name)) return false;
  return !without.some((pattern) => {
    const end = pattern
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, '')
      .replace(/:\d+$/, '');
    return end === '*' || end === name || (end !== '' && isIP(name) === 0 && name.endsWith(`.${end}`));
  });
}

/**
 * Opens a tunnel to a host. Returns undefined if the proxy only reaches hosts that it knows; connect directly then.
 * @throws NotebookError `unauthorized`, `connection`, `unsupported`
 */
export async function openTunnel(
  proxy: Proxy,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<Socket | undefined> {
  const url = URL.parse(proxy.url);
  if (url === null || !/^https?:$/.test(url.protocol)) throw noProxy();
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${String(port)}`;
  const authorization = proxy.authorization ?? basicCredentials(url);
  const begin = url.protocol === 'https:' ? overHttps : overHttp;
  const patience = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const asking = begin({
      method: 'CONNECT',
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? undefined : Number(url.port),
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(authorization !== undefined && { 'proxy-authorization': authorization }),
      },
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    });
    const answered = (status: number, socket?: Socket): void => {
      if (status === 200 && socket !== undefined) {
        resolve(socket);
        return;
      }
      socket?.destroy();
      if (status === 407)
        reject(
          new NotebookError(
            'unauthorized',
            t(
              'The proxy {0} requires a user name and a password. Add them to the http.proxy setting, or set http.proxyAuthorization.',
              url.host,
            ),
          ),
        );
      else resolve(undefined);
    };
    asking.once('connect', ({ statusCode = 0 }, socket) => answered(statusCode, socket));
    asking.once('response', (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    });
    asking.once('error', (cause) => {
      reject(
        new NotebookError(
          'connection',
          t('The proxy {0} doesn’t respond. Check the http.proxy setting.', url.host),
          { cause },
        ),
      );
    });
    asking.end();
  });
}

/** Wraps an established connection for PostgreSQL's client, which calls `connect` on each socket. */
export function standing(socket: Socket): Socket {
  socket.connect = () => {
    queueMicrotask(() => socket.emit('connect'));
    return socket;
  };
  return socket;
}

function basicCredentials({ username, password }: URL): string | undefined {
  if (username === '') return undefined;
  const credentials = `${withoutEscapes(username)}:${withoutEscapes(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
