import { createHash } from 'node:crypto';
import { endpointAlias } from '../../../index/search/vectors/endpoint-alias.ts';
import { Embeddings } from '../../../index/search/vectors/embeddings.ts';
import { isFinite16 } from '../../../index/search/vectors/half-precision.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { Store } from '../../../index/store/store.ts';
import { throwIfCanceled } from '../../../core/domain/errors.ts';
import type { EmbeddingModel } from '../../../core/domain/settings.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import type { DocumentName } from './searchable.ts';

/** Number of texts per row of vectors. A row has 2 MB at the maximum number of dimensions. */
const TEXTS_A_ROW = 64;

/** Maximum rows of one request, and approximate maximum bytes of vectors. */
const ROWS = 500;
const BYTES = 8 * 2 ** 20;

/**
 * Interval for uploading new vectors while this machine generates embeddings, in milliseconds. Each time, all
 * documents are checked.
 */
const RECHECK_INTERVAL_MS = 3_000;

/** Half-precision numbers have two bytes. */
const BYTES_A_NUMBER = 2;

/** Vectors of the team that one connection knows about, so that none is requested twice. */
interface KnownVectors {
  /** Documents whose vectors the team has completely, with the version of each. */
  readonly done: Map<number, string>;
  /** Rows that the team doesn't have, or that contain invalid data. */
  readonly lacking: Set<string>;
  readonly useless: Set<string>;
  /** Last row of the model at the time of the last check, and the state of this machine then. */
  upTo: number;
  here: LocalRevisions | undefined;
  lookedAt: number;
}

/** Revisions that change when the local notebook or the downloaded part changes. */
interface LocalRevisions {
  readonly dataVersion: number;
  readonly revision: number;
}

/** Returns the initial state, before any vectors were looked at. */
export function nothingKnown(): KnownVectors {
  return { done: new Map(), lacking: new Set(), useless: new Set(), upTo: 0, here: undefined, lookedAt: 0 };
}

/** Some texts of a document, whose vectors form one row in the team's database. */
interface VectorPart {
  readonly documentId: number;
  readonly content: Buffer;
  readonly hashes: readonly string[];
  readonly texts: Buffer;
  readonly name: string;
}

/**
 * Downloads vectors that other members generated for the same texts with the same model, and uploads local ones that
 * the team doesn't have. Models are equal if the URL of the endpoint and the name are; neither is sent, and no key is.
 * Vectors have half precision as in a notebook, so that all machines find the same.
 *
 * The database stores them as bytes, with or without pgvector. Each machine searches them in memory. For a notebook
 * that is too large for one machine, the database indexes them if it can; see `placePoints`.
 *
 * Calls `onProgress` now and then.
 */
export async function exchangeVectors(
  connection: NotebookConnection,
  sql: Statements,
  model: EmbeddingModel,
  uploadedVectors: KnownVectors,
  here: LocalRevisions,
  onProgress: () => void,
  signal: AbortSignal,
): Promise<void> {
  const upTo = await lastNumber(connection, hashModel(model));
  const now = Date.now();
  if (upTo === uploadedVectors.upTo && here.revision === uploadedVectors.here?.revision)
    if (
      here.dataVersion === uploadedVectors.here.dataVersion ||
      Math.abs(now - uploadedVectors.lookedAt) < RECHECK_INTERVAL_MS
    )
      return;
  if (upTo !== uploadedVectors.upTo) uploadedVectors.lacking.clear();
  [uploadedVectors.upTo, uploadedVectors.here, uploadedVectors.lookedAt] = [upTo, here, now];
  const store = new Store(sql);
  const embeddings = new Embeddings(sql, (id) => store.documents.document(id));
  const maySend = sql.number('SELECT level FROM team') >= 2;
  let batch: VectorPart[] = [];
  let documents: { readonly id: number; readonly state: string; readonly parts: readonly VectorPart[] }[] =
    [];
  const exchange = async (): Promise<void> => {
    throwIfCanceled(signal);
    onProgress();
    await takeParts(connection, embeddings, model, batch, uploadedVectors);
    if (maySend) await sendParts(connection, embeddings, model, batch, uploadedVectors);
    for (const { id, state, parts } of documents)
      if (parts.every(({ name }) => !uploadedVectors.lacking.has(name) && !uploadedVectors.useless.has(name)))
        uploadedVectors.done.set(id, state);
    [batch, documents] = [[], []];
  };
  for (const { id, content, state } of sharedDocuments(sql)) {
    if (uploadedVectors.done.get(id) === state) continue;
    const parts = cutIntoParts(id, content, embeddings.textHashes(id));
    batch.push(...parts);
    documents.push({ id, state, parts });
    if (batch.length >= ROWS) await exchange();
  }
  if (documents.length > 0) await exchange();
}

/** Downloads the vectors of documents that were fetched for a question, so that semantic search finds them at once. */
export async function takeVectors(
  connection: NotebookConnection,
  sql: Statements,
  model: EmbeddingModel,
  names: readonly DocumentName[],
): Promise<void> {
  const store = new Store(sql);
  const embeddings = new Embeddings(sql, (id) => store.documents.document(id));
  const requestedNames = new Set(names.map(({ sourceId, key }) => `${sourceId}\n${key}`));
  const parts = sharedDocuments(sql, [...requestedNames]).flatMap(({ id, content }) =>
    cutIntoParts(id, content, embeddings.textHashes(id)),
  );
  await takeParts(connection, embeddings, model, parts, nothingKnown());
}

/**
 * Returns the documents in the team's version on this machine, all or those with some IDs. The state shows whether they
 * were split again.
 */
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

