import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { PassageSettings } from '../../../core/domain/settings.ts';
import {
  SITE_PAGE_STATES,
  type SitePageState,
  type CrawlCounts,
  type CrawlRecord,
  type FoundAddress,
  type RefittedPage,
  type SettledPage,
  type SitePage,
  type SiteRules,
  type WaitingPage,
} from '../../../core/domain/site.ts';
import type { SourceOrigin } from '../../../core/domain/source.ts';
import { splitForWindows } from '../../../index/documents/splitter.ts';
import type { SitesApi } from './sites-api.ts';
import { STATES_WITH_DOCUMENT, SiteDocuments } from './site-documents.ts';
import { optionalText, type Row } from '../../../index/store/database/database.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import type { Store } from '../../../index/store/store.ts';

/** Maximum number of known addresses per site, so that an endless site doesn't fill the disk. */
const MAX_KNOWN_ADDRESSES = 20_000;

/** From this number of known addresses on, those outside the crawl settings aren't stored. */
const MAX_ADDRESSES_WITH_EXCLUDED = 5_000;

/** Tables with rows of sources, by `source_id`, which are copied with the sources. */
export const SOURCE_TABLES = ['crawls', 'site_pages'] as const;

const FETCHED_STATES = `('kept', 'unchanged', 'duplicate', 'refused', 'failed')`;

/**
 * Crawls of sites in the notebook's database: waiting pages, and the outcomes of the others. Every change is one
 * transaction.
 */
export class SitePages {
  readonly #sql: Statements;
  readonly #documents: SiteDocuments;

  constructor(sql: Statements, store: Store) {
    this.#sql = sql;
    this.#documents = new SiteDocuments(sql, store);
  }

  /**
   * Resumes an unfinished crawl and retries failed pages. Otherwise starts a new crawl, in which all pages fetched
   * before wait again.
   */
  begin(sourceId: string, starts: readonly string[]): void {
    this.#sql.transaction(() => {
      const crawl = this.#sql.get('SELECT finished_at FROM crawls WHERE source_id = ?', sourceId);
      if (crawl?.['finished_at'] !== null) {
        this.#sql.run(
          `INSERT INTO crawls (source_id, started_at) VALUES (?, ?)
           ON CONFLICT (source_id) DO UPDATE SET started_at = excluded.started_at, finished_at = NULL`,
          sourceId,
          Date.now(),
        );
        this.#sql.run(
          `UPDATE site_pages SET was = state, state = 'waiting', reason = ''
           WHERE source_id = ? AND state NOT IN ('left-out', 'too-deep')`,
          sourceId,
        );
      } else
        this.#sql.run(
          `UPDATE site_pages SET state = 'waiting', reason = '' WHERE source_id = ? AND state = 'failed'`,
          sourceId,
        );
      this.#insert(
        sourceId,
        starts.map((address) => ({
          address,
          depth: 0,
          rank: 0,
          twin: undefined,
          state: 'waiting',
          reason: '',
        })),
      );
    });
  }

  /** Returns the addresses at which a crawl starts, including those to which they redirected. */
  starts(sourceId: string): string[] {
    return this.#sql.texts('SELECT address FROM site_pages WHERE source_id = ? AND depth = 0', sourceId);
  }

  /** Adds found addresses that are new; returns the progress of the crawl. */
  add(sourceId: string, addresses: readonly FoundAddress[]): CrawlCounts {
    return this.#sql.transaction(() => {
      if (this.#exists(sourceId)) this.#insert(sourceId, addresses);
      return this.counts(sourceId);
    });
  }

  /** Counts the known, waiting, fetched, and stored addresses of a site. */
  counts(sourceId: string): CrawlCounts {
    const row = this.#sql.get(
      `SELECT count(*) AS known, count(*) FILTER (WHERE state = 'waiting') AS waiting,
         count(*) FILTER (WHERE state IN ${FETCHED_STATES}) AS fetched,
         count(*) FILTER (WHERE state IN ${STATES_WITH_DOCUMENT}) AS saved FROM site_pages WHERE source_id = ?`,
      sourceId,
    );
    return {
      known: Number(row?.['known']),
      waiting: Number(row?.['waiting']),
      saved: Number(row?.['saved']),
      fetched: Number(row?.['fetched']),
    };
  }

  /** Returns the next pages to fetch, at most `count`. */
  waiting(sourceId: string, count: number): WaitingPage[] {
    return this.#sql
      .all(
        `SELECT * FROM site_pages WHERE source_id = ? AND state = 'waiting' ORDER BY rank, rowid LIMIT ?`,
        sourceId,
        count,
      )
      .map(toWaiting);
  }

  /** Stores the outcome of a page. @throws NotebookError `cancelled` if the source was removed meanwhile */
  settle(
    sourceId: string,
    { address, outcome, found }: SettledPage,
    settings: PassageSettings,
  ): { readonly state: SitePageState; readonly counts: CrawlCounts } {
    return this.#sql.transaction(() => {
      if (!this.#exists(sourceId)) throw new NotebookError('cancelled', t('The source was removed.'));
      this.#insert(sourceId, found);
      const state = this.#documents.settle(sourceId, address, outcome, splitForWindows, settings);
      return { state, counts: this.counts(sourceId) };
    });
  }

  /**
   * Ends a crawl. After a stop, pages that still wait keep their documents. Otherwise they exceed the limit and their
   * documents are deleted.
   */
  finish(sourceId: string, stopped: boolean): void {
    this.#sql.transaction(() => {
      if (stopped)
        this.#sql.run(
          `UPDATE site_pages SET state = was, was = NULL
           WHERE source_id = ? AND state = 'waiting' AND was IN ${STATES_WITH_DOCUMENT}`,
          sourceId,
        );
      this.#sql.run(
        `UPDATE site_pages SET state = 'over-limit', reason = ? WHERE source_id = ? AND state = 'waiting'`,
        stopped
          ? t('The crawl stopped before it reached this page.')
          : t('The crawl reached the page limit before this page.'),
        sourceId,
      );
      this.#sql.run(
        `DELETE FROM documents WHERE source_id = ?1 AND key IN
         (SELECT address FROM site_pages WHERE source_id = ?1 AND state = 'over-limit')`,
        sourceId,
      );
      this.#sql.run('UPDATE crawls SET finished_at = ? WHERE source_id = ?', Date.now(), sourceId);
    });
  }

  /**
   * Changes a site's crawl settings, which include or exclude these pages. Deletes the documents of excluded pages. The
   * next crawl fetches only the pages that wait now.
   */
  refit(sourceId: string, rules: SiteRules, pages: readonly RefittedPage[]): void {
    const origin: SourceOrigin = { kind: 'site', ...rules };
    this.#sql.transaction(() => {
      this.#sql.run('UPDATE sources SET origin = ? WHERE id = ?', JSON.stringify(origin), sourceId);
      for (const { address, state, reason } of pages) {
        this.#sql.run(
          'UPDATE site_pages SET state = ?, reason = ?, was = NULL WHERE source_id = ? AND address = ?',
          state,
          reason,
          sourceId,
          address,
        );
        if (state !== 'waiting')
          this.#sql.run('DELETE FROM documents WHERE source_id = ? AND key = ?', sourceId, address);
      }
      this.#sql.run(
        'UPDATE crawls SET started_at = ?, finished_at = NULL WHERE source_id = ?',
        Date.now(),
        sourceId,
      );
    });
  }

  /** Returns the last crawl of a source; undefined if there was none. */
  record(sourceId: string): CrawlRecord | undefined {
    const crawl = this.#sql.get('SELECT * FROM crawls WHERE source_id = ?', sourceId);
    return (
      crawl && {
        startedAt: Number(crawl['started_at']),
        finishedAt: crawl['finished_at'] === null ? undefined : Number(crawl['finished_at']),
        pages: this.#sql
          .all(
            'SELECT address, depth, state, reason FROM site_pages WHERE source_id = ? ORDER BY rank, rowid',
            sourceId,
          )
          .map(toPage),
      }
    );
  }

  #exists(sourceId: string): boolean {
    return this.#sql.has('SELECT 1 FROM sources WHERE id = ?', sourceId);
  }

  #insert(sourceId: string, addresses: readonly FoundAddress[]): void {
    let { known } = this.counts(sourceId);
    for (const { address, depth, rank, twin, state, reason } of addresses) {
      if (known >= (state === 'waiting' ? MAX_KNOWN_ADDRESSES : MAX_ADDRESSES_WITH_EXCLUDED)) continue;
      this.#sql.run(
        `INSERT INTO site_pages (source_id, address, depth, rank, twin, state, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (source_id, address) DO UPDATE SET
           depth = min(depth, excluded.depth), rank = min(rank, excluded.rank),
           twin = coalesce(excluded.twin, twin),
           reason = CASE WHEN state = 'too-deep' THEN excluded.reason ELSE reason END,
           state = CASE WHEN state = 'too-deep' THEN excluded.state ELSE state END`,
        sourceId,
        address,
        depth,
        rank,
        twin ?? null,
        state,
        reason,
      );
      known++;
    }
  }
}

