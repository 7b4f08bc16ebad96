// Creates a notebook and its source readers in the extension host from the extension's own files.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { SourceAdder } from '../../src/features/sources/editor/add-sources.ts';
import { ReaderPool } from '../../src/platform/reader-pool.ts';
import { SiteReader } from '../../src/features/crawling/editor/site-reader.ts';
import { SourceReader } from '../../src/features/sources/editor/source-reader.ts';
import { noPasswords, noRecognition, noThreads } from './no-passwords.ts';

/** Returns the path of one of the extension's workers. */
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
  return new NotebookClient({ workerPath, directory, indexSettings: passageSettings, log });
}

let readers: ReaderPool | undefined;

/** Returns reader processes that all tests share, as starting one is slower than most tests. They end by themselves. */
export function sharedReaders(): ReaderPool {
  readers ??= new ReaderPool(
    worker('reader-worker.cjs'),
    vscode.window.createOutputChannel('Readers', { log: true }),
  );
  return readers;
}

/** Creates the reader of a notebook's sources. */
export function makeReader(
  notebook: NotebookClient,
  log: vscode.LogOutputChannel,
  transcripts?: string,
): SourceReader {
  const sites = new SiteReader({ notebook, readers: sharedReaders(), userAgent: 'test' });
  const others = [noPasswords, noRecognition, noThreads] as const;
  return new SourceReader(notebook, sharedReaders(), sites, ...others, log, transcripts);
}

/** Notebook in its own folder, with a reader of its sources and functions that add them. */
export interface AddingNotebook {
  readonly home: string;
  readonly notebook: NotebookClient;
  readonly reader: SourceReader;
  readonly adder: SourceAdder;
  /** Deletes everything. */
  end(): Promise<void>;
}

/** Opens a new notebook in a folder with a name prefix. */
export function openToAdd(name: string, log: vscode.LogOutputChannel): AddingNotebook {
  const home = mkdtempSync(join(tmpdir(), name));
  const notebook = openNotebook(join(home, 'notebook'), log);
  const reader = makeReader(notebook, log, join(home, 'transcripts'));
  const adder = new SourceAdder(notebook, reader, () => undefined);
  return {
    ...{ home, notebook, reader, adder },
    async end() {
      reader.dispose();
      await notebook.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
