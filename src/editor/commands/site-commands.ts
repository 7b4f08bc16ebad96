import type { Source } from '../../notebook/source.ts';
import { askForSite } from '../sources/add-site.ts';
import type { SourceAdder } from '../sources/add-sources.ts';
import type { CrawlReports } from '../sources/crawl-report.ts';
import { editSite } from '../sources/edit-site.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { SiteReader } from '../sources/site-reader.ts';
import type { SourceReader } from '../sources/source-reader.ts';
import type { SourcesNode } from '../sources/source-items.ts';
import type { SourcesView } from '../sources/sources-view.ts';

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
