// Changes other people's data at random. Each reader must accept it or reject it with a reason.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { listModels } from '../../src/answers/models/list-models.ts';
import { embedTexts } from '../../src/answers/models/openai-embeddings.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';
import { cardHtml } from '../../src/features/flashcards/service/card-html.ts';
import { importLines } from '../../src/index/library/importing.ts';
import { withNewNotebook } from '../../src/index/library/with-notebook-db.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { NotebookError, type ErrorCode } from '../../src/core/domain/errors.ts';
import { rowId } from '../../src/features/tables/model/extraction-table.ts';
import { readLibrary } from '../../src/parsers/bibliography/library.ts';
import { savableAnnotations, saveAnnotations } from '../../src/parsers/pdf/saving/save-annotations.ts';
import { annotationAt, asFile } from '../support/annotated-pdf.ts';
import { importOptions, citationIn, exported } from '../support/exported-notebooks.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { mutatedBytes, mutatedJson, mutatedText, randomOf } from '../support/mutations.ts';
import { input, makeFolder, openNew } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';
import { column, tinyPdf } from '../support/tiny-pdf.ts';

/** Number of parts, so that each ends in time on a busy machine. */
const PARTS = rounds(1, 10);

/** Tests a reader with changed inputs in parts: `usual` of them in the usual tests, and 10,000 of a kind in all. */
function testMutations(what: string, usual: number, run: (seeds: readonly number[]) => Promise<void>): void {
  const count = rounds(usual, 1_000);
  for (let part = 0; part < PARTS; part++)
    test(`accepts or rejects ${what} changed at random, part ${String(part + 1)}`, () =>
      run(Array.from({ length: count }, (_, index) => part * count + index + 1)));
}

/** Returns the notebook error that work fails with, if any. @throws any other error, with the seed */
async function refusal(seed: number, action: () => unknown): Promise<NotebookError | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    if (error instanceof NotebookError) return error;
    throw new Error(`Seed ${String(seed)}`, { cause: error });
  }
}

