import type { Statements } from '../../../index/store/database/statements.ts';
import { FEATURE_CITING_COLUMNS } from '../../sync.ts';
import { applyChanges, type Replica } from './replica.ts';

/** Prefetched documents above the limit are reduced to this ratio of it, so that eviction is rare. */
const MAX_LEFT_RATIO = 0.9;

/** Returns the number of stored passages. */
export function countPassages(replica: Replica): number {
  return replica.sql.number('SELECT sum(passages) AS held FROM documents');
}

/** Reports whether the document counts of the team's sources are saved. */
export function hasDocumentCounts(replica: Replica): boolean {
  return replica.sql.has('SELECT 1 FROM team_deeds WHERE documents IS NOT NULL');
}

/** Saves the team's document count of each source, by source ID. */
export function saveDocumentCounts(replica: Replica, counts: ReadonlyMap<string, number>): void {
  applyChanges(replica, () => {
    for (const row of replica.sql.all("SELECT id FROM team_deeds WHERE kind = 'source'")) {
      const id = String(row['id']);
      replica.sql.run(
        "UPDATE team_deeds SET documents = ? WHERE kind = 'source' AND id = ?",
        counts.get(id) ?? 0,
        id,
      );
    }
  });
}

/** Records that a question used documents, in milliseconds since 1970. Affects only prefetched documents. */
export function recordUse(
  replica: Replica,
  documents: readonly { readonly sourceId: string; readonly key: string }[],
  usedAt: number,
): void {
  replica.sql.transaction(() => {
    for (const { sourceId, key } of documents)
      replica.sql.run(
        `UPDATE team_brought SET used_at = ?
         WHERE document_id = (SELECT id FROM documents WHERE source_id = ? AND key = ?)`,
        usedAt,
        sourceId,
        key,
      );
  });
}

/**
 * Deletes prefetched documents above a maximum number of passages, least recently used first. Keeps those used
 * since a time, and those that are cited, annotated, or changed here. They stay in the team's database.
 */
export function evictDocuments(replica: Replica, limit: number, usedBefore: number): void {
  applyChanges(replica, () => {
    const prefetched = replica.sql.all(
      `SELECT d.id, d.source_id, d.key, d.passages, t.used_at FROM team_brought t JOIN documents d ON d.id = t.document_id
       ORDER BY t.used_at, d.id`,
    );
    let passageCount = prefetched.reduce((sum, row) => sum + Number(row['passages']), 0);
    if (passageCount <= limit) return;
    const needed = neededDocuments(replica.sql);
    for (const row of prefetched) {
      if (passageCount <= MAX_LEFT_RATIO * limit || Number(row['used_at']) >= usedBefore) break;
      const id = Number(row['id']);
      if (needed.has(id)) continue;
      replica.sql.run('DELETE FROM documents WHERE id = ?', id);
      replica.sql.run(
        'DELETE FROM team_documents WHERE id = ?',
        `${String(row['source_id'])}\n${String(row['key'])}`,
      );
      passageCount -= Number(row['passages']);
    }
  });
}

/** Returns the numbers of the local documents that are cited, annotated, or not sent yet. */
function neededDocuments(sql: Statements): Set<number> {
  // Citations of answers are stored complete with them.
  const cited = FEATURE_CITING_COLUMNS.map(
    ([table, column]) =>
      `SELECT j.value AS id FROM ${table} t, json_tree(CASE WHEN json_valid(t.${column}) THEN t.${column} ELSE 'null' END) j
       WHERE j.key = 'documentId' AND j.type = 'integer'`,
  );
  const rows = sql.all(
    `${cited.join(' UNION ')}
     UNION SELECT d.id FROM documents d JOIN file_annotations a ON a.uri = d.uri WHERE d.uri <> ''
     UNION SELECT d.id FROM documents d JOIN team_things a ON a.kind = 'annotations' AND a.id = d.source_id || char(10) || d.key
     UNION SELECT d.id FROM documents d JOIN team_outbox o ON o.kind = 'document' AND o.id = d.source_id || char(10) || d.key`,
  );
  return new Set(rows.map(({ id }) => Number(id)));
}
