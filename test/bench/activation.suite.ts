// Runs in the extension host: see activation.ts.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { NotebookClient } from '../../src/editor/notebook-client.ts';
import { readPlainText } from '../../src/reading/plain-text.ts';
import { note } from '../support/suite-report.ts';
import { makePassages } from './made-passages.ts';

/** Times in milliseconds. */
export interface ActivationFigures {
  /** Loading the extension's code, and that of an extension that does nothing. */
  readonly loading: number;
  readonly loadingEmpty: number;
  /** The first activation: all of it, and what of it the extension's own code did and called. */
  readonly activating: number;
  readonly activatingItself: number;
  /** What the process grew by, its worker included: with a notebook listed, and after its first question; in MB. */
  readonly listed: number;
  readonly asked: number;
  readonly passages: number;
}

const repetitions = 15;
const passagesPerDocument = 10;

/** The shortest time that some code takes to load which was never loaded before. */
function loadingOf(write: (folder: string) => void): number {
  const times = Array.from({ length: repetitions }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'loading-'));
    write(folder);
    const load = createRequire(join(folder, 'extension.cjs'));
    const began = performance.now();
    load('./extension.cjs');
    const time = performance.now() - began;
    rmSync(folder, { recursive: true });
    return time;
  });
  return Math.min(...times);
}

/** How long some work took, and how much of that was within calls of code in a folder, by samples of its stack. */
async function profiled(
  folder: string,
  work: () => Thenable<unknown>,
): Promise<{ all: number; within: number }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const began = performance.now();
  await work();
  const all = performance.now() - began;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const isWithin = new Set<number>();
  // A node's children come after it.
  for (const { id, callFrame, children = [] } of profile.nodes) {
    if (callFrame.url.includes(folder)) isWithin.add(id);
    if (isWithin.has(id)) for (const child of children) isWithin.add(child);
  }
  const { samples = [], timeDeltas = [] } = profile;
  const within = samples.reduce((sum, id, i) => sum + (isWithin.has(id) ? (timeDeltas[i] ?? 0) : 0), 0);
  return { all, within: within / 1_000 };
}

async function memory(): Promise<number> {
  await delay(1_000);
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}

suite('activation', () => {
  test('how long it takes, and what a listed notebook needs', async function () {
    this.timeout(10 * 60_000);
    const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
    assert.ok(extension);
    const built = join(extension.extensionUri.fsPath, 'dist');
    const { all: activating, within: activatingItself } = await profiled(built, () => extension.activate());
    const loading = loadingOf((folder) => {
      for (const name of readdirSync(built).filter((file) => /^extension.*\.cjs$/.test(file)))
        copyFileSync(join(built, name), join(folder, name));
    });
    const loadingEmpty = loadingOf((folder) => {
      writeFileSync(join(folder, 'extension.cjs'), 'exports.activate = () => {};');
    });

    const directory = mkdtempSync(join(tmpdir(), 'listed-'));
    const log = vscode.window.createOutputChannel('Activation', { log: true });
    const open = (): NotebookClient =>
      new NotebookClient({
        workerPath: join(built, 'index-worker.cjs'),
        directory,
        passageSettings: () => ({ size: 1500, overlap: 50 }),
        log,
      });
    const { texts, questions } = makePassages(10_000);
    let passages = 0;
    const making = open();
    const source = await making.call('addSource', {
      title: 'Made',
      origin: { kind: 'folder', uri: 'file:///made' },
      document: undefined,
    });
    for (let i = 0; i < texts.length; i += passagesPerDocument) {
      const text = texts.slice(i, i + passagesPerDocument).join('\n\n');
      const key = `${String(i)}.txt`;
      const document = readPlainText(text, 'text/plain');
      const input = {
        key,
        uri: `file:///made/${key}`,
        hash: key,
        size: text.length,
        modifiedAt: 0,
        document,
      };
      passages += await making.call('putDocument', { sourceId: source.id, input });
    }
    await making.close();

    const before = await memory();
    const notebook = open();
    await notebook.call('sources', {});
    const listed = (await memory()) - before;
    await notebook.call('search', { question: questions(1)[0] ?? '', limit: 8 });
    const asked = (await memory()) - before;
    await notebook.close();
    rmSync(directory, { recursive: true, force: true });
    const figures: ActivationFigures = {
      loading,
      loadingEmpty,
      activating,
      activatingItself,
      listed,
      asked,
      passages,
    };
    note('activation', figures);
  });
});
