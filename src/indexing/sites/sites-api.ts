import type {
  CrawlCounts,
  CrawlRecord,
  FoundAddress,
  RefittedPage,
  SettledPage,
  SitePageState,
  SiteRules,
  WaitingPage,
} from '../../notebook/site.ts';

/** Crawl API of the index worker. */
export interface SitesApi {
  /** Goes on with the crawl of a site that was not finished, or begins one; returns how far it has come. */
  readonly beginCrawl: (params: {
    readonly sourceId: string;
    readonly starts: readonly string[];
  }) => CrawlCounts;
  /** The addresses that a crawl begins at, and where these led to. */
  readonly crawlStarts: (params: { readonly sourceId: string }) => readonly string[];
  /** The next pages of a site to fetch, at most `count`. */
  readonly waitingSitePages: (params: {
    readonly sourceId: string;
    readonly count: number;
  }) => readonly WaitingPage[];
  readonly addSitePages: (params: {
    readonly sourceId: string;
    readonly found: readonly FoundAddress[];
  }) => CrawlCounts;
  /** Stores the outcome of a page, its document, and the addresses found on it. */
  readonly settleSitePage: (params: { readonly sourceId: string; readonly page: SettledPage }) => {
    readonly state: SitePageState;
    readonly counts: CrawlCounts;
  };
  /** Ends a crawl; where it was stopped, pages that still wait stay as they were. */
  readonly finishCrawl: (params: { readonly sourceId: string; readonly stopped: boolean }) => void;
  /** Gives a site other rules, by which these pages are taken or left out; documents of the latter go. */
  readonly refitSite: (params: {
    readonly sourceId: string;
    readonly rules: SiteRules;
    readonly pages: readonly RefittedPage[];
  }) => void;
  /** Undefined where the source was never crawled. */
  readonly crawlRecord: (params: { readonly sourceId: string }) => CrawlRecord | undefined;
}
