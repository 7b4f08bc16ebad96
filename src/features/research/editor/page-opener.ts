import * as vscode from 'vscode';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import { toWebAddress } from '../../../core/domain/web-address.ts';
import type { PageOpener } from '../service/skills/skill-parts.ts';
import { showWarning } from '../../../platform/dialogs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import { agreeToHosts, HostBatch } from '../../sources/editor/private-hosts.ts';
import { withTimeout } from './with-timeout.ts';

/** Maximum time to read a page and a site, in milliseconds. If a site needs more, its pages so far are used. */
const TIMEOUT_MS = { page: 90_000, site: 300_000 };
/** Maximum link depth of a site, and maximum number of its pages. */
const SITE = { depth: 2, limit: 60 };
/** Interval at which a source is checked for completion if no event reports it, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Returns a function that opens web pages for a research project: asks the user about their URLs, and adds them to the
 * notebook.
 */
export function pageOpener(notebook: NotebookClient, adder: SourceAdder): PageOpener {
  // The user sees each URL, but is asked about its host only once for a research project.
  const hosts = new HostBatch();
  return {
    mayOpen: async (address, signal) => {
      const read = vscode.l10n.t('Read Page');
      const detail = vscode.l10n.t(
        '{0}\n\nThe server at {1} sees this full URL. Check that it contains nothing private from your sources.',
        readable(address),
        new URL(address).host,
      );
      const consent = showWarning(
        vscode.l10n.t(
          'Let this research project read a page from {0} and add it to the notebook?',
          new URL(address).host,
        ),
        [read],
        { modal: true, detail },
      );
      const patience = { milliseconds: 24 * 3_600_000, sentence: '' };
      return (await withTimeout(consent, signal, patience)) === read;
    },
    open: async (address, what, signal) => {
      const url = toWebAddress(address);
      const source = url === undefined ? undefined : await add({ notebook, adder, hosts }, url, what);
      if (source === undefined)
        throw new NotebookError('forbidden', vscode.l10n.t('{0} wasn’t added to the notebook.', address));
      return await untilRead(notebook, source, TIMEOUT_MS[what], signal);
    },
  };
}

/** Returns a URL with its encoded text decoded, as far as it is readable on one line. */
function readable(address: string): string {
  try {
    const words = decodeURIComponent(address);
    return words === address || /[\p{C}\p{Zl}\p{Zp}]/u.test(words) ? address : `${address}\n${words}`;
  } catch {
    // The URL contains a percent sign that isn't an escape.
    return address;
  }
}

interface PageParts {
  readonly notebook: NotebookClient;
  readonly adder: SourceAdder;
  readonly hosts: HostBatch;
}

async function add(
  { notebook, adder, hosts }: PageParts,
  url: string,
  what: 'page' | 'site',
): Promise<Source | undefined> {
  const known = (await notebook.call('sources', {})).find(
    ({ origin, state }) =>
      state.kind === 'ready' &&
      (what === 'page'
        ? origin.kind === 'page' && origin.url === url
        : origin.kind === 'site' && origin.starts.includes(url)),
  );
  if (known !== undefined) return known;
  if (what === 'page') return (await adder.addAll({ pages: [url], hosts }))[0];
  const privateHosts = await agreeToHosts([url], [], hosts);
  if (privateHosts === undefined) return undefined;
  await adder.addSite({ starts: [url], ...SITE, include: [], exclude: [], privateHosts });
  return (await notebook.call('sources', {})).findLast(
    ({ origin }) => origin.kind === 'site' && origin.starts.includes(url),
  );
}

/**
 * Returns a source once it was read, or at the timeout if some of it was read.
 * @throws NotebookError if it couldn't be read
 */
async function untilRead(
  notebook: NotebookClient,
  { id, title }: Source,
  patience: number,
  signal: AbortSignal,
): Promise<Source> {
  const end = Date.now() + patience;
  for (;;) {
    throwIfCanceled(signal);
    const source = (await notebook.call('sources', {})).find((candidate) => candidate.id === id);
    if (source === undefined)
      throw new NotebookError('not-found', vscode.l10n.t('{0} was removed from the notebook.', title));
    const { state } = source;
    if (state.kind === 'failed') throw new NotebookError('server', state.reason);
    const isOver = state.kind !== 'queued' && state.kind !== 'reading';
    if (isOver || Date.now() > end) {
      if (source.documents > 0) return source;
      throw new NotebookError('timeout', vscode.l10n.t('Reading {0} took too long.', title));
    }
    await new Promise<void>((resolve) => {
      const changed = notebook.onDidChange(done);
      const timer = setTimeout(done, CHECK_INTERVAL_MS);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        changed.dispose();
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}
