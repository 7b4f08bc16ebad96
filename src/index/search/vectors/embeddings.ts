import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { STATIC_ADDRESS, type EmbeddingModel } from '../../../core/domain/settings.ts';
import { estimateTokens } from '../../../core/language/tokens.ts';
import type {
  ActiveEmbeddings,
  EmbeddingBatch,
  EmbeddingsApi,
  EmbeddingState,
  EmbeddingText,
} from './embeddings-api.ts';
import { endpointAlias } from './endpoint-alias.ts';
import { optionalNumber, type Row } from '../../store/database/database.ts';
import type { Statements } from '../../store/database/statements.ts';
import type { StoredDocument } from '../../store/sources/stored-document.ts';
import { toPassage, type StoredPassage } from '../../store/sources/document-store.ts';

/** Time after which an idle window loses its claim on a notebook's embedding, in milliseconds. */
const CLAIM_TIME = 180_000;

/** Endpoints accept more, but a failed small batch loses less, and reading it doesn't block the editor. */
const BATCH_TEXTS = 64;
const BATCH_TOKENS = 20_000;

/** Embeddings of texts without a passage are kept in case the texts return, up to the number of used ones plus this. */
const MAX_UNUSED_EMBEDDINGS = 1_000;

/**
 * Time to wait for the embeddings of a document that another team member added, and maximum random extra time, in
 * milliseconds. That member's machine normally embeds it. If none arrive, one of the others starts.
 */
const AWAITED = 60_000;
const AWAITED_LONGER = 120_000;

