import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { t } from '@vscode/l10n';
import pg from 'pg';
import { isCanceled, NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import { readRegularFile } from '../../../core/domain/regular-file.ts';
import { usesProxy, openTunnel, proxyFromEnv, standing, type Proxy } from './proxy.ts';
import { checkRows, notATeams } from './checked-rows.ts';
import type { Connection } from './connection-string.ts';

/** Time limits for connecting, one statement, and disconnecting, in milliseconds. */
const CONNECTING = 10_000;
const STATEMENT = 120_000;
const FAREWELL = 1_000;

/**
 * Search path of every connection. With a schema in which members can create objects, such as `public`, a member's
 * function could run in place of PostgreSQL's own, with the rights of its caller.
 */
export const SEARCH_PATH = 'pg_catalog, pg_temp';

/** Error codes of a pooler that doesn't pass the search path on to the server. */
const REFUSED_OPTIONS: ReadonlySet<string> = new Set(['08P01', '0A000']);

/** PostgreSQL 11 is the first version with SHA-256 functions. */
const OLDEST_SERVER = 110_000;

/**
 * Maximum size of one response, in bytes: twice the largest text of a team, because it arrives in hexadecimal digits.
 */
const MAX_ANSWER_BYTES = 640 * 2 ** 20;

/** Connection whose results are checked; see `checkRows`. */
export type Client = pg.Client;

class CheckedClient extends pg.Client {
  override query = (async (...query: [string, unknown[]]) => {
    // A query of several statements returns a result for each.
    const result: pg.QueryResult | pg.QueryResult[] = await super.query(...query);
    for (const { rows } of [result].flat()) checkRows(rows);
    return result;
  }) as pg.Client['query'];
}

/**
 * Connects to a team database. Aborting the signal ends the connection at any time. Statements leave nothing in the
 * session, because a pooler may give each transaction another one.
 * @throws NotebookError for known failures
 */
export async function openConnection(
  connection: Connection,
  signal?: AbortSignal,
  proxy = proxyFromEnv(),
): Promise<Client> {
  throwIfCanceled(signal);
  const { sslMode } = connection;
  const tls = sslMode === 'disable' || sslMode === 'allow' ? false : await tlsOptions(connection);
  try {
    return await connectBy(connection, tls, signal, proxy);
  } catch (error) {
    throwIfCanceled(signal);
    if (sslMode === 'prefer' && isWithoutTls(error))
      return connectBy(connection, false, signal, proxy).catch((second: unknown) => {
        throw teamError(second, connection);
      });
    if (sslMode === 'allow' && isForTlsAlone(error))
      return connectBy(connection, await tlsOptions(connection), signal, proxy).catch((second: unknown) => {
        throw teamError(second, connection);
      });
    throw teamError(error, connection);
  }
}

/** Closes a connection, and stops waiting soon if the server doesn't respond. */
export async function closeConnection(client: Client): Promise<void> {
  // The connection may be closed already.
  await Promise.race([client.end().catch(() => undefined), sleep(FAREWELL, undefined, { ref: false })]);
}

/**
 * Connects with a search path without schemas of members. A pooler may refuse this option, so the connection is
 * retried without it. Every statement also names the schema of its functions.
 */
async function connectBy(
  connection: Connection,
  tls: ConnectionOptions | false,
  signal: AbortSignal | undefined,
  proxy: Proxy | undefined,
): Promise<Client> {
  const options = `-c search_path=${SEARCH_PATH.replaceAll(' ', '')}`;
  try {
    return await connectOnce(connection, tls, signal, proxy, options);
  } catch (error) {
    if (!REFUSED_OPTIONS.has(errorCode(error))) throw error;
    return connectOnce(connection, tls, signal, proxy);
  }
}

async function connectOnce(
  { host, port, database, user, password, queryTimeout = STATEMENT }: Connection,
  tls: ConnectionOptions | false,
  signal: AbortSignal | undefined,
  proxy: Proxy | undefined,
  options?: string,
): Promise<Client> {
  const tunnel =
    proxy !== undefined && usesProxy(proxy, host) ? await openTunnel(proxy, host, port, signal) : undefined;
  const client = new CheckedClient({
    host,
    port,
    database,
    user,
    // Without a value, pg would read a password from the environment or a file.
    password: password ?? '',
    ssl: tls,
    ...(tunnel !== undefined && { stream: () => standing(tunnel) }),
    connectionTimeoutMillis: CONNECTING,
    query_timeout: queryTimeout,
    keepAlive: true,
    application_name: 'Open Notebook',
    options,
  });
  // Anyone between this machine and the server can also ask for the password. A destroyed stream sends nothing.
  if (tls === false || tls.rejectUnauthorized !== true)
    connectionOf(client).once('authenticationCleartextPassword', () =>
      connectionOf(client).stream.destroy(clearTextRefused(host)),
    );
  // The next statement reports an error that occurs between two statements.
  client.on('error', () => undefined);
  // The connection may be closed already.
  const end = (): void => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', end, { once: true });
  client.once('end', () => signal?.removeEventListener('abort', end));
  try {
    // A connection that is ended before it is established never settles this promise.
    await Promise.race([client.connect(), ...(signal === undefined ? [] : [whenAborted(signal)])]);
    boundAnswers(client);
    const { rows } = await client.query<{ version: string }>(
      `SELECT pg_catalog.current_setting('server_version_num') AS version`,
    );
    if (Number(rows[0]?.version) < OLDEST_SERVER)
      throw new NotebookError(
        'unsupported',
        t('This version of PostgreSQL is too old. Team notebooks require version 11 or later.'),
      );
    return client;
  } catch (error) {
    end();
    throw error;
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener(
      'abort',
      () => reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted')),
      { once: true },
    );
  });
}

