import type { FoundAddress, SiteRules } from '../../notebook/site.ts';
import type { NamedPages } from './named-pages.ts';
import { pageOfTwin } from './named-pages.ts';
import type { Judge, Judgement } from './scope.ts';

/** Of pages as many links away, those that are linked come before those that a list names. */
const rankOf = (depth: number, via: 'link' | 'llms' | 'sitemap'): number =>
  3 * depth + { link: 0, llms: 1, sitemap: 2 }[via];

/** The addresses that a page at a depth links to, in its order, with what the rules make of them. */
export function foundOnPage(
  links: readonly string[],
  page: { readonly url: string; readonly depth: number },
  judge: Judge,
  rules: SiteRules,
): FoundAddress[] {
  const depth = page.depth + 1;
  const isTooDeep = depth > rules.depth;
  return unique(
    links.flatMap((link) =>
      toFound(judge(link, page.url), depth, rankOf(depth, 'link'), undefined, isTooDeep),
    ),
  );
}

/** The pages that lists name; what lies outside of the rules is not worth telling. */
export function foundByLists({ llms, sitemap }: NamedPages, judge: Judge): FoundAddress[] {
  const ofLlms = llms.flatMap((address) => {
    const { page, twin } = pageOfTwin(address);
    return toFound(judge(page), 1, rankOf(1, 'llms'), twin, false);
  });
  const ofSitemap = sitemap.flatMap((address) =>
    toFound(judge(address), 1, rankOf(1, 'sitemap'), undefined, false),
  );
  return unique([...ofLlms, ...ofSitemap].filter(({ state }) => state === 'waiting'));
}

/** One address that stands in for a page: where it moved to, or its canonical address. */
export function foundInstead(
  judged: Judgement,
  page: { readonly depth: number; readonly rank: number; readonly twin: string | undefined },
): FoundAddress[] {
  return judged.kind === 'in' ? toFound(judged, page.depth, page.rank, page.twin, false) : [];
}

function toFound(
  judged: Judgement,
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

function unique(found: readonly FoundAddress[]): FoundAddress[] {
  return [...new Map(found.toReversed().map((one) => [one.address, one])).values()].reverse();
}
