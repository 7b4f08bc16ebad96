import { t } from '@vscode/l10n';
import { isCanceled, NotebookError } from '../../core/domain/errors.ts';
import type { SiteRules } from '../../core/domain/site.ts';
import { pausing } from '../../core/rpc/pausing.ts';
import { toAddress } from './addresses.ts';
import { discoverByLists, discoverOnPage } from './discovered-links.ts';
import { namedPages, type NamedPages, type ReadList } from './named-pages.ts';
import type { PageLinks } from './page-links.ts';
import type { Robots } from './robots.ts';
import { scopeJudge } from './scope.ts';
import type { SiteClient } from './site-client.ts';
import type { ReadSitePage } from './visit-page.ts';

/** Maximum number of redirects to follow from a start page. */
const MAX_REDIRECTS = 5;

/** Result of visiting a start page: its final address and links, or why it couldn't be downloaded. */
interface SurveyedStart {
  readonly address: string;
  readonly links: Pick<PageLinks, 'links' | 'frames'>;
  readonly problem: string | undefined;
}

/** First look at a site before a crawl: enough to preview the effect of any crawl settings. */
export interface SiteSurvey {
  readonly starts: readonly SurveyedStart[];
  readonly named: NamedPages;
  /** Robots rules by origin. */
  readonly robots: ReadonlyMap<string, Robots>;
}

/** Address that a crawl would probably download first or leave out. */
export interface PlannedPage {
  readonly address: string;
  /** Reason for leaving it out; '' if it would be downloaded. */
  readonly reason: string;
  readonly hasTwin: boolean;
}

export interface SitePlan {
  readonly pages: readonly PlannedPage[];
  readonly leftOut: readonly PlannedPage[];
}

/** Visits a site's start pages and its page lists. @throws NotebookError `cancelled` */
export async function surveySite(
  starts: readonly string[],
  client: SiteClient,
  parts: { readonly read: ReadSitePage; readonly readList: ReadList; readonly signal: AbortSignal },
): Promise<SiteSurvey> {
  const surveyed: SurveyedStart[] = [];
  for (const start of starts) surveyed.push(await surveyStart(start, client, parts.read, parts.signal));
  const reached = surveyed.filter(({ problem }) => problem === undefined).map(({ address }) => address);
  const robots = new Map<string, Robots>();
  for (const { origin } of reached.map((address) => new URL(address)))
    robots.set(origin, await client.readRobots(origin));
  return { starts: surveyed, named: await namedPages(reached, client, parts.readList), robots };
}

async function surveyStart(
  start: string,
  client: SiteClient,
  read: ReadSitePage,
  signal: AbortSignal,
): Promise<SurveyedStart> {
  let address = start;
  const problem = (reason: string): SurveyedStart => ({
    address,
    links: { links: [], frames: [] },
    problem: reason,
  });
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const url = new URL(address);
      if (!(await client.readRobots(url.origin)).allows(url))
        return problem(t('The robots.txt file of {0} doesn’t allow this page.', url.host));
      const fetched = await client.page(address, undefined);
      if (fetched.kind === 'page') {
        const { bytes, mediaType } = fetched.page;
        const reading = await read(
          { bytes, mediaType, url: address, knownHash: undefined, minimumLength: 1 },
          signal,
        );
        return { address, links: { links: reading.links, frames: reading.frames }, problem: undefined };
      }
      const to = fetched.kind === 'moved' ? toAddress(fetched.to)?.href : undefined;
      if (to === undefined || to === address) break;
      address = to;
    }
    return problem(t('This page redirects endlessly. It may require sign-in or cookies.'));
  } catch (error) {
    if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
    return problem(error.message);
  }
}

/**
 * Returns the pages that a crawl with these settings would start with, in order, and the pages that it would leave out.
 */
export async function crawlPlan({ starts, named, robots }: SiteSurvey, rules: SiteRules): Promise<SitePlan> {
  const reached = starts.filter(({ problem }) => problem === undefined);
  const judge = scopeJudge(
    rules,
    reached.map(({ address }) => address),
  );
  const addresses = [
    ...reached.map(({ address }) => ({ address, rank: 0, twin: undefined, state: 'waiting', reason: '' })),
    ...(rules.depth === 0
      ? []
      : [
          ...(
            await Promise.all(
              reached.map(({ address, links }) =>
                discoverOnPage(links, { url: address, depth: 0 }, judge, rules),
              ),
            )
          ).flat(),
          ...(await discoverByLists(named, judge, rules.limit)),
        ]),
  ].sort((a, b) => a.rank - b.rank);
  const planned = new Map<string, PlannedPage>();
  const pause = pausing();
  for (const { address, reason, twin } of addresses) {
    await pause();
    const url = new URL(address);
    const isBarred = robots.get(url.origin)?.allows(url) === false;
    const known = planned.get(address);
    planned.set(address, {
      address,
      reason:
        reason === '' && isBarred
          ? t('The robots.txt file of {0} doesn’t allow this page.', url.host)
          : reason,
      hasTwin: twin !== undefined || known?.hasTwin === true,
    });
  }
  const pages = [...planned.values()];
  const includedPages = pages.filter(({ reason }) => reason === '');
  const beyond = includedPages
    .slice(rules.limit)
    .map((page) => ({ ...page, reason: t('This page exceeds the page limit.') }));
  return {
    pages: includedPages.slice(0, rules.limit),
    leftOut: [...beyond, ...pages.filter(({ reason }) => reason !== '')],
  };
}