/** Returns the internal connection of a `pg` client, which its types omit. */
function connectionOf(client: Client): EventEmitter & { readonly stream: Duplex } {
  const connection: unknown = Reflect.get(client, 'connection');
  if (connection instanceof EventEmitter && 'stream' in connection) {
    const { stream } = connection;
    if (stream instanceof Duplex) return Object.assign(connection, { stream });
  }
  throw new TypeError('The client has no connection.');
}

function clearTextRefused(host: string): NotebookError {
  return new NotebookError(
    'unauthorized',
    t(
      '{0} requests your password in plain text. Open Notebook sends it only to a server with a verified certificate. Add sslmode=verify-full to the connection string, or set up the server to use SCRAM.',
      host,
    ),
  );
}

/** Ends the connection if a response exceeds the maximum size. */
function boundAnswers(client: Client): void {
  const { stream } = connectionOf(client);
  let answered = 0;
  client.on('drain', () => {
    answered = 0;
  });
  stream.on('data', ({ length }: Buffer) => {
    answered += length;
    if (answered > MAX_ANSWER_BYTES) stream.destroy(notATeams());
  });
}

/** Maximum size of certificate files, in bytes. All authorities that a system trusts need about 200 kB. */
const MAX_PEM_BYTES = 10_000_000;

/**
 * Returns the TLS options. As in libpq, `require` verifies the certificate only with a root certificate, and `prefer`
 * never fails because of it.
 */
async function tlsOptions({
  host,
  sslMode,
  rootCertificate,
  certificate,
  key,
}: Connection): Promise<ConnectionOptions> {
  const isSystem = rootCertificate === undefined || rootCertificate === 'system';
  const checks = sslMode.startsWith('verify') || (sslMode === 'require' && !isSystem);
  return {
    rejectUnauthorized: checks,
    ...(!isSystem && { ca: await readPem(rootCertificate) }),
    ...(certificate !== undefined && { cert: await readPem(certificate) }),
    ...(key !== undefined && { key: await readPem(key) }),
    ...(sslMode === 'verify-full' ? { servername: host } : { checkServerIdentity: () => undefined }),
  };
}

