import { parseBounded } from '../../core/domain/bounded-json.ts';
import {
  parseArxiv,
  parseDoi,
  namesIn,
  parsePerson,
  type Bibliography,
  type Person,
} from '../../core/domain/bibliography.ts';
import { elementsIn } from '../web/page-tree.ts';
import type { ParsedPage } from '../web/parse-page.ts';
import type { PageMetadata } from '../web/metadata.ts';

const MAX_VALUE_LENGTH = 500;
const MAX_AUTHORS = 300;

/** Maximum size of JSON-LD that describes a page. */
const BOUNDS = { depth: 100, values: 200_000 };

/**
 * Returns the metadata of the work in a web page: from publishers' tags for Google Scholar (`citation_*`), then from
 * Dublin Core and PRISM, then from JSON-LD, and last from the page's own metadata.
 */
export function bibliographyOfPage(page: ParsedPage, { title, byline }: PageMetadata): Bibliography {
  const metas = collectMetas(page);
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => metas.get(name)?.[0]).find((value) => value !== undefined);
  const data = linkedWork(page.linkedData);
  const numbers = [
    ...[
      'citation_doi',
      'prism.doi',
      'bepress_citation_doi',
      'dc.identifier',
      'dc.identifier.doi',
      'doi',
    ].flatMap((name) => metas.get(name) ?? []),
    ...data.numbers,
  ];
  const doi = numbers.map(parseDoi).find((candidate) => candidate !== undefined);
  const arxiv = [
    first('citation_arxiv_id') ?? '',
    ...numbers.filter((candidate) => /arxiv/i.test(candidate)),
    byline.canonicalUrl ?? '',
  ]
    .map((value, index) => (index === 0 || /arxiv/i.test(value) ? parseArxiv(value) : undefined))
    .find((candidate) => candidate !== undefined);
  const named = [
    'citation_author',
    'citation_authors',
    'bepress_citation_author',
    'dc.creator',
    'dc.contributor',
  ]
    .map((name) => metas.get(name) ?? [])
    .find((values) => values.length > 0);
  const authors = (named ?? (data.authors.length > 0 ? data.authors : [byline.author ?? ''])).flatMap(
    namesIn,
  );
  return {
    title: first('citation_title', 'dc.title', 'bepress_citation_title') ?? title,
    authors: authors.slice(0, MAX_AUTHORS).flatMap((name): Person[] => {
      const person = parsePerson(name);
      return person === undefined ? [] : [person];
    }),
    year: findYear(
      first(
        'citation_publication_date',
        'citation_date',
        'citation_year',
        'citation_online_date',
        'prism.publicationdate',
        'bepress_citation_date',
        'dc.date',
        'dc.date.issued',
        'dcterms.issued',
      ) ??
        data.published ??
        byline.published,
    ),
    doi,
    arxiv,
  };
}

/** Returns all values of each name, because each author has a tag of their own. */
function collectMetas({ root }: ParsedPage): ReadonlyMap<string, readonly string[]> {
  const metas = new Map<string, string[]>();
  for (const { attributes } of elementsIn(root, 'META')) {
    const name = (attributes.get('name') ?? attributes.get('property'))?.toLowerCase();
    const content = attributes.get('content')?.slice(0, MAX_VALUE_LENGTH).replaceAll(/\s+/g, ' ').trim();
    if (name === undefined || !content) continue;
    const values = metas.get(name) ?? [];
    if (values.length < MAX_AUTHORS) values.push(content);
    metas.set(name, values);
  }
  return metas;
}

function findYear(date: string | undefined): number | undefined {
  const year = /\b(?:1[5-9]|20)\d\d\b/.exec(date ?? '')?.[0];
  return year === undefined ? undefined : Number(year);
}

interface LinkedWork {
  readonly authors: readonly string[];
  readonly published: string | undefined;
  readonly numbers: readonly string[];
}

/** Returns the first JSON-LD object with an author. */
function linkedWork(linkedData: readonly string[]): LinkedWork {
  for (const text of linkedData) {
    const waiting: unknown[] = [parseJson(text)];
    for (let valueCount = 0; waiting.length > 0 && valueCount < 2_000; valueCount++) {
      const value = waiting.shift();
      if (Array.isArray(value)) waiting.push(...(value as unknown[]).slice(0, 100));
      else if (typeof value === 'object' && value !== null) {
        const fields = value as Readonly<Record<string, unknown>>;
        const authors = authorNames(fields['author'] ?? fields['creator']);
        if (authors.length > 0) {
          const published = fields['datePublished'];
          return {
            authors,
            published: typeof published === 'string' ? published : undefined,
            numbers: [fields['@id'], fields['identifier'], fields['sameAs']].flatMap(textsIn),
          };
        }
        waiting.push(fields['@graph'], fields['mainEntity']);
      }
    }
  }
  return { authors: [], published: undefined, numbers: [] };
}

function authorNames(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:/.test(value) ? [] : [value];
  if (Array.isArray(value)) return (value as unknown[]).slice(0, MAX_AUTHORS).flatMap(authorNames);
  if (typeof value !== 'object' || value === null || !('name' in value)) return [];
  const isOrganization = '@type' in value && value['@type'] === 'Organization';
  return authorNames(value.name).map((name) => (isOrganization ? `{${name}}` : name));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as unknown[]).slice(0, 20).flatMap(textsIn);
  return typeof value === 'object' && value !== null && 'value' in value ? textsIn(value.value) : [];
}

function parseJson(text: string): unknown {
  try {
    return parseBounded(text, BOUNDS);
  } catch {
    // Pages contain JSON that isn't valid or is too large.
    return undefined;
  }
}
