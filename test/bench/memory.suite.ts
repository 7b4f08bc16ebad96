// Runs in the extension host: see activation.ts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { note } from '../support/suite-report.ts';
import { makePassages } from './made-passages.ts';

/**
 * Growth of the extension host and its worker with a notebook in the list, and after its first question, in
 * megabytes.
 */
export interface MemoryFigures {
  readonly listed: number;
  readonly asked: number;
  readonly passages: number;
}

const passagesPerDocument = 10;

async function memory(): Promise<number> {
  await delay(1_000);
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}

suite('memory', () => {
  test('lists a notebook', async function () {
    this.timeout(10 * 60_000);
    const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
    assert.ok(extension);
    await extension.activate();
    const directory = mkdtempSync(join(tmpdir(), 'listed-'));
    const log = vscode.window.createOutputChannel('Activation', { log: true });
    const open = (): NotebookClient =>
      new NotebookClient({
        workerPath: join(extension.extensionUri.fsPath, 'dist', 'index-worker.cjs'),
        directory,
        indexSettings: () => ({ size: 1500, overlap: 50 }),
        log,
      });
    const { texts, questions } = makePassages(10_000);
    let passages = 0;
    const making = open();
    const source = await making.call('addSource', {
      title: 'Made',
      origin: { kind: 'folder', uri: 'file:///made' },
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
    const memoryUsed = (await memory()) - before;
    await notebook.close();
    rmSync(directory, { recursive: true, force: true });
    const figures: MemoryFigures = { listed, asked: memoryUsed, passages };
    note('memory', figures);
  });
});
