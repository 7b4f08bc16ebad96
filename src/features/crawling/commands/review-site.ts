import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { SiteRules } from '../../../core/domain/site.ts';
import type { PlannedPage, SitePlan, SiteSurvey } from '../../../parsers/sites/preview.ts';
import { changeRule, type Changeable } from '../../sources/editor/change-rule.ts';
import { number } from '../../../platform/shown-number.ts';
import { chosenFrom } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Maximum number of pages of each kind in the list. */
const MAX_PAGES_PER_KIND = 200;

/** Purpose of a review: adding a site, or editing its crawl settings. */
type ReviewPurpose = 'add' | 'edit';

/** Survey of a site, or the reason why it failed, and the resulting crawl plan. */
interface Looked {
  readonly survey: SiteSurvey | string;
  readonly plan: SitePlan | undefined;
}

interface ReviewItem extends vscode.QuickPickItem {
  readonly does?: 'decide' | Changeable;
}

/**
 * Shows the pages that a crawl would download, and lets the user change the crawl settings. Resolves to the settings,
 * to `back` if a site is added, or to undefined if it was closed. `survey` takes the first look at the site.
 */
export async function reviewSite(
  purpose: ReviewPurpose,
  rules: SiteRules,
  survey: (signal: AbortSignal) => Promise<SiteSurvey>,
): Promise<SiteRules | 'back' | undefined> {
  const stop = new AbortController();
  const pendingSurvey = survey(stop.signal).catch((error: unknown) => {
    if (isCanceled(error)) return undefined;
    return error instanceof NotebookError
      ? error.message
      : vscode.l10n.t('Can’t load a preview of the site. You can continue without it.');
  });
  try {
    let decided = rules;
    for (;;) {
      const chosen = await choose(purpose, decided, pendingSurvey);
      if (chosen === undefined || chosen === 'back') return chosen;
      if (chosen === 'decide') return decided;
      decided = (await changeRule(makeTitle(purpose), chosen, decided)) ?? decided;
    }
  } finally {
    stop.abort();
  }
}

/** Shows the review until the user chooses an item; undefined if it was closed. */
async function choose(
  purpose: ReviewPurpose,
  rules: SiteRules,
  pendingSurvey: Promise<SiteSurvey | string | undefined>,
): Promise<'decide' | 'back' | Changeable | undefined> {
  const pick = vscode.window.createQuickPick<ReviewItem>();
  pick.title = makeTitle(purpose);
  pick.placeholder =
    purpose === 'add'
      ? vscode.l10n.t('Press Enter to add the site, or select a setting to change')
      : vscode.l10n.t('Press Enter to crawl with these settings, or select a setting to change');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  if (purpose === 'add') pick.buttons = [vscode.QuickInputButtons.Back];
  pick.busy = true;
  pick.items = makeItems(purpose, rules, undefined);
  return await chosenFrom<'decide' | 'back' | Changeable, ReviewItem>(pick, (choose) => {
    pick.onDidTriggerButton(() => {
      choose('back');
    });
    pick.onDidAccept(() => {
      const does = pick.activeItems[0]?.does;
      if (does !== undefined) choose(does);
    });
    void pendingSurvey.then(async (survey) => {
      if (survey === undefined) return;
      const { crawlPlan: planOf } = await import('../../../parsers/sites/preview.ts');
      const plan = typeof survey === 'string' ? undefined : await planOf(survey, rules);
      pick.busy = false;
      pick.keepScrollPosition = true;
      pick.items = makeItems(purpose, rules, { survey, plan });
    });
  });
}

