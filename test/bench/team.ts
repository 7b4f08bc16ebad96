import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { LOST_OPTIONS } from '../../src/features/research/store/stored-json.ts';
import { FOLLOW_INTERVAL } from '../../src/index/worker/index-follower.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { findCandidates } from '../../src/features/team/service/candidates.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { syncNotebook } from '../../src/features/team/service/sync-notebook.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { hashBytes, pack } from '../../src/features/team/service/packed.ts';
import type { NotebookConnection } from '../../src/features/team/service/notebook-connection.ts';
import { writePostings, type WrittenWindow } from '../../src/features/team/service/postings.ts';
import { savePostings } from '../../src/features/team/service/searchable.ts';
import { throughPort } from '../support/postgres-connection.ts';
import { startPooler } from '../support/postgres-pooler.ts';
import { startPostgres } from '../support/postgres.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { makePassages, streamPassages } from './made-passages.ts';
import { measureTime } from './measuring.ts';
import { printTable, quantile } from './table.ts';
import { measureTeamQuality } from './team-quality.ts';
import { measureTeamVectors } from './team-vectors.ts';

const COUNTS = [10_000, 200_000];
/** Numbers of shared documents of about three passages each, and of timed changes. */
const DOCUMENTS = 2_000;
const CHANGES = 20;
const QUESTIONS = 40;
const MEMBERS = 20;
/** Maximum number of passages for `ts_rank`, because its table needs minutes and gigabytes. */
const MAX_PEER_PASSAGES = 200_000;
/** Time after which `ts_rank` gets no more questions, in milliseconds. */
const MAX_RANK_MS = 20_000;
/** Number of passages that are indexed at once, and number of passages per document. */
const BATCH = 32_768;
const PASSAGES = 64;

const settings = { size: 500, overlap: 50 };
const silent = { indexing: () => undefined, resplitting: () => undefined };
const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0);
const milliseconds = (time: number): string => time.toFixed(1);

interface Machine {
  readonly index: NotebookIndex;
  close(): Promise<void>;
}

/** Starts the sync on a machine whose folder exists. */
async function start(connection: string, directory: string): Promise<Machine> {
  const { index } = await NotebookIndex.open(directory, settings, silent);
  const controller = new AbortController();
  const options = {
    ...{ connection, directory, roots: [], passages: settings, embeddings: undefined },
    limits: { bounds: {}, options: LOST_OPTIONS },
  };
  const done = syncNotebook(options, () => undefined, controller.signal);
  return {
    index,
    close: async () => {
      controller.abort();
      await done;
      await index.close();
    },
  };
}

