import type { ReadDocument } from './document.ts';

/** What of a site is fetched. Addresses are absolute, `http:` or `https:`. */
export interface SiteRules {
  readonly starts: readonly string[];
  /** How many links a page may be away from a start; 0 takes the starts alone. */
  readonly depth: number;
  /** At most so many pages are fetched. */
  readonly limit: number;
  /** Patterns of paths: where there are any, pages that match one, and otherwise those below a start. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Hosts on this machine or in a private network, with their ports, that the user agreed to have read. */
  readonly privateHosts: readonly string[];
}

/**
 * What became of an address of a site.
 * - `waiting`: it has yet to be fetched.
 * - `kept`, `unchanged`: it is a document; `unchanged` since the crawl before.
 * - `duplicate`, `moved`: its content is, or it leads to, another address, which the reason names.
 * - `refused`: it was fetched and holds nothing to keep. `failed`: it could not be fetched.
 * - `barred`: robots.txt does not allow it.
 * - `left-out`: a rule leaves it out. `too-deep`: it is too many links away. `over-limit`: the crawl ended before it.
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

/** An address of a site and what became of it. */
export interface SitePage {
  readonly address: string;
  /** How many links it is away from a start. */
  readonly depth: number;
  readonly state: SitePageState;
  /** One sentence, or the address that `duplicate` and `moved` speak of; '' where there is nothing to tell. */
  readonly reason: string;
}

/** A page that has yet to be fetched, and what is known of it from the crawl before. */
export interface WaitingPage {
  readonly address: string;
  readonly depth: number;
  readonly rank: number;
  /** Where a Markdown version of the page stands. */
  readonly twin: string | undefined;
  /** What the crawl before kept of it; undefined where it kept nothing. */
  readonly kept: SeenVersion | undefined;
}

/** What tells whether a page has changed since it was fetched: the server's words, and the SHA-256 of its bytes. */
export interface SeenVersion {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly hash: string;
}

/** An address that a page or a list of the site names. Those of lower rank are fetched first. */
export interface FoundAddress {
  readonly address: string;
  readonly depth: number;
  readonly rank: number;
  readonly twin: string | undefined;
  readonly state: 'waiting' | 'too-deep' | 'left-out';
  readonly reason: string;
}

/** An address that rules take or leave out which were changed after a crawl. */
export interface RefittedPage {
  readonly address: string;
  readonly state: 'waiting' | 'left-out' | 'too-deep' | 'over-limit';
  readonly reason: string;
}

/** A page as it was fetched and read. `byteLength` counts the original's bytes. */
export interface FetchedDocument {
  readonly document: ReadDocument;
  readonly version: SeenVersion;
  readonly byteLength: number;
  /** SHA-256 of the document's text, by which duplicates are known. */
  readonly textHash: string;
  /** The address that the page itself calls its proper one. */
  readonly canonical: string | undefined;
}

/** How the fetching of a page ended. */
export type PageOutcome =
  | { readonly kind: 'read'; readonly fetched: FetchedDocument }
  /** As it was when the crawl before kept it. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly to: string }
  | {
      readonly kind: 'nothing';
      readonly state: 'refused' | 'failed' | 'barred' | 'left-out';
      readonly reason: string;
      /** Whether a document that was kept of it before is to go. */
      readonly gone: boolean;
    };

/** A page that is done, with the addresses found on it; kept in one transaction. */
export interface SettledPage {
  readonly address: string;
  readonly outcome: PageOutcome;
  readonly found: readonly FoundAddress[];
}

/** How far a crawl has come: pages fetched, whatever came of them, those of them that are documents, pages that wait, and all addresses known. */
export interface CrawlCounts {
  readonly fetched: number;
  readonly kept: number;
  readonly waiting: number;
  readonly known: number;
}

/** A crawl's times, in milliseconds since 1970, and what became of every address. */
export interface CrawlRecord {
  readonly startedAt: number;
  /** Undefined while it goes on or is paused. */
  readonly finishedAt: number | undefined;
  readonly pages: readonly SitePage[];
}
