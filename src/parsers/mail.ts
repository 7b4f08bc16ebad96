import PostalMime, { type Address, type Email } from 'postal-mime';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError } from '../core/domain/errors.ts';
import { plainWords } from '../core/language/words/folding.ts';
import { escapeMarkdown, MarkdownWriter } from './markdown-writer.ts';
import { toDocument } from './office/written-document.ts';
import { decodeText, legacyEncoding } from './text-decoding.ts';
import { fragmentMarkdown } from './web/fragment-markdown.ts';

export const MAIL_TYPE = 'message/rfc822';

/** Returns a mail as a document: its sender, recipients, and date, its text, and the names of its attachments. */
export async function readMail(bytes: Uint8Array, name: string): Promise<ReadDocument> {
  const mail = await parse(bytes, name);
  const writer = new MarkdownWriter();
  const subject = mail.subject?.replace(/\s+/g, ' ').trim() ?? '';
  writer.heading(1, subject);
  writer.block(makeHead(mail).join('\n'));
  writeBody(writer, mail);
  const attached = mail.attachments.flatMap(({ filename, related }) =>
    filename === null || related === true ? [] : [escapeMarkdown(filename)],
  );
  if (attached.length > 0) writer.block(`Attached: ${attached.join(', ')}`);
  const warnings =
    attached.length > 0 ? [t('Attachments weren’t read. Save them, then add them as separate sources.')] : [];
  return toDocument(writer, MAIL_TYPE, subject === '' ? undefined : subject, warnings);
}

async function parse(bytes: Uint8Array, name: string): Promise<Email> {
  let mail: Email;
  try {
    mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024 });
  } catch (error) {
    throw new NotebookError(
      'damaged',
      t('Can’t read {0} as an email because the file is damaged. Add another copy.', name),
      {
        cause: error,
      },
    );
  }
  if (mail.headers.length > 0) return hasUnreadable(mail) ? ((await parseGuessed(bytes)) ?? mail) : mail;
  throw new NotebookError(
    'damaged',
    t('{0} isn’t an email, although its name says so. Check the file, then add another copy.', name),
  );
}

function hasUnreadable({ subject = '', text = '', html = '' }: Email): boolean {
  return `${subject}${text}${html}`.includes('\uFFFD');
}

/** Header that says that a part is text, and the end of a mail's own headers. */
const TEXT_PART = /^content-type:[ \t]{0,99}text\/(?:plain|html)\b(?:[^\r\n]|\r?\n[ \t]){0,1000}/gim;

/** Parses a mail again, with the encoding that its bytes suggest for the parts that name none. */
async function parseGuessed(bytes: Uint8Array): Promise<Email | undefined> {
  const source = Buffer.from(bytes).toString('latin1');
  const decoded = source.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const encoding = legacyEncoding(Buffer.from(decoded, 'latin1'));
  const parameter = `; charset="${encoding}"`;
  const named = source.replace(TEXT_PART, (header) =>
    /charset\s{0,9}=/i.test(header) ? header : header + parameter,
  );
  const end = /\r?\n\r?\n/.exec(named)?.index ?? named.length;
  const hasType = /^content-type:/im.test(named.slice(0, end));
  const whole = hasType ? named : `Content-Type: text/plain${parameter}\r\n${named}`;
  const parsed = await PostalMime.parse(Buffer.from(whole, 'latin1'), {
    maxNestingDepth: 50,
    maxHeadersSize: 1024 * 1024,
  });
  // A mail can quote the headers of another one.
  const [text, html] = [parsed.text, parsed.html].map((part) => part?.replaceAll(parameter, ''));
  const mail = { ...parsed, ...(text !== undefined && { text }), ...(html !== undefined && { html }) };
  // Subjects have no encoding of their own if they aren't in ASCII.
  const subject =
    mail.subject?.includes('\uFFFD') === true
      ? /^subject:[ \t]{0,99}([^\r\n]{1,1000})/im.exec(named.slice(0, end))?.[1]
      : undefined;
  return subject === undefined ? mail : { ...mail, subject: decodeText(Buffer.from(subject, 'latin1')) };
}

function makeHead(mail: Email): string[] {
  const people: readonly (readonly [string, readonly Address[]])[] = [
    ['From', mail.from === undefined ? [] : [mail.from]],
    ['To', mail.to ?? []],
    ['Cc', mail.cc ?? []],
  ];
  const lines = people.flatMap(([label, addresses]) =>
    addresses.length === 0 ? [] : [`- ${label}: ${addresses.slice(0, 50).map(describePerson).join(', ')}`],
  );
  return mail.date === undefined ? lines : [...lines, `- Date: ${describeDate(mail.date)}`];
}

function describePerson({ name, address }: Address): string {
  if (address === undefined || address === '') return escapeMarkdown(name);
  return name === '' ? escapeMarkdown(address) : `${escapeMarkdown(name)} (${escapeMarkdown(address)})`;
}

function describeDate(date: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(date)
    ? `${date.slice(0, 16).replace('T', ' ')} UTC`
    : escapeMarkdown(date);
}

/**
 * Maximum length of a plain text that only refers to the HTML, and maximum share of the HTML's words that such a text
 * contains.
 */
const MAX_STUB_LENGTH = 400;
const MAX_SHARED_WORDS = 0.3;
const NAMES_HTML =
  /html|(?:view|read|open).{0,30}(?:browser|online|web)|mail (?:reader|client)|browser|multi-part message|mime format/i;

/**
 * Writes the plain text, in which `>` marks quotes of earlier mails, or the HTML if the plain text is missing or only
 * says that there is HTML.
 */
function writeBody(writer: MarkdownWriter, { text = '', html = '' }: Email): void {
  const plain = text.trim();
  const markdown = html.trim() !== '' && plain.length <= MAX_STUB_LENGTH ? fragmentMarkdown(html) : '';
  const words = plainWords(markdown);
  const own = new Set(plainWords(plain));
  const isStub =
    words.filter((word) => own.has(word)).length < MAX_SHARED_WORDS * words.length &&
    (NAMES_HTML.test(plain) || 2 * plain.length < markdown.length);
  if (plain === '' || isStub) {
    writer.markdown(markdown);
    return;
  }
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  writer.block(lines.map((line) => (/^(?:> ?)+/.test(line) ? line : escapeMarkdown(line))).join('\n'));
}
