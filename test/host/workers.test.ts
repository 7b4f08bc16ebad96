import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NotebookClient } from '../../src/editor/notebook-client.ts';
import { ReaderPool } from '../../src/editor/sources/reader-pool.ts';
import { SiteReader } from '../../src/editor/sources/site-reader.ts';
import { SourceReader } from '../../src/editor/sources/source-reader.ts';
import { noPasswords, noRecognition } from '../support/no-passwords.ts';

suite('workers', () => {
  const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
  assert.ok(extension);
  const worker = (name: string): string => vscode.Uri.joinPath(extension.extensionUri, 'dist', name).fsPath;
  const log = vscode.window.createOutputChannel('Workers', { log: true });
  let folder: string;

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'workers-'));
  });

  teardown(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('an index worker that dies in its work is started again, and the work is resumed', async () => {
    const notes = join(folder, 'notes');
    mkdirSync(notes);
    for (let i = 0; i < 20; i++)
      writeFileSync(
        join(notes, `${String(i)}.md`),
        `# Note ${String(i)}\n\nThe lamp of number ${String(i)}.\n`,
      );
    // The first worker dies at its fifth document; the next one is as it should be.
    const dying = join(folder, 'dying-worker.cjs');
    const died = JSON.stringify(join(folder, 'died'));
    writeFileSync(
      dying,
      `const { existsSync, writeFileSync } = require('node:fs');
       const { parentPort } = require('node:worker_threads');
       let documents = 0;
       if (!existsSync(${died}))
         parentPort.on('message', ({ method }) => {
           if (method !== 'putDocument' || ++documents < 5) return;
           writeFileSync(${died}, '');
           process.exit(1);
         });
       require(${JSON.stringify(worker('index-worker.cjs'))});`,
    );
    const notebook = new NotebookClient({
      workerPath: dying,
      directory: join(folder, 'notebook'),
      passageSettings: () => ({ size: 1500, overlap: 50 }),
      log,
    });
    const readers = new ReaderPool(worker('reader-worker.cjs'), log);
    const sites = new SiteReader({
      notebook,
      readers,
      userAgent: 'test',
    });
    const reader = new SourceReader(notebook, readers, sites, noPasswords, noRecognition, log);
    try {
      const source = await notebook.call('addSource', {
        title: 'notes',
        origin: { kind: 'folder', uri: vscode.Uri.file(notes).toString() },
        document: undefined,
      });
      await reader.read(source);
      const [after] = await notebook.call('sources', {});
      assert.deepEqual(after?.state, { kind: 'ready' });
      assert.equal(after.documents, 20);
      const [found] = await notebook.call('search', { question: 'the lamp of number 17', limit: 1 });
      assert.equal(found?.documentKey, '17.md');
    } finally {
      reader.dispose();
      readers.dispose();
      await notebook.close();
    }
  });
});