/** Returns the text to embed for a passage: its title, headings, context, and text. */
function embeddedText({ entry, text }: StoredDocument, passage: StoredPassage): string {
  const around = (passage.context ?? []).map(({ start, end }) => text.slice(start, end));
  return [entry.title, ...passage.headings, ...around, text.slice(passage.start, passage.end)]
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * Embeddings of a notebook's passages in its database, by the hash of the embedded text. Each model and dimension has
 * its own set. The last complete set is in use while a new one is generated.
 */
export class Embeddings {
  readonly #sql: Statements;
  readonly #findDocument: (documentId: number) => StoredDocument | undefined;
  readonly #now: () => number;
  /** Position after the last batch, so that each batch doesn't search the finished passages again. */
  #reached = { setId: 0, passageId: 0 };

  constructor(
    sql: Statements,
    findDocument: (documentId: number) => StoredDocument | undefined,
    now: () => number = Date.now,
  ) {
    this.#sql = sql;
    this.#findDocument = findDocument;
    this.#now = now;
  }

  /** Returns the set in use for searches. */
  active(): ActiveEmbeddings | undefined {
    const row = this.#sql.get(
      'SELECT * FROM embedding_sets WHERE is_complete = 1 AND dimension IS NOT NULL ORDER BY id DESC LIMIT 1',
    );
    return (
      row && {
        setId: Number(row['id']),
        model: { baseUrl: String(row['base_url']), name: String(row['model']) },
        dimension: Number(row['dimension']),
      }
    );
  }

  /**
   * Returns the numbers of passages without an embedding and of all passages, and the UTF-16 code units of the former.
   * If other machines are awaited, includes the latest time, in milliseconds since 1970.
   */
  countMissing(model: EmbeddingModel): EmbeddingState['missing'] {
    const awaited = this.#findWaitStart(model);
    const row = this.#sql.get(
      `SELECT count(*) FILTER (WHERE a.until IS NULL) AS passages,
         coalesce(sum(p."end" - p.start) FILTER (WHERE a.until IS NULL), 0) AS characters,
         min(a.until) AS until, (SELECT count(*) FROM passages) AS total
       FROM passages p LEFT JOIN team_awaited a ON a.document_id = p.document_id AND ${AWAITED_NOW}
       WHERE ${MISSING}`,
      this.#findNewestSet(model) ?? 0,
      awaited,
    );
    const until = optionalNumber(row?.['until']);
    return {
      passages: Number(row?.['passages']),
      characters: Number(row?.['characters']),
      total: Number(row?.['total']),
      ...(until !== undefined && { awaitedUntil: until }),
    };
  }

  /**
   * Returns the next texts to embed, without duplicates. Passages whose text already has an embedding get it
   * immediately. `owner` identifies the window, since only one embeds at a time.
   */
  next(model: EmbeddingModel, owner: string): EmbeddingBatch {
    return this.#sql.transaction(() => {
      const setId = this.#findNewestSet(model) ?? this.#begin(model);
      if (!this.#claim(setId, owner)) return { kind: 'elsewhere' };
      // An imported set is recognized by its endpoint's alias.
      this.#sql.run(
        'UPDATE embedding_sets SET base_url = ? WHERE id = ? AND base_url <> ?1',
        model.baseUrl,
        setId,
      );
      const after = this.#reached.setId === setId ? this.#reached.passageId : 0;
      const awaited = this.#findWaitStart(model);
      const further = this.#missingAfter(setId, after, awaited);
      const rows = further.length === 0 && after > 0 ? this.#missingAfter(setId, 0, awaited) : further;
      if (rows.length === 0) {
        if (this.countMissing(model).awaitedUntil === undefined) this.#complete(setId);
        else this.#sql.run('UPDATE embedding_sets SET owner = NULL WHERE id = ?', setId);
        return { kind: 'done' };
      }
      const texts = new Map<string, string>();
      const known = new Set<number>();
      let tokens = 0;
      let passages = 0;
      for (const row of rows) {
        const documentId = Number(row['document_id']);
        const text = this.#readText(documentId, row);
        tokens += estimateTokens(text);
        if (passages > 0 && tokens > BATCH_TOKENS) break;
        passages++;
        this.#reached = { setId, passageId: Number(row['id']) };
        const hash = this.#nameText(row, text);
        if (text === '') this.#keep(setId, hash, null);
        if (this.#has(setId, hash)) known.add(documentId);
        else texts.set(hash, text);
      }
      this.#logChanges(known);
      const requested: EmbeddingText[] = Array.from(texts, ([hash, text]) => ({ hash, text }));
      return { kind: 'texts', setId, texts: requested, passages };
    });
  }

  /**
   * Stores embeddings by the hashes of their texts; null for texts that the model doesn't accept. If the model now
   * returns vectors of another length, starts a set with that length, and the previous set remains in use.
   */
  put(setId: number, vectors: ReadonlyMap<string, Float32Array | null>): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT * FROM embedding_sets WHERE id = ?', setId);
      if (row === undefined)
        throw new NotebookError('cancelled', t('This embedding model is no longer in use.'));
      const dimension = commonDimension(vectors);
      const before = row['dimension'] === null ? undefined : Number(row['dimension']);
      let target = setId;
      if (dimension !== undefined && before === undefined)
        this.#sql.run('UPDATE embedding_sets SET dimension = ? WHERE id = ?', dimension, setId);
      else if (dimension !== undefined && dimension !== before) {
        target = this.#begin({ baseUrl: String(row['base_url']), name: String(row['model']) }, dimension);
      }
      const documents = new Set<number>();
      for (const [hash, vector] of vectors) {
        this.#keep(target, hash, vector);
        for (const passage of this.#sql.all('SELECT document_id FROM passages WHERE embedded = ?', hash))
          documents.add(Number(passage['document_id']));
      }
      if (row['is_complete'] === 1) this.#logChanges(documents);
    });
  }

  /** Stores the hashes of the texts of a document's passages, which link them to existing embeddings. */
  nameTexts(documentId: number): void {
    for (const row of this.#sql.all('SELECT * FROM passages WHERE document_id = ?', documentId))
      this.#nameText(row, this.#readText(documentId, row));
  }

  /** Returns the IDs of a document's passages. */
  passageIds(documentId: number): number[] {
    return this.#sql
      .all('SELECT id FROM passages WHERE document_id = ?', documentId)
      .map((row) => Number(row['id']));
  }

  /** Returns the embeddings of passages, without those that have none. */
  ofPassages(setId: number, ids: readonly number[]): PassageVector[] {
    return this.#sql
      .all(
        `${SELECT_VECTORS} WHERE p.id IN (SELECT value FROM json_each(?)) AND v.vector IS NOT NULL`,
        setId,
        JSON.stringify(ids),
      )
      .map(toVector);
  }

  /** Returns the newest set of a model. The dimension is unknown until the first embeddings arrive. */
  findSet(
    model: EmbeddingModel,
  ): { readonly setId: number; readonly dimension: number | undefined } | undefined {
    const setId = this.#findNewestSet(model);
    if (setId === undefined) return undefined;
    const dimension = this.#sql.get('SELECT dimension FROM embedding_sets WHERE id = ?', setId)?.[
      'dimension'
    ];
    return { setId, dimension: typeof dimension === 'number' ? dimension : undefined };
  }

  /** Returns the distinct hashes of a document's texts, in the order of its passages. */
  textHashes(documentId: number): string[] {
    const select = 'SELECT embedded FROM passages WHERE document_id = ? ORDER BY id';
    if (this.#sql.all(select, documentId).some(({ embedded }) => embedded === null))
      this.#sql.transaction(() => this.nameTexts(documentId));
    return [...new Set(this.#sql.texts(select, documentId))];
  }

  /**
   * Returns the stored half-precision embedding of a text; null if the model doesn't accept the text, undefined if it
   * wasn't embedded.
   */
  findEmbedding(setId: number, hash: string): Uint8Array | null | undefined {
    const row = this.#sql.get('SELECT vector FROM vectors WHERE set_id = ? AND hash = ?', setId, hash);
    return row && (row['vector'] instanceof Uint8Array ? row['vector'] : null);
  }

  /**
   * Stores half-precision embeddings of a document's texts, by their hashes, which the same model generated elsewhere.
   * Does nothing if the local ones have another dimension.
   */
  takeOver(
    model: EmbeddingModel,
    dimension: number,
    documentId: number,
    vectors: ReadonlyMap<string, Uint8Array>,
  ): void {
    this.#sql.transaction(() => {
      const setId = this.#findNewestSet(model) ?? this.#begin(model, dimension);
      this.#sql.run(
        'UPDATE embedding_sets SET dimension = ? WHERE id = ? AND dimension IS NULL',
        dimension,
        setId,
      );
      const set = this.#sql.get('SELECT * FROM embedding_sets WHERE id = ?', setId);
      if (set?.['dimension'] !== dimension) return;
      for (const [hash, vector] of vectors)
        this.#sql.run(
          'INSERT OR IGNORE INTO vectors (set_id, hash, vector) VALUES (?, ?, ?)',
          setId,
          hash,
          vector,
        );
      if (set['is_complete'] === 1) this.#logChanges([documentId]);
      // Another member is embedding, so restart the wait for the remaining documents.
      const now = this.#now();
      this.#sql.run(
        'UPDATE team_awaited SET until = ? WHERE until > ? AND until < ?',
        lastWait(now),
        now,
        now + AWAITED,
      );
    });
  }

  /** Returns up to `limit` embeddings of passages with IDs above `after`, by ID. */
  after(setId: number, after: number, limit: number): PassageVector[] {
    return this.#sql
      .all(
        `${SELECT_VECTORS} WHERE p.id > ? AND v.vector IS NOT NULL ORDER BY p.id LIMIT ?`,
        setId,
        after,
        limit,
      )
      .map(toVector);
  }

  /**
   * Returns the start of the time for which other members are awaited. The local embedding model costs nothing, so it
   * never waits.
   */
  #findWaitStart({ baseUrl }: EmbeddingModel): number {
    return baseUrl === STATIC_ADDRESS ? Number.MAX_SAFE_INTEGER : this.#now();
  }

  #missingAfter(setId: number, after: number, awaited: number): Row[] {
    return this.#sql.all(
      `SELECT * FROM passages p WHERE p.id > ?3 AND ${MISSING} AND NOT EXISTS (
         SELECT 1 FROM team_awaited a WHERE a.document_id = p.document_id AND ${AWAITED_NOW})
       ORDER BY p.id LIMIT ${String(BATCH_TEXTS)}`,
      setId,
      awaited,
      after,
    );
  }

  #findNewestSet(model: EmbeddingModel): number | undefined {
    const row = this.#sql.get(
      'SELECT id FROM embedding_sets WHERE base_url IN (?, ?) AND model = ? ORDER BY id DESC LIMIT 1',
      model.baseUrl,
      endpointAlias(model.baseUrl),
      model.name,
    );
    return row && Number(row['id']);
  }

  #begin(model: EmbeddingModel, dimension?: number): number {
    const row = this.#sql.get(
      'INSERT INTO embedding_sets (base_url, model, dimension) VALUES (?, ?, ?) RETURNING id',
      model.baseUrl,
      model.name,
      dimension ?? null,
    );
    return Number(row?.['id']);
  }

  #claim(setId: number, owner: string): boolean {
    const now = Date.now();
    return (
      this.#sql.run(
        'UPDATE embedding_sets SET owner = ?, claimed_at = ? WHERE id = ? AND (owner IS NULL OR owner = ? OR claimed_at < ?)',
        owner,
        now,
        setId,
        owner,
        now - CLAIM_TIME,
      ) > 0
    );
  }

  /** Makes this set the one in use, and deletes all older ones. */
  #complete(setId: number): void {
    this.#sql.run('UPDATE embedding_sets SET is_complete = 1, owner = NULL WHERE id = ?', setId);
    this.#sql.run('DELETE FROM embedding_sets WHERE id < ?', setId);
    const used = 'SELECT embedded FROM passages WHERE embedded IS NOT NULL';
    const row = this.#sql.get(
      `SELECT (SELECT count(*) FROM vectors WHERE set_id = ?) AS kept, (SELECT count(*) FROM passages) AS passages`,
      setId,
    );
    if (Number(row?.['kept']) > 2 * Number(row?.['passages']) + MAX_UNUSED_EMBEDDINGS)
      this.#sql.run(`DELETE FROM vectors WHERE hash NOT IN (${used})`);
  }

  #nameText(passage: Row, text: string): string {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#sql.run('UPDATE passages SET embedded = ? WHERE id = ?', hash, Number(passage['id']));
    return hash;
  }

  #readText(documentId: number, row: Row): string {
    const document = this.#findDocument(documentId);
    if (document === undefined) return '';
    return embeddedText(document, toPassage(row));
  }

  #keep(setId: number, hash: string, vector: Float32Array | null): void {
    this.#sql.run(
      'INSERT OR IGNORE INTO vectors (set_id, hash, vector) VALUES (?, ?, ?)',
      setId,
      hash,
      vector === null ? null : new Uint8Array(new Float16Array(vector).buffer),
    );
  }

  #has(setId: number, hash: string): boolean {
    return this.#sql.has('SELECT 1 FROM vectors WHERE set_id = ? AND hash = ?', setId, hash);
  }

  /** Makes the indexes of all windows load these documents again. */
  #logChanges(documentIds: Iterable<number>): void {
    for (const documentId of documentIds) {
      this.#sql.run('DELETE FROM changes WHERE document_id = ?', documentId);
      this.#sql.run('INSERT INTO changes (document_id) VALUES (?)', documentId);
    }
  }
}

