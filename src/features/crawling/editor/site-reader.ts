import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { CrawlCounts, CrawlRecord, SiteRules } from '../../../core/domain/site.ts';
import type { SkipCounts } from '../../../core/domain/source.ts';
import type { CrawlStore } from '../../../parsers/sites/crawl.ts';
import type { Pace } from '../../../parsers/sites/pace.ts';
import type { SiteSurvey } from '../../../parsers/sites/preview.ts';
import type { SiteClient } from '../../../parsers/sites/site-client.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { minimumLength, sitePace } from '../../../platform/settings.ts';
import { offerActionOnWarning } from '../../../platform/dialogs.ts';

interface SiteReaderParts {
  readonly notebook: NotebookClient;
  readonly readers: ReaderPool;
  /** User agent that servers see. */
  readonly userAgent: string;
}

/** Crawls and surveys sites. All sources share one request rate per host. */
export class SiteReader {
  readonly #parts: SiteReaderParts;
  readonly #paces = new Map<string, Pace>();

  constructor(parts: SiteReaderParts) {
    this.#parts = parts;
  }

  /**
   * Crawls a site, or resumes an interrupted crawl; returns the skip counts.
   * @throws NotebookError `cancelled`, and if no page could be read
   */
  async read(
    sourceId: string,
    rules: SiteRules,
    report: (counts: CrawlCounts) => void,
    signal: AbortSignal,
  ): Promise<SkipCounts> {
    const { notebook, readers } = this.#parts;
    const client = await this.#client(rules.privateHosts, signal);
    const { crawl } = await import('../../../parsers/sites/crawl.ts');
    const { pageVisitor } = await import('../../../parsers/sites/visit-page.ts');
    const counts = await crawl(rules, {
      client,
      store: crawlStore(notebook, sourceId),
      visit: pageVisitor(
        client,
        (request, stop) => readers.readSitePage(request, stop),
        minimumLength,
        (uri) => notebook.call('sharedAnnotations', { uri }),
      ),
      readList: (request) => readers.readSiteList(request, signal),
      pagesAtOnce: sitePace().requestsAtOnce,
      signal,
      report,
    });
    const record = await notebook.call('crawlRecord', { sourceId });
    if (counts.saved === 0 && record !== undefined) {
      const { whyNothing } = await import('../../../parsers/sites/report.ts');
      throw new NotebookError('empty', whyNothing(record));
    }
    return countSkips(record);
  }

  /** Returns the skip counts of the last crawl of a site. */
  async countSkipped(sourceId: string): Promise<SkipCounts> {
    return countSkips(await this.#parts.notebook.call('crawlRecord', { sourceId }));
  }

  /** Takes a first look at a site. @throws NotebookError `cancelled` */
  async survey(
    starts: readonly string[],
    privateHosts: readonly string[],
    signal: AbortSignal,
  ): Promise<SiteSurvey> {
    const { readers } = this.#parts;
    const { surveySite } = await import('../../../parsers/sites/preview.ts');
    return surveySite(starts, await this.#client(privateHosts, signal), {
      read: (request, stop) => readers.readSitePage(request, stop),
      readList: (request) => readers.readSiteList(request, signal),
      signal,
    });
  }

  async #client(agreedHosts: readonly string[], signal: AbortSignal): Promise<SiteClient> {
    const { userAgent } = this.#parts;
    const { SiteClient } = await import('../../../parsers/sites/site-client.ts');
    const { guardedFetch } = await import('../../../parsers/web/guarded-fetch.ts');
    const { Pace } = await import('../../../parsers/sites/pace.ts');
    return new SiteClient({
      fetch: guardedFetch(agreedHosts),
      userAgent,
      findPace: (origin) => {
        const pace = this.#paces.get(origin) ?? new Pace(sitePace);
        this.#paces.set(origin, pace);
        return pace;
      },
      signal,
    });
  }
}

/** Reports failed pages at the end of a crawl, and offers the crawl report. */
export async function showFailures(title: string, failed: number, sourceId: string): Promise<void> {
  const message =
    failed === 1
      ? vscode.l10n.t('Couldn’t download 1 page of {0}.', title)
      : vscode.l10n.t('Couldn’t download {0} pages of {1}.', failed, title);
  if (await offerActionOnWarning(message, vscode.l10n.t('Show Crawl Report')))
    await vscode.commands.executeCommand('openNotebook.showCrawlReport', sourceId);
}

function crawlStore(notebook: NotebookClient, sourceId: string): CrawlStore {
  return {
    begin: (starts) => notebook.call('beginCrawl', { sourceId, starts }),
    starts: () => notebook.call('crawlStarts', { sourceId }),
    add: (addresses) => notebook.call('addSitePages', { sourceId, found: addresses }),
    waiting: (count) => notebook.call('waitingSitePages', { sourceId, count }),
    settle: (page) => notebook.call('settleSitePage', { sourceId, page }),
    finish: async () => {
      await notebook.call('finishCrawl', { sourceId, stopped: false });
    },
  };
}

function countSkips(record: CrawlRecord | undefined): SkipCounts {
  const count = (state: string): number => record?.pages.filter((page) => page.state === state).length ?? 0;
  return { binary: 0, tooLarge: 0, tooShort: count('refused'), failed: count('failed') };
}
