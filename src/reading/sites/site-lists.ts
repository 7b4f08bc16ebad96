import { gunzipSync } from 'node:zlib';
import { scanMarkup } from '../markup-scan.ts';
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
 * Returns the addresses in a sitemap: XML, compressed or not, an index of other sitemaps, or one address per line.
 * Other content yields no addresses.
 */
function readSitemap(bytes: Uint8Array, url: string): SiteList {
  const text = decodeText(bytes);
  if (text === undefined) return { pages: [], lists: [] };
  if (/^\s*</.test(text)) return readXml(text, url);
  const lines = text.split(/\s+/).filter((line) => /^https?:\/\//i.test(line));
  return { pages: lines.slice(0, MAX_PAGES), lists: [] };
}

/** Returns the addresses in an llms.txt: a site's pages, often in their Markdown version. */
function readLlmsTxt(bytes: Uint8Array, url: string): SiteList {
  const text = decodeText(bytes);
  // Sites that return an HTML page for every address also return one for this.
  if (text === undefined || /^\s*</.test(text)) return { pages: [], lists: [] };
  return { pages: linksOfMarkdown(text, url).links, lists: [] };
}

function decodeText(bytes: Uint8Array): string | undefined {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return new TextDecoder().decode(isCompressed ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes);
  } catch {
    return undefined;
  }
}

function readXml(text: string, url: string): SiteList {
  const pages: string[] = [];
  const lists: string[] = [];
  let into: string[] | undefined;
  let location: string | undefined;
  scanMarkup(text, 'xml', {
    onOpen(name) {
      if (name === 'url') into = pages;
      else if (name === 'sitemap') into = lists;
      else if (name === 'loc') location = '';
    },
    onText(data) {
      if (location !== undefined) location += data;
    },
    onClose(name) {
      if (name !== 'loc') return;
      const to = URL.parse(location?.trim() ?? '', url)?.href;
      if (to !== undefined && into !== undefined && into.length < MAX_PAGES) into.push(to);
      location = undefined;
    },
  });
  return { pages, lists };
}