/** SQL condition for a passage without an embedding in the set whose number is the first parameter. */
const MISSING =
  '(p.embedded IS NULL OR NOT EXISTS (SELECT 1 FROM vectors v WHERE v.set_id = ?1 AND v.hash = p.embedded))';

/**
 * SQL condition for documents still awaited at the time in the second parameter. It ignores times too far ahead, from a
 * clock that was wrong.
 */
const AWAITED_NOW = `a.until > ?2 AND a.until <= ?2 + ${String(AWAITED + AWAITED_LONGER)}`;

/** Waits for the embeddings of a document from another member, for a random time on each machine. */
export function awaitVectors(sql: Statements, documentId: number, now: number): void {
  sql.run(
    'INSERT OR REPLACE INTO team_awaited (document_id, until) VALUES (?, ?)',
    documentId,
    lastWait(now),
  );
}

function lastWait(now: number): number {
  return Math.round(now + AWAITED + Math.random() * AWAITED_LONGER);
}

/**
 * SQL for the embeddings of passages in the set whose number is the first parameter. `CROSS JOIN` starts with the
 * passages. SQLite would start with the vectors, and read all of them for a few passages.
 */
const SELECT_VECTORS = `SELECT p.id, p.document_id, d.source_id, v.vector FROM passages p
  CROSS JOIN documents d ON d.id = p.document_id CROSS JOIN vectors v ON v.set_id = ? AND v.hash = p.embedded`;

