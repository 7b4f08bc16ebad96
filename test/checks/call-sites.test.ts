import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callSitesOf, findCallSites, type Deed } from '../support/call-sites.ts';
import { root } from '../support/paths.mjs';

/** Where something else belongs, by what a new place does. */
const advice: Readonly<Record<Deed, string>> = {
  read: 'Open a path that comes from data with openRegularFile, realPlace, or readSmallFile.',
  request: 'Ask hosts that sources name with guardedFetch, and endpoints with endpointFetch.',
  run: 'Run programs with startProcess, workers with startWorker, and commands by their constant names.',
  show: 'Show messages and progress with the functions of src/platform/dialogs.ts, which let no title become a link.',
  write: 'Write files with replaceFile or createFile of src/core/domain/write-file.ts.',
};

/** The places that there are: for each file its functions, and why it may have them. */
const allowed: Readonly<Record<Deed, Readonly<Record<string, readonly [functions: string, why: string]>>>> = {
  write: {
    'src/platform/fetched-files.ts': ['open', 'creates an empty lock file'],
    'src/features/sharing/editor/shared-files.ts': ['writeFile', "files of the editor's file systems"],
    'src/platform/write-file.ts': ['copy writeFile', "files of the editor's file systems"],
    'src/features/flashcards/service/anki.ts': ['sqlite', 'SQLite writes its own files'],
    'src/index/store/database/database.ts': ['sqlite', 'SQLite writes its own files'],
    'src/index/store/database/opening.ts': ['open open', 'settles and repairs a copy, with writeAll'],
    'src/core/rpc/memory-watch.ts': [
      'fs worker_threads',
      'writes to standard error from a thread of its own',
    ],
    'src/core/domain/regular-file.ts': ['open', 'opens for reading, with flags that follow no link'],
    'src/core/domain/write-file.ts': ['copyFile open open', 'the one that writes'],
    'src/parsers/reader-worker.ts': ['writeFileSync', "sets the process's score in /proc"],
    'src/parsers/scans/recognized-pages.ts': ['sqlite', 'SQLite writes its own files'],
    'src/parsers/web/fetch-file.ts': ['open', 'resumes a download, with writeAll'],
    'src/features/research/service/skills/tables/query-tables.ts': ['DatabaseSync', 'a database in memory'],
  },
  read: {
    'src/features/chat/editor/cited-text.ts': ['readFile', 'a file of the extension'],
    'src/platform/copy-files.ts': ['readFile', 'a record that the extension wrote'],
    'src/platform/fetched-files.ts': ['createReadStream', 'a file that a machine-scoped setting names'],
    'src/features/semantic-search/editor/installed-models.ts': [
      'readFile',
      'a record that the extension wrote',
    ],
    'src/features/sharing/editor/shared-files.ts': ['readFile', "files of the editor's file systems"],
    'src/features/notebooks/editor/team-links.ts': ['readFile', 'a record that the extension wrote'],
    'src/features/pdf/editor/pdf-bytes.ts': ['readFile', "files of the editor's file systems"],
    'src/features/pdf/editor/pdf-document.ts': ['readFile readFile', 'the open PDF, and its backup'],
    'src/features/sources/editor/folder-files.ts': ['readFile', "files of the editor's file systems"],
    'src/platform/workspace-files.ts': ['readFile readFile', "files of the editor's file systems"],
    'src/features/flashcards/service/anki.ts': ['readFile', 'a file that the extension wrote'],
    'src/index/library/notebook-folders.ts': ['readFile', 'a record that the extension wrote'],
    'src/index/store/database/opening.ts': ['readFileSync', 'a database that the extension wrote'],
    'src/index/worker/index-snapshot.ts': ['readFile', 'a snapshot that the extension wrote'],
    'src/features/recordings/service/stored-segments.ts': ['readFile', 'a file that the extension wrote'],
    'src/features/mcp/service/main.ts': ['readFileSync', 'a file of the extension'],
    'src/features/semantic-search/service/embedding-table.ts': ['open', 'an installed model'],
    'src/features/semantic-search/service/static-model.ts': ['readFile readFile', 'an installed model'],
    'src/core/domain/checksum.ts': ['createReadStream', 'a file that was downloaded'],
    'src/parsers/code/grammars.ts': ['readFile readFile', 'files of the extension'],
    'src/parsers/scans/draw-page.ts': ['readFile', 'a file of the extension'],
    'src/parsers/scans/tesseract.ts': [
      'readFile readFile',
      'files of the extension, and installed languages',
    ],
    'src/parsers/scans/webp.ts': ['readFile', 'a file of the extension'],
    'src/features/team/service/sql/read-sql.ts': [
      'readFileSync',
      'files of the code, which the build includes',
    ],
  },
  request: {
    'src/answers/models/endpoint-fetch.ts': ['fetch', 'the one that asks endpoints'],
    'src/answers/models/openai-client.ts': ['default', 'the client, which gets endpointFetch'],
    'src/platform/workspace-files.ts': [
      'openExternal openExternal',
      'opens a file or a link that the user selects',
    ],
    'src/parsers/web/guarded-fetch.ts': ['request request', 'the one that asks what sources name'],
    'src/features/team/service/connect.ts': ['Client', 'the one that connects to a team'],
    'src/features/team/service/proxy.ts': ['request request', 'asks the proxy for a tunnel to the team'],
    'webview/figure/open-document.ts': [
      'fetch',
      'a file of the extension, within its content security policy',
    ],
  },
  run: {
    'src/features/chat/editor/panel-handlers.ts': ['executeCommand', 'commands that this file names'],
    'src/features/team/commands/team-commands.ts': ['executeCommand', 'commands that this file names'],
    'src/features/research/editor/editor-tools.ts': [
      'invokeTool',
      'the one that runs tools that the user selected',
    ],
    'src/core/rpc/memory-watch.ts': ['Worker', 'a thread of constant code'],
    'src/core/rpc/processes.ts': ['fork', 'the one that starts processes'],
    'src/core/rpc/workers.ts': ['Worker', 'the one that starts workers'],
    'webview/figure/open-document.ts': ['Worker', 'a script of the extension'],
  },
  show: {
    'src/features/notebooks/commands/notebook-commands.ts': [
      'withProgress',
      'progress of a view, without words',
    ],
    'src/platform/dialogs.ts': ['window withProgress', 'the one that shows messages'],
    'src/features/sources/editor/status-bar.ts': ['withProgress', 'progress of a view, without words'],
  },
};

