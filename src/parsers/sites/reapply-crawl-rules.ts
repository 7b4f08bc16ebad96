import { t } from '@vscode/l10n';
import type { RefittedPage, SitePage, SitePageState, SiteRules } from '../../core/domain/site.ts';
import { pausing } from '../../core/rpc/pausing.ts';
import { scopeJudge } from './scope.ts';

/** States of pages that count toward the limit. */
const FETCHED: ReadonlySet<SitePageState> = new Set(['kept', 'unchanged', 'duplicate', 'refused', 'failed']);

/** States of pages that crawl settings left out and that other settings can include. */
const LEFT_OUT: ReadonlySet<SitePageState> = new Set(['left-out', 'too-deep', 'over-limit']);

/**
 * Applies other crawl settings to the known pages of a crawl, downloaded ones first. Returns the pages that no longer
 * belong to the site and the pages to download now. Leaves out unchanged pages.
 */
export async function reapplyCrawlRules(
  pages: readonly SitePage[],
  starts: readonly string[],
  rules: SiteRules,
): Promise<RefittedPage[]> {
  const judge = scopeJudge(rules, starts);
  const refitted = new Map<string, RefittedPage>();
  let count = 0;
  const pause = pausing();
  for (const page of pages) {
    await pause();
    const { address, depth, state } = page;
    const judged = judge(address);
    const isIn = judged.kind === 'in' && depth <= rules.depth;
    if (judged.kind === 'out') refitted.set(address, { address, state: 'left-out', reason: judged.reason });
    else if (depth > rules.depth) refitted.set(address, { address, state: 'too-deep', reason: '' });
    else if (LEFT_OUT.has(state)) refitted.set(address, { address, state: 'waiting', reason: '' });
    if (isIn && FETCHED.has(state) && ++count > rules.limit)
      refitted.set(address, { address, state: 'over-limit', reason: t('This page exceeds the page limit.') });
  }
  // If a page is removed, visit its duplicates and redirects as pages of their own.
  for (const { address, state, reason } of pages) {
    const isOther = state === 'duplicate' || state === 'moved';
    const target = isOther ? refitted.get(reason) : undefined;
    if (target !== undefined && target.state !== 'waiting' && !refitted.has(address))
      refitted.set(address, { address, state: 'waiting', reason: '' });
  }
  return pages.flatMap(({ address, state, reason }) => {
    const refittedPage = refitted.get(address);
    return refittedPage === undefined || (refittedPage.state === state && refittedPage.reason === reason)
      ? []
      : [refittedPage];
  });
}
