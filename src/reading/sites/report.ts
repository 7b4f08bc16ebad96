import type { CrawlRecord, SitePage, SitePageState, SiteRules } from '../../notebook/site.ts';

/** What the states mean, in the order in which a report tells them. */
const sections: readonly (readonly [title: string, states: readonly SitePageState[]])[] = [
  ['Could not be fetched', ['failed']],
  ['Fetched, but nothing to keep', ['refused']],
  ['Not allowed by robots.txt', ['barred']],
  ['Fetched', ['kept']],
  ['Unchanged', ['unchanged']],
  ['The same as another page', ['duplicate']],
  ['Moved', ['moved']],
  ['Still to be fetched', ['waiting']],
  ['Not reached', ['over-limit']],
  ['Too many links away', ['too-deep']],
  ['Left out by the rules', ['left-out']],
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
    return pages.length === 0 ? [] : [{ name, pages }];
  });
  const { startedAt, finishedAt } = record;
  return [
    `# Crawl of ${title}`,
    '',
    finishedAt === undefined
      ? `Begun ${time(startedAt)}; not finished.`
      : `Begun ${time(startedAt)}, finished ${time(finishedAt)}.`,
    '',
    ...rulesInWords(rules),
    '',
    ...parts.map(({ name, pages }) => `- ${name}: ${String(pages.length)}`),
    ...parts.flatMap(({ name, pages }) => ['', `## ${name}`, '', ...pages.map(lineOf)]),
    '',
  ].join('\n');
}

/** Why a crawl that got nothing got nothing: what came of its starts, or else of the pages that were fetched. */
export function whyNothing(record: CrawlRecord): string {
  const told = record.pages.filter(
    ({ reason, state }) => reason !== '' && state !== 'moved' && state !== 'left-out',
  );
  const first = told.find(({ depth }) => depth === 0) ?? told[0];
  if (first === undefined) return 'Nothing was fetched: the site names no page that the rules take.';
  return `Nothing was fetched. ${first.address}: ${first.reason}`;
}

function rulesInWords({ starts, depth, limit, include, exclude }: SiteRules): string[] {
  const patterns = (all: readonly string[]): string => all.map((one) => `\`${one}\``).join(', ');
  return [
    `- From ${starts.map(autolink).join(', ')}`,
    `- At most ${String(depth)} links away, at most ${String(limit)} pages`,
    ...(include.length > 0 ? [`- Only ${patterns(include)}`] : []),
    ...(exclude.length > 0 ? [`- Not ${patterns(exclude)}`] : []),
  ];
}

function lineOf({ address, state, reason }: SitePage): string {
  if (reason === '') return `- ${autolink(address)}`;
  const isAddress = state === 'duplicate' || state === 'moved';
  return `- ${autolink(address)}: ${isAddress ? autolink(reason) : reason}`;
}

function autolink(address: string): string {
  return `<${address.replaceAll('<', '%3C').replaceAll('>', '%3E')}>`;
}
