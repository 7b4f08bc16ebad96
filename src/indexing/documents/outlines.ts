import type { Heading } from '../../notebook/document.ts';
import type { SourceOrigin } from '../../notebook/source.ts';
import type { Outline } from '../../notebook/suggestions.ts';
import { titleOf } from './citing.ts';
import type { Row } from '../store/database.ts';
import type { Statements } from '../store/statements.ts';

/** Sources looked at for what a notebook is about. */
const SOURCES = 12;

const columns = `SELECT d.id, d.key, d.title, d.headings, s.title AS source_title, s.origin
   FROM documents d JOIN sources s ON s.id = d.source_id`;

/** The headings of documents; without ids, of the first document of each source that was read lately. */
export function outlines(sql: Statements, documentIds?: readonly number[]): Outline[] {
  const ids = documentIds ?? newestDocuments(sql);
  return ids.flatMap((id) => {
    const row = sql.get(`${columns} WHERE d.id = ?`, id);
    return row === undefined ? [] : [toOutline(row)];
  });
}

function newestDocuments(sql: Statements): number[] {
  return sql
    .all(
      `SELECT (SELECT min(id) FROM documents WHERE source_id = s.id AND passages > 0) AS id
       FROM sources s ORDER BY s.read_at DESC, s.rowid DESC LIMIT ?`,
      SOURCES,
    )
    .flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}

function toOutline(row: Row): Outline {
  const entry = { key: String(row['key']), title: String(row['title']) };
  const origin = JSON.parse(String(row['origin'])) as SourceOrigin;
  return {
    documentId: Number(row['id']),
    title: titleOf(entry, { title: String(row['source_title']), origin }),
    headings: JSON.parse(String(row['headings'])) as Heading[],
  };
}
