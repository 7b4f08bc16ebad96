import type {
  CrawlCounts,
  CrawlRecord,
  FoundAddress,
  RefittedPage,
  SettledPage,
  SitePageState,
  SiteRules,
  WaitingPage,
} from '../../../core/domain/site.ts';

/** Crawl API of the index worker. */
export interface SitesApi {
  /** Resumes the unfinished crawl of a site, or starts one. Returns its progress. */
  readonly beginCrawl: (params: {
    readonly sourceId: string;
    readonly starts: readonly string[];
  }) => CrawlCounts;
  /** Returns the addresses at which a crawl starts, including those to which they redirected. */
  readonly crawlStarts: (params: { readonly sourceId: string }) => readonly string[];
  /** Returns the next pages of a site to fetch, at most `count`. */
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
  /** Ends a crawl; after a stop, pages that still wait stay as they were. */
  readonly finishCrawl: (params: { readonly sourceId: string; readonly stopped: boolean }) => void;
  /** Changes a site's crawl settings, which include or exclude these pages. Deletes the documents of excluded pages. */
  readonly refitSite: (params: {
    readonly sourceId: string;
    readonly rules: SiteRules;
    readonly pages: readonly RefittedPage[];
  }) => void;
  /** Undefined if the source was never crawled. */
  readonly crawlRecord: (params: { readonly sourceId: string }) => CrawlRecord | undefined;
}
