import {
  count,
  integer,
  isAmong,
  json,
  maybe,
  or,
  text,
  type RecoverableRows,
} from '../../../index/store/database/column-rules.ts';
import {
  storedAnswer,
  storedFailure,
  storedTexts,
  storedUsage,
} from '../../../index/store/database/stored-json.ts';
import { storedColumns } from './stored-json.ts';

/** Extraction tables in a damaged database. */
export const recoverableTables: RecoverableRows = {
  rules: {
    matrices: {
      id: text,
      title: or(text, ''),
      source_ids: maybe(json(storedTexts)),
      row_kind: or(isAmong(['documents', 'sources']), 'sources'),
      // `restore` takes lost columns from the cells.
      columns: or(json(storedColumns), '[]'),
      created_at: or(integer, 0),
      changed_at: or(integer, 0),
      revision: or(count, 1),
      usage: maybe(json(storedUsage)),
    },
    matrix_cells: {
      matrix_id: text,
      column_id: text,
      row_id: text,
      row_title: or(text, ''),
      answer: maybe(json(storedAnswer)),
      asked: maybe(text),
      version: maybe(text),
      edited: maybe(text),
      failure: maybe(json(storedFailure)),
      wanted: or(count, 0),
      replaces: or(count, 0),
      holder: maybe(text),
      held_until: maybe(integer),
      revision: or(count, 1),
    },
  },
  restore: (title) => `
    INSERT INTO matrices (id, title, row_kind, columns, created_at, changed_at)
      SELECT matrix_id, ${title}, iif(row_id LIKE '%/%', 'documents', 'sources'), '[]', 0, 0
      FROM matrix_cells WHERE matrix_id NOT IN (SELECT id FROM matrices) GROUP BY matrix_id;
    -- Restores lost columns with the questions of their cells.
    UPDATE matrices SET columns = (SELECT json_group_array(json_object('id', column_id, 'question', question))
        FROM (SELECT column_id, coalesce(max(asked), '?') AS question FROM matrix_cells
          WHERE matrix_id = matrices.id GROUP BY column_id ORDER BY min(rowid)))
      WHERE columns = '[]';`,
};
