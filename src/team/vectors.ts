import { createHash } from 'node:crypto';
import { endpointAlias } from '../indexing/search/vectors/endpoint-alias.ts';
import { Embeddings } from '../indexing/search/vectors/embeddings.ts';
import { isFinite16 } from '../indexing/search/vectors/half-precision.ts';
import type { Statements } from '../indexing/store/database/statements.ts';
import { Store } from '../indexing/store/store.ts';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { EmbeddingModel } from '../notebook/settings.ts';
import type { Line } from './line.ts';
import type { DocumentName } from './searchable.ts';

/** A row has the vectors of so many texts: 2 MB where a vector is as long as may be. */
const TEXTS_A_ROW = 64;

/** Rows that are asked for at once, and how many bytes of vectors go over the line at once, about. */
const ROWS = 500;
const BYTES = 8 * 2 ** 20;

/** While this machine embeds, what it made is looked for so often, in milliseconds: all documents are gone through. */
const LOOK_AGAIN = 3_000;

/** Half-precision numbers have two bytes. */
const BYTES_A_NUMBER = 2;

/** What one connection knows of the vectors that a team has, so that nothing is asked for twice. */
interface KnownVectors {
  /** Documents all of whose vectors the team has, as they were then. */
  readonly done: Map<number, string>;
  /** Rows that the team has not, and those that hold what can't be used. */
  readonly lacking: Set<string>;
  readonly useless: Set<string>;
  /** The last row of the model's when these were looked for, and what was here then. */
  upTo: number;
  here: LocalRevisions | undefined;
  lookedAt: number;
}

/** Tells whether something changed here: what others wrote, and what came from the team. */
interface LocalRevisions {
  readonly dataVersion: number;
  readonly revision: number;
}

/** What is known of a team's vectors before they were looked at. */
export function nothingKnown(): KnownVectors {
  return { done: new Map(), lacking: new Set(), useless: new Set(), upTo: 0, here: undefined, lookedAt: 0 };
}

/** Some texts of a document, whose vectors are one row of the team's. */
interface Part {
  readonly documentId: number;
  readonly content: Buffer;
  readonly hashes: readonly string[];
  readonly texts: Buffer;
  readonly name: string;
}

/**
 * Takes over the vectors that other members' machines made of the same texts by the same model, and sends those that
 * were made here and that the team has not. A model is the same by its endpoint's address and its name; neither is told,
 * nor is its key. Vectors in half precision are what they are in a notebook, so that both find the same.
 *
 * They are kept as plain bytes, whether the database has pgvector or not: what is near is found in the memory of each
 * machine. For a notebook that is larger than one the database makes points of them where it can; see `placePoints`.
 *
 * Calls `goesOn` now and then on the way.
 */
export async function exchangeVectors(
  line: Line,
  sql: Statements,
  model: EmbeddingModel,
  known: KnownVectors,
  here: LocalRevisions,
  goesOn: () => void,
  signal: AbortSignal,
): Promise<void> {
  const upTo = await lastNumber(line, hashModel(model));
  const now = Date.now();
  if (upTo === known.upTo && here.revision === known.here?.revision)
    if (here.dataVersion === known.here.dataVersion || Math.abs(now - known.lookedAt) < LOOK_AGAIN) return;
  if (upTo !== known.upTo) known.lacking.clear();
  [known.upTo, known.here, known.lookedAt] = [upTo, here, now];
  const store = new Store(sql);
  const embeddings = new Embeddings(sql, (id) => store.documents.document(id));
  const maySend = sql.number('SELECT level FROM team') >= 2;
  let batch: Part[] = [];
  let documents: { readonly id: number; readonly state: string; readonly parts: readonly Part[] }[] = [];
  const exchange = async (): Promise<void> => {
    throwIfCancelled(signal);
    goesOn();
    await takeParts(line, embeddings, model, batch, known);
    if (maySend) await sendParts(line, embeddings, model, batch, known);
    for (const { id, state, parts } of documents)
      if (parts.every(({ name }) => !known.lacking.has(name) && !known.useless.has(name)))
        known.done.set(id, state);
    [batch, documents] = [[], []];
  };
  for (const { id, content, state } of sharedDocuments(sql)) {
    if (known.done.get(id) === state) continue;
    const parts = cutIntoParts(id, content, embeddings.textHashes(id));
    batch.push(...parts);
    documents.push({ id, state, parts });
    if (batch.length >= ROWS) await exchange();
  }
  if (documents.length > 0) await exchange();
}

