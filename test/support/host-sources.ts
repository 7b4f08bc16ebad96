// A notebook and what reads its sources, in the extension host, made of the extension's own files.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { NotebookClient } from '../../src/editor/notebook-client.ts';
import { ReaderPool } from '../../src/editor/sources/reader-pool.ts';
import { SiteReader } from '../../src/editor/sources/site-reader.ts';
import { SourceReader } from '../../src/editor/sources/source-reader.ts';
import { noPasswords, noRecognition, noThreads } from './no-passwords.ts';

/** The path of one of the extension's workers. */
export function worker(name: string): string {
  const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
  assert.ok(extension);
  return vscode.Uri.joinPath(extension.extensionUri, 'dist', name).fsPath;
}

export function openNotebook(
  directory: string,
  log: vscode.LogOutputChannel,
  workerPath = worker('index-worker.cjs'),
): NotebookClient {
  const passageSettings = (): { size: number; overlap: number } => ({ size: 1500, overlap: 50 });
  return new NotebookClient({ workerPath, directory, passageSettings, log });
}

/** What reads a notebook's sources. Both parts are to be disposed of, the reader first. */
export function makeReaders(
  notebook: NotebookClient,
  log: vscode.LogOutputChannel,
): { readonly reader: SourceReader; readonly readers: ReaderPool } {
  const readers = new ReaderPool(worker('reader-worker.cjs'), log);
  const sites = new SiteReader({ notebook, readers, userAgent: 'test' });
  return {
    reader: new SourceReader(notebook, readers, sites, noPasswords, noRecognition, noThreads, log),
    readers,
  };
}
