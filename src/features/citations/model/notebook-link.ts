import { t } from '@vscode/l10n';
import { withoutEscapes } from '../../../core/domain/web-address.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { PassagePlace } from '../../../core/domain/passage.ts';

/** Maximum lengths of a link and of a URL in it, in UTF-16 code units. */
const MAX_LINK_LENGTH = 4000;
const MAX_ADDRESS_LENGTH = 2000;

/** Maximum length of a quote in a link: enough to find it again after the document changed. */
const MAX_QUOTE_LENGTH = 300;

/** Characters with a meaning only for machines. Line breaks and tabs belong to quotes. */
const CONTROL = /[^\P{Cc}\n\t\r]/u;

/** Text of a source in the notebook with an ID. */
export interface LinkedWords extends PassagePlace {
  readonly notebook: string;
  readonly sourceId: string;
  /** Key of the document in its source on every machine, in a team notebook. */
  readonly key?: string;
  readonly quote: string;
}

/** Request of a link to the extension. The URL of a web page or of a file isn't checked further. */
type NotebookLink =
  | { readonly kind: 'add'; readonly address: string }
  | { readonly kind: 'source'; readonly notebook: string; readonly sourceId: string }
  | ({ readonly kind: 'words' } & LinkedWords);

/**
 * Returns the path and query of a link to cited text. Its quote is in Base64, which no program on the way decodes or
 * cuts.
 */
export function pathToWords({ notebook, sourceId, documentId, key, span, quote }: LinkedWords): string {
  const shortQuote = shortenWords(quote);
  if (shortQuote === '') return pathToSource(notebook, sourceId);
  const end = span.start + shortQuote.length;
  const place = `notebook=${notebook}&source=${sourceId}&document=${String(documentId)}`;
  return `/open?${place}&start=${String(span.start)}&end=${String(end)}&quote=${Buffer.from(shortQuote).toString('base64url')}${
    key === undefined ? '' : `&key=${Buffer.from(key).toString('base64url')}`
  }`;
}

/** Returns the path and query of a link to a source. */
export function pathToSource(notebook: string, sourceId: string): string {
  return `/open?notebook=${notebook}&source=${sourceId}`;
}

/**
 * Reads the request of a link. The desktop's editor has decoded its query once, but the editor in a browser hasn't.
 * @throws NotebookError `unsupported`, one sentence
 */
export function readLink(path: string, query: string): NotebookLink {
  if (path.length + query.length > MAX_LINK_LENGTH)
    throw refusedLink(t('This link is too long to open. Copy it again.'));
  if (CONTROL.test(path + query)) throw unseen();
  if (path === '/add') return { kind: 'add', address: readAddress(query) };
  if (path === '/open') return readPlace(query);
  throw refusedLink(
    t('Open Notebook doesn’t recognize this link. It may need a newer version of the extension.'),
  );
}

function readAddress(query: string): string {
  const [, address = ''] = /^url=(.*)$/s.exec(query) ?? [];
  const plain = /^[a-z]+%3a/i.test(address) ? withoutEscapes(address) : address;
  // Some of these characters could disguise one URL as another.
  if (/[\p{C}\u2028\u2029]/u.test(plain)) throw unseen();
  const url = URL.parse(plain);
  if (url === null || /\s/.test(plain) || plain.length > MAX_ADDRESS_LENGTH)
    throw refusedLink(t('This link doesn’t contain a valid URL of a web page or file to add.'));
  if (/^https?:$/.test(url.protocol) && (url.username !== '' || url.password !== ''))
    throw refusedLink(t('Can’t add the URL in this link because it contains a user name or password.'));
  return /^https?:$/.test(url.protocol) ? url.href : plain;
}

function readPlace(query: string): NotebookLink {
  const match =
    /^notebook=(?<notebook>[\da-z][\w-]{0,63})&source=(?<source>[\w-]{1,64})(?:&document=(?<document>\d{1,15})&start=(?<start>\d{1,12})&end=(?<end>\d{1,12})&quote=(?<quote>[\w-]+)(?:&key=(?<key>[\w-]*))?)?$/.exec(
      query,
    );
  const { notebook, source: sourceId, document, start, end, quote: bytes, key } = match?.groups ?? {};
  if (notebook === undefined || sourceId === undefined)
    throw refusedLink(t('This link is incomplete. Copy it again from the citation.'));
  if (bytes === undefined) return { kind: 'source', notebook, sourceId };
  const quote = Buffer.from(bytes, 'base64url').toString();
  if (CONTROL.test(quote)) throw unseen();
  const span = { start: Number(start), end: Number(end) };
  if (span.end - span.start !== quote.length)
    throw refusedLink(t('This link is incomplete. Copy it again from the citation.'));
  const named = key === undefined ? undefined : Buffer.from(key, 'base64url').toString();
  if (named !== undefined && CONTROL.test(named)) throw unseen();
  return {
    kind: 'words',
    notebook,
    sourceId,
    documentId: Number(document),
    ...(named !== undefined && { key: named }),
    span,
    quote,
  };
}

/**
 * Returns the beginning of a quote, up to the last whole word that fits and to the first character that links can't
 * have.
 */
function shortenWords(words: string): string {
  const [quote = ''] = words.split(CONTROL, 1);
  if (quote.length <= MAX_QUOTE_LENGTH) return quote;
  const cut = quote.slice(0, MAX_QUOTE_LENGTH);
  return /^(.*\S)\s/su.exec(cut)?.[1] ?? cut.replace(/[\uD800-\uDBFF]$/, '');
}

function unseen(): NotebookError {
  return refusedLink(t('Can’t open this link because it contains invisible characters.'));
}

function refusedLink(message: string): NotebookError {
  return new NotebookError('unsupported', message);
}
