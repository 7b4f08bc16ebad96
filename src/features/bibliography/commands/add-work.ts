import { setTimeout as sleep } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { Bibliography } from '../../../core/domain/bibliography.ts';
import { documentOfWork, openTextAddress } from '../../../parsers/bibliography/work-document.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import { contextItemTitle } from '../../sources/editor/context-item.ts';
import { lookUpWork } from './look-up-work.ts';
import type { SourceReader } from '../../sources/editor/source-reader.ts';

/** Maximum time for a text to be read before its reference is saved separately, in milliseconds. */
const READING_TIMEOUT_MS = 120_000;

interface WorkParts {
  readonly adder: SourceAdder;
  readonly notebook: NotebookClient;
  readonly reader: SourceReader;
  /** Storage of the workspace. */
  readonly memory: vscode.Memento;
}

/**
 * Adds a publication by its DOI or arXiv ID, after the user agreed to look it up: its text if that is open access, else
 * the record of its registry.
 * @throws NotebookError `not-found` if no registry knows it, and errors of the download
 */
export async function addWork(parts: WorkParts, number: string, signal: AbortSignal): Promise<void> {
  const reference = await lookUpWork(number, parts.memory, signal);
  if (reference === undefined) return;
  const address = openTextAddress(reference);
  if (address === undefined) {
    const document = documentOfWork(reference, number);
    const title = contextItemTitle(document.title ?? number);
    const source = await parts.adder.addContextItem({ title, origin: { kind: 'text' }, document, uri: '' });
    await keepWork(parts.notebook, source.id, reference);
    return;
  }
  const [source] = await parts.adder.addAll({ pages: [address] });
  if (source === undefined) return;
  await Promise.race([
    parts.reader.waitUntilIdle(source.id),
    sleep(READING_TIMEOUT_MS, undefined, { ref: false, signal }),
  ]);
  await keepWork(parts.notebook, source.id, reference);
  const named = (await parts.notebook.call('sources', {})).find(({ id }) => id === source.id);
  if (reference.title !== undefined && named?.title === address)
    await parts.notebook.call('renameSource', {
      sourceId: source.id,
      title: contextItemTitle(reference.title),
    });
}

/** Saves the metadata from a registry with the document, if that was read. */
async function keepWork(
  notebook: NotebookClient,
  sourceId: string,
  bibliography: Bibliography,
): Promise<void> {
  const [document] = await notebook.call('documents', { sourceId });
  if (document !== undefined)
    await notebook.call('editBibliography', { documentId: document.id, bibliography });
}