/** Takes over the vectors of documents that came for a question, so that it finds them by their meaning at once. */
export async function takeVectors(
  line: Line,
  sql: Statements,
  model: EmbeddingModel,
  names: readonly DocumentName[],
): Promise<void> {
  const store = new Store(sql);
  const embeddings = new Embeddings(sql, (id) => store.documents.document(id));
  const wanted = new Set(names.map(({ sourceId, key }) => `${sourceId}\n${key}`));
  const parts = sharedDocuments(sql, [...wanted]).flatMap(({ id, content }) =>
    cutIntoParts(id, content, embeddings.textHashes(id)),
  );
  await takeParts(line, embeddings, model, parts, nothingKnown());
}

/** The documents that are here as the team has them, all or those of some ids; the state tells whether they were cut anew. */
function sharedDocuments(
  sql: Statements,
  ids?: readonly string[],
): { readonly id: number; readonly content: Buffer; readonly state: string }[] {
  return sql
    .all(
      `SELECT d.id, t.stamp, (SELECT max(p.id) FROM passages p WHERE p.document_id = d.id) AS last
       FROM documents d JOIN team_documents t ON t.id = d.source_id || char(10) || d.key
       WHERE NOT EXISTS (SELECT 1 FROM team_outbox o WHERE o.kind = 'document' AND o.id = t.id)
         AND (?1 IS NULL OR t.id IN (SELECT value FROM json_each(?1)))`,
      ids === undefined ? null : JSON.stringify(ids),
    )
    .filter(({ last }) => last !== null)
    .map((row) => {
      const stamp = String(row['stamp']);
      return {
        id: Number(row['id']),
        content: Buffer.from(stamp.slice(0, stamp.indexOf(' ')), 'base64'),
        state: `${stamp} ${String(row['last'])}`,
      };
    });
}

function cutIntoParts(documentId: number, content: Buffer, all: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let first = 0; first < all.length; first += TEXTS_A_ROW) {
    const hashes = all.slice(first, first + TEXTS_A_ROW);
    const texts = createHash('sha256').update(hashes.join('\n')).digest();
    parts.push({ documentId, content, hashes, texts, name: rowName(content, texts) });
  }
  return parts;
}

function rowName(content: Uint8Array, texts: Uint8Array): string {
  return `${Buffer.from(content).toString('base64')} ${Buffer.from(texts).toString('base64')}`;
}

/**
 * Takes over what the team has of parts that are lacking here, and notes what it has not: what this member added, then
 * what whoever changed the document last added, then the others'. For a document that this member changed last others'
 * vectors don't count, as anybody who can edit the notebook could write them before this machine has made its own.
 */
async function takeParts(
  { client, notebookId }: Line,
  embeddings: Embeddings,
  model: EmbeddingModel,
  parts: readonly Part[],
  known: KnownVectors,
): Promise<void> {
  const asked = parts.filter(({ name }) => !known.lacking.has(name) && !known.useless.has(name));
  if (asked.length === 0) return;
  const set = embeddings.findSet(model);
  const { rows } = await client.query<{ content: Buffer; texts: Buffer; dimension: number; number: string }>(
    'SELECT content, texts, dimension, number FROM open_notebook.find_vectors($1, $2, $3, $4, $5)',
    [
      notebookId,
      hashModel(model),
      asked.map(({ content }) => content),
      asked.map(({ texts }) => texts),
      set?.dimension ?? null,
    ],
  );
  const usual = set?.dimension ?? mostCommon(rows.map(({ dimension }) => dimension));
  const found = new Map(
    rows
      .filter(({ dimension }) => dimension === usual)
      .map(({ content, texts, ...row }) => [rowName(content, texts), row]),
  );
  for (const { name } of asked) if (!found.has(name)) known.lacking.add(name);
  const wanted = asked.filter(
    ({ name, hashes }) =>
      found.has(name) &&
      (set === undefined || hashes.some((hash) => embeddings.kept(set.setId, hash) === undefined)),
  );
  let batch: Part[] = [];
  let size = 0;
  for (const [index, part] of wanted.entries()) {
    batch.push(part);
    size += BYTES_A_NUMBER * (found.get(part.name)?.dimension ?? 0) * part.hashes.length;
    if (size < BYTES && index < wanted.length - 1) continue;
    const { rows: read } = await client.query<{ number: string; vectors: Buffer }>(
      'SELECT number, vectors FROM open_notebook.read_vectors($1, $2)',
      [notebookId, batch.map(({ name }) => found.get(name)?.number)],
    );
    const byNumber = new Map(read.map((row) => [row.number, row.vectors]));
    for (const { name, documentId, hashes } of batch) {
      const row = found.get(name);
      const bytes = row && byNumber.get(row.number);
      const vectors = row && bytes && readVectors(bytes, hashes, row.dimension);
      if (row === undefined || vectors === undefined) known.useless.add(name);
      else embeddings.takeOver(model, row.dimension, documentId, vectors);
    }
    [batch, size] = [[], 0];
  }
}