/** Returns the lines of an exported notebook with most kinds of contents. */
async function notebookLines(): Promise<unknown[]> {
  const { folder: from, index } = await openNew();
  const uri = 'https://example.org/lamp';
  const lamp = await index.addSource(
    'Lamp',
    { kind: 'page', url: uri },
    { ...input('The lamp is lit at nine.'), uri },
  );
  const [document] = index.store.documents.ofSource(lamp.id);
  const documentId = document?.id ?? 0;
  const citations = [citationIn(index, documentId, 4, 8)];
  const answer: Answer = {
    ...{ kind: 'written', model: 'm', text: 'At nine.', citations },
    statements: [{ start: 0, end: 8, verdict: 'supported', citations: [0] }],
  };
  index.features.notes.add({
    ...{ title: 'Plan', text: '# Plan\n\nLit [1](citation/0123456789abcdef).' },
    citations: citations.flatMap((citation) => [{ id: '0123456789abcdef', citation }]),
  });
  index.features.artifacts.generatedNotes.keep('Plan', {
    ...{ kind: 'glossary', sourceIds: [lamp.id], text: '# Plan', generatedAt: 7 },
    documents: [{ documentId, hash: 'a' }],
  });
  const turn = { id: 't', question: 'When?', askedAt: 1, state: { kind: 'done', milliseconds: 1 } } as const;
  index.features.conversations.putTurn(index.features.conversations.begin(), { ...turn, answer });
  const tableId = index.features.extractionTables.add({
    title: 'Works',
    rowKind: 'sources',
  });
  const columnId = index.features.extractionTables.addColumn(tableId, 'When?');
  const cells = [{ columnId, rowId: rowId(lamp.id, undefined), rowTitle: 'Lamp' }];
  index.features.extractionTables.want({ tableId, cells, replacesEdited: false });
  const path = await exported(from);
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

const ENDS_AN_IMPORT: ReadonlySet<ErrorCode> = new Set(['damaged', 'too-large', 'unsupported']);

testMutations('an exported notebook', 40, async (seeds) => {
  const lines = await notebookLines();
  const folder = makeFolder();
  const path = join(folder, 'a.opennotebook');
  await withNewNotebook(makeFolder(), async (sql) => {
    const tables = sql
      .texts("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .filter((name) => !/^sqlite_|_(?:data|idx|content|docsize|config)$/.test(name));
    const fixed = new Set(tables.filter((name) => sql.has(`SELECT 1 FROM "${name}"`)));
    let acceptedCount = 0;
    for (const seed of seeds) {
      const random = randomOf(seed);
      // Changes the text of every tenth file, and else the values, with the right number of lines.
      const list = listOf(seed % 10 === 0 ? lines : mutatedJson(lines, random)).slice(0, -1);
      const whole = [...list, { type: 'end', count: list.length }].map((line) => JSON.stringify(line));
      const text = `${whole.join('\n')}\n`;
      writeFileSync(path, gzipSync(seed % 10 === 0 ? mutatedText(text, random) : text, { level: 1 }));
      const params = { ...importOptions, path };
      const refused = await refusal(seed, () => importLines(sql, params, () => Promise.resolve()));
      assert.ok(
        refused === undefined || ENDS_AN_IMPORT.has(refused.code),
        `${String(seed)}: ${String(refused)}`,
      );
      if (refused === undefined) acceptedCount++;
      sql.transaction(() => {
        for (const name of tables) if (!fixed.has(name)) sql.run(`DELETE FROM "${name}"`);
      });
    }
    assert.ok(sql.isWhole());
    assert.ok(acceptedCount > 0 && acceptedCount < seeds.length, `${String(acceptedCount)} taken`);
  });
});

const bibs = ['jabref', 'mendeley', 'zotero'].map((name) =>
  readFileSync(new URL(`../fixtures/bibliography/${name}.bib`, import.meta.url), 'utf8').slice(0, 3_000),
);

testMutations('a library of references', 100, async (seeds) => {
  for (const seed of seeds) {
    const text = mutatedText(bibs[seed % bibs.length] ?? '', randomOf(seed));
    const refused = await refusal(seed, async () => {
      const library = await readLibrary(text, 'my.bib');
      for (const { item, line, files } of library?.entries ?? []) {
        assert.equal(typeof item.id, 'string');
        assert.ok(Number.isInteger(line) && line >= 0);
        assert.ok(files.every((file) => typeof file === 'string'));
      }
    });
    assert.equal(refused, undefined, String(seed));
  }
});

testMutations('the annotations of a PDF', 150, async (seeds) => {
  const [a, b] = [
    annotationAt(1, [72, 700, 200, 712]),
    annotationAt(1, [72, 650, 200, 662], { remark: 'b' }),
  ];
  const blank = tinyPdf({ pages: [{ lines: column(72, 700, ['A page tells of memory.']) }] });
  const first = saveAnnotations(
    asFile(blank),
    [a, b].map((annotation, index) => ({ kind: 'add' as const, key: String(index), annotation })),
    'a.pdf',
    new Date(0),
  );
  const file = Buffer.concat([blank, first.tail]);
  let saved = 0;
  for (const seed of seeds) {
    const bytes = mutatedBytes(file, randomOf(seed));
    const changes = [
      { kind: 'remove' as const, key: '0', before: a, ref: first.refs['0'] ?? '' },
      {
        kind: 'change' as const,
        key: '1',
        before: b,
        annotation: { ...b, remark: 'c' },
        ref: first.refs['1'] ?? '',
      },
      { kind: 'add' as const, key: '2', annotation: annotationAt(1, [72, 600, 200, 612]) },
    ];
    const refused = await refusal(seed, () => {
      savableAnnotations(asFile(bytes));
      assert.ok(saveAnnotations(asFile(bytes), changes, 'a.pdf', new Date(0)).tail.length < 100_000);
      saved++;
    });
    assert.ok(refused === undefined || refused.code === 'unsupported', `${String(seed)}: ${String(refused)}`);
  }
  assert.ok(saved > 0);
});

const CARDS = [
  'A {{c1::keel}} has $\\frac{{a}}{b}$ and `x::y`.',
  'What is $e^2$?\n\n```js\nlet a = 1;\n```\n\n- [ ] b [c](https://d.example/) <b>&</b>',
  '| a | b |\n|---|---|\n| ![x](y) | [1](citation/0123456789abcdef "a") |',
];
/** Matches elements and attributes that load or run nothing, with only web and mail addresses. */
const HARMLESS_HTML =
  /^(?:[^<]|<\/?[a-z]\w*(?: (?:align|start|type|checked|disabled)="[^"<>]*"| href="(?:https?:|mailto:|#)[^"<>]*")*>)*$/i;
const LIVE_ELEMENT =
  /<\/?(?:script|style|img|iframe|object|embed|svg|math|link|meta|base|form|video|audio)\b/i;

testMutations('the Markdown of a card for Anki', 300, (seeds) => {
  for (const seed of seeds) {
    const text = mutatedText(CARDS[seed % CARDS.length] ?? '', randomOf(seed));
    for (const isCloze of [false, true]) {
      const html = cardHtml(text, isCloze);
      assert.match(html, HARMLESS_HTML, String(seed));
      assert.doesNotMatch(html, LIVE_ELEMENT, String(seed));
    }
  }
  return Promise.resolve();
});

const chunk = (delta: object, more: object = {}): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const CHUNKS = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'At ' }),
  chunk({ content: 'nine.' }),
  chunk({ tool_calls: [{ index: 0, id: 'call', function: { name: 'search', arguments: '{"query":"a"}' } }] }),
  {
    ...chunk({}, { finish_reason: 'stop' }),
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  },
];

testMutations('the reply of an endpoint', 60, async (seeds) => {
  let body = '';
  const server = await startLoopbackServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
    return Promise.resolve();
  });
  try {
    const model = openAiModel({ baseUrl: `${server.url}/v1`, name: 'm', temperature: 0 });
    let reportedCount = 0;
    for (const seed of seeds) {
      const random = randomOf(seed);
      const chunks = listOf(seed % 3 === 0 ? CHUNKS : mutatedJson(CHUNKS, random));
      const lines = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`);
      const text = `${lines.join('')}data: [DONE]\n\n`;
      body = seed % 3 === 0 ? mutatedText(text, random) : text;
      const { signal } = new AbortController();
      await refusal(seed, async () => {
        const options = {
          ...{ signal, tools: [{ name: 'search', description: 'Finds.', input: { type: 'object' } }] },
          onToolCall: (call: {
            readonly id: string;
            readonly name: string;
            readonly input: unknown;
          }): void => {
            for (const part of [call.id, call.name]) assert.equal(typeof part, 'string', String(seed));
          },
          onUsage: ({ input, output }: { readonly input: number; readonly output: number }): void => {
            assert.ok(Number.isFinite(input) && Number.isFinite(output), String(seed));
          },
        };
        for await (const piece of model.stream([{ role: 'user', content: 'When?' }], options)) {
          assert.equal(typeof piece, 'string', String(seed));
          reportedCount++;
        }
      });
    }
    assert.ok(reportedCount > 0);
  } finally {
    await server.close();
  }
});

const MODELS = {
  object: 'list',
  data: [
    {
      id: 'a',
      object: 'model',
      created: 1,
      context_length: 8_192,
      pricing: { prompt: '0.1', completion: '0.2' },
    },
    { id: 'b', object: 'model', max_model_len: 4_096, capabilities: { completion_chat: true } },
  ],
};
const VECTORS = {
  object: 'list',
  model: 'm',
  data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.5, -0.5, 0.25] })),
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

testMutations('the models and vectors of an endpoint', 40, async (seeds) => {
  let body = '';
  const server = await startLoopbackServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return Promise.resolve();
  });
  try {
    const access = { baseUrl: `${server.url}/v1`, name: 'm' };
    const { signal } = new AbortController();
    for (const seed of seeds) {
      const random = randomOf(seed);
      const value = seed % 2 === 0 ? MODELS : VECTORS;
      const text = JSON.stringify(value);
      body = seed % 5 === 0 ? mutatedText(text, random) : JSON.stringify(mutatedJson(value, random));
      await refusal(seed, async () => {
        if (value === MODELS)
          for (const { name, windowTokens, prices } of await listModels(access, {
            signal,
            timeout: 10_000,
          })) {
            assert.equal(typeof name, 'string', String(seed));
            assert.ok(windowTokens === undefined || windowTokens > 0, String(seed));
            for (const price of Object.values(prices ?? {})) assert.ok(Number.isFinite(price), String(seed));
          }
        else {
          const vectors = await embedTexts(access, ['a', 'b'], { signal, timeout: 10_000, retries: 0 });
          assert.equal(vectors.length, 2, String(seed));
          for (const vector of vectors)
            assert.ok(vector === null || vector.every(Number.isFinite), String(seed));
        }
      });
    }
  } finally {
    await server.close();
  }
});
