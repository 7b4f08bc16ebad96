import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import type { NotebookConnection } from '../../src/features/team/service/notebook-connection.ts';
import { findNear, placePoints } from '../../src/features/team/service/points.ts';
import { makeSearchable } from '../../src/features/team/service/searchable.ts';
import { exchangeVectors, nothingKnown } from '../../src/features/team/service/vectors.ts';
import { startPostgresWithPgvector } from '../support/postgres-pgvector.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { makePassages } from './made-passages.ts';
import { makeVectors } from './made-vectors.ts';
import { measureTime } from './measuring.ts';
import { printTable, quantile } from './table.ts';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { openReplica, type Replica } from '../../src/features/team/service/replica.ts';
import { downloadedRevision } from '../../src/features/team/service/sync-state.ts';
import { downloadChanges } from '../../src/features/team/service/download-changes.ts';
import { uploadChanges } from '../../src/features/team/service/upload-changes.ts';

/** Approximate number of passages per document, and number of dimensions of their vectors. */
const PASSAGES = 16;
const DOCUMENTS = 1_000;
const FEW = 100;
const DIMENSION = 384;

const model = { baseUrl: 'http://127.0.0.1:1/v1', name: 'made' };
const settings = { size: 500, overlap: 50 };
const silent = { indexing: () => undefined, resplitting: () => undefined };

interface Member {
  readonly line: NotebookConnection;
  readonly sql: Statements;
  readonly replica: Replica;
  close(): Promise<void>;
}

async function startMember(
  text: string,
  notebookId: string,
  directory: string,
  bounds: Pick<NotebookConnection, 'maxLocalPassages'> = {},
): Promise<Member> {
  const connection = readConnectionString(text);
  const client = await openConnection(connection);
  const { database } = await openDatabase(directory);
  const sql = new Statements(database);
  return {
    line: { client, connection, notebookId, ...bounds },
    sql,
    replica: openReplica(sql, [], settings, NO_LIMITS),
    close: async () => {
      await closeConnection(client);
      sql.close();
    },
  };
}

async function exchange({ line, sql, replica }: Member): Promise<void> {
  const localVersions = {
    dataVersion: replica.store.dataVersion(),
    revision: downloadedRevision(replica, 'documents'),
  };
  await exchangeVectors(line, sql, model, nothingKnown(), localVersions, () => undefined, context.signal);
}

/** Stores generated vectors for all texts. Returns the number of texts. */
async function embed(
  index: NotebookIndex,
): Promise<{ readonly count: number; readonly questions: readonly Float32Array[] }> {
  const { rows, questions } = makeVectors(index.embeddings.countMissing(model).total, DIMENSION);
  for (let count = 0; ;) {
    const batch = await index.nextEmbeddings(model, 'me');
    if (batch.kind !== 'texts') return { count, questions };
    const vectors = batch.texts.map(({ hash }) => {
      const from = count++ * DIMENSION;
      return [hash, rows.slice(from, from + DIMENSION)] as const;
    });
    await index.change(() => index.embeddings.put(batch.setId, new Map(vectors)));
  }
}

/** Measures the sync of vectors from one member to another, and their indexing if the database has pgvector. */
async function measureVectors(administrator: string, root: string, documents: number): Promise<void> {
  const { ada = '', ben = '' } = await makeTeam(administrator, { ada: 'author', ben: 'author' }, 'vectors');
  const folders = ['own', 'one', 'two'].map((name) => join(root, `vectors ${String(documents)} ${name}`));
  const [own = '', first = '', second = ''] = folders;
  for (const folder of folders) mkdirSync(folder);
  const { index } = await NotebookIndex.open(own, settings, silent);
  const source = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  const { texts } = makePassages(PASSAGES * documents);
  for (let number = 0; number < documents; number++) {
    const text = texts.slice(PASSAGES * number, PASSAGES * (number + 1)).join('\n\n');
    const key = `${String(number)}.md`;
    const document = readPlainText(text, 'text/plain');
    await index.putDocument(source.id, {
      ...{ key, uri: `file:///notes/${key}`, hash: key, size: text.length, modifiedAt: 1, document },
    });
  }
  const { count, questions } = await embed(index);
  await index.close();
  const notebookId = randomUUID();
  const shared = { connection: ada, from: own, to: first, name: 'Garden', notebookId };
  await teamHandlers.share({ ...shared, everybody: 'author' }, context);
  // As if its machine were too small for it.
  const firstMember = await startMember(ada, notebookId, first, { maxLocalPassages: 0 });
  do await downloadChanges(firstMember.line, firstMember.replica, () => undefined);
  while (await uploadChanges(firstMember.line, firstMember.replica));
  const sending = await measureTime(() => exchange(firstMember));
  const { id: teamId } = await teamHandlers.team({ connection: ben }, context);
  await teamHandlers.join({ teamId, notebookId, to: second }, context);
  const two = await startMember(ben, notebookId, second);
  await downloadChanges(two.line, two.replica, () => undefined);
  const taking = await measureTime(() => exchange(two));
  const megabytes = (2 * DIMENSION * count) / 2 ** 20;
  const row = (name: string, time: number): string[] => [
    name,
    ((1_000 * count) / time).toFixed(0),
    ((1_000 * megabytes) / time).toFixed(1),
  ];
  const rows = [row('sent', sending), row('taken over', taking)];
  await makeSearchable(firstMember.line, firstMember.sql, 0, context.signal);
  let placed: number | undefined;
  const placing = await measureTime(async () => {
    for (let upTo: number | undefined = 0; upTo !== undefined && upTo !== placed;)
      upTo = await placePoints(firstMember.line, firstMember.sql, model, (placed = upTo));
  });
  const near = async (vector: Float32Array): Promise<string[]> => {
    const nearDocuments = await findNear(firstMember.line, { model, vectors: [vector] }, 100);
    return nearDocuments.slice(0, 10).map(({ key }) => key);
  };
  const times: number[] = [];
  const nearestKeys: string[][] = [];
  for (const question of questions)
    times.push(await measureTime(async () => void nearestKeys.push(await near(question))));
  const hasPoints = nearestKeys.some((keys) => keys.length > 0);
  if (hasPoints) rows.push(row('made points', placing));
  printTable([`${String(count)} vectors of ${String(DIMENSION)}`, 'vectors/s', 'MB/s'], rows);
  if (hasPoints) {
    await firstMember.line.client.query('SET enable_indexscan = off');
    const exactly: number[] = [];
    let [same, all] = [0, 0];
    for (const [number, question] of questions.entries())
      exactly.push(
        await measureTime(async () => {
          const keys = await near(question);
          all += keys.length;
          same += keys.filter((key) => nearestKeys[number]?.includes(key)).length;
        }),
      );
    printTable(
      ['what is near', 'p50 ms', 'p95 ms', 'of the first ten'],
      [
        [
          'by the index',
          quantile(times, 0.5).toFixed(1),
          quantile(times, 0.95).toFixed(1),
          (same / all).toFixed(4),
        ],
        ['compared with all', quantile(exactly, 0.5).toFixed(1), quantile(exactly, 0.95).toFixed(1), '1'],
      ],
    );
  }
  for (const member of [firstMember, two]) await member.close();
}

/** Measures a PostgreSQL without pgvector, and one with pgvector compiled to WebAssembly. */
export async function measureTeamVectors(administrator: string, root: string): Promise<void> {
  await measureVectors(administrator, root, DOCUMENTS);
  const pgvector = await startPostgresWithPgvector();
  try {
    await measureVectors(pgvector.administrator, root, FEW);
  } finally {
    await pgvector.close();
  }
}
