import { t } from '@vscode/l10n';
import { isCanceled, NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import type {
  CrawlCounts,
  FoundAddress,
  SettledPage,
  SitePageState,
  SiteRules,
  WaitingPage,
} from '../../core/domain/site.ts';
import { namedPages, type ReadList } from './named-pages.ts';
import type { PageVisitor } from './visit-page.ts';
import { discoverByLists } from './discovered-links.ts';
import { scopeJudge, type Judge } from './scope.ts';
import type { SiteClient } from './site-client.ts';

/** Store for the state of a crawl, from which it can resume at any time. */
export interface CrawlStore {
  begin(starts: readonly string[]): Promise<CrawlCounts>;
  /** Returns the start addresses of the crawl, and their redirect targets. */
  starts(): Promise<readonly string[]>;
  add(addresses: readonly FoundAddress[]): Promise<CrawlCounts>;
  waiting(count: number): Promise<readonly WaitingPage[]>;
  settle(page: SettledPage): Promise<{ readonly state: SitePageState; readonly counts: CrawlCounts }>;
  finish(): Promise<void>;
}

interface CrawlParts {
  readonly client: SiteClient;
  readonly store: CrawlStore;
  readonly visit: PageVisitor;
  readonly readList: ReadList;
  /** Maximum number of concurrent downloads. */
  readonly pagesAtOnce: number;
  readonly signal: AbortSignal;
  readonly report: (counts: CrawlCounts) => void;
}

/** Number of consecutive visits without a response after which the whole site counts as down. */
const MAX_SILENT_VISITS = 6;

/** Maximum number of redirects for each page that may be downloaded. */
const MOVES_PER_PAGE = 3;

/**
 * Crawls a site: the start pages, the pages in the site's own lists, and the pages these link to, within the crawl
 * settings and nearest first. Saves each page, so a later call resumes an interrupted crawl.
 * @throws NotebookError `cancelled`, and if the site as a whole can't be fetched
 */
export async function crawl(rules: SiteRules, parts: CrawlParts): Promise<CrawlCounts> {
  const { client, store } = parts;
  let counts = await store.begin(rules.starts);
  parts.report(counts);
  let judge = scopeJudge(rules, await store.starts());
  const judgeNow: Judge = (href, base) => judge(href, base);

  await visitWaiting(
    rules,
    parts,
    judgeNow,
    (page) => page.depth === 0,
    async () => {
      judge = scopeJudge(rules, await store.starts());
    },
  );
  if (rules.depth > 0) {
    const named = await namedPages(await store.starts(), client, parts.readList);
    counts = await store.add(await discoverByLists(named, judgeNow, rules.limit));
    parts.report(counts);
    await visitWaiting(
      rules,
      parts,
      judgeNow,
      () => true,
      () => Promise.resolve(),
    );
  }
  await store.finish();
  return store.add([]);
}

/** Visits waiting pages concurrently until no wanted page is left or the limit is reached. */
async function visitWaiting(
  rules: SiteRules,
  { store, visit, pagesAtOnce, signal, report }: CrawlParts,
  judge: Judge,
  shouldVisit: (page: WaitingPage) => boolean,
  onMoved: () => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const going = AbortSignal.any([signal, failure.signal]);
  const underWay = new Map<string, Promise<void>>();
  let { fetched } = await store.add([]);
  let moved = 0;
  let silentInRow = 0;

  const work = async (page: WaitingPage): Promise<void> => {
    const { page: visited, isSilent } = await visit(page, judge, rules, going);
    const settled = await store.settle(visited);
    ({ fetched } = settled.counts);
    report(settled.counts);
    if (visited.outcome.kind === 'moved') {
      moved++;
      if (page.depth === 0) await onMoved();
    }
    silentInRow = isSilent ? silentInRow + 1 : 0;
    if (silentInRow >= MAX_SILENT_VISITS) throw siteError(page.address);
  };

  try {
    for (;;) {
      throwIfCanceled(signal);
      const isOpen = fetched + underWay.size < rules.limit && moved < MOVES_PER_PAGE * rules.limit;
      const [next] =
        isOpen && underWay.size < pagesAtOnce
          ? (await store.waiting(underWay.size + 1)).filter(
              (page) => !underWay.has(page.address) && shouldVisit(page),
            )
          : [];
      if (next !== undefined) {
        const { address } = next;
        const visiting = work(next).finally(() => underWay.delete(address));
        // The await below reports a failure. Without this handler, an earlier rejection counts as unhandled.
        visiting.catch(() => undefined);
        underWay.set(address, visiting);
      } else if (underWay.size > 0) await Promise.race(underWay.values());
      else return;
    }
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(underWay.values());
    if (isCanceled(error)) throwIfCanceled(signal);
    throw error;
  }
}

function siteError(address: string): NotebookError {
  const { host } = new URL(address);
  return new NotebookError(
    'server',
    t('{0} stopped responding. Downloaded pages are kept. Refresh the site to continue.', host),
    { action: 'tryAgain' },
  );
}
