import * as vscode from 'vscode';
import { isCancelled, NotebookError } from '../notebook/errors.ts';
import type { SiteRules } from '../notebook/site.ts';
import type { PlannedPage, SitePlan, SiteSurvey } from '../reading/sites/preview.ts';
import { planOf } from '../reading/sites/preview.ts';

/** How many pages of each kind the list shows. */
const MOST_SHOWN = 200;

const MOST_DEPTH = 10;
const MOST_PAGES = 10_000;

type Changeable = 'depth' | 'limit' | 'include' | 'exclude';

/** A first look at a site, or why there is none, and what the rules make of it. */
interface Looked {
  readonly survey: SiteSurvey | string;
  readonly plan: SitePlan | undefined;
}

interface ReviewItem extends vscode.QuickPickItem {
  readonly does?: 'add' | Changeable;
}

/**
 * Shows what a crawl would fetch, and lets the rules be changed; resolves to the rules with which to add the site, to
 * `back`, or to undefined where nothing is to be added. `survey` takes the first look at the site.
 */
export async function reviewSite(
  rules: SiteRules,
  survey: (signal: AbortSignal) => Promise<SiteSurvey>,
): Promise<SiteRules | 'back' | undefined> {
  const stop = new AbortController();
  const looked = survey(stop.signal).catch((error: unknown) => {
    if (isCancelled(error)) return undefined;
    return error instanceof NotebookError ? error.message : vscode.l10n.t('The site could not be looked at.');
  });
  try {
    let decided = rules;
    for (;;) {
      const chosen = await choose(decided, looked);
      if (chosen === undefined || chosen === 'back') return chosen;
      if (chosen === 'add') return decided;
      decided = (await change(chosen, decided)) ?? decided;
    }
  } finally {
    stop.abort();
  }
}

/** Shows the review until something is chosen of it; undefined where it was closed. */
async function choose(
  rules: SiteRules,
  looked: Promise<SiteSurvey | string | undefined>,
): Promise<'add' | 'back' | Changeable | undefined> {
  const pick = vscode.window.createQuickPick<ReviewItem>();
  pick.title = vscode.l10n.t('Add Site (2 of 2)');
  pick.placeholder = vscode.l10n.t('Press Enter to add the site, or choose what to change');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = [vscode.QuickInputButtons.Back];
  pick.busy = true;
  pick.items = itemsOf(rules, undefined);
  try {
    return await new Promise((resolve) => {
      pick.onDidHide(() => {
        resolve(undefined);
      });
      pick.onDidTriggerButton(() => {
        resolve('back');
      });
      pick.onDidAccept(() => {
        const does = pick.activeItems[0]?.does;
        if (does !== undefined) resolve(does);
      });
      pick.show();
      void looked.then(async (survey) => {
        if (survey === undefined) return;
        const plan = typeof survey === 'string' ? undefined : await planOf(survey, rules);
        pick.busy = false;
        pick.keepScrollPosition = true;
        pick.items = itemsOf(rules, { survey, plan });
      });
    });
  } finally {
    pick.dispose();
  }
}

/** `looked`: what was found, or why nothing was; undefined while that is not known. */
function itemsOf(rules: SiteRules, looked: Looked | undefined): ReviewItem[] {
  const plan = looked?.plan;
  const problems =
    looked === undefined
      ? []
      : typeof looked.survey === 'string'
        ? [looked.survey]
        : problemsOf(looked.survey);
  return [
    {
      label: `$(add) ${vscode.l10n.t('Add site')}`,
      description:
        looked === undefined
          ? vscode.l10n.t('Looking at what it holds…')
          : plan === undefined
            ? ''
            : foundWords(plan, rules),
      alwaysShow: true,
      does: 'add',
    },
    ...problems.map((problem) => ({ label: `$(warning) ${problem}`, alwaysShow: true })),
    separator(vscode.l10n.t('What to fetch')),
    ...ruleItems(rules),
    ...(plan === undefined ? [] : pageItems(plan)),
  ];
}

function foundWords({ pages }: SitePlan, { depth, limit }: SiteRules): string {
  const found =
    pages.length === 1
      ? vscode.l10n.t('1 page found')
      : vscode.l10n.t('{0} pages found', number(pages.length));
  if (depth < 2 || pages.length === 0) return found;
  return pages.length >= limit
    ? vscode.l10n.t('{0}, which is the limit', found)
    : vscode.l10n.t('{0} so far; up to {1} with those that they link to', found, number(limit));
}

