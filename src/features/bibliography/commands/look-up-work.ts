import * as vscode from 'vscode';
import {
  parseArxiv,
  bibliographyOfItem,
  parseDoi,
  doiOfArxiv,
  type Bibliography,
} from '../../../core/domain/bibliography.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { showInformation } from '../../../platform/dialogs.ts';
import { workAddress } from '../../../platform/settings.ts';
import { agreeToHosts } from '../../sources/editor/private-hosts.ts';

/** Storage key of the hosts to which the user agreed to send any publication's identifier. */
const KEY = 'works.hosts';
/**
 * Storage key of the private hosts, with their ports, that the user agreed to. The URL is one of the user's settings.
 */
const PRIVATE_KEY = 'works.privateHosts';

/**
 * Looks up the metadata of a publication in the DOI registries, by its DOI or arXiv ID. Asks the user first, unless
 * `memory` records their permanent consent; undefined if they decline.
 * @throws NotebookError `not-found` if no registry knows it
 */
export async function lookUpWork(
  number: string,
  memory: vscode.Memento,
  signal: AbortSignal,
): Promise<Bibliography | undefined> {
  const arxiv = parseArxiv(number);
  const doi = arxiv === undefined ? parseDoi(number) : doiOfArxiv(arxiv);
  if (doi === undefined)
    throw new NotebookError('unsupported', vscode.l10n.t('“{0}” isn’t a valid DOI or arXiv ID.', number));
  const below = workAddress();
  const path = doi.split('/').map(encodeURIComponent).join('/');
  const address = new URL(path, below.endsWith('/') ? below : `${below}/`);
  if (!(await isAgreed(address, number, memory))) return undefined;
  const remembered = memory.get<readonly string[]>(PRIVATE_KEY, []);
  const hosts = await agreeToHosts([address.href], remembered);
  if (hosts === undefined) return undefined;
  const added = hosts.filter((host) => !remembered.includes(host));
  if (added.length > 0) await memory.update(PRIVATE_KEY, [...remembered, ...added]);
  const { lookUpItem } = await import('../../../parsers/bibliography/look-up-item.ts');
  const { guardedFetch } = await import('../../../parsers/web/guarded-fetch.ts');
  const item = await lookUpItem(address.href, guardedFetch(hosts), signal);
  const reference = bibliographyOfItem({ ...item, id: doi });
  return { ...reference, doi: reference.doi ?? doi, ...(arxiv !== undefined && { arxiv }) };
}

async function isAgreed({ host }: URL, number: string, memory: vscode.Memento): Promise<boolean> {
  const agreed = memory.get<readonly string[]>(KEY, []);
  if (agreed.includes(host)) return true;
  const retrieve = vscode.l10n.t('Retrieve');
  const always = vscode.l10n.t('Always Retrieve');
  const chosen = await showInformation(
    vscode.l10n.t('Retrieve the metadata of {1} from {0}?', host, number),
    [retrieve, always],
    {
      modal: true,
      detail: vscode.l10n.t(
        'Open Notebook sends only this identifier, to this server and to the registry that the server redirects to. No notebook content is sent.',
      ),
    },
  );
  if (chosen === always) await memory.update(KEY, [...agreed, host]);
  return chosen === retrieve || chosen === always;
}
