import * as vscode from 'vscode';
import type { Source } from '../../../core/domain/source.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SiteReader } from '../editor/site-reader.ts';
import type { SourcesNode } from '../../sources/editor/source-items.ts';
import type { SiteRules, RefittedPage } from '../../../core/domain/site.ts';
import { toStarts } from '../../../parsers/sites/addresses.ts';
import { agreeToHosts, type PrivateHosts } from '../../sources/editor/private-hosts.ts';
import { reviewSite } from './review-site.ts';
import { isConfirmed } from '../../../platform/dialogs.ts';
import { hostAndPort } from '../../../parsers/web/private-addresses.ts';

/** Returns the commands for sites. */
export function siteCommands({
  notebook,
  adder,
  reader,
  sites,
  reports,
  pageReports,
  sourcesView,
  privateHosts,
}: Services): Commands {
  const chosen = (clicked?: SourcesNode): Source[] =>
    (clicked === undefined ? sourcesView.selection : [clicked]).map(({ source }) => source);
  return {
    addSite: async () => {
      const rules = await askForSite(sites, privateHosts);
      if (rules !== undefined) await adder.addSite(rules);
    },
    editSite: async (clicked?: SourcesNode) => {
      const [source] = chosen(clicked);
      if (source !== undefined) await editSite(source, { notebook, reader, sites, privateHosts });
    },
    pauseSite: (clicked?: SourcesNode) => {
      for (const { id } of chosen(clicked)) reader.pause(id);
    },
    resumeSite: (clicked?: SourcesNode) => {
      for (const source of chosen(clicked)) void reader.read(source);
    },
    showWhatWasTaken: async (clicked?: SourcesNode) => {
      const [source] = chosen(clicked);
      if (source !== undefined) await pageReports.show(source);
    },
    showCrawlReport: async (clicked?: SourcesNode | string) => {
      const [id] = typeof clicked === 'string' ? [clicked] : chosen(clicked).map((source) => source.id);
      if (id !== undefined) await reports.show(id);
    },
  };
}

const DEFAULT_DEPTH = 2;
const DEFAULT_LIMIT = 200;

/** Asks for the URLs of a site and then, beside a preview of the pages, for the crawl settings. */
async function askForSite(reader: SiteReader, hosts: PrivateHosts): Promise<SiteRules | undefined> {
  let text = '';
  for (;;) {
    const typed = await askForStarts(text);
    if (typed === undefined) return undefined;
    text = typed;
    const { starts } = toStarts(text);
    const agreed = await agreeToHosts(starts, await hosts.listHosts());
    if (agreed === undefined) continue;
    hosts.remember(agreed);
    const decided = await reviewSite(
      'add',
      {
        starts,
        depth: DEFAULT_DEPTH,
        limit: DEFAULT_LIMIT,
        include: [],
        exclude: [],
        privateHosts: agreed,
      },
      (signal) => reader.survey(starts, agreed, signal),
    );
    if (decided !== 'back') return decided;
  }
}

/** Resolves to undefined if nothing was entered. */
async function askForStarts(value: string): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Site (1 of 2)'),
    prompt: vscode.l10n.t(
      'Enter one or more start URLs, separated by spaces. Open Notebook adds the pages below them.',
    ),
    placeHolder: 'https://example.com/docs/',
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const { wrong } = toStarts(typed);
      return wrong === undefined
        ? undefined
        : vscode.l10n.t('{0} isn’t a valid URL. Enter a URL such as https://example.com/docs/.', wrong);
    },
  });
  return text === undefined || text.trim() === '' ? undefined : text;
}

/**
 * Lets the user edit the crawl settings of a site. Newly included pages are downloaded, and pages that are now excluded
 * are removed after a confirmation.
 */
async function editSite(
  { id, title, origin }: Source,
  parts: Pick<Services, 'notebook' | 'reader' | 'sites' | 'privateHosts'>,
): Promise<void> {
  if (origin.kind !== 'site') return;
  const { notebook, reader, sites } = parts;
  const hosts = await agreeToHosts(
    origin.starts.filter((start) => !origin.privateHosts.includes(hostAndPort(new URL(start)))),
    await parts.privateHosts.listHosts(),
  );
  if (hosts === undefined) return;
  const privateHosts = [...origin.privateHosts, ...hosts];
  const rules = await reviewSite('edit', { ...origin, privateHosts }, (signal) =>
    sites.survey(origin.starts, privateHosts, signal),
  );
  if (rules === undefined || rules === 'back' || JSON.stringify(rules) === JSON.stringify(origin)) return;
  const leaving = await leavingCount(notebook, id, await reapplyRules(notebook, id, rules));
  if (leaving > 0 && !(await mayLeave(title, leaving))) return;
  // Pauses the crawl so that the new settings also apply to pages that it finds meanwhile.
  reader.pause(id);
  await reader.waitUntilIdle(id);
  await notebook.call('refitSite', { sourceId: id, rules, pages: await reapplyRules(notebook, id, rules) });
  const source = (await notebook.call('sources', {})).find((candidate) => candidate.id === id);
  if (source !== undefined) void reader.read(source);
}

async function reapplyRules(
  notebook: NotebookClient,
  sourceId: string,
  rules: SiteRules,
): Promise<RefittedPage[]> {
  const record = await notebook.call('crawlRecord', { sourceId });
  const { reapplyCrawlRules } = await import('../../../parsers/sites/reapply-crawl-rules.ts');
  return reapplyCrawlRules(record?.pages ?? [], await notebook.call('crawlStarts', { sourceId }), rules);
}

/** Returns how many documents of a site the new crawl settings would remove. */
async function leavingCount(
  notebook: NotebookClient,
  sourceId: string,
  pages: readonly RefittedPage[],
): Promise<number> {
  const out = new Set(pages.flatMap(({ address, state }) => (state === 'waiting' ? [] : [address])));
  return (await notebook.call('stamps', { sourceId })).filter(({ key }) => out.has(key)).length;
}

async function mayLeave(title: string, count: number): Promise<boolean> {
  const question =
    count === 1
      ? vscode.l10n.t('Remove 1 page of “{0}” that these crawl settings exclude?', title)
      : vscode.l10n.t(
          'Remove {0} pages of “{1}” that these crawl settings exclude?',
          count.toLocaleString(vscode.env.language),
          title,
        );
  const detail = vscode.l10n.t('Conversations keep the text that they cite.');
  return isConfirmed(question, vscode.l10n.t('Remove'), detail);
}
