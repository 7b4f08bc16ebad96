import type { FoundAddress, SiteRules } from '../../core/domain/site.ts';
import { pausing } from '../../core/rpc/pausing.ts';
import { splitMarkdownVariant, type NamedPages } from './named-pages.ts';
import type { PageLinks } from './page-links.ts';
import type { Judge, Judgment } from './scope.ts';

/** Number of listed pages to remember for each page that may be downloaded, and the minimum in any case. */
const NAMED_PER_PAGE = 5;
const MIN_NAMED_PAGES = 2_000;

/** Returns the rank of a page in the queue. At the same depth, linked pages come before listed ones. */
const computeRank = (depth: number, via: 'frame' | 'link' | 'llms' | 'sitemap'): number =>
  4 * depth + { frame: 0, link: 1, llms: 2, sitemap: 3 }[via];

/**
 * Returns the addresses that a page at a depth links to, in order, judged by the crawl settings. A frame has the depth
 * of the page that it is in, because its links belong to that page; only a frame in a start page is one level deeper.
 * Yields to other tasks in between.
 */
export async function discoverOnPage(
  { links, frames }: Pick<PageLinks, 'links' | 'frames'>,
  page: { readonly url: string; readonly depth: number },
  judge: Judge,
  rules: SiteRules,
): Promise<FoundAddress[]> {
  const depth = page.depth + 1;
  const isTooDeep = depth > rules.depth;
  const frameDepth = Math.max(1, page.depth);
  const discovered: FoundAddress[] = [];
  const pause = pausing();
  const ofFrames = computeRank(frameDepth, 'frame');
  for (const frame of frames) {
    await pause();
    discovered.push(...toFound(judge(frame, page.url), frameDepth, ofFrames, undefined, rules.depth === 0));
  }
  for (const link of links) {
    await pause();
    discovered.push(
      ...toFound(judge(link, page.url), depth, computeRank(depth, 'link'), undefined, isTooDeep),
    );
  }
  return unique(discovered);
}

/**
 * Returns the pages within the crawl settings that lists name, up to several times the download limit. Leaves out pages
 * outside the settings without reporting them. Lists can be long, so it yields to other tasks in between.
 */
export async function discoverByLists(
  { llms, sitemap }: NamedPages,
  judge: Judge,
  limit: number,
): Promise<FoundAddress[]> {
  const discovered: FoundAddress[] = [];
  const pause = pausing();
  const take = async (address: string, via: 'llms' | 'sitemap', twin: string | undefined): Promise<void> => {
    await pause();
    const candidates = toFound(judge(address), 1, computeRank(1, via), twin, false);
    discovered.push(...candidates.filter(({ state }) => state === 'waiting'));
  };
  const maxPages = Math.max(MIN_NAMED_PAGES, NAMED_PER_PAGE * limit);
  for (const address of llms) {
    if (discovered.length >= maxPages) break;
    const { page, twin } = splitMarkdownVariant(address);
    await take(page, 'llms', twin);
  }
  for (const address of sitemap) {
    if (discovered.length >= maxPages) break;
    await take(address, 'sitemap', undefined);
  }
  return unique(discovered);
}

/** Returns the address that replaces a page: a redirect target or a canonical address. */
export function replacementAddress(
  judged: Judgment,
  page: { readonly depth: number; readonly rank: number; readonly twin: string | undefined },
): FoundAddress[] {
  return judged.kind === 'in' ? toFound(judged, page.depth, page.rank, page.twin, false) : [];
}

function toFound(
  judged: Judgment,
  depth: number,
  rank: number,
  twin: string | undefined,
  isTooDeep: boolean,
): FoundAddress[] {
  if (judged.kind === 'elsewhere') return [];
  const address = judged.url.href;
  if (judged.kind === 'out')
    return [{ address, depth, rank, twin, state: 'left-out', reason: judged.reason }];
  return [{ address, depth, rank, twin, state: isTooDeep ? 'too-deep' : 'waiting', reason: '' }];
}

function unique(addresses: readonly FoundAddress[]): FoundAddress[] {
  return [...new Map(addresses.toReversed().map((page) => [page.address, page])).values()].reverse();
}
