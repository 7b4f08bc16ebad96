import { t } from '@vscode/l10n';
import type { RefittedPage, SitePage, SitePageState, SiteRules } from '../../notebook/site.ts';
import { pausing } from '../../messages/pausing.ts';
import { scopeJudge } from './scope.ts';

/** Pages that count to the limit. */
const FETCHED: ReadonlySet<SitePageState> = new Set(['kept', 'unchanged', 'duplicate', 'refused', 'failed']);

/** Pages that rules left out, and other rules may take. */
const LEFT_OUT: ReadonlySet<SitePageState> = new Set(['left-out', 'too-deep', 'over-limit']);

/**
 * What other rules make of the pages that a crawl knows, those fetched first in front: which of them are no longer a
 * part of the site, and which are to be fetched now. Those that stay as they are, are not named.
 */
export async function refit(
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
  // What was only another address of a page that goes is looked at for itself.
  for (const { address, state, reason } of pages) {
    const isOther = state === 'duplicate' || state === 'moved';
    const target = isOther ? refitted.get(reason) : undefined;
    if (target !== undefined && target.state !== 'waiting' && !refitted.has(address))
      refitted.set(address, { address, state: 'waiting', reason: '' });
  }
  return pages.flatMap(({ address, state, reason }) => {
    const one = refitted.get(address);
    return one === undefined || (one.state === state && one.reason === reason) ? [] : [one];
  });
}
