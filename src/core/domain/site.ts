import type { ReadDocument } from './document.ts';

/** Crawl settings of a site. URLs are absolute, `http:` or `https:`. */
export interface SiteRules {
  readonly starts: readonly string[];
  /** Maximum number of links from a start page; 0 fetches only the start pages. */
  readonly depth: number;
  /** Maximum number of pages to fetch. */
  readonly limit: number;
  /** Patterns of paths to include; if there are none, pages below a start page are included. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Hosts on this machine or in a private network, with their ports, that the user allowed. */
  readonly privateHosts: readonly string[];
}

/**
 * State of a URL of a site.
 * - `waiting`: it hasn't been fetched yet.
 * - `kept`, `unchanged`: it's a document; `unchanged` since the previous crawl.
 * - `duplicate`, `moved`: it has the same content as another URL, or redirects to it; the reason is that URL.
 * - `refused`: it was fetched, but has no content. `failed`: it couldn't be fetched.
 * - `barred`: robots.txt doesn't allow it.
 * - `left-out`: a rule excludes it. `too-deep`: it's too many links away. `over-limit`: the crawl ended before it.
 */
export const SITE_PAGE_STATES = [
  'waiting',
  'kept',
  'unchanged',
  'duplicate',
  'moved',
  'refused',
  'failed',
  'barred',
  'left-out',
  'too-deep',
  'over-limit',
] as const;
export type SitePageState = (typeof SITE_PAGE_STATES)[number];

/** URL of a site and its state. */
export interface SitePage {
  readonly address: string;
  /** Number of links from a start page. */
  readonly depth: number;
  readonly state: SitePageState;
  /** One sentence, or the other URL for `duplicate` and `moved`; '' if there is none. */
  readonly reason: string;
}

/** Page that hasn't been fetched yet, with the data of the previous crawl. */
export interface WaitingPage {
  readonly address: string;
  readonly depth: number;
  readonly rank: number;
  /** URL of a Markdown version of the page. */
  readonly twin: string | undefined;
  /** Version that the previous crawl saved; undefined if it saved none. */
  readonly savedVersion: SeenVersion | undefined;
}

/** Identifies a version of a page by the server's headers and the SHA-256 of its bytes. */
export interface SeenVersion {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly hash: string;
}

/** URL found in a page or a list of the site. URLs with a lower rank are fetched first. */
export interface FoundAddress {
  readonly address: string;
  readonly depth: number;
  readonly rank: number;
  readonly twin: string | undefined;
  readonly state: 'waiting' | 'too-deep' | 'left-out';
  readonly reason: string;
}

/** URL with a new state after the crawl settings changed. */
export interface RefittedPage {
  readonly address: string;
  readonly state: 'waiting' | 'left-out' | 'too-deep' | 'over-limit';
  readonly reason: string;
}

/** Page that was fetched and read. `byteLength` counts the original's bytes. */
export interface FetchedDocument {
  readonly document: ReadDocument;
  readonly version: SeenVersion;
  readonly byteLength: number;
  /** SHA-256 of the document's text, to find duplicates. */
  readonly textHash: string;
  /** Canonical URL according to the page itself. */
  readonly canonical: string | undefined;
}

/** Result of fetching a page. */
export type PageOutcome =
  | { readonly kind: 'read'; readonly fetched: FetchedDocument }
  /** The page hasn't changed since the previous crawl. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly to: string }
  | {
      readonly kind: 'nothing';
      readonly state: 'refused' | 'failed' | 'barred' | 'left-out';
      readonly reason: string;
      /** `true` to delete the document of the previous crawl. */
      readonly isRemoved: boolean;
    };

/** Finished page with the URLs found on it, to save in one transaction. */
export interface SettledPage {
  readonly address: string;
  readonly outcome: PageOutcome;
  readonly found: readonly FoundAddress[];
}

/** Progress of a crawl: fetched pages with any outcome, documents among them, waiting pages, and all known URLs. */
export interface CrawlCounts {
  readonly fetched: number;
  readonly saved: number;
  readonly waiting: number;
  readonly known: number;
}

/** Times of a crawl, in milliseconds since 1970, and the state of every URL. */
export interface CrawlRecord {
  readonly startedAt: number;
  /** Undefined while it runs or is paused. */
  readonly finishedAt: number | undefined;
  readonly pages: readonly SitePage[];
}
