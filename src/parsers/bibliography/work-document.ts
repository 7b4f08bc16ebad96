import { t } from '@vscode/l10n';
import type { Bibliography } from '../../core/domain/bibliography.ts';
import type { ReadDocument } from '../../core/domain/document.ts';
import { escapeMarkdown, MarkdownWriter } from '../markdown-writer.ts';

/** Maximum length of an abstract, in UTF-16 code units. */
const MAX_ABSTRACT_LENGTH = 20_000;

/** Returns a registry's metadata of a work as a document, in place of a text that isn't openly available. */
export function documentOfWork(reference: Bibliography, number: string): ReadDocument {
  const { title = number, authors, year, doi, arxiv, item } = reference;
  const writer = new MarkdownWriter();
  writer.heading(1, title);
  const stringField = (name: string): string => {
    const value = item?.[name];
    return typeof value === 'string' || typeof value === 'number' ? plainWords(String(value)) : '';
  };
  const lines: readonly (readonly [string, string])[] = [
    [
      t('Authors'),
      authors
        .map(({ family, givenName }) => (givenName === undefined ? family : `${givenName} ${family}`))
        .join(', '),
    ],
    [t('Year'), year === undefined ? '' : String(year)],
    [t('Published in'), stringField('container-title')],
    [t('Volume'), stringField('volume')],
    [t('Pages'), stringField('page')],
    [t('Publisher'), stringField('publisher')],
    ['DOI', doi ?? ''],
    ['arXiv', arxiv ?? ''],
  ];
  const known = lines.filter(([, value]) => value !== '');
  writer.block(known.map(([label, value]) => `- ${label}: ${escapeMarkdown(value)}`).join('\n'));
  const abstract = stringField('abstract');
  if (abstract !== '') {
    writer.heading(2, t('Abstract'));
    writer.block(escapeMarkdown(abstract));
  }
  const closed = t(
    'The full text of this reference isn’t publicly available. Open Notebook read only the metadata from its registry.',
  );
  writer.block(closed);
  return {
    title,
    mediaType: 'text/markdown',
    format: 'markdown',
    text: `${writer.text}\n`,
    map: { kind: 'saved' },
    headings: writer.headings,
    warnings: [closed],
    bibliography: reference,
  };
}

/** Removes the publisher's markup from a registry's abstract: `<jats:p>We show …</jats:p>`. */
function plainWords(text: string): string {
  return text
    .slice(0, MAX_ABSTRACT_LENGTH)
    .replaceAll(/<[^<>]{0,500}>/g, ' ')
    .replaceAll(/&(lt|gt|amp);/g, (_whole, name: string) => (name === 'lt' ? '<' : name === 'gt' ? '>' : '&'))
    .replaceAll(/\s+/g, ' ')
    .toWellFormed()
    .trim();
}

/** Returns the URL of an arXiv work's text, which is next to the page in its metadata. */
export function openTextAddress({ arxiv, item }: Bibliography): string | undefined {
  if (arxiv === undefined) return undefined;
  const page = URL.parse(typeof item?.['URL'] === 'string' ? item['URL'] : '');
  if (page?.pathname === `/abs/${arxiv}` && /^https?:$/.test(page.protocol))
    return new URL(`/pdf/${arxiv}`, page).href;
  return `https://arxiv.org/pdf/${arxiv}`;
}
