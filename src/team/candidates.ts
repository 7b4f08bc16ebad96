import { WordTokenizer } from '../language/words/tokenizer.ts';
import { BestHits } from '../indexing/search/lexical/best-hits.ts';
import { searchableText } from '../indexing/search/lexical/passage-terms.ts';
import type { Statements } from '../indexing/store/statements.ts';
import { Store } from '../indexing/store/store.ts';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { Line } from './line.ts';
import { eachPosting, MOST_AT_ONCE, writePostings } from './postings.ts';

/** So many passages of a team's notebook a machine holds; more are found in the team's database. */
export const MOST_HELD = 200_000;

/** Passages whose documents are taken for a question, and postings that one question goes through, as in memory. */
const CANDIDATES = 100;
const MOST_POSTINGS = 1_500_000;

/** Passages whose postings are written at once, as far as there are more; and documents that are looked at at once. */
const PASSAGES_WRITTEN = 8_192;
const DOCUMENTS = 2_000;

/** A document of a team's notebook. */
export interface DocumentName {
  readonly sourceId: string;
  readonly key: string;
}

/** How many passages of a notebook are found in the team's database; undefined where none are, and none need to. */
export async function countSearchable({
  client,
  notebookId,
}: Line): Promise<{ count: number; average: number } | undefined> {
  const { rows } = await client.query<{ passages: string; length: string }>(
    'SELECT passages, length FROM open_notebook.searchable WHERE notebook_id = $1',
    [notebookId],
  );
  const [row] = rows;
  const count = Number(row?.passages ?? 0);
  return count === 0 ? undefined : { count, average: Number(row?.length) / count };
}

/**
 * Writes the postings of documents that are here and that the team's database can't find yet, of those that changed
 * after a revision. Nothing is done for a notebook that fits on a machine. Returns the revision up to which it was done.
 */
export async function makeSearchable(
  line: Line,
  sql: Statements,
  after: number,
  signal: AbortSignal,
): Promise<number> {
  const { client, notebookId, mostHeld = MOST_HELD } = line;
  const held = Number(sql.get('SELECT sum(passages) AS held FROM documents')?.['held'] ?? 0);
  if (held <= mostHeld && (await countSearchable(line)) === undefined) return after;
  const { rows: levels } = await client.query<{ level: number }>(
    'SELECT level FROM open_notebook.levels() WHERE notebook_id = $1',
    [notebookId],
  );
  // Who may read alone leaves it to the others.
  if ((levels[0]?.level ?? 0) < 2) return after;
  const store = new Store(sql);
  for (;;) {
    throwIfCancelled(signal);
    const { rows } = await client.query<{
      source_id: string;
      key: string;
      content: Buffer;
      revision: string;
    }>(
      `SELECT d.source_id, d.key, d.content, d.revision FROM open_notebook.documents d
       WHERE d.notebook_id = $1 AND d.revision > $2 AND d.content IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM open_notebook.passages p WHERE p.notebook_id = d.notebook_id AND p.source_id = d.source_id
           AND p.key = d.key AND p.content = d.content)
       ORDER BY d.revision LIMIT $3`,
      [notebookId, after, DOCUMENTS],
    );
    let batch: {
      name: DocumentName;
      content: Buffer;
      texts: { terms: string; language: string | undefined }[];
    }[] = [];
    let count = 0;
    const write = async (): Promise<void> => {
      if (batch.length > 0) await sendPostings(line, batch);
      [batch, count] = [[], 0];
    };
    for (const { source_id: sourceId, key, content } of rows) {
      throwIfCancelled(signal);
      const texts = textsHere(sql, store, { sourceId, key }, content).slice(0, MOST_AT_ONCE);
      if (texts.length === 0) continue;
      if (count + texts.length > MOST_AT_ONCE) await write();
      batch.push({ name: { sourceId, key }, content, texts });
      count += texts.length;
      if (count >= PASSAGES_WRITTEN) await write();
    }
    await write();
    after = Math.max(after, Number(rows.at(-1)?.revision ?? 0));
    if (rows.length < DOCUMENTS) return after;
  }
}

/** What a document's passages are found by, where it is here as the team has it. */
function textsHere(
  sql: Statements,
  store: Store,
  { sourceId, key }: DocumentName,
  content: Buffer,
): { terms: string; language: string | undefined }[] {
  const id = `${sourceId}\n${key}`;
  const stamp = sql.get('SELECT stamp FROM team_documents WHERE id = ?', id)?.['stamp'];
  const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
  const document = row && store.documents.document(Number(row['id']));
  if (
    document === undefined ||
    typeof stamp !== 'string' ||
    !stamp.startsWith(`${content.toString('base64')} `)
  )
    return [];
  return store.documents.passagesOf(Number(row?.['id'])).map((passage) => ({
    terms: searchableText(document, passage),
    language: document.entry.byline?.language,
  }));
}