async function until(index: NotebookIndex, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (;;) {
    await index.followOthers();
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const input = (text: string, key: string): Parameters<NotebookIndex['putDocument']>[1] => ({
  key,
  uri: `file:///notes/${key}`,
  hash: key,
  size: text.length,
  modifiedAt: 1,
  document: readPlainText(text, 'text/plain'),
});

/** Measures sharing, syncing, and the time of a change from one member to another's search. */
async function measureFollowing(administrator: string, root: string): Promise<void> {
  const { ada = '', ben = '' } = await makeTeam(administrator, { ada: 'author', ben: 'author' }, 'following');
  const [own, one, two] = [join(root, 'own'), join(root, 'one'), join(root, 'two')];
  for (const folder of [own, one, two]) mkdirSync(folder);
  const { texts } = makePassages(DOCUMENTS);
  const { index } = await NotebookIndex.open(own, settings, silent);
  const source = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (const [number, text] of texts.entries())
    await index.putDocument(source.id, input(text, `${String(number)}.md`));
  const { passages } = index.store.counts();
  await index.close();
  const notebookId = randomUUID();
  await teamHandlers.share(
    { connection: ada, from: own, to: one, name: 'Garden', notebookId, everybody: 'author' },
    context,
  );
  const client = new pg.Client({ connectionString: administrator });
  await client.connect();
  const count = async (): Promise<number> =>
    Number(
      (await client.query<{ n: string }>('SELECT count(*) AS n FROM open_notebook.documents')).rows[0]?.n,
    );
  let first: Machine | undefined;
  const sharing = await measureTime(async () => {
    first = await start(ada, one);
    await until(first.index, async () => (await count()) === DOCUMENTS);
  });
  const raw = await measureTime(() =>
    client.query(
      'SELECT * FROM open_notebook.documents d JOIN open_notebook.contents c ON c.hash = d.content',
    ),
  );
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relname IN ('documents', 'contents')`,
  );
  await client.end();
  const { id: teamId } = await teamHandlers.team({ connection: ben }, context);
  await teamHandlers.join({ teamId, notebookId, to: two }, context);
  let second: Machine | undefined;
  const taking = await measureTime(async () => {
    second = await start(ben, two);
    const { index: other } = second;
    await until(other, () => other.store.counts().documents === DOCUMENTS);
  });
  if (first === undefined || second === undefined) return;
  const changeTimes = await measureChanges(first.index, second.index, source.id, 'told');
  await second.close();
  // The same member behind a pooler, which tells nobody of anything.
  const pooler = await startPooler([ben]);
  second = await start(throughPort(ben, pooler.port), two);
  const untold = await measureChanges(first.index, second.index, source.id, 'untold');
  await first.close();
  await second.close();
  await pooler.close();
  const megabytes = Number(rows[0]?.bytes) / 2 ** 20;
  const perSecond = (time: number): string => ((1_000 * passages) / time).toFixed(0);
  console.log(
    `${String(passages)} passages in ${String(DOCUMENTS)} documents, ${megabytes.toFixed(1)} MB in the team's database\n`,
  );
  printTable(
    ['', 'passages/s', 'MB/s', 'to rows read raw'],
    [
      ['shared', perSecond(sharing), ((1_000 * megabytes) / sharing).toFixed(1), (sharing / raw).toFixed(1)],
      [
        'taken in, to be searched',
        perSecond(taking),
        ((1_000 * megabytes) / taking).toFixed(1),
        (taking / raw).toFixed(1),
      ],
    ],
  );
  printTable(
    ['from a change to another’s search', 'p50 ms', 'p95 ms'],
    (
      [
        ['', changeTimes],
        ['behind a pooler', untold],
      ] as const
    ).map(([name, times]) => [name, milliseconds(quantile(times, 0.5)), milliseconds(quantile(times, 0.95))]),
  );
}

/** Measures the time until another member's search finds changes, with an index that follows as in the worker. */
async function measureChanges(
  receiver: NotebookIndex,
  sender: NotebookIndex,
  sourceId: string,
  name: string,
): Promise<number[]> {
  const changes: number[] = [];
  const following = setInterval(() => void sender.followOthers(), FOLLOW_INTERVAL);
  for (let number = 0; number < CHANGES; number++) {
    const word = `zebra${name}${String(number)}x`;
    changes.push(
      await measureTime(async () => {
        await receiver.putDocument(sourceId, input(`The ${word} stands here.`, `${word}.md`));
        while (!(await sender.passageSearch.search(word, 1)).some(({ text }) => text.includes(word)))
          await new Promise((resolve) => setTimeout(resolve, 10));
      }),
    );
    // Not in time with what is looked for now and then.
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.random()));
  }
  clearInterval(following);
  return changes;
}

/**
 * Measures questions of one and of twenty members over generated passages, compared with the index in memory and
 * `ts_rank`.
 */
