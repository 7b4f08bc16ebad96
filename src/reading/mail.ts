import PostalMime, { type Address, type Email } from 'postal-mime';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../notebook/document.ts';
import { NotebookError } from '../notebook/errors.ts';
import { escapeMarkdown, MarkdownWriter } from './markdown-writer.ts';
import { toDocument } from './office/written-document.ts';
import { parsePage } from './web/parse-page.ts';
import { toMarkdown } from './web/to-markdown.ts';

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
  if (mail.headers.length > 0) return mail;
  throw new NotebookError(
    'damaged',
    t('{0} isn’t an email, although its name says so. Check the file, then add another copy.', name),
  );
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

/** Writes the plain text, in which `>` marks quotes of earlier mails, or the HTML if the mail has no plain text. */
function writeBody(writer: MarkdownWriter, { text = '', html = '' }: Email): void {
  if (text.trim() === '') {
    writer.markdown(toMarkdown(parsePage(html).body, 'file:///'));
    return;
  }
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  writer.block(lines.map((line) => (/^(?:> ?)+/.test(line) ? line : escapeMarkdown(line))).join('\n'));
}
