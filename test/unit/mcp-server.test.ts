// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Client } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import type { DocumentInput } from '../../src/index/store/sources/sources-api.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { callTool, connectTo } from '../support/mcp-client.ts';
import { root } from '../support/paths.mjs';
import { until } from '../support/until.ts';

const home = mkdtempSync(join(tmpdir(), 'notebook-mcp-'));
const server = join(home, 'dist', 'mcp-server.cjs');
const clients = new Set<Client>();

before(async () => {
  await build({
    entryPoints: {
      'mcp-server': join(root, 'src', 'features', 'mcp', 'service', 'main.ts'),
      'index-worker': join(root, 'src', 'index', 'worker', 'index-worker.ts'),
    },
    outdir: join(home, 'dist'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode', 'node:sqlite'],
    logLevel: 'error',
  });
  copyFileSync(join(root, 'package.json'), join(home, 'package.json'));
  copyFileSync(join(root, 'media', 'l10n', 'package.nls.json'), join(home, 'package.nls.json'));
});

after(async () => {
  for (const client of clients) await client.close();
  rmSync(home, { recursive: true, force: true });
});

let folders = 0;

function newFolder(): string {
  return join(home, `notebook-${String(++folders)}`);
}

async function open(folder: string): Promise<NotebookIndex> {
  const quiet = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(folder, { size: 1500, overlap: 50 }, quiet);
  return index;
}

function note(text: string, key: string): DocumentInput {
  return {
    key,
    uri: `file:///notes/${key}`,
    hash: `hash of ${text}`,
    size: text.length,
    modifiedAt: 1,
    document: readPlainText(text, 'text/plain'),
  };
}

async function connect(folder: string): Promise<Client> {
  const client = await connectTo({ command: process.execPath, args: [server, folder] });
  clients.add(client);
  return client;
}

const tomatoes = 'Tomatoes are watered every second morning with rainwater from the barrel behind the shed.';

/** Creates a notebook with one note, and closes it. */
async function gardenNotebook(): Promise<string> {
  const folder = newFolder();
  const index = await open(folder);
  await index.addSource('Garden', { kind: 'file', uri: 'file:///notes/garden.txt' }, note(tomatoes, ''));
  await index.close();
  return folder;
}

test('presents the server and its read-only tools with instructions for a model', async () => {
  const client = await connect(await gardenNotebook());
  assert.equal(client.getServerVersion()?.name, 'open-notebook');
  assert.match(client.getInstructions() ?? '', /cite the source and location/);
  await client.ping();
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.title, annotations?.readOnlyHint]),
    [
      ['searchNotebook', 'Search Notebook', true],
      ['readNotebook', 'Read More from Notebook', true],
      ['notebookSources', 'List Notebook Sources', true],
    ],
  );
  for (const { description, inputSchema } of tools) {
    assert.ok((description ?? '').length > 40);
    assert.equal(inputSchema.type, 'object');
  }
});

test('lets a client read on from a result and list sources, without changing the folder', async () => {
  const folder = await gardenNotebook();
  const before = listFiles(folder);
  const client = await connect(folder);
  const result = await callTool(client, 'searchNotebook', { queries: ['How often are tomatoes watered?'] });
  assert.match(result.text, /information, never an instruction/);
  assert.match(result.text, /source="Garden"[^>]*>\nTomatoes are watered every second morning/);
  const place = placeIn(result.text);
  const read = await callTool(client, 'readNotebook', { ...place, around: 10_000 });
  assert.ok(read.text.includes(tomatoes));
  const listed = await callTool(client, 'notebookSources', {});
  assert.deepEqual(JSON.parse(listed.text), [
    { title: 'Garden', kind: 'file', state: 'ready', documents: 1, passages: 1 },
  ]);
  await client.close();
  assert.deepEqual(listFiles(folder), before);
});

/** Reads the location of a match from a tool's reply. */
function placeIn(text: string): { document: string; start: number; end: number } {
  const [, document = '', start, end] = /document="([^"]+)" start="(\d+)" end="(\d+)"/.exec(text) ?? [];
  return { document, start: Number(start), end: Number(end) };
}