async function measureQuestions(administrator: string, count: number): Promise<void> {
  const names = Array.from({ length: MEMBERS }, (_, number) => `asker${String(number)}of${String(count)}`);
  const strings = await makeTeam(
    administrator,
    Object.fromEntries(names.map((name) => [name, 'author' as const])),
  );
  const { next, questions } = streamPassages(count);
  const hasPeer = count <= MAX_PEER_PASSAGES;
  const notebookId = randomUUID();
  const text = pack({ text: '' });
  const clients: pg.Client[] = [];
  const lines: NotebookConnection[] = [];
  for (const name of names) {
    const connection = readConnectionString(strings[name] ?? '');
    const client = await openConnection(connection);
    clients.push(client);
    lines.push({ client, connection, notebookId });
  }
  const [client] = clients;
  if (client === undefined) return;
  await client.query(`SELECT open_notebook.create_notebook($1, 'Large', 'author')`, [notebookId]);
  await client.query(`SELECT open_notebook.put_source($1, 's', '')`, [notebookId]);
  const raw = new pg.Client({ connectionString: administrator });
  await raw.connect();
  await raw.query('INSERT INTO open_notebook.contents (notebook_id, hash, bytes) VALUES ($1, $2, $3)', [
    ...[notebookId, hashBytes(text), text],
  ]);
  await raw.query('CREATE TABLE IF NOT EXISTS public.peer (id int, words tsvector)');
  await raw.query('TRUNCATE public.peer');
  const memory = PassageIndex.create();
  const [line] = lines;
  if (line === undefined) return;
  let [inMemory, peer, writing, sending] = [0, 0, 0, 0];
  let length = 0;
  const began = performance.now();
  for (let base = 0; base < count; base += BATCH) {
    const part = next(BATCH);
    const documents = Array.from({ length: Math.ceil(part.length / PASSAGES) }, (_, at) => ({
      name: { sourceId: 's', key: `${String(base)}-${String(at).padStart(4, '0')}` },
      content: hashBytes(text),
      passages: Math.min(PASSAGES, part.length - at * PASSAGES),
    }));
    inMemory += await measureTime(() =>
      memory.add(part.map((terms, at) => ({ id: base + at + 1, sourceId: 's', terms, language: 'en' }))),
    );
    await raw.query(
      `INSERT INTO open_notebook.documents (notebook_id, source_id, key, revision, head, content, bytes, changed_by)
       SELECT $1, 's', key, 1, '', $3, 1, session_user FROM unnest($2::text[]) AS key`,
      [notebookId, documents.map(({ name }) => name.key), hashBytes(text)],
    );
    let written: WrittenWindow | undefined;
    writing += await measureTime(() => {
      written = writePostings(
        part.map((terms) => ({ terms, language: 'en' })),
        base === 0 ? undefined : length / base,
      );
    });
    if (written === undefined) return;
    length += written.length;
    const window = written;
    sending += await measureTime(() => savePostings(line, documents, window));
    if (hasPeer)
      peer += await measureTime(() =>
        raw.query(
          `INSERT INTO public.peer SELECT $1 + place - 1, to_tsvector('simple', words)
           FROM unnest($2::text[]) WITH ORDINALITY AS one (words, place)`,
          [base, part],
        ),
      );
    if (count > MAX_PEER_PASSAGES)
      console.log(
        `${String(base + part.length)} passages after ${((performance.now() - began) / 1_000).toFixed(0)} s, ${(process.memoryUsage().rss / 2 ** 30).toFixed(1)} GB`,
      );
  }
  if (hasPeer) peer += await measureTime(() => raw.query('CREATE INDEX ON public.peer USING gin (words)'));
  await raw.query('VACUUM ANALYZE');
  const measureTable = async (table: string): Promise<number> => {
    const { rows } = await raw.query<{ bytes: string }>(
      `SELECT pg_total_relation_size($1::regclass)
         + (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = $1::regclass) AS bytes`,
      [table],
    );
    return Number(rows[0]?.bytes) / count;
  };
  const tables = ['postings', 'passages', 'windows', 'searchable'];
  const sizes = await Promise.all(tables.map((table) => measureTable(`open_notebook.${table}`)));
  const rate = (time: number): string => ((1_000 * count) / time).toFixed(0);
  console.log(
    `${String(count)} passages: ${sum(sizes).toFixed(0)} bytes a passage (${tables.map((table, at) => `${table} ${(sizes[at] ?? 0).toFixed(1)}`).join(', ')}), ` +
      `${rate(writing + sending)} passages/s made findable (postings worked out ${rate(writing)}, written ${rate(sending)}, memory ${rate(inMemory)})`,
  );
  if (hasPeer)
    console.log(
      `tsvector: ${(await measureTable('public.peer')).toFixed(0)} bytes a passage, ${rate(peer)} passages/s`,
    );
  console.log(
    `${((performance.now() - began) / 1_000).toFixed(0)} s, ${(process.memoryUsage().rss / 2 ** 30).toFixed(1)} GB with the index in memory\n`,
  );
  const rows: string[][] = [];
  for (const words of [3, 8]) {
    const queries = questions(words, QUESTIONS);
    const team: number[] = [];
    const inside: number[] = [];
    const ranked: number[] = [];
    let [same, all] = [0, 0];
    for (const question of queries) {
      let best: { readonly id: number; readonly score: number }[] = [];
      inside.push(
        await measureTime(async () => {
          best = await memory.search(question, { limit: 100 });
        }),
      );
      let matches: readonly { readonly passage: number }[] = [];
      team.push(
        await measureTime(async () => {
          matches = await findCandidates(line, [question]);
        }),
      );
      const scores = new Map(best.map(({ id, score }) => [id, score]));
      const least = best[9]?.score ?? 0;
      for (const { passage } of matches.slice(0, 10)) {
        all++;
        // Several passages with equal scores can be in either result.
        if ((scores.get(passage + 1) ?? 0) >= least * 0.9999) same++;
      }
      // It is so slow over many that some have to do.
      if (hasPeer && sum(ranked) < MAX_RANK_MS)
        ranked.push(
          await measureTime(() =>
            raw.query(
              `SELECT id FROM public.peer, to_tsquery('simple', $1) AS asked WHERE words @@ asked
               ORDER BY ts_rank(words, asked) DESC LIMIT 100`,
              [question.split(' ').join(' | ')],
            ),
          ),
        );
    }
    const together: number[] = [];
    await Promise.all(
      lines.map(async (one, member) => {
        for (const question of queries.slice(0, 10).toSpliced(0, member % 5))
          together.push(await measureTime(() => findCandidates(one, [question])));
      }),
    );
    const row = (name: string, times: readonly number[], hits = ''): string[] => [
      `${String(words)} words, ${name}`,
      milliseconds(quantile(times, 0.5)),
      milliseconds(quantile(times, 0.95)),
      ranked.length === 0 ? '' : (quantile(times, 0.5) / quantile(ranked, 0.5)).toFixed(2),
      hits,
    ];
    rows.push(
      row('the team’s database', team, (same / all).toFixed(4)),
      row(`${String(MEMBERS)} members at once`, together),
      row('memory', inside),
      ...(ranked.length === 0 ? [] : [row('ts_rank', ranked)]),
    );
  }
  printTable(['', 'p50 ms', 'p95 ms', 'to ts_rank', 'of the first ten as memory'], rows);
  for (const client of clients) await closeConnection(client);
  await raw.end();
}