const sites = findCallSites(root, ['src', 'webview']);

for (const deed of Object.keys(allowed) as Deed[])
  test(`has no other call site of this kind: ${deed}`, () => {
    const sitesByFile: Record<string, string> = {};
    const own = sites.filter((site) => site.deed === deed);
    for (const { file, name } of own)
      sitesByFile[file] = [...(sitesByFile[file]?.split(' ') ?? []), name].sort().join(' ');
    const listed = Object.entries(allowed[deed]).map(([file, [functions]]) => [file, functions] as const);
    const lines = own.map(({ file, line, name }) => `${file}:${String(line)} ${name}`).join('\n');
    assert.deepEqual(
      sitesByFile,
      Object.fromEntries(listed),
      `${advice[deed]} Or list it here, and why.\n${lines}`,
    );
  });

test('finds every form of access to the functions', () => {
  const describeSites = (text: string): readonly string[] =>
    callSitesOf(new Map([['a.ts', text]])).map(({ deed, name }) => `${deed} ${name}`);
  assert.deepEqual(
    describeSites("import { writeFile as keep } from 'node:fs/promises';\nawait keep('a', 'b');"),
    ['write writeFile'],
  );
  assert.deepEqual(describeSites("import { promises } from 'node:fs';\nvoid promises.writeFile('a', 'b');"), [
    'write fs.*',
  ]);
  assert.deepEqual(describeSites("import * as fs from 'fs';\nfs.rmSync('a');"), ['write fs.*']);
  assert.deepEqual(describeSites("const fs = await import('node:fs');"), ['write fs']);
  assert.deepEqual(describeSites("const cp = process.getBuiltinModule('node:child_process');"), [
    'run child_process',
  ]);
  assert.deepEqual(
    describeSites("import { open } from 'node:fs/promises';\nopen('a');\nopen('a', 'r');\nopen('a', mode);"),
    ['read open', 'read open', 'write open'],
  );
  assert.deepEqual(
    describeSites(
      "import { copyFile } from 'node:fs/promises';\nconst ways = [copyFile];\nconst b = { copyFile };",
    ),
    ['write copyFile', 'write copyFile'],
  );
  assert.deepEqual(
    describeSites("import * as vscode from 'vscode';\nvscode.workspace.fs.writeFile(uri, bytes);"),
    ['write writeFile'],
  );
  assert.deepEqual(describeSites('fetch(url);\nglobalThis.fetch(url);\nconst own = fetch;'), [
    'request fetch',
    'request fetch',
    'request fetch',
  ]);
  assert.deepEqual(describeSites('new WebSocket(url);\nnew Function(code);\neval(code);'), [
    'request WebSocket',
    'run Function',
    'run eval',
  ]);
  assert.deepEqual(
    describeSites("vscode.commands.executeCommand(name);\nvscode.commands.executeCommand('a.b');"),
    ['run executeCommand'],
  );
  assert.deepEqual(
    describeSites(
      "vscode.window.showErrorMessage(reason);\nconst show = vscode.window.showWarningMessage;\nvscode.window['x']();",
    ),
    ['show showErrorMessage', 'show showWarningMessage', 'show window'],
  );
  assert.deepEqual(describeSites('const { window: shown } = vscode;\nvoid vscode.window.activeTextEditor;'), [
    'show window',
  ]);
  assert.deepEqual(describeSites('export function get(fetch: Fetch): void {\n  fetch(url);\n}'), []);
  assert.deepEqual(
    describeSites("import type { FileHandle } from 'node:fs/promises';\nlet file: FileHandle;"),
    [],
  );
});