async function sendPostings(
  line: Line,
  documents: readonly {
    readonly name: DocumentName;
    readonly content: Buffer;
    readonly texts: readonly { readonly terms: string; readonly language: string | undefined }[];
  }[],
): Promise<void> {
  const { client, notebookId } = line;
  const { blocks, length } = writePostings(
    documents.flatMap(({ texts }) => texts),
    (await countSearchable(line))?.average,
  );
  await client.query('SELECT open_notebook.put_postings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
    notebookId,
    documents.map(({ name }) => name.sourceId),
    documents.map(({ name }) => name.key),
    documents.map(({ content }) => content),
    documents.map(({ texts }) => texts.length),
    length,
    blocks.map(({ term }) => term),
    blocks.map(({ number }) => number),
    blocks.map(({ holding }) => holding),
    blocks.map(({ bytes }) => bytes),
  ]);
}

/**
 * The passages of a notebook that come nearest to searches, by BM25 over all that the team's database finds, as
 * documents: those of the best passage first. The database hands out the postings of the searches' terms alone.
 */
export async function findCandidates(
  line: Line,
  searches: readonly string[],
  limit = CANDIDATES,
): Promise<readonly (DocumentName & { readonly passage: number })[]> {
  const { client, notebookId } = line;
  const searchable = await countSearchable(line);
  if (searchable === undefined) return [];
  const tokenizer = new WordTokenizer();
  const terms = [...new Set(searches.flatMap((search) => tokenizer.termsOfQuestion(search)))];
  const { rows: counts } = await client.query<{ term: string; count: string }>(
    `SELECT term, sum(holding) AS count FROM open_notebook.postings WHERE notebook_id = $1 AND term = ANY($2) GROUP BY term`,
    [notebookId, terms],
  );
  let rest = MOST_POSTINGS;
  const weights = new Map<string, number>();
  // Of very many or very common terms the rarest.
  for (const { term, count } of counts.toSorted((a, b) => Number(a.count) - Number(b.count))) {
    const holding = Number(count);
    rest -= holding;
    if (rest < 0 && weights.size > 0) break;
    weights.set(term, Math.log(1 + Math.max(0, searchable.count - holding + 0.5) / (holding + 0.5)));
  }
  const { rows: blocks } = await client.query<{ term: string; base: number; postings: Buffer }>(
    `SELECT term, base, postings FROM open_notebook.postings WHERE notebook_id = $1 AND term = ANY($2) ORDER BY base`,
    [notebookId, [...weights.keys()]],
  );
  const best = new BestHits(limit);
  const scores = new Float64Array(MOST_AT_ONCE);
  for (let next = 0; next < blocks.length;) {
    const base = blocks[next]?.base ?? 0;
    const touched: number[] = [];
    for (let block = blocks[next]; block?.base === base; block = blocks[++next]) {
      const weight = weights.get(block.term) ?? 0;
      eachPosting(block.postings, (at, impact) => {
        if (scores[at] === 0) touched.push(at);
        scores[at] = (scores[at] ?? 0) + weight * impact;
      });
    }
    for (const at of touched) {
      best.offer(base + at, scores[at] ?? 0);
      scores[at] = 0;
    }
  }
  const passages = best.sorted().map(([passage]) => passage);
  const { rows: found } = await client.query<{ passage: number; source_id: string; key: string }>(
    `SELECT wanted.passage, p.source_id, p.key FROM unnest($2::int[]) WITH ORDINALITY AS wanted (passage, place)
     CROSS JOIN LATERAL (
       SELECT * FROM open_notebook.passages WHERE notebook_id = $1 AND first <= wanted.passage ORDER BY first DESC LIMIT 1) p
     JOIN open_notebook.documents d ON d.notebook_id = $1 AND d.source_id = p.source_id AND d.key = p.key AND d.content = p.content
     JOIN open_notebook.sources s ON s.notebook_id = $1 AND s.id = p.source_id AND s.removed_at IS NULL
     WHERE wanted.passage < p.first + p.count ORDER BY wanted.place`,
    [notebookId, passages],
  );
  return found.map(({ passage, source_id: sourceId, key }) => ({ passage, sourceId, key }));
}
