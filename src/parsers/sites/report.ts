import { t } from '@vscode/l10n';
import type { CrawlRecord, SitePage, SitePageState, SiteRules } from '../../core/domain/site.ts';

/** Section titles of the page states, in the order of the report. */
const sections: readonly (readonly [title: () => string, states: readonly SitePageState[]])[] = [
  [() => t('Couldn’t be downloaded'), ['failed']],
  [() => t('No usable content'), ['refused']],
  [() => t('Blocked by robots.txt'), ['barred']],
  [() => t('Downloaded'), ['kept']],
  [() => t('Unchanged'), ['unchanged']],
  [() => t('Duplicates of other pages'), ['duplicate']],
  [() => t('Redirected'), ['moved']],
  [() => t('Not downloaded yet'), ['waiting']],
  [() => t('Not reached'), ['over-limit']],
  [() => t('Beyond the link depth'), ['too-deep']],
  [() => t('Excluded by crawl settings'), ['left-out']],
];

/**
 * Returns a crawl's report as Markdown: the downloaded pages, the failed ones with reasons, and the omitted ones.
 * `time` formats a time.
 */
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
    `# ${t('Crawl Report: {0}', title)}`,
    '',
    finishedAt === undefined
      ? t('Started {0}, not finished.', time(startedAt))
      : t('Started {0}, finished {1}.', time(startedAt), time(finishedAt)),
    '',
    ...rulesInWords(rules),
    '',
    ...parts.map(({ name, pages }) => `- ${name}: ${String(pages.length)}`),
    ...parts.flatMap(({ name, pages }) => ['', `## ${name}`, '', ...pages.map(makeLine)]),
    '',
  ].join('\n');
}

/** Explains why a crawl downloaded nothing, by the results for its start pages, or else for other pages. */
export function whyNothing(record: CrawlRecord): string {
  const pagesWithReason = record.pages.filter(
    ({ reason, state }) => reason !== '' && state !== 'moved' && state !== 'left-out',
  );
  const first = pagesWithReason.find(({ depth }) => depth === 0) ?? pagesWithReason[0];
  if (first === undefined)
    return t(
      'The site has no page that matches the crawl settings. Edit the crawl settings, then try again.',
    );
  return t('No pages were downloaded. {0}: {1}', first.address, first.reason);
}

function rulesInWords({ starts, depth, limit, include, exclude }: SiteRules): string[] {
  const patterns = (globs: readonly string[]): string => globs.map((pattern) => `\`${pattern}\``).join(', ');
  return [
    t('Start URLs: {0}', starts.map(autolink).join(', ')),
    t('Link depth: {0}, page limit: {1}', depth, limit),
    ...(include.length > 0 ? [t('Include only {0}', patterns(include))] : []),
    ...(exclude.length > 0 ? [t('Exclude {0}', patterns(exclude))] : []),
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
