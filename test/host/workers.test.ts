import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeReader, openNotebook, worker } from '../support/host-sources.ts';

suite('workers', () => {
  const log = vscode.window.createOutputChannel('Workers', { log: true });
  let folder: string;

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'workers-'));
  });

  teardown(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('an index worker that crashes is restarted, and its work resumes', async () => {
    const notes = join(folder, 'notes');
    mkdirSync(notes);
    for (let i = 0; i < 20; i++)
      writeFileSync(
        join(notes, `${String(i)}.md`),
        `# Note ${String(i)}\n\nThe lamp of number ${String(i)}.\n`,
      );
    // The first worker dies at its fifth document. The next one works normally.
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
    const notebook = openNotebook(join(folder, 'notebook'), log, dying);
    const reader = makeReader(notebook, log);
    try {
      const source = await notebook.call('addSource', {
        title: 'notes',
        origin: { kind: 'folder', uri: vscode.Uri.file(notes).toString() },
      });
      await reader.read(source);
      const [after] = await notebook.call('sources', {});
      assert.deepEqual(after?.state, { kind: 'ready' });
      assert.equal(after.documents, 20);
      const [passage] = await notebook.call('search', { question: 'the lamp of number 17', limit: 1 });
      assert.equal(passage?.documentKey, '17.md');
    } finally {
      reader.dispose();
      await notebook.close();
    }
  });
});