/**
 * Sends the parts that the team has not, or that can't be used, and that are whole here. Of a text that the model does
 * not take there are zeros.
 */
async function sendParts(
  { client, notebookId }: Line,
  embeddings: Embeddings,
  model: EmbeddingModel,
  parts: readonly Part[],
  known: KnownVectors,
): Promise<void> {
  const set = embeddings.findSet(model);
  if (set?.dimension === undefined) return;
  const { setId, dimension } = set;
  let batch: { readonly part: Part; readonly packed: Buffer }[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await client.query(
      `SELECT open_notebook.put_vectors($1, content, $2, $3, texts, packed)
       FROM unnest($4::bytea[], $5::bytea[], $6::bytea[]) AS sent (content, texts, packed)`,
      [
        notebookId,
        hashModel(model),
        dimension,
        batch.map(({ part }) => part.content),
        batch.map(({ part }) => part.texts),
        batch.map(({ packed }) => packed),
      ],
    );
    for (const { part } of batch) {
      known.lacking.delete(part.name);
      known.useless.delete(part.name);
    }
    [batch, size] = [[], 0];
  };
  for (const part of parts) {
    if (!known.lacking.has(part.name) && !known.useless.has(part.name)) continue;
    const packed = packVectors(part.hashes, (hash) => embeddings.kept(setId, hash), dimension);
    if (packed === undefined) continue;
    batch.push({ part, packed });
    size += packed.length;
    if (size >= BYTES) await flush();
  }
  await flush();
}

/** Undefined where one is lacking, or has another length than the others. */
function packVectors(
  hashes: readonly string[],
  find: (hash: string) => Uint8Array | null | undefined,
  dimension: number,
): Buffer | undefined {
  const size = BYTES_A_NUMBER * dimension;
  const packed: Uint8Array[] = [];
  for (const hash of hashes) {
    const vector = find(hash);
    if (vector === undefined || (vector !== null && vector.length !== size)) return undefined;
    packed.push(vector ?? new Uint8Array(size));
  }
  return Buffer.concat(packed);
}

/**
 * The vectors of a row by the hashes of their texts; undefined where they are none. One that is all zeros says nothing,
 * and is left out: who has the model asks it.
 */
function readVectors(
  bytes: Uint8Array,
  hashes: readonly string[],
  dimension: number,
): ReadonlyMap<string, Uint8Array> | undefined {
  const size = BYTES_A_NUMBER * dimension;
  const data = new Uint8Array(bytes);
  if (data.length !== size * hashes.length || !isFinite16(data)) return undefined;
  const vectors = new Map<string, Uint8Array>();
  for (const [place, hash] of hashes.entries()) {
    const vector = data.subarray(place * size, (place + 1) * size);
    // Zero may have a sign.
    if (vector.some((byte, index) => (index % 2 === 0 ? byte : byte & 0x7f) !== 0)) vectors.set(hash, vector);
  }
  return vectors;
}

/** One member alone may say what they like of a model's vectors. */
function mostCommon(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const one of numbers) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

async function lastNumber({ client, notebookId }: Line, model: Buffer): Promise<number> {
  const { rows } = await client.query<{ number: string | null }>(
    'SELECT open_notebook.last_vectors($1, $2) AS number',
    [notebookId, model],
  );
  return Number(rows[0]?.number ?? 0);
}

/** By which a team knows a model without being told its endpoint. */
export function hashModel({ baseUrl, name }: EmbeddingModel): Buffer {
  return createHash('sha256')
    .update(`${endpointAlias(baseUrl)}\n${name}`)
    .digest();
}