/** Returns the items of the list. `result` is the survey or its error; undefined while it is running. */
function makeItems(
  purpose: ReviewPurpose,
  rules: SiteRules,
  pendingSurvey: Looked | undefined,
): ReviewItem[] {
  const plan = pendingSurvey?.plan;
  const problems =
    pendingSurvey === undefined
      ? []
      : typeof pendingSurvey.survey === 'string'
        ? [pendingSurvey.survey]
        : listProblems(pendingSurvey.survey);
  return [
    {
      label:
        purpose === 'add'
          ? `$(add) ${vscode.l10n.t('Add site')}`
          : `$(check) ${vscode.l10n.t('Crawl with these settings')}`,
      description:
        pendingSurvey === undefined
          ? vscode.l10n.t('Finding pages…')
          : plan === undefined
            ? ''
            : foundWords(plan, rules),
      alwaysShow: true,
      does: 'decide',
    },
    ...problems.map((problem) => ({ label: `$(warning) ${literalText(problem)}`, alwaysShow: true })),
    separator(vscode.l10n.t('Crawl settings')),
    ...ruleItems(rules),
    ...(plan === undefined ? [] : pageItems(plan)),
  ];
}

function foundWords({ pages }: SitePlan, { depth, limit }: SiteRules): string {
  const foundCount =
    pages.length === 1
      ? vscode.l10n.t('1 page found')
      : vscode.l10n.t('{0} pages found', number(pages.length));
  if (depth < 2 || pages.length === 0) return foundCount;
  return pages.length >= limit
    ? vscode.l10n.t('{0} (limit reached)', foundCount)
    : vscode.l10n.t('{0} so far, up to {1} with linked pages', foundCount, number(limit));
}

function listProblems({ starts }: SiteSurvey): string[] {
  return starts.flatMap(({ address, problem }) =>
    problem === undefined ? [] : [starts.length === 1 ? problem : `${withoutScheme(address)}: ${problem}`],
  );
}

function ruleItems({ starts, depth, limit, include, exclude }: SiteRules): ReviewItem[] {
  return [
    {
      label: `$(type-hierarchy-sub) ${
        depth === 0
          ? vscode.l10n.t('Start pages only')
          : depth === 1
            ? vscode.l10n.t('Up to 1 link away')
            : vscode.l10n.t('Up to {0} links away', depth)
      }`,
      description: vscode.l10n.t('Depth'),
      does: 'depth',
    },
    {
      label: `$(dashboard) ${limit === 1 ? vscode.l10n.t('Up to 1 page') : vscode.l10n.t('Up to {0} pages', number(limit))}`,
      description: vscode.l10n.t('Limit'),
      does: 'limit',
    },
    {
      label: `$(filter) ${
        include.length > 0
          ? include.join(', ')
          : vscode.l10n.t('Everything below {0}', starts.map(withoutScheme).join(', '))
      }`,
      description: vscode.l10n.t('Include'),
      does: 'include',
    },
    {
      label: `$(exclude) ${
        [
          ...exclude,
          ...(include.length > 0 ? [] : [vscode.l10n.t('sign-in, contact, terms, and similar pages')]),
        ].join(', ') || vscode.l10n.t('No pages')
      }`,
      description: vscode.l10n.t('Exclude'),
      does: 'exclude',
    },
  ];
}

function pageItems({ pages, leftOut }: SitePlan): ReviewItem[] {
  const groups: readonly (readonly [string, readonly PlannedPage[]])[] = [
    [vscode.l10n.t('Pages found ({0})', number(pages.length)), pages],
    [vscode.l10n.t('Excluded ({0})', number(leftOut.length)), leftOut],
  ];
  const hosts = new Set(pages.map(({ address }) => new URL(address).host));
  const shorten = (address: string): string =>
    hosts.size > 1 ? withoutScheme(address) : address.replace(/^https?:\/\/[^/]*/, '');
  return groups.flatMap(([title, all]) =>
    all.length === 0
      ? []
      : [
          separator(title),
          ...all.slice(0, MAX_PAGES_PER_KIND).map(({ address, reason, hasTwin }) => ({
            label: shorten(address),
            description: reason || (hasTwin ? vscode.l10n.t('has a Markdown version') : ''),
          })),
        ],
  );
}

function separator(label: string): ReviewItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Returns a URL without its scheme, which is short enough for a list. */
function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, '');
}

function makeTitle(purpose: ReviewPurpose): string {
  return purpose === 'add' ? vscode.l10n.t('Add Site (2 of 2)') : vscode.l10n.t('Edit Crawl Settings');
}