/** Embedding of a passage. */
export interface PassageVector {
  readonly id: number;
  readonly documentId: number;
  readonly sourceId: string;
  readonly vector: Float32Array;
}

function toVector(row: Row): PassageVector {
  const bytes = (row['vector'] as Uint8Array).slice();
  return {
    id: Number(row['id']),
    documentId: Number(row['document_id']),
    sourceId: String(row['source_id']),
    vector: new Float32Array(new Float16Array(bytes.buffer)),
  };
}

/** @throws NotebookError `server` if the vectors have different lengths */
function commonDimension(vectors: ReadonlyMap<string, Float32Array | null>): number | undefined {
  let dimension: number | undefined;
  for (const vector of vectors.values()) {
    if (vector === null) continue;
    dimension ??= vector.length;
    if (vector.length !== dimension)
      throw new NotebookError(
        'server',
        t('The embedding endpoint returned vectors of different lengths. Check the embedding model.'),
      );
  }
  return dimension;
}

/** Notebook functions that the handlers for embeddings need. */
interface NotebookOfEmbeddings {
  readonly embeddings: Embeddings;
  nextEmbeddings(model: EmbeddingModel, owner: string): Promise<EmbeddingBatch>;
  change<T>(action: () => T): Promise<T>;
}

/** Returns the index worker's handlers for embeddings of the open notebook. */
export function embeddingsHandlers(notebook: () => NotebookOfEmbeddings): Handlers<EmbeddingsApi> {
  return {
    activeEmbeddings: () => notebook().embeddings.active(),
    embeddings: ({ model }) => ({
      active: notebook().embeddings.active(),
      missing: notebook().embeddings.countMissing(model),
    }),
    nextEmbeddings: ({ model, owner }) => notebook().nextEmbeddings(model, owner),
    putEmbeddings: ({ setId, vectors }) => notebook().change(() => notebook().embeddings.put(setId, vectors)),
  };
}
