import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { isLoopback } from '../../../core/domain/web-address.ts';

/** Security modes of a connection, as in libpq. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** Parts of a connection string. Paths refer to PEM files. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly sslMode: SslMode;
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Maximum duration of each query, in milliseconds; that of its kind by default. */
  readonly queryTimeout?: number | undefined;
}

/** Parts of a connection string that locate the database. All others may belong to the user who wrote it. */
const PLACE_OPTIONS = ['host', 'port', 'dbname', 'sslmode', 'sslrootcert'];

/**
 * Parses a connection string in the forms of PostgreSQL's own programs:
 * `postgres://ada:secret@db.example:5432/team?sslmode=verify-full`, or `host=db.example user=ada password='a secret'
 * dbname=team`. Without `sslmode`, TLS is required, except on this machine.
 * @throws NotebookError `unsupported`; the message contains nothing of the string
 */
export function readConnectionString(text: string): Connection {
  const url = readUrl(text);
  const options = url.searchParams;
  const either = (part: string, option: string): string =>
    part === '' ? (options.get(option) ?? '') : decodePart(part);
  const port = Number(either(url.port, 'port'));
  // URLs have IPv6 addresses in brackets.
  const host = either(url.hostname, 'host').replace(/^\[([^\]]*)\]$/, '$1') || 'localhost';
  const user = either(url.username, 'user');
  const password = either(url.password, 'password');
  const database = either(url.pathname.slice(1), 'dbname');
  const isHere = isLoopback(host) || host.startsWith('/');
  const sslMode = options.get('sslmode') ?? (isHere ? 'prefer' : 'require');
  if (user === '' || database === '' || !Number.isInteger(port) || port < 0 || port > 65_535) throw notOne();
  if (!isSslMode(sslMode))
    throw new NotebookError(
      'unsupported',
      t(
        'The sslmode in the connection string isn’t valid. Use one of these values: {0}.',
        SSL_MODES.join(', '),
      ),
    );
  return {
    host,
    port: port === 0 ? 5432 : port,
    database,
    user,
    password: password === '' ? undefined : password,
    sslMode,
    rootCertificate: options.get('sslrootcert') ?? undefined,
    certificate: options.get('sslcert') ?? undefined,
    key: options.get('sslkey') ?? undefined,
  };
}

/** Returns a connection string to the same database for another user. */
export function connectionStringFor(text: string, user: string, password: string): string {
  const from = readUrl(text);
  const to = new URL(`postgres://${from.host}${from.pathname}`);
  for (const name of PLACE_OPTIONS) {
    const value = from.searchParams.get(name);
    if (value !== null) to.searchParams.set(name, value);
  }
  if (to.hostname === '') {
    // A URL without a host has no place for the user name.
    to.searchParams.set('user', user);
    to.searchParams.set('password', password);
  } else {
    to.username = encodeURIComponent(user);
    to.password = encodeURIComponent(password);
  }
  return to.href;
}

function readUrl(text: string): URL {
  const trimmed = text.trim();
  if (!/^\w+\s*=/.test(trimmed)) {
    const url = URL.parse(trimmed);
    if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) throw notOne();
    return url;
  }
  const { host = '', ...options } = readPairs(trimmed);
  const url = URL.parse(`postgres://${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}/`);
  if (url === null) throw notOne();
  for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
  return url;
}

/**
 * Parses `name=value` pairs separated by spaces. Values with spaces are quoted, and a backslash escapes a character.
 */
function readPairs(text: string): Record<string, string> {
  const pair =
    /\s*(?<name>\w+)\s*=\s*(?:'(?<quoted>(?:[^'\\]|\\.)*)'|(?<plain>(?:[^\s'\\]|\\.)*))(?:\s+|$)/suy;
  const pairs: Record<string, string> = {};
  while (pair.lastIndex < text.length) {
    const { groups } = pair.exec(text) ?? {};
    if (groups === undefined) throw notOne();
    const { name = '', quoted, plain = '' } = groups;
    pairs[name] = (quoted ?? plain).replaceAll(/\\(.)/gsu, '$1');
  }
  return pairs;
}

/** Formats a connection for display, without its secret. */
export function describeConnection({ user, host, database }: Connection): string {
  return `${user}@${host}/${database}`;
}

function isSslMode(mode: string): mode is SslMode {
  return SSL_MODES.some((known) => known === mode);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The part contains a percent sign that isn't an escape.
    throw notOne();
  }
}

function notOne(): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'This isn’t a PostgreSQL connection string. Use a format such as postgres://name:password@host:5432/database?sslmode=verify-full.',
    ),
  );
}
