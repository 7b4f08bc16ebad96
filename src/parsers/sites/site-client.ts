import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import type { SeenVersion } from '../../core/domain/site.ts';
import { httpStatus } from '../web/fetch-errors.ts';
import { fetchAddress, type Fetched, type FetchedPage, type FetchAddressOptions } from '../web/fetch-page.ts';
import type { Fetch } from '../web/guarded-fetch.ts';
import { waitFor, type Pace } from './pace.ts';
import { MAX_ROBOTS_BYTES, noRobots, parseRobots, type Robots } from './robots.ts';
import { mostBytes } from './site-files.ts';

/** User agent of this program in a robots.txt. */
const ROBOTS_AGENT = 'OpenNotebook';

/** Maximum size of a list of a site's pages, in bytes. */
const MAX_LIST_BYTES = 20 * 1024 * 1024;

const MAX_REDIRECTS = 5;

const LIST_TYPES = /^(?:text\/|application\/(?:xml|x-?gzip|gzip|octet-stream|[\w.-]+\+xml)(?:;|$)|$)/i;

interface SiteClientOptions {
  /** See `guardedFetch`. */
  readonly fetch: Fetch;
  readonly userAgent: string;
  readonly findPace: (origin: string) => Pace;
  readonly signal: AbortSignal;
}

type AddressRequestOptions = Pick<
  FetchAddressOptions,
  'mostBytes' | 'takesBeginning' | 'retries' | 'headers' | 'from'
>;

/** HTTP client for a site that identifies itself, respects request limits, and obeys robots.txt. */
export class SiteClient {
  readonly #options: SiteClientOptions;
  readonly #robots = new Map<string, Promise<Robots>>();

  constructor(options: SiteClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the rules of an origin's robots.txt; allows everything if there is none.
   * @throws NotebookError if it can't be downloaded, which means that no page may be.
   */
  readRobots(origin: string): Promise<Robots> {
    const known = this.#robots.get(origin) ?? this.#fetchRobots(origin);
    this.#robots.set(origin, known);
    return known;
  }

  /** Downloads a page or a readable file, or reports that it is unchanged or redirects. @throws NotebookError */
  async page(address: string, version: SeenVersion | undefined): Promise<Fetched> {
    const url = new URL(address);
    return this.#ask(address, {
      mostBytes: (mediaType) => mostBytes(url, mediaType),
      headers: {
        accept:
          'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.5',
        ...(version?.etag !== undefined && { 'if-none-match': version.etag }),
        ...(version?.lastModified !== undefined && { 'if-modified-since': version.lastModified }),
      },
    });
  }

  /** Downloads the Markdown version of a page; undefined if there is none. @throws NotebookError `cancelled` */
  async twin(address: string): Promise<FetchedPage | undefined> {
    const page = await this.list(address);
    const isMarkdown = page !== undefined && /^text\/(?:x-)?markdown|^text\/plain/i.test(page.mediaType);
    return isMarkdown ? page : undefined;
  }

  /**
   * Downloads a list of the site's pages and follows redirects anywhere; undefined if there is none.
   * @throws NotebookError `cancelled`
   */
  async list(address: string): Promise<FetchedPage | undefined> {
    try {
      const { origin } = new URL(address);
      if (!(await this.readRobots(origin)).allows(new URL(address))) return undefined;
      return await this.#following(address, {
        retries: 1,
        mostBytes: (mediaType) => (LIST_TYPES.test(mediaType) ? MAX_LIST_BYTES : undefined),
      });
    } catch (error) {
      if (this.#options.signal.aborted || !(error instanceof NotebookError)) throw error;
      return undefined;
    }
  }

  async #fetchRobots(origin: string): Promise<Robots> {
    const pace = this.#options.findPace(origin);
    try {
      const page = await this.#following(`${origin}/robots.txt`, {
        retries: 2,
        mostBytes: (mediaType) => (LIST_TYPES.test(mediaType) ? MAX_ROBOTS_BYTES : undefined),
        takesBeginning: true,
      });
      // A site that returns an HTML page for every address has no robots.txt.
      if (page === undefined || /html/i.test(page.mediaType)) return noRobots;
      const robots = await parseRobots(new TextDecoder().decode(page.bytes), ROBOTS_AGENT);
      if (robots.crawlDelay !== undefined) pace.slowDownTo(robots.crawlDelay);
      return robots;
    } catch (error) {
      if (!(error instanceof NotebookError)) throw error;
      const status = httpStatus(error);
      const isMissing = status !== undefined && status < 500 && status !== 429;
      if (isMissing || error.code === 'unsupported') return noRobots;
      if (status === undefined && error.code !== 'timeout') throw error;
      throw new NotebookError(
        'server',
        t(
          'Can’t crawl {0} because its robots.txt file can’t be read. Try again later.',
          new URL(origin).host,
        ),
        { action: 'tryAgain', cause: error },
      );
    }
  }

  async #following(address: string, how: AddressRequestOptions): Promise<FetchedPage | undefined> {
    let at = address;
    let from: URL | undefined;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const fetched = await this.#ask(at, { ...how, from });
      if (fetched.kind === 'page') return fetched.page;
      if (fetched.kind === 'unchanged') return undefined;
      from = new URL(at);
      at = fetched.to;
    }
    return undefined;
  }

  async #ask(address: string, how: AddressRequestOptions): Promise<Fetched> {
    const { fetch, userAgent, findPace, signal } = this.#options;
    const pace = findPace(new URL(address).origin);
    return fetchAddress(address, {
      ...how,
      fetch,
      signal,
      headers: { 'user-agent': userAgent, ...how.headers },
      inTurn: (attempt) => pace.run(attempt, signal),
      delay: async (milliseconds, _signal, isBusy) => {
        if (isBusy) pace.holdFor(milliseconds);
        await waitFor(milliseconds, signal);
      },
    });
  }
}
