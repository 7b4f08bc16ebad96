import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Embeddings } from '../../src/index/search/vectors/embeddings.ts';
import type { Row } from '../../src/index/store/database/database.ts';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { DocumentStore } from '../../src/index/store/sources/document-store.ts';
import { Store } from '../../src/index/store/store.ts';
import { makeFolder } from '../support/opened-notebooks.ts';

/** Statements with the plans of those that return rows. */
class ExplainedStatements extends Statements {
  readonly plans: string[][] = [];

  override all(sql: string, ...values: (string | number)[]): Row[] {
    const steps = super.all(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    this.plans.push(steps.map(({ detail }) => String(detail)));
    return super.all(sql, ...values);
  }
}

async function explain(use: (sql: Statements) => void): Promise<readonly string[][]> {
  const { database } = await openDatabase(makeFolder());
  const sql = new ExplainedStatements(database);
  use(sql);
  sql.close();
  return sql.plans;
}

test('reads stored vectors by passage, not all of them for a few', async () => {
  const plans = await explain((sql) => {
    const embeddings = new Embeddings(sql, () => undefined);
    embeddings.after(1, 0, 10);
    embeddings.ofPassages(1, [1]);
  });
  assert.deepEqual(
    plans.map(([first]) => first),
    ['SEARCH p USING INTEGER PRIMARY KEY (rowid>?)', 'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)'],
  );
});

test('reads the first passages in order, and no others', async () => {
  const [plan] = await explain((sql) => {
    new DocumentStore(sql).firstPassages(10);
  });
  assert.equal(plan?.[0], 'SCAN s');
  assert.ok(!plan.includes('USE TEMP B-TREE FOR ORDER BY'));
});

test('counts the passages of the sources without reading the documents', async () => {
  const plans = await explain((sql) => {
    new Store(sql).sources();
  });
  const plan = plans.find((steps) => steps.some((step) => step.includes(' d ')));
  assert.ok(
    plan?.some((step) => step.includes('COVERING INDEX documents_by_source')),
    plan?.join('\n'),
  );
});
