import { isCanceled, NotebookError } from '../../core/domain/errors.ts';
import type { SiteClient } from './site-client.ts';
import type { SiteList, SiteListRequest } from './site-lists.ts';

export type ReadList = (request: SiteListRequest) => Promise<SiteList>;

/** Maximum number of sitemaps to download from one site. */
const MAX_SITEMAPS = 20;

/** Pages that a site itself lists, before any link is followed. */
export interface NamedPages {
  readonly llms: readonly string[];
  readonly sitemap: readonly string[];
}

/**
 * Returns the pages that the start pages' sites name in llms.txt, beside the start page or at the root, and in their
 * sitemaps.
 */
export async function namedPages(
  starts: readonly string[],
  client: SiteClient,
  readList: ReadList,
): Promise<NamedPages> {
  const places = starts.flatMap((start) => [
    new URL('./llms.txt', start).href,
    new URL('/llms.txt', start).href,
  ]);
  const llms: string[] = [];
  for (const place of new Set(places)) {
    const page = await client.list(place);
    if (page !== undefined)
      llms.push(...(await readList({ kind: 'llms', bytes: page.bytes, url: page.url })).pages);
  }
  const sitemap: string[] = [];
  for (const origin of new Set(starts.map((start) => new URL(start).origin)))
    sitemap.push(...(await pagesOfSitemaps(origin, client, readList)));
  return { llms, sitemap };
}

async function pagesOfSitemaps(origin: string, client: SiteClient, readList: ReadList): Promise<string[]> {
  const sitemaps = await listSitemaps(origin, client);
  const named = sitemaps.flatMap((address) => URL.parse(address, origin)?.href ?? []);
  const waiting = new Set(named.length > 0 ? named : [`${origin}/sitemap.xml`]);
  const pages: string[] = [];
  let requestCount = 0;
  // Iterating over a set includes values added meanwhile.
  for (const address of waiting) {
    if (++requestCount > MAX_SITEMAPS) break;
    if (!/^https?:/.test(address)) continue;
    const page = await client.list(address);
    if (page === undefined) continue;
    const list = await readList({ kind: 'sitemap', bytes: page.bytes, url: page.url });
    pages.push(...list.pages);
    for (const further of list.lists) waiting.add(further);
  }
  return pages;
}

async function listSitemaps(origin: string, client: SiteClient): Promise<readonly string[]> {
  try {
    return (await client.readRobots(origin)).sitemaps;
  } catch (error) {
    // If a host's robots.txt can't be read, the error is reported for its pages.
    if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
    return [];
  }
}

/**
 * Returns the page for an address in llms.txt as a browser shows it, and its Markdown version if the address names
 * that.
 */
export function splitMarkdownVariant(address: string): {
  readonly page: string;
  readonly twin: string | undefined;
} {
  const url = new URL(address);
  if (!/\.md$/i.test(url.pathname)) return { page: address, twin: undefined };
  url.pathname = url.pathname.replace(/\.md$/i, '').replace(/\/index$/i, '/');
  return { page: url.href, twin: address };
}