async function readPem(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readRegularFile(path, { maxBytes: MAX_PEM_BYTES }));
  } catch (cause) {
    throw new NotebookError(
      'not-found',
      t('Can’t read the certificate file {0}. Check the connection string.', path),
      { cause },
    );
  }
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not support SSL');
}

function isForTlsAlone(error: unknown): boolean {
  return errorCode(error) === '28000';
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Error codes of the operating system for a connection that broke or failed. */
const LINE_CODES: ReadonlySet<string> = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Reports whether a failed request can succeed later without any action. */
export function isTransient(error: unknown): boolean {
  return error instanceof NotebookError && (error.code === 'connection' || error.code === 'timeout');
}

/** Turns an error of the team database or the connection into one sentence for the user, without secrets. */
export function teamError(error: unknown, { host, user, database }: Connection): unknown {
  if (error instanceof NotebookError || isCanceled(error)) return error;
  const makeError = (code: ConstructorParameters<typeof NotebookError>[0], sentence: string): NotebookError =>
    new NotebookError(code, sentence, { cause: error });
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : '';
  switch (code) {
    case '28P01':
    case '28000':
      return makeError(
        'unauthorized',
        t(
          '{0} rejected the password or certificate of {1}. Contact the administrator of the team database.',
          host,
          user,
        ),
      );
    case '3D000':
      return makeError(
        'not-found',
        t('{0} has no database named {1}. Check the connection string.', host, database),
      );
    case '42501':
      return makeError(
        'forbidden',
        t('You don’t have permission to do this in the team notebook. Ask one of its managers.'),
      );
    case '3F000':
    case '42P01':
    case '42883':
      return makeError(
        'not-found',
        t(
          'The database {0} isn’t set up for a team yet. Ask its administrator to run “Set Up Team Database…”.',
          database,
        ),
      );
    case 'P0002':
    case '23503':
      return makeError('not-found', t('The changed item is no longer in the team notebook.'));
    case '23514':
    case '22001':
    case '54000':
      return makeError('too-large', t('This item is too large for the team database.'));
    case '53100':
      return makeError(
        'disk-full',
        t(
          'The disk of the team database is full. Your changes stay pending until its administrator frees up space.',
        ),
      );
    case '55P03':
    case '57014':
    case '40P01':
    case '40001':
      return makeError(
        'timeout',
        t('The team database was busy for too long. Open Notebook will try again.'),
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return makeError(
        'connection',
        t('Can’t find the host {0}. Check the connection string and your network connection.', host),
      );
    case 'ECONNREFUSED':
      return makeError('connection', t('{0} refused the connection. The team database may be down.', host));
  }
  if (code.startsWith('ERR_OSSL'))
    return makeError(
      'unauthorized',
      t(
        'Can’t use the certificate or key in the connection string. Check sslrootcert, sslcert, and sslkey. The files must be in PEM format, and the key must match the certificate and have no password.',
      ),
    );
  if (/^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/.test(code))
    return makeError(
      'unauthorized',
      t(
        'Can’t trust the certificate of {0}, or the server doesn’t trust your certificate. Check sslmode and sslrootcert in the connection string.',
        host,
      ),
    );
  if (message.includes('does not support SSL'))
    return makeError(
      'unauthorized',
      t(
        '{0} doesn’t support encrypted connections. If you trust the network between here and the server, add sslmode=disable to the connection string.',
        host,
      ),
    );
  // Classes 08, 53, and 57: connection errors, resources, and an administrator who ends sessions or the server.
  if (
    /^(?:08|53|57)/.test(code) ||
    LINE_CODES.has(code) ||
    /terminated|timeout|not queryable|closed/i.test(message)
  )
    return makeError('connection', t('The connection to {0} was lost. Open Notebook will try again.', host));
  // Errors about local files aren't errors of the database.
  if (/^E[A-Z]+$/.test(code)) return error;
  return makeError(
    'server',
    t('The team database returned an error: {0}', plainTitle(message.slice(0, 200))),
  );
}
