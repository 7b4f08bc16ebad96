import * as vscode from 'vscode';
import type { RefittedPage, SiteRules } from '../../notebook/site.ts';
import type { Source } from '../../notebook/source.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { hostAndPort } from '../../reading/web/private-addresses.ts';
import { agreeToHosts } from './private-hosts.ts';
import { reviewSite } from './review-site.ts';
import type { SiteReader } from './site-reader.ts';
import type { SourceReader } from './source-reader.ts';

interface EditParts {
  readonly notebook: NotebookClient;
  readonly reader: SourceReader;
  readonly sites: SiteReader;
}

/**
 * Lets the rules of a site be changed. What they take now and did not before is fetched, and what they no longer take
 * goes, after a question where that is anything.
 */
export async function editSite({ id, title, origin }: Source, parts: EditParts): Promise<void> {
  if (origin.kind !== 'site') return;
  const { notebook, reader, sites } = parts;
  const hosts = await agreeToHosts(
    origin.starts.filter((start) => !origin.privateHosts.includes(hostAndPort(new URL(start)))),
  );
  if (hosts === undefined) return;
  const privateHosts = [...origin.privateHosts, ...hosts];
  const rules = await reviewSite('edit', { ...origin, privateHosts }, (signal) =>
    sites.survey(origin.starts, privateHosts, signal),
  );
  if (rules === undefined || rules === 'back' || JSON.stringify(rules) === JSON.stringify(origin)) return;
  const leaving = await leavingCount(notebook, id, await refitted(notebook, id, rules));
  if (leaving > 0 && !(await mayLeave(title, leaving))) return;
  // What a crawl finds meanwhile is judged by the new rules, too.
  reader.pause(id);
  await reader.idle(id);
  await notebook.call('refitSite', { sourceId: id, rules, pages: await refitted(notebook, id, rules) });
  const source = (await notebook.call('sources', {})).find((one) => one.id === id);
  if (source !== undefined) void reader.read(source);
}

async function refitted(
  notebook: NotebookClient,
  sourceId: string,
  rules: SiteRules,
): Promise<RefittedPage[]> {
  const record = await notebook.call('crawlRecord', { sourceId });
  const { refit } = await import('../../reading/sites/refit.ts');
  return refit(record?.pages ?? [], await notebook.call('crawlStarts', { sourceId }), rules);
}

/** How many documents of a site are none of it by other rules. */
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
      ? vscode.l10n.t('Remove 1 page of {0} that these rules leave out?', title)
      : vscode.l10n.t(
          'Remove {0} pages of {1} that these rules leave out?',
          count.toLocaleString(vscode.env.language),
          title,
        );
  const detail = vscode.l10n.t('Conversations keep what they quoted.');
  const remove = vscode.l10n.t('Remove');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}