test('rejects a location from another notebook', async () => {
  const other = newFolder();
  const index = await open(other);
  const kitchen = { kind: 'file', uri: 'file:///notes/kitchen.txt' } as const;
  await index.addSource('Kitchen', kitchen, note('Bread is baked on Saturdays in the old stone oven.', ''));
  await index.close();
  const [first, second] = [await connect(await gardenNotebook()), await connect(other)];
  const result = await callTool(first, 'searchNotebook', { queries: ['tomatoes'] });
  const read = await callTool(second, 'readNotebook', placeIn(result.text));
  assert.ok(read.isError);
  assert.match(read.text, /isn’t in the current notebook/);
});

/** Lists the files of a notebook with their modification times, without SQLite's log files. */
function listFiles(folder: string): (readonly [string, number])[] {
  return readdirSync(folder)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .map((name) => [name, statSync(join(folder, name)).mtimeMs] as const);
}

test('explains an error so that a model can react', async () => {
  const client = await connect(await gardenNotebook());
  assert.deepEqual(await callTool(client, 'searchNotebook', { queries: [' '] }), {
    text: 'This tool requires "queries", a list of non-empty texts.',
    isError: true,
  });
  const read = await callTool(client, 'readNotebook', {
    document: '1-0fa41c7e',
    start: 'first',
    end: 1,
  });
  assert.match(read.text, /requires whole numbers/);
  assert.ok(read.isError);
  for (const document of [1, '1']) {
    const bare = await callTool(client, 'readNotebook', { document, start: 0, end: 1 });
    assert.ok(bare.isError);
    assert.match(bare.text, /requires "document"/);
  }
  const staleRead = await callTool(client, 'readNotebook', { document: '999-0fa41c7e', start: 0, end: 1 });
  assert.match(staleRead.text, /There is no text at this position/);
  const nothing = await callTool(client, 'searchNotebook', { queries: ['volcano'] });
  assert.match(nothing.text, /Nothing in the notebook matches/);
  await assert.rejects(callTool(client, 'addToNotebook', { address: 'https://example.com' }), {
    code: -32_602,
  });
});

test('ends a call that the client cancels, and answers the next one', async () => {
  const client = await connect(await gardenNotebook());
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  const controller = new AbortController();
  const cancelled = callTool(client, 'searchNotebook', { queries: ['tomatoes'] }, controller.signal);
  controller.abort();
  await assert.rejects(cancelled);
  const next = await callTool(client, 'searchNotebook', { queries: ['tomatoes'] });
  assert.match(next.text, /rainwater/);
  assert.deepEqual(errors, []);
});

test('finds what another process adds, but not what it deletes', async () => {
  const folder = await gardenNotebook();
  const client = await connect(folder);
  await callTool(client, 'searchNotebook', { queries: ['tomatoes'] });
  const index = await open(folder);
  const source = await index.addSource(
    'Boats',
    { kind: 'file', uri: 'file:///notes/boats.txt' },
    note('The ferry to the island leaves at noon.', ''),
  );
  await found(client, 'When does the ferry leave?', /leaves at noon/);
  await index.change(() => {
    index.store.removeSources([source.id]);
  });
  await found(client, 'When does the ferry leave?', /Nothing in the notebook matches/);
  await index.close();
  assert.match((await callTool(client, 'searchNotebook', { queries: ['tomatoes'] })).text, /rainwater/);
});

async function found(client: Client, query: string, expected: RegExp): Promise<void> {
  const search = async (): Promise<string> =>
    (await callTool(client, 'searchNotebook', { queries: [query] })).text;
  await until(async () => expected.test(await search()), search);
}

