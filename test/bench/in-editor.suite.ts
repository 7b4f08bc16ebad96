// Runs in the extension host: see in-editor.ts.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { answerQuestion } from '../../src/answers/answer-question.ts';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { ReaderPool } from '../../src/platform/reader-pool.ts';
import { SiteReader } from '../../src/features/crawling/editor/site-reader.ts';
import { SHORT_FILES_AT_ONCE } from '../../src/features/sources/editor/folder-reader.ts';
import { SourceReader } from '../../src/features/sources/editor/source-reader.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { note } from '../support/suite-report.ts';
import { makePassages } from './made-passages.ts';
import { quantile } from './table.ts';
import { noPasswords, noRecognition, noThreads } from '../support/no-passwords.ts';

/** Times in milliseconds. */
export interface EditorFigures {
  readonly addedPerSecond: number;
  /** The 99th percentile and the longest stall. */
  readonly stalls: readonly number[];
  readonly idleStalls: readonly number[];
  /** Growth of the process and its workers. */
  readonly megabytes: number;
  readonly firstQuote: readonly number[];
  readonly snapshotBytes: number;
  readonly databaseBytes: number;
  readonly reopen: number;
}

/** Name of the record of reading a folder. */
const rereading = 'rereading';

/** Times in milliseconds: of the first reading, and of the next one after some files changed. */
export interface RereadingFigures {
  readonly files: number;
  readonly first: number;
  /** Number of documents that were split and indexed again. */
  readonly changed: number;
  readonly again: number;
}

const passagesPerDocument = 10;
const settings = { size: 1500, overlap: 50 };

/**
 * Measures the delay of a timer that is due each millisecond on the main thread. Returns a function that stops it and
 * returns the delays.
 */
function watchStalls(): () => number[] {
  const stalls: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    stalls.push(now - last - 1);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return [quantile(stalls, 0.99), Math.max(...stalls.slice(1))];
  };
}

suite('speed', () => {
  const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
  assert.ok(extension);
  const workerPath = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'index-worker.cjs').fsPath;
  const log = vscode.window.createOutputChannel('Speed', { log: true });

  for (const count of [1_000, 10_000, 50_000]) {
    test(`${count.toLocaleString('en')} passages`, async function () {
      this.timeout(10 * 60_000);
      const directory = mkdtempSync(join(tmpdir(), 'speed-'));
      const open = (): NotebookClient =>
        new NotebookClient({ workerPath, directory, indexSettings: () => settings, log });
      const { texts, questions } = makePassages(count);
      const documents: string[] = [];
      for (let i = 0; i < texts.length; i += passagesPerDocument)
        documents.push(texts.slice(i, i + passagesPerDocument).join('\n\n'));

      let notebook = open();
      const source = await notebook.call('addSource', {
        title: 'Made',
        origin: { kind: 'folder', uri: 'file:///made' },
      });
      const idle = watchStalls();
      await delay(1_000);
      const idleStalls = idle();

      const before = process.memoryUsage().rss;
      const stalls = watchStalls();
      const began = performance.now();
      let passages = 0;
      const waiting = documents.entries();
      const addNext = async (): Promise<void> => {
        for (const [i, text] of waiting) {
          const added = await notebook.call('putDocument', {
            sourceId: source.id,
            input: {
              key: `${String(i)}.txt`,
              uri: `file:///made/${String(i)}.txt`,
              hash: String(i),
              size: text.length,
              modifiedAt: 0,
              document: readPlainText(text, 'text/plain'),
            },
          });
          passages += added;
        }
      };
      await Promise.all(Array.from({ length: SHORT_FILES_AT_ONCE }, addNext));
      const addedPerSecond = (passages / (performance.now() - began)) * 1_000;
      const whileAdding = stalls();
      const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;

      const firstQuote = async (question: string): Promise<number> => {
        const startTime = performance.now();
        let answeredAt = 0;
        await answerQuestion({
          question,
          history: [],
          passages: {
            find: (words, limit) => notebook.call('search', { question: words, limit }),
            gather: (searches, tokens) =>
              notebook.call('gather', { searches: searches.map((words) => ({ words })), tokens }),
            places: (words) => notebook.call('places', { words }),
            overview: (about, limit) => notebook.call('overview', { about, limit }),
            at: (places) => notebook.call('passagesAt', { places }),
            cite: (requests) =>
              notebook.call('cite', {
                requests: requests.map(({ number, passage, span }) => ({
                  number,
                  documentId: passage.documentId,
                  passage: { start: passage.start, end: passage.end },
                  span,
                  quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
                })),
              }),
          },
          titles: [],
          model: undefined,
          writesSearches: false,
          instructions: '',
          signal: new AbortController().signal,
          emit: (event) => {
            if (event.kind === 'started') answeredAt = performance.now();
          },
        });
        return answeredAt - startTime;
      };
      const askedQuestions = questions(5);
      const times: number[] = [];
      for (const question of askedQuestions) times.push(await firstQuote(question));
      await notebook.close();

      notebook = open();
      const reopening = performance.now();
      await notebook.call('sources', {});
      await firstQuote(askedQuestions[0] ?? '');
      const reopen = performance.now() - reopening;
      const { snapshotBytes, databaseBytes } = await notebook.call('statistics', {});
      await notebook.close();
      rmSync(directory, { recursive: true, force: true });
      const figures: EditorFigures = {
        addedPerSecond,
        stalls: whileAdding,
        idleStalls,
        megabytes,
        firstQuote: [quantile(times, 0.5), quantile(times, 0.95)],
        snapshotBytes,
        databaseBytes,
        reopen,
      };
      note(passages.toLocaleString('en'), figures);
    });
  }

  test('reads a folder again', async function () {
    this.timeout(10 * 60_000);
    const files = 5_000;
    const changed = 10;
    const home = mkdtempSync(join(tmpdir(), 'speed-'));
    const folder = join(home, 'folder');
    const { texts } = makePassages(files);
    for (const [i, text] of texts.entries()) {
      const directory = join(folder, String(i % 50));
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, `${String(i)}.txt`), text);
    }
    const notebook = new NotebookClient({
      workerPath,
      directory: join(home, 'notebook'),
      indexSettings: () => settings,
      log,
    });
    const readers = new ReaderPool(
      vscode.Uri.joinPath(extension.extensionUri, 'dist', 'reader-worker.cjs').fsPath,
      log,
    );
    const sites = new SiteReader({
      notebook,
      readers,
      userAgent: 'test',
    });
    const reader = new SourceReader(notebook, readers, sites, noPasswords, noRecognition, noThreads, log);
    const source = await notebook.call('addSource', {
      title: 'Folder',
      origin: { kind: 'folder', uri: vscode.Uri.file(folder).toString() },
    });
    const timeToRead = async (): Promise<number> => {
      const began = performance.now();
      await reader.read(source);
      return performance.now() - began;
    };
    const first = await timeToRead();
    const { revision: before } = await notebook.call('statistics', {});
    for (let i = 0; i < changed; i++)
      writeFileSync(
        join(folder, String(i % 50), `${String(i)}.txt`),
        `A new text for the file of number ${String(i)}.`,
      );
    const again = await timeToRead();
    const { revision: after } = await notebook.call('statistics', {});
    const figures: RereadingFigures = { files, first, changed: after - before, again };
    note(rereading, figures);
    reader.dispose();
    readers.dispose();
    await notebook.close();
    rmSync(home, { recursive: true, force: true });
  });
});