/**
 * Measures a team database: syncing and questions. `passages` measures only questions over this number of passages,
 * and `kills` kills the server this many times.
 */
export async function measureTeam(
  { passages, kills }: { readonly passages?: string | undefined; readonly kills?: string | undefined },
  judged: { readonly scifact: string; readonly evidence: string },
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'notebook-bench-'));
  const postgres = await startPostgres({
    shared_buffers: '512MB',
    max_wal_size: '8GB',
    synchronous_commit: 'off',
  });
  try {
    if (passages === undefined) {
      await measureTeamQuality(await postgres.createDatabase(), judged);
      await measureFollowing(await postgres.createDatabase(), root);
      await measureTeamVectors(await postgres.createDatabase(), root);
    }
    for (const count of passages === undefined ? COUNTS : [Number(passages)])
      await measureQuestions(await postgres.createDatabase(), count);
  } finally {
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }
  if (kills !== undefined) {
    const { status } = spawnSync(
      process.execPath,
      [
        '--test',
        '--test-name-pattern=killed in the middle of writes',
        join(import.meta.dirname, '../unit/team-faults.test.ts'),
      ],
      { stdio: 'inherit', env: { ...process.env, OPEN_NOTEBOOK_KILLS: kills } },
    );
    if (status !== 0) process.exitCode = 1;
  }
}