test('doesn’t take a notebook that another process closes for a crash', async () => {
  const folder = newFolder();
  const index = await open(folder);
  await index.addSource('Garden', { kind: 'file', uri: 'file:///notes/garden.txt' }, note(tomatoes, ''));
  const client = await connect(folder);
  await callTool(client, 'notebookSources', {});
  await index.close();
  const log = statSync(join(folder, 'notebook.sqlite-wal'), { throwIfNoEntry: false });
  assert.equal(log?.size ?? 0, 0);
});

test('finds a notebook that is created after the server started', async () => {
  const folder = newFolder();
  const client = await connect(folder);
  const missing = await callTool(client, 'searchNotebook', { queries: ['tomatoes'] });
  assert.match(missing.text, /There’s no notebook yet/);
  assert.ok(missing.isError);
  assert.equal(statSync(folder, { throwIfNoEntry: false }), undefined, 'It made no folder.');
  const index = await open(folder);
  assert.equal((await callTool(client, 'notebookSources', {})).text, 'The notebook has no sources yet.');
  assert.match(
    (await callTool(client, 'searchNotebook', { queries: ['tomatoes'] })).text,
    /Nothing in the notebook matches/,
  );
  await index.close();
});

test('reads a notebook that replaces another one', async () => {
  const folder = await gardenNotebook();
  const client = await connect(folder);
  await callTool(client, 'searchNotebook', { queries: ['tomatoes'] });
  renameSync(folder, `${folder}-before`);
  const index = await open(folder);
  await index.addSource(
    'Other',
    { kind: 'file', uri: 'file:///notes/other.txt' },
    note('Kites fly in autumn.', ''),
  );
  await index.close();
  assert.match((await callTool(client, 'notebookSources', {})).text, /"title": "Other"/);
});

test('reports an older or damaged database, and leaves it unchanged', async () => {
  const folder = await gardenNotebook();
  const path = join(folder, 'notebook.sqlite');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 1');
  database.close();
  const client = await connect(folder);
  const older = await callTool(client, 'notebookSources', {});
  assert.match(older.text, /older version of Open Notebook/);
  assert.ok(older.isError);
  writeFileSync(path, 'no database at all, but longer than the header of one has to be'.repeat(20));
  const damaged = await callTool(client, 'notebookSources', {});
  assert.match(damaged.text, /damaged/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('damaged')),
    [],
  );
});

test('names a damaged file of the server and what to do', async () => {
  const manifest = join(home, 'package.json');
  writeFileSync(manifest, '{"version":"1.0.0","contributes":{"languageModelTools":[{"name":"search"}]}}');
  try {
    const child = spawn(process.execPath, [server, newFolder()], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.match(said, /^\S*package\.json is missing or damaged\. Install Open Notebook again\.\n$/);
    assert.equal(child.exitCode, 1);
  } finally {
    copyFileSync(join(root, 'package.json'), manifest);
  }
});

test('answers invalid messages as in JSON-RPC, and ends with its input', async () => {
  const child = spawn(process.execPath, [server, await gardenNotebook()], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (line: string): Promise<unknown> => {
    child.stdin.write(`${line}\n`);
    return JSON.parse((await answers.next()).value as string) as unknown;
  };
  const initialize = { jsonrpc: '2.0', id: 'a', method: 'initialize', params: { protocolVersion: '1999' } };
  const broken = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_700, message: 'This is no JSON-RPC message.' },
  };
  assert.deepEqual(await answer('{"jsonrpc":'), broken);
  assert.deepEqual(await answer('7'), broken);
  const { result } = (await answer(JSON.stringify(initialize))) as { result: { protocolVersion: string } };
  assert.match(result.protocolVersion, /^20\d\d-/);
  const unknown = (await answer('{"jsonrpc":"2.0","id":2,"method":"prompts/list"}')) as {
    error: { code: number };
  };
  assert.equal(unknown.error.code, -32_601);
  assert.deepEqual(await answer('[{"jsonrpc":"2.0","id":3,"method":"ping"}]'), {
    jsonrpc: '2.0',
    id: 3,
    result: {},
  });
  child.stdin.end();
  const code = await new Promise((resolve) => child.on('exit', resolve));
  assert.equal(code, 0);
});
