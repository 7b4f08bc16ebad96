// A crawl as the editor runs it, with a real notebook, without workers and editor.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { CrawlCounts, CrawlRecord, SiteRules } from '../../src/core/domain/site.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { crawl, type CrawlStore } from '../../src/parsers/sites/crawl.ts';
import { Pace, type PaceSettings } from '../../src/parsers/sites/pace.ts';
import { readSitePage } from '../../src/parsers/sites/read-site-page.ts';
import { reapplyCrawlRules } from '../../src/parsers/sites/reapply-crawl-rules.ts';
import { SiteClient } from '../../src/parsers/sites/site-client.ts';
import type { Fetch } from '../../src/parsers/web/guarded-fetch.ts';
import { fetchAnywhere } from './fetch-anywhere.ts';
import { readSiteList } from '../../src/parsers/sites/site-lists.ts';
import { pageVisitor } from '../../src/parsers/sites/visit-page.ts';

export const quickPace: PaceSettings = { requestsAtOnce: 2, pause: 0 };

/** Returns a page with a title, links, and enough text to be accepted. Each title produces its own text. */
export function makePage(title: string, links: readonly string[] = [], head = ''): string {
  const anchors = links.map((link) => `<li><a href="${link}">${link}</a></li>`).join('');
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body><nav><ul>${anchors}</ul></nav><main><h1>${title}</h1><p>This page is about ${title}, and it says of ${title} what there is to say, at a length that makes it worth keeping in a notebook.</p></main></body></html>`;
}

/** A notebook in a folder of its own with one site, which can be crawled again and again. */
export interface CrawledSite {
  readonly index: NotebookIndex;
  readonly source: Source;
  crawl(options?: {
    readonly signal?: AbortSignal;
    readonly report?: (counts: CrawlCounts) => void;
  }): Promise<CrawlCounts>;
  /** Changes the crawl settings of the site as the editor does. The next crawl uses them. */
  edit(rules: Partial<SiteRules>): Promise<void>;
  record(): CrawlRecord;
  /** The addresses in a state, without the site's origin. */
  inState(state: string): string[];
  /** The titles of the documents, by address without the site's origin. */
  documents(): Record<string, string>;
}

export function rulesFor(start: string, rules: Partial<SiteRules> = {}): SiteRules {
  return { starts: [start], depth: 2, limit: 100, include: [], exclude: [], privateHosts: [], ...rules };
}

/** Crawls a site that is a source of a notebook. */
export function crawlInto(
  index: NotebookIndex,
  sourceId: string,
  rules: SiteRules,
  {
    pace = quickPace,
    fetch = fetchAnywhere,
    signal = new AbortController().signal,
    report = () => undefined,
  }: {
    readonly pace?: PaceSettings;
    readonly fetch?: Fetch;
    readonly signal?: AbortSignal;
    readonly report?: (counts: CrawlCounts) => void;
  } = {},
): Promise<CrawlCounts> {
  const paces = new Map<string, Pace>();
  const client = new SiteClient({
    fetch,
    userAgent: 'OpenNotebook/0 (test)',
    findPace: (of) => {
      const known = paces.get(of) ?? new Pace(() => pace);
      paces.set(of, known);
      return known;
    },
    signal,
  });
  return crawl(rules, {
    client,
    store: crawlStore(index, sourceId),
    visit: pageVisitor(
      client,
      (request, stop) => readSitePage(request, { signal: stop }),
      () => 100,
      (uri) => Promise.resolve(index.features.annotations.of(uri)),
    ),
    readList: (request) => Promise.resolve(readSiteList(request)),
    pagesAtOnce: pace.requestsAtOnce,
    signal,
    report,
  });
}

export async function openCrawledSite(
  context: TestContext,
  firstRules: SiteRules,
  pace: PaceSettings = quickPace,
  fetch: Fetch = fetchAnywhere,
): Promise<CrawledSite> {
  const folder = mkdtempSync(join(tmpdir(), 'notebook-site-'));
  const { index } = await NotebookIndex.open(
    folder,
    { size: 1500, overlap: 50 },
    { indexing: () => undefined, resplitting: () => undefined },
  );
  context.after(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let rules = firstRules;
  const source = await index.addSource('The site', { kind: 'site', ...rules }, undefined);
  const { origin } = new URL(rules.starts[0] ?? '');
  const short = (address: string): string => address.replace(origin, '');
  const record = (): CrawlRecord => {
    const record = index.features.sitePages.record(source.id);
    if (record === undefined) throw new Error('The site was never crawled.');
    return record;
  };
  return {
    index,
    source,
    crawl: (options = {}) => crawlInto(index, source.id, rules, { pace, fetch, ...options }),
    edit: async (changed) => {
      rules = { ...rules, ...changed };
      const pages = await reapplyCrawlRules(
        record().pages,
        index.features.sitePages.starts(source.id),
        rules,
      );
      await index.change(() => {
        index.features.sitePages.refit(source.id, rules, pages);
      });
    },
    record,
    inState: (state) =>
      record()
        .pages.filter((page) => page.state === state)
        .map(({ address }) => short(address)),
    documents: () =>
      Object.fromEntries(
        index.store.documents.ofSource(source.id).map(({ key, title }) => [short(key), title]),
      ),
  };
}

function crawlStore(index: NotebookIndex, sourceId: string): CrawlStore {
  const { sitePages } = index.features;
  return {
    begin: (starts) => {
      sitePages.begin(sourceId, starts);
      return Promise.resolve(sitePages.counts(sourceId));
    },
    starts: () => Promise.resolve(sitePages.starts(sourceId)),
    add: (found) => Promise.resolve(sitePages.add(sourceId, found)),
    waiting: (count) => Promise.resolve(sitePages.waiting(sourceId, count)),
    settle: (page) => index.change(() => index.features.sitePages.settle(sourceId, page, index.settings)),
    finish: () =>
      index.change(() => {
        index.features.sitePages.finish(sourceId, false);
      }),
  };
}
