// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { LogOutputChannel } from 'vscode';
import { ReaderPool } from '../../src/platform/reader-pool.ts';
import type { ErrorCode } from '../../src/core/domain/errors.ts';
import type { ReadResult } from '../../src/parsers/api.ts';
import { makePdf, packedPdf } from '../support/packed-pdf.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rounds } from '../support/test-size.mjs';

const megabyte = 2 ** 20;
const folder = temporaryFolder('hostile-');

const written = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const log = { error: () => undefined } as unknown as LogOutputChannel;
const poolOf = (memoryMb: number): ReaderPool => {
  const worker = fileURLToPath(new URL('../../src/parsers/reader-worker.ts', import.meta.url));
  const pool = new ReaderPool(worker, log, memoryMb, 3_600_000);
  after(() => {
    pool.dispose();
  });
  return pool;
};
const pool = poolOf(400);
/** Its readers’ memory fills sooner. */
const smallPool = poolOf(192);
const read = (name: string, content: string | Uint8Array, from = pool): Promise<ReadResult> =>
  from.read(
    {
      content: { kind: 'path', path: written(name, content) },
      name,
      minimumLength: 1,
    },
    {},
  );
const refused = async (
  name: string,
  content: string | Uint8Array,
  code: ErrorCode,
  from = pool,
): Promise<void> => {
  await assert.rejects(read(name, content, from), { name: 'NotebookError', code });
  // The next file is read normally.
  const next = await read('next.txt', 'The lamp is lit at nine.', from);
  assert.ok(next.kind === 'read' && next.document.text === 'The lamp is lit at nine.');
};

test('rejects a PDF of 1 kB whose page unfolds to hundreds of megabytes of spaces', async () => {
  const pdf = packedPdf(Buffer.alloc(300 * megabyte, ' '), 2);
  assert.ok(pdf.length < 1_500);
  await refused('spaces.pdf', pdf, 'too-large', smallPool);
});

describe('PDFs whose forms draw each other', () => {
  const forms = (...content: readonly string[]): Buffer =>
    makePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 5 0 R >>',
      ['<< /Length 7 >>', Buffer.from('/X0 Do ')],
      `<< /Font << /F 6 0 R >> /XObject << ${content.map((_, i) => `/X${String(i)} ${String(7 + i)} 0 R`).join(' ')} >> >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...content.map((stream): [string, Buffer] => [
        `<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources 5 0 R /Length ${String(stream.length)} >>`,
        Buffer.from(stream),
      ]),
    ]);
  const words = 'BT /F 12 Tf 72 700 Td (The lamp is lit at nine.) Tj ET ';

  test('reads their text once if they form a circle', async () => {
    for (const pdf of [forms(`${words}/X0 Do /X0 Do `), forms(`${words}/X1 Do /X1 Do `, '/X0 Do /X0 Do ')]) {
      const outcome = await read('circle.pdf', pdf);
      assert.ok(outcome.kind === 'read' && outcome.document.text === 'The lamp is lit at nine.');
    }
  });

  test('rejects them in one sentence if they need too much memory', async () => {
    const doubled = Array.from({ length: 30 }, (_, i) => `/X${String(i + 1)} Do `.repeat(2));
    await assert.rejects(read('doubled.pdf', forms(...doubled, words), smallPool), {
      name: 'NotebookError',
      code: 'too-large',
      message:
        /^Can’t read doubled\.pdf because it needs more than the \d+ MB of memory that reading can use\. Split the file, then add a part of it\.$/,
    });
  });
});

for (const [name, json] of Object.entries({
  brackets: '['.repeat(20 * megabyte),
  'empty lists': `{"cells":[${'[],'.repeat(6 * megabyte)}[]]}`,
  'empty objects': `{"cells":[${'{},'.repeat(6 * megabyte)}{}]}`,
}))
  test(`rejects an .ipynb file of ${name}`, () => refused('hostile.ipynb', json, 'too-large', smallPool));

test('rejects a drawing of 9 MB of nested <g> or text elements', async () => {
  await refused('g.svg', `<svg>${'<g>'.repeat(3 * megabyte)}`, 'empty');
  await refused('texts.svg', `<svg>${'<text>'.repeat(2 * megabyte)}`, 'empty');
  const drawing = await read('said.svg', `<svg>${'<g>'.repeat(500_000)}<text>Harbour &amp; mill</text>`);
  assert.ok(drawing.kind === 'read' && drawing.document.text === 'Harbour & mill\n');
});

test('reads a web page with a hundred thousand nested <div> elements', async () => {
  const html = `<p>The harbour.</p>${'<div>'.repeat(100_000)}<a href="/next">next</a>`;
  const page = await pool.readSitePage(
    {
      bytes: new TextEncoder().encode(html),
      mediaType: 'text/html',
      url: 'https://example.com/',
      knownHash: undefined,
      minimumLength: 1,
    },
    new AbortController().signal,
  );
  assert.deepEqual(page.links, ['https://example.com/next']);
});

describe('small exported notebooks that unfold to gigabytes', () => {
  const head = '{"type":"head","format":"open-notebook","version":1,"name":"x"}\n';
  const program = written(
    'import.mjs',
    `import { readNotebookFile } from ${JSON.stringify(new URL('../../src/index/library/notebook-file.ts', import.meta.url).href)};
     import { importLines } from ${JSON.stringify(new URL('../../src/index/library/importing.ts', import.meta.url).href)};
     import { withNewNotebook } from ${JSON.stringify(new URL('../../src/index/library/with-notebook-db.ts', import.meta.url).href)};
     import { mkdtempSync } from 'node:fs';
     const to = mkdtempSync(process.argv[3]);
     const done = withNewNotebook(to, (sql) =>
       importLines(sql, { path: process.argv[2], roots: [], followed: [], passages: { size: 500, overlap: 50 }, limits: { bounds: {}, options: {} } }, async () => {}));
     const outcome = await done.then(() => 'imported', ({ code }) => code);
     process.send({ outcome, megabytes: process.resourceUsage().maxRSS / 1024 });`,
  );
  const imported = async (name: string, body: string): Promise<{ outcome: string; megabytes: number }> => {
    const bytes = gzipSync(head + body, { level: 9 });
    assert.ok(bytes.length < 200_000);
    const child = fork(program, [written(name, bytes), join(folder, 'to-')], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [message] = (await once(child, 'message')) as [{ outcome: string; megabytes: number }];
    return message;
  };

  for (const [name, body] of [
    ['brackets', '['.repeat(rounds(20, 60) * megabyte)],
    ['lists', `{"type":"note","x":[${'[],'.repeat(rounds(8, 20) * megabyte)}0]}\n`],
    ['objects', `{"type":"note","x":[${'{},'.repeat(rounds(8, 20) * megabyte)}0]}\n`],
    ['heads', '{"type":"head"}\n'.repeat(rounds(1, 3) * megabyte)],
  ] as const)
    test(name, async () => {
      const { outcome, megabytes } = await imported(`${name}.opennotebook`, body);
      assert.ok(outcome === 'too-large' || outcome === 'damaged', outcome);
      assert.ok(megabytes < 600, `it took ${megabytes.toFixed(0)} MB`);
    });
});
