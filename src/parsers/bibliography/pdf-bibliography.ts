import type { PDFDocumentProxy } from 'pdfjs-dist';
import * as v from 'valibot';
import {
  parseArxiv,
  parseDoi,
  namesIn,
  parsePerson,
  type Bibliography,
  type Person,
} from '../../core/domain/bibliography.ts';
import { anyFields } from '../../core/domain/json-schemas.ts';
import { bibliographyOfFirstPage } from './first-page.ts';

const xmpPacket = v.looseObject({ get: v.function() });

/** Maximum number of authors of a work. */
const MAX_AUTHORS = 300;

/**
 * Returns the metadata of a PDF: from XMP, then from the older Info dictionary, and last from the first page. `title`
 * is the document's title in the notebook.
 */
export async function bibliographyOfPdf(
  pdf: PDFDocumentProxy,
  firstPage: string,
  title: string | undefined,
): Promise<Bibliography> {
  // The first page can still contain the title.
  const pdfMetadata = await pdf.getMetadata().catch(() => undefined);
  const info = v.parse(anyFields, pdfMetadata?.info);
  const custom = v.parse(anyFields, info['Custom']);
  // A file without XMP has no metadata, despite the declared type.
  const metadata: unknown = pdfMetadata?.metadata;
  const xmp = (name: string): unknown => (v.is(xmpPacket, metadata) ? metadata.get(name) : undefined);
  const page = bibliographyOfFirstPage(firstPage, title);
  const numbers = [
    ...['prism:doi', 'pdfx:doi', 'crossmark:doi', 'dc:identifier', 'prism:url'].map(xmp),
    ...['doi', 'DOI', 'WPS-ARTICLEDOI', 'arXivID', 'Subject'].flatMap((name) => [custom[name], info[name]]),
  ].filter((value): value is string => typeof value === 'string');
  const doi = numbers.map(doiIn).find((candidate) => candidate !== undefined) ?? page.doi;
  const arxiv =
    [...numbers.filter((candidate) => /arxiv|^\d{4}\.\d{4,5}/i.test(candidate)), doi ?? '']
      .map(parseArxiv)
      .find((candidate) => candidate !== undefined) ?? page.arxiv;
  const named =
    [parseAuthors(xmp('dc:creator')), parseAuthors(info['Author'])].find((people) => people.length > 0) ?? [];
  const dates = ['prism:publicationdate', 'prism:coverdate', 'dc:date'].map(xmp).map(parseYear);
  return {
    title: title ?? page.title,
    // Many programs write the account name there, or only the first author.
    authors: named.length > 0 && named.length >= page.authors.length ? named : page.authors,
    year: dates.find((year) => year !== undefined) ?? page.year,
    doi,
    arxiv,
  };
}

function doiIn(value: string): string | undefined {
  const at = /10\.\d{4,9}\//.exec(value.slice(0, 1_000))?.index;
  return at === undefined ? undefined : parseDoi(value.slice(at, at + 300));
}

function parseYear(value: unknown): number | undefined {
  const first: unknown = Array.isArray(value) ? (value as unknown[])[0] : value;
  const year = /^(?:19|20)\d\d/.exec(typeof first === 'string' ? first : '')?.[0];
  return year === undefined ? undefined : Number(year);
}

/** Returns the names in a list or a string; empty if they aren't names of people. */
function parseAuthors(value: unknown): Person[] {
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (item): item is string => typeof item === 'string',
  );
  const names = texts.flatMap((text) => namesIn(text.slice(0, 20_000))).slice(0, MAX_AUTHORS);
  const people = names.flatMap((name) => parsePerson(name) ?? []);
  return people.every(isPerson) ? people : [];
}

/** Reports whether a name belongs to a person, not to an account or program. */
function isPerson({ family, givenName }: Person): boolean {
  const name = `${givenName ?? ''} ${family}`.trim();
  const isProgram = /\b(?:admin\w*|hyperref|latex|microsoft|office|owner|unknown|user)\b/i.test(name);
  const isEastAsian = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana} ]{2,8}$/u.test(name);
  return !isProgram && (isEastAsian || (/^\p{Lu}/u.test(name) && name.includes(' ')));
}
