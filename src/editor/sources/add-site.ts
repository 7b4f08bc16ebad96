import * as vscode from 'vscode';
import type { SiteRules } from '../../notebook/site.ts';
import { toStarts } from '../../reading/sites/addresses.ts';
import { agreeToHosts } from './private-hosts.ts';
import { reviewSite } from './review-site.ts';
import type { SiteReader } from './site-reader.ts';

const DEFAULT_DEPTH = 2;
const DEFAULT_LIMIT = 200;

/** Asks for a site: its addresses, and in a second step, beside what would be fetched, how much of it. */
export async function askForSite(reader: SiteReader): Promise<SiteRules | undefined> {
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