function problemsOf({ starts }: SiteSurvey): string[] {
  return starts.flatMap(({ address, problem }) =>
    problem === undefined ? [] : [starts.length === 1 ? problem : `${pathOf(address)}: ${problem}`],
  );
}

function ruleItems({ starts, depth, limit, include, exclude }: SiteRules): ReviewItem[] {
  return [
    {
      label: `$(type-hierarchy-sub) ${
        depth === 0
          ? vscode.l10n.t('Only the start')
          : depth === 1
            ? vscode.l10n.t('1 link away at most')
            : vscode.l10n.t('{0} links away at most', depth)
      }`,
      description: vscode.l10n.t('Depth'),
      does: 'depth',
    },
    {
      label: `$(dashboard) ${vscode.l10n.t('{0} pages at most', number(limit))}`,
      description: vscode.l10n.t('Limit'),
      does: 'limit',
    },
    {
      label: `$(filter) ${
        include.length > 0
          ? include.join(', ')
          : vscode.l10n.t('Everything below {0}', starts.map(pathOf).join(', '))
      }`,
      description: vscode.l10n.t('Include'),
      does: 'include',
    },
    {
      label: `$(exclude) ${
        [
          ...exclude,
          ...(include.length > 0 ? [] : [vscode.l10n.t('sign-in, contact, terms and similar pages')]),
        ].join(', ') || vscode.l10n.t('Nothing')
      }`,
      description: vscode.l10n.t('Exclude'),
      does: 'exclude',
    },
  ];
}

function pageItems({ pages, leftOut }: SitePlan): ReviewItem[] {
  const groups: readonly (readonly [string, readonly PlannedPage[]])[] = [
    [vscode.l10n.t('Pages found ({0})', number(pages.length)), pages],
    [vscode.l10n.t('Left out ({0})', number(leftOut.length)), leftOut],
  ];
  const hosts = new Set(pages.map(({ address }) => new URL(address).host));
  const shorten = (address: string): string =>
    hosts.size > 1 ? pathOf(address) : address.replace(/^https?:\/\/[^/]*/, '');
  return groups.flatMap(([title, all]) =>
    all.length === 0
      ? []
      : [
          separator(title),
          ...all.slice(0, MOST_SHOWN).map(({ address, reason, hasTwin }) => ({
            label: shorten(address),
            description: reason || (hasTwin ? vscode.l10n.t('with a Markdown version') : ''),
          })),
        ],
  );
}

function separator(label: string): ReviewItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** An address without its scheme, which is short enough for a list. */
function pathOf(address: string): string {
  return address.replace(/^https?:\/\//, '');
}

function number(value: number): string {
  return value.toLocaleString(vscode.env.language);
}

/** Asks for another value of one rule; undefined where it stays. */
async function change(what: Changeable, rules: SiteRules): Promise<SiteRules | undefined> {
  switch (what) {
    case 'depth': {
      const depth = await askForNumber(
        vscode.l10n.t('How many links a page may be away from a start. 0 takes the start alone.'),
        rules.depth,
        0,
        MOST_DEPTH,
      );
      return depth === undefined ? undefined : { ...rules, depth };
    }
    case 'limit': {
      const limit = await askForNumber(
        vscode.l10n.t('How many pages are fetched at most.'),
        rules.limit,
        1,
        MOST_PAGES,
      );
      return limit === undefined ? undefined : { ...rules, limit };
    }
    case 'include': {
      const include = await askForPatterns(
        vscode.l10n.t(
          'Patterns of paths to fetch, such as /docs/** or *.html. Empty: what lies below the start.',
        ),
        rules.include,
      );
      return include === undefined ? undefined : { ...rules, include };
    }
    case 'exclude': {
      const exclude = await askForPatterns(
        vscode.l10n.t('Patterns of paths to leave out, such as /docs/old/** or changelog.'),
        rules.exclude,
      );
      return exclude === undefined ? undefined : { ...rules, exclude };
    }
  }
}

async function askForNumber(
  prompt: string,
  value: number,
  least: number,
  most: number,
): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Site (2 of 2)'),
    prompt,
    value: String(value),
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
        ? undefined
        : vscode.l10n.t('Type a number from {0} to {1}.', number(least), number(most)),
  });
  return typed === undefined ? undefined : Number(typed);
}

async function askForPatterns(prompt: string, value: readonly string[]): Promise<string[] | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Site (2 of 2)'),
    prompt,
    value: value.join(' '),
    ignoreFocusOut: true,
  });
  return typed?.split(/[\s,]+/).filter((pattern) => pattern !== '');
}
