// Measures how well a team database ranks documents with known relevance, compared with the index in memory and
// PostgreSQL's own search.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { findCandidates } from '../../src/features/team/service/candidates.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { hashBytes, pack } from '../../src/features/team/service/packed.ts';
import { writePostings } from '../../src/features/team/service/postings.ts';
import { savePostings } from '../../src/features/team/service/searchable.ts';
import { makeTeam } from '../support/team-members.ts';
import type { Case } from './claims.ts';
import type { BenchDocument } from './document-peers.ts';
import { missingIn, readJudged, rankScores, type JudgedQuestion } from './documents.ts';
import { readJsonLines } from './json-lines.ts';
import { printTable } from './table.ts';

const RETRIEVED = 100;

interface Judged {
  readonly name: string;
  readonly documents: readonly BenchDocument[];
  readonly questions: readonly JudgedQuestion[];
}

/**
 * Measures nDCG@10 and similar scores on SciFact, or on its part in `evidence/`, with each abstract as one passage.
 */
export async function measureTeamQuality(
  administrator: string,
  { scifact, evidence }: { readonly scifact: string; readonly evidence: string },
): Promise<void> {
  const judged = judgedIn(scifact, evidence);
  if (judged === undefined) return;
  const { name, documents, questions } = judged;
  const searches = await searchesOver(administrator, documents);
  const rows: string[][] = [];
  for (const [engine, search] of Object.entries(searches.engines)) {
    const sums = [0, 0, 0, 0];
    for (const { text, relevance } of questions) {
      const foundNumbers = await search(text);
      const names = foundNumbers.flatMap((number) => documents[number]?.id ?? []);
      for (const [at, figure] of rankScores(names, relevance).entries()) sums[at] = (sums[at] ?? 0) + figure;
    }
    rows.push([engine, ...sums.map((total) => (total / questions.length).toFixed(4))]);
  }
  await searches.close();
  console.log(`${name}: ${String(questions.length)} questions over ${String(documents.length)} abstracts`);
  printTable(['', 'nDCG@10', 'Recall@10', 'Recall@100', 'MRR@10'], rows);
}

/** Reads SciFact, or the available part of it. Prints what is missing. */
function judgedIn(scifact: string, evidence: string): Judged | undefined {
  const missing = missingIn(scifact);
  if (missing === undefined) return { name: 'SciFact', ...readJudged(scifact) };
  console.log(
    `SciFact is missing: there is no ${missing}. Name its folder, in the layout of BEIR, with --data.`,
  );
  const file = join(evidence, 'claims.jsonl');
  if (existsSync(file)) return judgedClaims(file);
  console.error(`So are the claims of it: there is no ${file}.`);
  process.exitCode = 1;
  return undefined;
}

/** Returns the claims of `evidence/` that have evidence as questions, and the abstracts that claims name. */
export function judgedClaims(file: string): Judged {
  const claims = readJsonLines<Case>(file);
  const documents = new Map(
    claims.map(({ title, sentences }) => [title, { id: title, title, text: sentences.join(' ') }]),
  );
  const questions = new Map<string, Map<string, number>>();
  for (const { claim, label, title } of claims)
    if (label !== 'NONE')
      questions.set(claim, (questions.get(claim) ?? new Map<string, number>()).set(title, 1));
  return {
    name: 'Claims of SciFact that have evidence, over the abstracts that claims here name',
    documents: [...documents.values()],
    questions: Array.from(questions, ([text, relevance]) => ({ id: text, text, relevance })),
  };
}

async function searchesOver(
  administrator: string,
  documents: readonly BenchDocument[],
): Promise<{
  readonly engines: Readonly<Record<string, (question: string) => Promise<readonly number[]>>>;
  close(): Promise<void>;
}> {
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' }, 'quality');
  const connection = readConnectionString(ada);
  const client = await openConnection(connection);
  const line = { client, connection, notebookId: randomUUID() };
  const raw = new pg.Client({ connectionString: administrator });
  await raw.connect();
  const texts = documents.map(({ title, text }) => ({ terms: `${title}\n\n${text}`, language: undefined }));
  await client.query(`SELECT open_notebook.create_notebook($1, 'Claims', 'author')`, [line.notebookId]);
  await client.query(`SELECT open_notebook.put_source($1, 's', '')`, [line.notebookId]);
  const content = pack({ text: '' });
  await raw.query('INSERT INTO open_notebook.contents (notebook_id, hash, bytes) VALUES ($1, $2, $3)', [
    ...[line.notebookId, hashBytes(content), content],
  ]);
  await raw.query(
    `INSERT INTO open_notebook.documents (notebook_id, source_id, key, revision, head, content, bytes, changed_by)
     SELECT $1, 's', number::text, 1, '', $3, 1, session_user FROM generate_series(0, $2::int - 1) AS number`,
    [line.notebookId, documents.length, hashBytes(content)],
  );
  await savePostings(
    line,
    documents.map((_, number) => ({
      name: { sourceId: 's', key: String(number) },
      content: hashBytes(content),
      passages: 1,
    })),
    writePostings(texts, undefined),
  );
  const memory = PassageIndex.create();
  await memory.add(texts.map(({ terms }, number) => ({ id: number + 1, sourceId: 's', terms })));
  await raw.query('CREATE TABLE public.abstracts (number int, words tsvector)');
  await raw.query(
    `INSERT INTO public.abstracts SELECT place - 1, to_tsvector('english', words)
     FROM unnest($1::text[]) WITH ORDINALITY AS one (words, place)`,
    [texts.map(({ terms }) => terms)],
  );
  const ranked =
    (rank: string) =>
    async (question: string): Promise<number[]> => {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      const { rows } = await raw.query<{ number: number }>(
        `SELECT number FROM public.abstracts, to_tsquery('english', $1) AS asked WHERE words @@ asked
         ORDER BY ${rank}(words, asked) DESC, number LIMIT ${String(RETRIEVED)}`,
        [words.join(' | ')],
      );
      return rows.map(({ number }) => number);
    };
  return {
    engines: {
      'the team’s database': async (question) =>
        (await findCandidates(line, [question], RETRIEVED)).map(({ key }) => Number(key)),
      memory: async (question) =>
        (await memory.search(question, { limit: RETRIEVED })).map(({ id }) => id - 1),
      ts_rank: ranked('ts_rank'),
      ts_rank_cd: ranked('ts_rank_cd'),
    },
    close: async () => {
      await closeConnection(client);
      await raw.end();
    },
  };
}