function cutIntoParts(
  documentId: number,
  content: Buffer,
  hashesOfDocument: readonly string[],
): VectorPart[] {
  const parts: VectorPart[] = [];
  for (let first = 0; first < hashesOfDocument.length; first += TEXTS_A_ROW) {
    const hashes = hashesOfDocument.slice(first, first + TEXTS_A_ROW);
    const texts = createHash('sha256').update(hashes.join('\n')).digest();
    parts.push({ documentId, content, hashes, texts, name: rowName(content, texts) });
  }
  return parts;
}

function rowName(content: Uint8Array, texts: Uint8Array): string {
  return `${Buffer.from(content).toString('base64')} ${Buffer.from(texts).toString('base64')}`;
}

/**
 * Downloads missing parts from the team and records those that it doesn't have. Prefers this member's vectors, then
 * those of the last editor of the document, then others. For a document that this member changed last, vectors of
 * others don't count, because any editor of the notebook could write them first.
 */
async function takeParts(
  { client, notebookId }: NotebookConnection,
  embeddings: Embeddings,
  model: EmbeddingModel,
  parts: readonly VectorPart[],
  uploadedVectors: KnownVectors,
): Promise<void> {
  const requestedParts = parts.filter(
    ({ name }) => !uploadedVectors.lacking.has(name) && !uploadedVectors.useless.has(name),
  );
  if (requestedParts.length === 0) return;
  const set = embeddings.findSet(model);
  const { rows } = await client.query<{ content: Buffer; texts: Buffer; dimension: number; number: string }>(
    'SELECT content, texts, dimension, number FROM open_notebook.find_vectors($1, $2, $3, $4, $5)',
    [
      notebookId,
      hashModel(model),
      requestedParts.map(({ content }) => content),
      requestedParts.map(({ texts }) => texts),
      set?.dimension ?? null,
    ],
  );
  const usual = set?.dimension ?? mostCommon(rows.map(({ dimension }) => dimension));
  const rowsByName = new Map(
    rows
      .filter(({ dimension }) => dimension === usual)
      .map(({ content, texts, ...row }) => [rowName(content, texts), row]),
  );
  for (const { name } of requestedParts) if (!rowsByName.has(name)) uploadedVectors.lacking.add(name);
  const missingParts = requestedParts.filter(
    ({ name, hashes }) =>
      rowsByName.has(name) &&
      (set === undefined || hashes.some((hash) => embeddings.findEmbedding(set.setId, hash) === undefined)),
  );
  let batch: VectorPart[] = [];
  let size = 0;
  for (const [index, part] of missingParts.entries()) {
    batch.push(part);
    size += BYTES_A_NUMBER * (rowsByName.get(part.name)?.dimension ?? 0) * part.hashes.length;
    if (size < BYTES && index < missingParts.length - 1) continue;
    const { rows: read } = await client.query<{ number: string; vectors: Buffer }>(
      'SELECT number, vectors FROM open_notebook.read_vectors($1, $2)',
      [notebookId, batch.map(({ name }) => rowsByName.get(name)?.number)],
    );
    const byNumber = new Map(read.map((row) => [row.number, row.vectors]));
    for (const { name, documentId, hashes } of batch) {
      const row = rowsByName.get(name);
      const bytes = row && byNumber.get(row.number);
      const vectors = row && bytes && readVectors(bytes, hashes, row.dimension);
      if (row === undefined || vectors === undefined) uploadedVectors.useless.add(name);
      else embeddings.takeOver(model, row.dimension, documentId, vectors);
    }
    [batch, size] = [[], 0];
  }
}

/** Uploads complete parts that the team doesn't have or can't use. Texts that the model rejects have zeros. */
async function sendParts(
  { client, notebookId }: NotebookConnection,
  embeddings: Embeddings,
  model: EmbeddingModel,
  parts: readonly VectorPart[],
  uploadedVectors: KnownVectors,
): Promise<void> {
  const set = embeddings.findSet(model);
  if (set?.dimension === undefined) return;
  const { setId, dimension } = set;
  let batch: { readonly part: VectorPart; readonly packed: Buffer }[] = [];
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
      uploadedVectors.lacking.delete(part.name);
      uploadedVectors.useless.delete(part.name);
    }
    [batch, size] = [[], 0];
  };
  for (const part of parts) {
    if (!uploadedVectors.lacking.has(part.name) && !uploadedVectors.useless.has(part.name)) continue;
    const packed = packVectors(part.hashes, (hash) => embeddings.findEmbedding(setId, hash), dimension);
    if (packed === undefined) continue;
    batch.push({ part, packed });
    size += packed.length;
    if (size >= BYTES) await flush();
  }
  await flush();
}

/** Packs vectors; undefined if one is missing or has a different length. */
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
 * Returns the vectors of a row by the hashes of their texts; undefined if the row isn't valid. Leaves out vectors of
 * zeros, which carry no information: a machine with the model asks it.
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
    // A negative zero is also zero.
    if (vector.some((byte, index) => (index % 2 === 0 ? byte : byte & 0x7f) !== 0)) vectors.set(hash, vector);
  }
  return vectors;
}

/** Returns the most common number. A single member could store a wrong one. */
function mostCommon(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of numbers) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

async function lastNumber({ client, notebookId }: NotebookConnection, model: Buffer): Promise<number> {
  const { rows } = await client.query<{ number: string | null }>(
    'SELECT open_notebook.last_vectors($1, $2) AS number',
    [notebookId, model],
  );
  return Number(rows[0]?.number ?? 0);
}

/** Returns a hash by which a team identifies a model without knowing its endpoint. */
export function hashModel({ baseUrl, name }: EmbeddingModel): Buffer {
  return createHash('sha256')
    .update(`${endpointAlias(baseUrl)}\n${name}`)
    .digest();
}