function toWaiting(row: Row): WaitingPage {
  const hash = optionalText(row['hash']);
  const wasSaved = row['was'] === 'kept' || row['was'] === 'unchanged';
  return {
    address: String(row['address']),
    depth: Number(row['depth']),
    rank: Number(row['rank']),
    twin: optionalText(row['twin']),
    savedVersion:
      wasSaved && hash !== undefined
        ? { etag: optionalText(row['etag']), lastModified: optionalText(row['last_modified']), hash }
        : undefined,
  };
}

/** States from newer versions are shown as failed. */
const storedState = v.fallback(v.picklist(SITE_PAGE_STATES), 'failed');

function toPage(row: Row): SitePage {
  return {
    address: String(row['address']),
    depth: Number(row['depth']),
    state: v.parse(storedState, row['state']),
    reason: String(row['reason']),
  };
}

/** Notebook functions that the handlers for sites need. */
interface NotebookOfSites {
  readonly features: { readonly sitePages: SitePages };
  readonly settings: PassageSettings;
  change<T>(action: () => T): Promise<T>;
}

/** Returns the index worker's handlers for crawls of the open notebook. */
export function sitesHandlers(notebook: () => NotebookOfSites): Handlers<SitesApi> {
  return {
    beginCrawl({ sourceId, starts }) {
      const { sitePages } = notebook().features;
      sitePages.begin(sourceId, starts);
      return sitePages.counts(sourceId);
    },
    crawlStarts: ({ sourceId }) => notebook().features.sitePages.starts(sourceId),
    waitingSitePages: ({ sourceId, count }) => notebook().features.sitePages.waiting(sourceId, count),
    addSitePages: ({ sourceId, found }) => notebook().features.sitePages.add(sourceId, found),
    settleSitePage({ sourceId, page }) {
      const { features, settings } = notebook();
      return notebook().change(() => features.sitePages.settle(sourceId, page, settings));
    },
    finishCrawl: ({ sourceId, stopped }) =>
      notebook().change(() => notebook().features.sitePages.finish(sourceId, stopped)),
    refitSite: ({ sourceId, rules, pages }) =>
      notebook().change(() => notebook().features.sitePages.refit(sourceId, rules, pages)),
    crawlRecord: ({ sourceId }) => notebook().features.sitePages.record(sourceId),
  };
}
