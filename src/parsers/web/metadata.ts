import { plainWords } from '../../core/language/words/folding.ts';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import type { Byline } from '../../core/domain/document.ts';
import type { ParsedPage } from './parse-page.ts';
import { elementsIn, type PageElement } from './page-tree.ts';

/** Metadata of a page. */
export interface PageMetadata {
  readonly title: string | undefined;
  readonly byline: Byline;
  /** Value of `og:type`; '' if the page has none. */
  readonly openGraphType: string;
}

/** Reads a page's metadata: Open Graph, meta elements, JSON-LD, its title, and its first heading. */
export function readMetadata(page: ParsedPage, url: string): PageMetadata {
  const { root, body } = page;
  const metas = readMetas(root);
  const data = linkedValues(page.linkedData);
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => metas.get(name)).find((value) => value !== undefined);
  const headings = elementsIn(body, 'H1').map(plain);
  const documentTitle = elementsIn(root, 'TITLE').map(plain)[0];
  return {
    title: chooseTitle(
      first('og:title', 'twitter:title', 'dc.title'),
      documentTitle,
      headings,
      first('og:site_name'),
    ),
    byline: {
      author: cleanAuthor(first('author', 'article:author', 'dc.creator', 'parsely-author') ?? data.author),
      published: toDay(
        first('article:published_time', 'datepublished', 'date', 'dc.date', 'pubdate', 'parsely-pub-date') ??
          data.published,
      ),
      canonicalUrl: findCanonical(root, url, first('og:url')),
      language: toLanguage(
        root.attributes.get('lang') ?? root.attributes.get('xml:lang') ?? first('content-language'),
      ),
    },
    openGraphType: first('og:type') ?? '',
  };
}

/** Maximum length of a title, name, or date; the rest is ignored. */
const MAX_VALUE_LENGTH = 500;

/** Maximum size of JSON-LD that describes a page. */
const LINKED_DATA_BOUNDS = { depth: 100, values: 200_000 };

function readMetas(root: PageElement): ReadonlyMap<string, string> {
  const metas = new Map<string, string>();
  for (const { attributes } of elementsIn(root, 'META')) {
    const name =
      attributes.get('property') ??
      attributes.get('name') ??
      attributes.get('itemprop') ??
      attributes.get('http-equiv');
    const content = attributes.get('content')?.slice(0, MAX_VALUE_LENGTH).replace(/\s+/g, ' ').trim();
    if (name !== undefined && content && !metas.has(name.toLowerCase()))
      metas.set(name.toLowerCase(), content);
  }
  return metas;
}

/**
 * Minimum length of a heading, in UTF-16 code units, and minimum share of the page's title. A heading in the title is a
 * better title if it starts the title or has this share of it: "The Lighthouse" in "Travel: The Lighthouse | Coast
 * News".
 */
const MIN_HEADING_LENGTH = 4;
const SHARE_OF_TITLE = 0.4;

/** Returns the title of the page without the site's name: a heading with the same words, or the page's own title. */
function chooseTitle(
  named: string | undefined,
  documentTitle: string | undefined,
  headings: readonly string[],
  site: string | undefined,
): string | undefined {
  const declaredTitle = [named, documentTitle].find((text) => text !== undefined && text !== '');
  if (declaredTitle === undefined) return headings.find((text) => text !== '');
  const title = withoutSite(declaredTitle, site);
  const folds = folded(title);
  const heading = headings.find((text) => {
    const other = folded(text);
    return (
      other.length >= MIN_HEADING_LENGTH &&
      folds.includes(other) &&
      (folds.startsWith(`${other} `) || other.length >= SHARE_OF_TITLE * folds.length) &&
      other !== folded(site ?? '')
    );
  });
  return heading ?? title;
}

const folded = (text: string): string => plainWords(text).join(' ');

/** Removes the site's name, which follows most titles and precedes some. */
function withoutSite(title: string, site: string | undefined): string {
  const match = /^(.{2,}?\S)\s+([|·•–—»:-])\s+([^|·•–—»]{1,60})$/u.exec(title);
  const [, rest = '', sign = '', last = ''] = match ?? [];
  if (match === null) return title;
  if (site !== undefined && folded(rest) === folded(site)) return last;
  const isSite = site !== undefined && folded(last) === folded(site);
  const isShort = sign !== ':' && last.split(' ').length <= 4 && rest.split(' ').length >= 2;
  return isSite || isShort ? rest : title;
}

function plain(element: PageElement): string {
  return element.textContent
    .slice(0, MAX_VALUE_LENGTH)
    .replace(/(?<![¶#\u200b])[¶#\u200b]+\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

interface LinkedValues {
  readonly author: string | undefined;
  readonly published: string | undefined;
}

/** Returns the author and date of the first JSON-LD object that has them. Skips invalid JSON. */
function linkedValues(linkedData: readonly string[]): LinkedValues {
  let [author, published]: [string | undefined, string | undefined] = [undefined, undefined];
  for (const text of linkedData) {
    const waiting: unknown[] = [parseJson(text)];
    for (let valueCount = 0; waiting.length > 0 && valueCount < 2000; valueCount++) {
      const value = waiting.shift();
      if (Array.isArray(value)) waiting.push(...(value as unknown[]).slice(0, 100));
      else if (typeof value === 'object' && value !== null) {
        if ('author' in value) author ??= nameIn(value.author);
        if ('datePublished' in value && typeof value.datePublished === 'string')
          published ??= value.datePublished;
        if ('@graph' in value) waiting.push(value['@graph']);
        if ('mainEntity' in value) waiting.push(value.mainEntity);
      }
    }
  }
  return { author, published };
}

function parseJson(text: string): unknown {
  try {
    return parseBounded(text, LINKED_DATA_BOUNDS);
  } catch {
    // Pages contain JSON that isn't valid or is too large.
    return undefined;
  }
}

function nameIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const names = (value as unknown[])
      .slice(0, 5)
      .map(nameIn)
      .filter((name) => name !== undefined);
    return names.length > 0 ? names.join(', ') : undefined;
  }
  return typeof value === 'object' && value !== null && 'name' in value ? nameIn(value.name) : undefined;
}

/** Returns an author's name, or undefined if the page has a URL in its place. */
function cleanAuthor(author: string | undefined): string | undefined {
  const name = author?.replace(/\s+/g, ' ').trim();
  return name === undefined || name === '' || name.length > 200 || /^https?:/.test(name) ? undefined : name;
}

function toDay(date: string | undefined): string | undefined {
  if (date === undefined) return undefined;
  const day = /^\d{4}-\d\d-\d\d/.exec(date)?.[0];
  if (day !== undefined && !Number.isNaN(Date.parse(day))) return day;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function findCanonical(root: PageElement, url: string, named: string | undefined): string | undefined {
  const link = elementsIn(root, 'LINK').find(
    ({ attributes }) => attributes.get('rel')?.toLowerCase() === 'canonical',
  );
  const address = URL.parse(link?.attributes.get('href') ?? named ?? '', url);
  return (link ?? named) !== undefined && address && /^https?:$/.test(address.protocol)
    ? address.href
    : undefined;
}

function toLanguage(language: string | undefined): string | undefined {
  const tag = language
    ?.trim()
    .replace(/_/g, '-')
    .split(/[,;\s]/, 1)[0];
  try {
    return tag ? Intl.getCanonicalLocales(tag)[0] : undefined;
  } catch {
    // The page declares a language that doesn't exist.
    return undefined;
  }
}
