import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { listPrivateHosts } from '../../../core/domain/source.ts';
import { keepCopy, storedPdf, recordOrigin } from '../../../platform/copy-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { withNotification } from '../../../platform/dialogs.ts';
import { sha256 } from '../../../platform/sha256.ts';

/** Maximum number of copies on the disk. */
const MAX_COPIES = 20;

/** Maximum length of a copy's name. The end of the name shows its type. */
const MAX_NAME_LENGTH = 80;

/** Web document whose original is a PDF. */
interface WebPdf {
  readonly documentId: number;
  readonly sourceId: string;
  readonly address: string;
}

/**
 * Copies of web PDFs, downloaded when they are opened. The viewer shows the same bytes that were read, because only
 * those have the cited text at its recorded locations. The most recently opened copies stay on the disk.
 */
export class WebPdfs {
  readonly #directory: string;

  /** `directory` is the folder of the copies; created with the first copy. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns a copy of the version that was read. @throws NotebookError if it can't be downloaded or has changed */
  async provideCopy(
    notebook: Pick<NotebookClient, 'call'>,
    { documentId, sourceId, address }: WebPdf,
  ): Promise<vscode.Uri> {
    const stamps = await notebook.call('stamps', { sourceId });
    const hash = stamps.find(({ id }) => id === documentId)?.hash;
    const { nameAt } = await import('../../../parsers/sites/site-files.ts');
    const name = nameAt(address)
      .replaceAll(/[/\\:*?"<>|]/g, '-')
      .slice(-MAX_NAME_LENGTH);
    if (hash === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('{0} is no longer in the notebook. Add it again to open it.', name),
      );
    const storedPath = await storedPdf(this.#directory, hash);
    if (storedPath !== undefined) return this.#recordOrigin(storedPath, address, hash);
    const source = (await notebook.call('sources', {})).find(({ id }) => id === sourceId);
    const bytes = await fetchPdf(address, name, source === undefined ? [] : listPrivateHosts(source.origin));
    if ((await sha256(bytes)) !== hash)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t(
          '{0} has changed since it was read. Refresh its source to open the current version.',
          name,
        ),
      );
    const file = name.toLowerCase().endsWith('.pdf') ? name : `${name}.pdf`;
    const copy = await keepCopy(this.#directory, { hash, names: [file], bytes });
    await this.#removeOldest();
    return this.#recordOrigin(copy, address, hash);
  }

  /** Records the origin of a copy beside it, and returns the copy's URI. */
  async #recordOrigin(path: string, address: string, hash: string): Promise<vscode.Uri> {
    await recordOrigin(this.#directory, { uri: address, hash });
    return vscode.Uri.file(path);
  }

  async #removeOldest(): Promise<void> {
    const folders = (await readdir(this.#directory)).map((name) => join(this.#directory, name));
    const dated = await Promise.all(
      folders.map(async (folder) => ({
        folder,
        // A folder that another window has just removed is sorted last.
        usedAt: (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    for (const { folder } of dated.toSorted((a, b) => b.usedAt - a.usedAt).slice(MAX_COPIES))
      await rm(folder, { recursive: true, force: true });
  }
}

async function fetchPdf(address: string, name: string, privateHosts: readonly string[]): Promise<Uint8Array> {
  const title = vscode.l10n.t('Downloading {0}', name);
  const { fetchPage } = await import('../../../parsers/web/fetch-page.ts');
  const { guardedFetch } = await import('../../../parsers/web/guarded-fetch.ts');
  const fetch = guardedFetch(privateHosts);
  const { bytes } = await withNotification(title, (signal) => fetchPage(address, { fetch, signal }));
  return bytes;
}
