import { t } from '@vscode/l10n';
import type { CrawlRecord, SitePage, SitePageState, SiteRules } from '../../notebook/site.ts';

/** What the states mean, in the order in which a report tells them. */
const sections: readonly (readonly [title: () => string, states: readonly SitePageState[]])[] = [
  [() => t('Could not be fetched'), ['failed']],
  [() => t('Fetched, but nothing to keep'), ['refused']],
  [() => t('Not allowed by robots.txt'), ['barred']],
  [() => t('Fetched'), ['kept']],
  [() => t('Unchanged'), ['unchanged']],
  [() => t('The same as another page'), ['duplicate']],
  [() => t('Moved'), ['moved']],
  [() => t('Still to be fetched'), ['waiting']],
  [() => t('Not reached'), ['over-limit']],
  [() => t('Too many links away'), ['too-deep']],
  [() => t('Left out by the rules'), ['left-out']],
];

/** A crawl's report as Markdown: what was fetched, what failed and why, and what was left out. `time` writes a time. */
export function crawlReport(
  title: string,
  rules: SiteRules,
  record: CrawlRecord,
  time: (milliseconds: number) => string,
): string {
  const parts = sections.flatMap(([name, states]) => {
    const pages = record.pages.filter(({ state }) => states.includes(state));
    return pages.length === 0 ? [] : [{ name: name(), pages }];
  });
  const { startedAt, finishedAt } = record;
  return [
    `# ${t('Crawl of {0}', title)}`,
    '',
    finishedAt === undefined
      ? t('Begun {0}; not finished.', time(startedAt))
      : t('Begun {0}, finished {1}.', time(startedAt), time(finishedAt)),
    '',
    ...rulesInWords(rules),
    '',
    ...parts.map(({ name, pages }) => `- ${name}: ${String(pages.length)}`),
    ...parts.flatMap(({ name, pages }) => ['', `## ${name}`, '', ...pages.map(makeLine)]),
    '',
  ].join('\n');
}

/** Why a crawl that got nothing got nothing: what came of its starts, or else of the pages that were fetched. */
export function whyNothing(record: CrawlRecord): string {
  const told = record.pages.filter(
    ({ reason, state }) => reason !== '' && state !== 'moved' && state !== 'left-out',
  );
  const first = told.find(({ depth }) => depth === 0) ?? told[0];
  if (first === undefined) return t('Nothing was fetched: the site names no page that the rules take.');
  return t('Nothing was fetched. {0}: {1}', first.address, first.reason);
}

function rulesInWords({ starts, depth, limit, include, exclude }: SiteRules): string[] {
  const patterns = (all: readonly string[]): string => all.map((one) => `\`${one}\``).join(', ');
  return [
    t('From {0}', starts.map(autolink).join(', ')),
    t('At most {0} links away, at most {1} pages', depth, limit),
    ...(include.length > 0 ? [t('Only {0}', patterns(include))] : []),
    ...(exclude.length > 0 ? [t('Not {0}', patterns(exclude))] : []),
  ].map((line) => `- ${line}`);
}

function makeLine({ address, state, reason }: SitePage): string {
  if (reason === '') return `- ${autolink(address)}`;
  const isAddress = state === 'duplicate' || state === 'moved';
  return `- ${autolink(address)}: ${isAddress ? autolink(reason) : reason}`;
}

function autolink(address: string): string {
  return `<${address.replaceAll('<', '%3C').replaceAll('>', '%3E')}>`;
}
