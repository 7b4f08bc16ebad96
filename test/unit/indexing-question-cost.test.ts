// Checks the cost of a question by the work that the database does for it, not by time.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { ask } from '../bench/asking.ts';

const SETTINGS = { size: 1_500, overlap: 50 };
const QUESTION = 'How does Orvanta calibrate a flood sensor?';

/** Opens a notebook with a folder of documents about the question. */
async function openFolder(t: TestContext, documents: number): Promise<NotebookIndex> {
  const directory = mkdtempSync(join(tmpdir(), 'cost-'));
  const quiet = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(directory, SETTINGS, quiet);
  t.after(async () => {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const { id } = await index.addSource('Handbook', { kind: 'folder', uri: 'file:///handbook' }, undefined);
  const add = async (number: number): Promise<void> => {
    const key = `part-${String(number)}.md`;
    const text = `# Part ${String(number)}\n\nOrvanta teams calibrate every flood sensor of part ${String(number)} before the rain.\n`;
    const input = { key, uri: `file:///handbook/${key}`, hash: key, size: text.length, modifiedAt: 1 };
    await index.putDocument(id, { ...input, document: readMarkdown(text) });
  };
  await Promise.all(Array.from({ length: documents }, (_, number) => add(number)));
  return index;
}

/** Returns how often each statement runs while `action` is under way. */
async function countStatements(t: TestContext, action: () => Promise<unknown>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const mocks = (['get', 'all'] as const).map((method) => {
    const run = StatementSync.prototype[method] as (...values: unknown[]) => unknown;
    return t.mock.method(
      StatementSync.prototype,
      method,
      function (this: StatementSync, ...values: unknown[]) {
        counts.set(this.sourceSQL, (counts.get(this.sourceSQL) ?? 0) + 1);
        return run.apply(this, values);
      },
    );
  });
  await action();
  for (const { mock } of mocks) mock.restore();
  return counts;
}

test('runs as many statements for a question when the notebook grows', async (t) => {
  const sizes = [150, 300];
  const counts: ReadonlyMap<string, number>[] = [];
  for (const size of sizes) {
    const index = await openFolder(t, size);
    counts.push(await countStatements(t, () => ask(index, QUESTION)));
  }
  assert.deepEqual(counts[1], counts[0]);
});

test('reads no whole table for a question, also after a change', async (t) => {
  const index = await openFolder(t, 40);
  const counts = await countStatements(t, () => ask(index, QUESTION));
  const plans = Array.from(counts.keys(), (sql) => ({
    sql,
    details: index.sql
      .all(`EXPLAIN QUERY PLAN ${sql}`, ...(sql.match(/\?/g) ?? []).map(() => '[]'))
      .map(({ detail }) => String(detail)),
  }));
  const scans = (pattern: RegExp): string[] =>
    plans.filter(({ details }) => details.some((detail) => pattern.test(detail))).map(({ sql }) => sql);
  assert.deepEqual(scans(/^SCAN (?:d|documents|p|passages)\b(?! USING COVERING INDEX)/), []);
  // An entry of the index has a few bytes, unlike a row, which has the text of the document.
  const counting = scans(/^SCAN (?:d|documents|p|passages) USING COVERING INDEX/);
  assert.deepEqual(
    counting.map((sql) => [sql.includes('sum(passages)'), counts.get(sql)]),
    [[true, 1]],
  );
  const again = await countStatements(t, () => ask(index, QUESTION));
  assert.deepEqual(
    counting.filter((sql) => again.has(sql)),
    [],
  );
});

test('looks up the source and title of a cited document once for all its citations', async (t) => {
  const index = await openFolder(t, 40);
  const answer = await ask(index, QUESTION);
  assert.ok(answer?.kind === 'quotes');
  const [citation] = answer.citations;
  assert.ok(citation);
  const { documentId, passage, span, quote } = citation;
  const request = { number: 1, documentId, passage, span, quote };
  const countFor = (requests: number): Promise<Map<string, number>> =>
    countStatements(t, () => {
      const citations = index.cited.cite(Array.from({ length: requests }, () => request));
      assert.equal(citations.length, requests);
      return Promise.resolve();
    });
  assert.deepEqual(await countFor(50), await countFor(1));
});
