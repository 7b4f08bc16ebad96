import * as vscode from 'vscode';
import * as v from 'valibot';
import {
  arxivOf,
  bibliographyOfItem,
  doiOf,
  doiOfArxiv,
  type Bibliography,
  type CslItem,
} from '../../notebook/bibliography.ts';
import { parseBounded } from '../../notebook/bounded-json.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { workAddress } from '../settings.ts';
import { agreeToHosts } from './private-hosts.ts';

/** What a registry answers is no larger than this, in bytes and in values. */
const MOST_BYTES = 2 * 2 ** 20;
const bounds = { depth: 30, values: 200_000 };

const MOST_REDIRECTS = 5;

const item = v.looseObject({ title: v.optional(v.unknown()), type: v.optional(v.string(), 'document') });

/**
 * What the registries of DOIs know of a work, by its DOI or its arXiv number; the user is asked first. Undefined where
 * they do not want it. @throws NotebookError `not-found` where no registry knows it
 */
export async function lookUpWork(number: string, signal: AbortSignal): Promise<Bibliography | undefined> {
  const arxiv = arxivOf(number);
  const doi = arxiv === undefined ? doiOf(number) : doiOfArxiv(arxiv);
  if (doi === undefined)
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t('“{0}” is neither a DOI nor an arXiv number.', number),
    );
  const address = new URL(
    doi.split('/').map(encodeURIComponent).join('/'),
    workAddress().endsWith('/') ? workAddress() : `${workAddress()}/`,
  );
  if (!(await isAgreed(address, number))) return undefined;
  const hosts = await agreeToHosts([address.href]);
  if (hosts === undefined) return undefined;
  const found = await fetchItem(address.href, hosts, signal);
  const work = bibliographyOfItem({ ...found, id: doi });
  return { ...work, doi: work.doi ?? doi, ...(arxiv !== undefined && { arxiv }) };
}

async function isAgreed({ host }: URL, number: string): Promise<boolean> {
  const ask = vscode.l10n.t('Ask');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Ask {0} about {1}?', host, number),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Only this number is sent, to it and to the registry that it names. Nothing of your notebook is.',
      ),
    },
    ask,
  );
  return chosen === ask;
}

async function fetchItem(address: string, hosts: readonly string[], signal: AbortSignal): Promise<CslItem> {
  const { fetchAddress } = await import('../../reading/web/fetch-page.ts');
  const { guardedFetch } = await import('../../reading/web/guarded-fetch.ts');
  const options = {
    fetch: guardedFetch(hosts),
    signal,
    retries: 1,
    maximumBytes: MOST_BYTES,
    headers: { accept: 'application/vnd.citationstyles.csl+json' },
  };
  let at = address;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const fetched = await fetchAddress(at, { ...options, from: hop === 0 ? undefined : new URL(address) });
    if (fetched.kind === 'moved') at = fetched.to;
    else if (fetched.kind === 'page') return itemOf(fetched.page.bytes, address);
    else break;
  }
  throw unknown(address);
}

function itemOf(bytes: Uint8Array, address: string): CslItem {
  try {
    const read = v.parse(item, parseBounded(new TextDecoder().decode(bytes), bounds));
    // Crossref gives lists of titles, of which the first is the one.
    const plain = Object.entries(read).map(([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) && value.every((one) => typeof one === 'string') ? value[0] : value,
    ]);
    return { ...Object.fromEntries(plain), id: '', type: read.type };
  } catch (error) {
    throw unknown(address, error);
  }
}

function unknown(address: string, cause?: unknown): NotebookError {
  return new NotebookError(
    'not-found',
    vscode.l10n.t(
      '{0} does not tell of this work. Look at its number, or type what you know of it.',
      new URL(address).host,
    ),
    { cause },
  );
}
