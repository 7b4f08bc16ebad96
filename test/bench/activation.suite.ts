// Runs in the extension host: see activation.ts.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { NotebookClient } from '../../src/editor/notebook-client.ts';
import { readPlainText } from '../../src/reading/plain-text.ts';
import { note } from '../support/suite-report.ts';
import { makePassages } from './made-passages.ts';
import { quantile } from './table.ts';

/** Times are of the main thread's processor, in milliseconds. */
export interface ActivationFigures {
  /** Loading the extension's code, and that of an extension that does nothing. */
  readonly loading: number;
  readonly loadingEmpty: number;
  /** The first activation, with what VS Code does for it. */
  readonly activating: number;
  /** What the process grew by, its worker included: with a notebook listed, and after its first question; in MB. */
  readonly listed: number;
  readonly asked: number;
  readonly passages: number;
}

const repetitions = 9;
const passagesPerDocument = 10;

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
}

/** The median time that some code takes to load which was never loaded before. */
function loadingOf(write: (folder: string) => void): number {
  const times = Array.from({ length: repetitions }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'loading-'));
    write(folder);
    const load = createRequire(join(folder, 'extension.cjs'));
    const began = process.threadCpuUsage();
    load('./extension.cjs');
    const time = spent(began);
    rmSync(folder, { recursive: true });
    return time;
  });
  return quantile(times, 0.5);
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
    const began = process.threadCpuUsage();
    await extension.activate();
    const activating = spent(began);
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
    const figures: ActivationFigures = { loading, loadingEmpty, activating, listed, asked, passages };
    note('activation', figures);
  });
});
