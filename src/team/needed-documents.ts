import type { Statements } from '../indexing/store/statements.ts';

/** Where citations are kept that are to be opened, as JSON. What answers cite is kept whole with them. */
const CITING = [
  ['note_citations', 'citation'],
  ['cards', 'citation'],
  ['quizzes', 'questions'],
  ['matrix_cells', 'answer'],
  ['matrix_cells', 'edited'],
  ['research_products', 'citations'],
] as const;

/** The documents here, by their numbers, that notes, cards and the like cite, that are marked, or that wait to be sent. */
export function neededDocuments(sql: Statements): Set<number> {
  const cited = CITING.map(
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
