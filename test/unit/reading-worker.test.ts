import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../src/core/rpc/processes.ts';
import type { ReaderApi, ReadRequest } from '../../src/parsers/api.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/reading/${name}`, import.meta.url));

describe('reader worker', () => {
  const worker = startProcess<Record<string, never>, ReaderApi>(
    fileURLToPath(new URL('../../src/parsers/reader-worker.ts', import.meta.url)),
    {},
    { megabytes: 1024, onExit: () => undefined },
  );
  const remote = worker.client;
  after(() => worker.terminate());

  const request = (path: string, options: Partial<ReadRequest> = {}): ReadRequest => ({
    content: { kind: 'path', path },
    name: path.replace(/.*[\\/]/, ''),
    minimumLength: 10,
    ...options,
  });

  test('reads a PDF with progress, and reports if it is unchanged', async () => {
    const progress: number[] = [];
    const result = await remote.call('read', request(fixture('report.pdf')), {
      onProgress: ({ done }) => progress.push(done),
    });
    assert.ok(result.kind === 'read');
    assert.equal(result.document.title, 'The Harrow Lake Report');
    assert.ok(result.document.map.kind === 'pdf');
    assert.ok(result.document.map.starts instanceof Uint32Array);
    assert.deepEqual(
      progress,
      result.document.map.pages.map((_, index) => index + 1),
    );
    const again = await remote.call('read', request(fixture('report.pdf'), { knownHash: result.hash }));
    assert.deepEqual(again, { kind: 'unchanged' });
  });

  test('reads bytes that the editor fetched', async () => {
    const bytes = new TextEncoder().encode('Some words of a page that was fetched.');
    const result = await remote.call(
      'read',
      request('', { content: { kind: 'bytes', bytes }, name: 'a.txt', pageUrl: 'https://example.org/a.txt' }),
    );
    assert.ok(result.kind === 'read' && result.document.map.kind === 'saved');
  });

  test('reads the beginning of a log of 50 MB, up to a whole line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reader-'));
    try {
      const log = join(folder, 'debug.log');
      await writeFile(log, Buffer.alloc(50 * 1024 * 1024, '2026-11-21 12:00:00 the gate was opened\n'));
      const result = await remote.call('read', request(log));
      assert.ok(result.kind === 'read');
      const { text, warnings } = result.document;
      assert.ok(text.length <= 20 * 1024 * 1024 && text.length > 20 * 1024 * 1024 - 50);
      assert.ok(text.endsWith('was opened\n'));
      assert.deepEqual(warnings, [
        'Only the first 20 MB of 50 MB were read. To read the rest, split the file and add the remaining parts.',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('reports a missing file, a folder, and a file that is too large', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reader-'));
    try {
      const page = join(folder, 'huge.html');
      await writeFile(page, Buffer.alloc(21 * 1024 * 1024, 'line\n'));
      await assert.rejects(remote.call('read', request(join(folder, 'gone.txt'))), {
        code: 'not-found',
        message: /Can’t find gone\.txt/,
      });
      await assert.rejects(remote.call('read', request(folder)), {
        code: 'unsupported',
        message: /is now a folder/,
      });
      await assert.rejects(remote.call('read', request(page)), {
        code: 'too-large',
        message: /huge\.html is 21 MB/,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('stops in the middle of a PDF', async () => {
    const stop = new AbortController();
    // The process could finish a short PDF before it receives the cancellation.
    const pages = Array.from({ length: 3_000 }, () => ({
      lines: column(72, 700, ['Cherries ripen in June.']),
    }));
    const content = { kind: 'bytes', bytes: tinyPdf({ pages }) } as const;
    const reading = remote.call('read', request('', { content, name: 'long.pdf' }), {
      signal: stop.signal,
      onProgress: () => {
        stop.abort();
      },
    });
    await assert.rejects(reading, { code: 'cancelled' });
  });
});
