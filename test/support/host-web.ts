// A notebook in the extension host with readers for pages, sites, and repositories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { SourceAdder } from '../../src/features/sources/editor/add-sources.ts';
import { GitLabAccounts } from '../../src/features/forge/editor/gitlab-accounts.ts';
import { SiteReader } from '../../src/features/crawling/editor/site-reader.ts';
import { sourceItem } from '../../src/features/sources/editor/source-items.ts';
import { SourceReader } from '../../src/features/sources/editor/source-reader.ts';
import { Threads } from '../../src/features/forge/editor/threads.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { openNotebook, sharedReaders } from './host-sources.ts';
import { MemoryMemento, MemorySecrets } from './memory-storage.ts';
import { noPasswords, noRecognition } from './no-passwords.ts';
import { until } from './until.ts';

/** The parts of one window that read the sources of a notebook. */
interface ReadingWindow {
  readonly sites: SiteReader;
  readonly reader: SourceReader;
  readonly adder: SourceAdder;
}

export interface WebNotebook extends ReadingWindow {
  /** Temporary folder, which `end` removes. */
  readonly home: string;
  readonly notebook: NotebookClient;
  readonly accounts: GitLabAccounts;
  readonly sources: () => Promise<readonly Source[]>;
  /** Returns the only source whose title or address contains some words. */
  readonly find: (words: string) => Promise<Source>;
  /** Waits until the row of a source shows some words, and returns the source. */
  readonly shows: (words: string, description: RegExp) => Promise<Source>;
  /** Returns the text of the best passage for a question. */
  readonly best: (question: string) => Promise<string>;
  /** Closes the reader like a window that reloads, and opens it again. */
  readonly reload: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Returns the description of a source's row in the Sources view. */
function describeRow(source: Source): string {
  return String(sourceItem(source, true, { left: 0, isPaused: false }).description);
}

/** Opens a new notebook in its own folder. */
export function openWebNotebook(log: vscode.LogOutputChannel): WebNotebook {
  const home = mkdtempSync(join(tmpdir(), 'web-'));
  const notebook = openNotebook(join(home, 'notebook'), log);
  const memory = new MemoryMemento();
  const accounts = new GitLabAccounts(new MemorySecrets(), memory);
  const open = (): ReadingWindow => {
    const readers = sharedReaders();
    const sites = new SiteReader({ notebook, readers, userAgent: 'Test' });
    const threads = new Threads(memory, accounts, 'Test');
    const reader = new SourceReader(notebook, readers, sites, noPasswords, noRecognition, threads, log);
    const adder = new SourceAdder(notebook, reader, () => undefined);
    return { sites, reader, adder };
  };
  const close = async (): Promise<void> => {
    await window.reader.leave();
    window.reader.dispose();
  };
  let window = open();
  const sources = (): Promise<readonly Source[]> => notebook.call('sources', {});
  const find = async (words: string): Promise<Source> => {
    const all = await sources();
    const matches = all.filter(({ title, origin }) => `${title} ${JSON.stringify(origin)}`.includes(words));
    if (matches[0] === undefined || matches.length > 1)
      throw new Error(
        `${String(matches.length)} sources have ${words}: ${all.map(({ title }) => title).join()}`,
      );
    return matches[0];
  };
  return {
    home,
    notebook,
    accounts,
    sources,
    find,
    get sites() {
      return window.sites;
    },
    get reader() {
      return window.reader;
    },
    get adder() {
      return window.adder;
    },
    async shows(words, description) {
      // A source may get its title when it is read.
      const row = async (): Promise<string> =>
        find(words).then(describeRow, (error: unknown) => String(error));
      await until(async () => description.test(await row()), row);
      return await find(words);
    },
    async best(question) {
      return (await notebook.call('search', { question, limit: 1 }))[0]?.text ?? '';
    },
    async reload() {
      await close();
      window = open();
      for (const source of await sources())
        if (source.state.kind === 'queued' || source.state.kind === 'reading')
          void window.reader.read(source);
    },
    async end() {
      await close();
      accounts.dispose();
      await notebook.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
