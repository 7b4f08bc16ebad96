import { gunzipSync } from 'node:zlib';
import { scanMarkup } from '../markup-scan.ts';
import { decodeText } from '../text-decoding.ts';
import { linksOfMarkdown } from './page-links.ts';

/** Addresses in a list of a site: its pages, and further lists. */
export interface SiteList {
  readonly pages: readonly string[];
  readonly lists: readonly string[];
}

/** Downloaded list to read. */
export interface SiteListRequest {
  readonly kind: 'sitemap' | 'llms';
  readonly bytes: Uint8Array;
  readonly url: string;
}

const MAX_PAGES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;

/** Reads a list of a site's pages. */
export function readSiteList({ kind, bytes, url }: SiteListRequest): SiteList {
  return kind === 'llms' ? readLlmsTxt(bytes, url) : readSitemap(bytes, url);
}

/**
 * Returns the addresses in a sitemap: XML, compressed or not, an index of other sitemaps, a feed, or one address per line.
 * Other content yields no addresses.
 */
function readSitemap(bytes: Uint8Array, url: string): SiteList {
  const text = unpackText(bytes);
  if (text === undefined) return { pages: [], lists: [] };
  if (/^\s*</.test(text)) return readXml(text, url);
  const lines = text.split(/[\s,;]+/).filter((line) => /^https?:\/\//i.test(line));
  return { pages: lines.slice(0, MAX_PAGES), lists: [] };
}

/** Returns the addresses in an llms.txt: a site's pages, often in their Markdown version. */
function readLlmsTxt(bytes: Uint8Array, url: string): SiteList {
  const text = unpackText(bytes);
  // Sites that return an HTML page for every address also return one for this.
  if (text === undefined || /^\s*</.test(text)) return { pages: [], lists: [] };
  return { pages: linksOfMarkdown(text, url).links, lists: [] };
}

function unpackText(bytes: Uint8Array): string | undefined {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return decodeText(isCompressed ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes);
  } catch {
    // A damaged or huge list counts as missing.
    return undefined;
  }
}

/** Elements that hold one entry of a list: the list, and the element with the address. */
const ENTRIES: ReadonlyMap<string, { readonly list: keyof SiteList; readonly address: string }> = new Map([
  ['url', { list: 'pages', address: 'loc' }],
  ['sitemap', { list: 'lists', address: 'loc' }],
  ['item', { list: 'pages', address: 'link' }],
  ['entry', { list: 'pages', address: 'link' }],
]);

/**
 * Reads a sitemap, a sitemap index, or a feed (RSS or Atom), with or without a namespace prefix. Only elements with the
 * prefix of their entry count, because extensions for pictures and videos have addresses of their own.
 */
function readXml(text: string, url: string): SiteList {
  const siteLists = { pages: [] as string[], lists: [] as string[] };
  let entry: { readonly list: keyof SiteList; readonly address: string; readonly prefix: string } | undefined;
  let address: string | undefined;
  let permalink: string | undefined;
  let pagesBefore = 0;
  const add = (href: string): void => {
    const to = href === '' ? undefined : URL.parse(href, url)?.href;
    if (to !== undefined && entry !== undefined && siteLists[entry.list].length < MAX_PAGES)
      siteLists[entry.list].push(to);
  };
  const isAddress = (tag: string): boolean =>
    entry !== undefined && tag.toLowerCase() === `${entry.prefix}${entry.address}`;
  scanMarkup(text, 'xml', {
    onOpen(tag, attributes) {
      const [, prefix = '', name = ''] = /^(.*:)?(.*)$/s.exec(tag.toLowerCase()) ?? [];
      const opened = ENTRIES.get(name);
      if (opened !== undefined) {
        entry = { ...opened, prefix };
        permalink = undefined;
        pagesBefore = siteLists.pages.length;
      } else if (name === 'guid' && attributes.get('ispermalink') !== 'false') permalink = '';
      else if (isAddress(tag)) {
        address = '';
        // Atom names the address in an attribute.
        const isPage = (attributes.get('rel') ?? 'alternate') === 'alternate';
        if (isPage) add(attributes.get('href')?.trim() ?? '');
      }
    },
    onText(data) {
      if (address !== undefined) address += data;
      else if (permalink !== undefined) permalink += data;
    },
    onClose(tag) {
      // Without a link, an item of RSS has its address in its ID.
      if (tag.toLowerCase() === 'item' && siteLists.pages.length === pagesBefore) {
        const to = permalink?.trim() ?? '';
        if (/^https?:/i.test(to)) add(to);
      }
      if (!isAddress(tag)) return;
      add(address?.trim() ?? '');
      address = undefined;
    },
  });
  return siteLists;
}
