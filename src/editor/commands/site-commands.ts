import * as vscode from 'vscode';
import type { Source } from '../../notebook/source.ts';
import type { SourceAdder } from '../sources/add-sources.ts';
import type { CrawlReports } from '../sources/crawl-report.ts';
import { editSite } from '../sources/edit-site.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { SiteReader } from '../sources/site-reader.ts';
import type { SourceReader } from '../sources/source-reader.ts';
import type { SourcesNode } from '../sources/source-items.ts';
import type { SourcesView } from '../sources/sources-view.ts';
import type { SiteRules } from '../../notebook/site.ts';
import { toStarts } from '../../reading/sites/addresses.ts';
import { agreeToHosts } from '../sources/private-hosts.ts';
import { reviewSite } from '../sources/review-site.ts';

/** Commands by their names without the extension's. */
export type Commands = Readonly<Record<string, (...args: never[]) => Promise<void> | void>>;

/** What the commands for sites act on. */
export interface SiteCommandParts {
  readonly notebook: NotebookClient;
  readonly adder: SourceAdder;
  readonly reader: SourceReader;
  readonly sites: SiteReader;
  readonly reports: CrawlReports;
  readonly sourcesView: SourcesView;
}

/** The commands for sites. */
export function siteCommands({
  notebook,
  adder,
  reader,
  sites,
  reports,
  sourcesView,
}: SiteCommandParts): Commands {
  const chosen = (clicked?: SourcesNode): Source[] =>
    (clicked === undefined ? sourcesView.selection : [clicked]).map(({ source }) => source);
  return {
    addSite: async () => {
      const rules = await askForSite(sites);
      if (rules !== undefined) await adder.addSite(rules);
    },
    editSite: async (clicked?: SourcesNode) => {
      const [source] = chosen(clicked);
      if (source !== undefined) await editSite(source, { notebook, reader, sites });
    },
    pauseSite: (clicked?: SourcesNode) => {
      for (const { id } of chosen(clicked)) reader.pause(id);
    },
    resumeSite: (clicked?: SourcesNode) => {
      for (const source of chosen(clicked)) void reader.read(source);
    },
    showCrawlReport: async (clicked?: SourcesNode | string) => {
      const [id] = typeof clicked === 'string' ? [clicked] : chosen(clicked).map((source) => source.id);
      if (id !== undefined) await reports.show(id);
    },
  };
}

const DEFAULT_DEPTH = 2;
const DEFAULT_LIMIT = 200;

/** Asks for a site: its addresses, and in a second step, beside what would be fetched, how much of it. */
async function askForSite(reader: SiteReader): Promise<SiteRules | undefined> {
  let text = '';
  for (;;) {
    const typed = await askForStarts(text);
    if (typed === undefined) return undefined;
    text = typed;
    const { starts } = toStarts(text);
    const agreed = await agreeToHosts(starts);
    if (agreed === undefined) continue;
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

/** Resolves to undefined where nothing was typed. */
async function askForStarts(value: string): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Site (1 of 2)'),
    prompt: vscode.l10n.t(
      'Where to begin: one address, or several with spaces between them. Pages below it are fetched.',
    ),
    placeHolder: 'https://example.com/docs/',
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const { wrong } = toStarts(typed);
      return wrong === undefined
        ? undefined
        : vscode.l10n.t('{0} is not an address such as https://example.com/docs/.', wrong);
    },
  });
  return text === undefined || text.trim() === '' ? undefined : text;
}
